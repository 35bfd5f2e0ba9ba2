// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names and explanations, all constant. */
#include <errno.h>
#include <string.h>

#include "internal.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

struct explanation {
	int error;
	const char *text;
};

static const struct explanation open_errors[] = {
	{ ENOENT, "no such node: load the kernel module "
		  "(modprobe uncore_pmu)" },
	{ ENXIO, "no driver behind the node: load the kernel module "
		 "(modprobe uncore_pmu)" },
	/* For reading or for writing: which it was is not known here. */
	{ EACCES, "not permitted to open the node: reading it is for the group "
		  "uncore (usermod -aG uncore USER, and log in again); "
		  "programming needs the right to write to it, which is root's "
		  "unless a udev rule gives it to others (GROUP, MODE)" },
	{ EPERM, "not permitted to open the node: in a container, pass it in "
		 "(--device=/dev/uncore_pmu)" },
	{ ENOTTY, "not a character device: give the node of uncore_pmu, "
		  "usually /dev/uncore_pmu" },
	{ EISDIR, "a directory: give the node of uncore_pmu, usually "
		  "/dev/uncore_pmu" },
	{ ENODEV, "not a node of uncore_pmu, or the module is gone: give "
		  "/dev/uncore_pmu, with the module loaded" },
	{ EPROTONOSUPPORT, "library and module speak different versions: "
			   "install both from one release" },
	{ EBADF, "not an open descriptor" },
	{ EMFILE, "too many open files in this process: raise ulimit -n" },
};

static const struct explanation find_errors[] = {
	{ EINVAL, "not a name: a unit is imc3@1, imc3, imc@1 or imc, a counter "
		  "imc3@1/ctr0" },
	{ ENOENT, "no such unit or counter: \"uncorectl list\" shows what "
		  "there is" },
	{ ENXIO, "no such unit: \"uncorectl list\" shows what there is" },
};

static const struct explanation map_errors[] = {
	{ ENOENT, "no such unit or counter here, or the firmware hides the "
		  "unit: see \"uncorectl list\"" },
	{ ENXIO, "no such unit: see \"uncorectl list\"" },
	{ ENOTUNIQ, "more than one unit has this name: give the number and the "
		    "die too, as in imc3@1, or the PCI address, as in "
		    "imc3@0001:ff:14.0" },
	{ EINVAL, "not a name, not mapped, or counters of different kinds in "
		  "one group" },
	{ EIO, "the unit cannot be trusted and is not mapped: \"uncorectl "
	       "list\" says why" },
	{ ENODEV, "the unit's device was removed: reload the kernel module "
		  "once it is back" },
	{ EPERM, "the unit is locked: boot without lockdown=confidentiality, "
		 "or load the module with mchbar=1; \"uncorectl list\" says "
		 "which" },
	{ EADDRNOTAVAIL, "the unit's counters are in no page that could be "
			 "mapped: \"uncorectl list\" says why" },
	{ EAGAIN, "this CPU is held by a real-time task: try again, or from "
		  "another CPU" },
	{ EOPNOTSUPP, "this version of the library cannot read this unit: "
		      "install a newer one" },
};

static const struct explanation program_errors[] = {
	{ EACCES, "not permitted to program: the node must be opened for "
		  "writing, which is for root; ask the administrator for a "
		  "standing set of events (uncore-pmu.service)" },
	{ EBADF, "not permitted to program: this descriptor is open for "
		 "reading only" },
	{ EPERM, "the unit is locked (\"uncorectl list\" says why), or kernel "
		 "lockdown forbids programming: boot without lockdown, or with "
		 "Secure Boot off" },
	{ EADDRNOTAVAIL, "the unit has no registers that the module can "
			 "write: \"uncorectl list\" says why" },
	{ ENOENT, "the unit is not on this machine, or the firmware hides it: "
		  "see \"uncorectl list\"" },
	{ ENXIO, "no such unit: see \"uncorectl list\"" },
	{ EINVAL, "the unit does not let this be counted, or not together with "
		  "what is being counted; or perf of this kernel does not know "
		  "that counter" },
	{ EOPNOTSUPP, "the unit has no counter of this kind; or perf of this "
		      "kernel programs another link in place of it: \"modprobe "
		      "-r intel_uncore\"; or the kernel module is too old" },
	{ EBUSY, "all counters of the unit that could count this are in use: "
		 "\"uncorectl status\" shows by whom" },
	{ EADDRINUSE, "a driver that does not count has the unit's device: see "
		      "\"lspci -k\", and load intel_uncore" },
	{ EHOSTDOWN, "perf programs this unit, and no CPU of its die is online: "
		     "bring one back (\"chcpu -e N\"); if the die is not known "
		     "(\"uncorectl list\"), unload perf's driver (\"modprobe -r "
		     "intel_uncore\")" },
	{ EIO, "the unit cannot be trusted: \"uncorectl list\" says why" },
	{ ENODEV, "the unit's device was removed" },
	{ EPROTO, "a register of the unit does not hold what was written, or "
		  "is not where the kernel's driver says: perf does not write "
		  "the bits above 31 for all types of units, and leaves what "
		  "other software had in those of upi (clear them with setpci); "
		  "if it is neither, please report it" },
};

static const struct explanation release_errors[] = {
	{ EBADF, "this descriptor is open for reading only" },
	{ ENOENT, "no such claim: it was released before" },
	{ EACCES, "the claim belongs to another open file" },
	{ EOPNOTSUPP, "the kernel module is too old to program" },
};

static const struct explanation status_errors[] = {
	{ ENXIO, "no such unit or counter: see \"uncorectl list\"" },
	{ ENOENT, "the unit is not on this machine, or the firmware hides it" },
	{ EIO, "the unit cannot be trusted: \"uncorectl list\" says why" },
	{ EPERM, "the unit is locked: \"uncorectl list\" says why" },
	{ EADDRNOTAVAIL, "the unit has no registers that the module can read: "
			 "\"uncorectl list\" says why" },
	{ ENODEV, "the unit's device was removed" },
	{ EOPNOTSUPP, "the kernel module is too old to program" },
};

static const struct explanation event_errors[] = {
	{ EINVAL, "not an event: give UNC_M_CAS_COUNT:RD, cas_count_read, "
		  "event=0x04,umask=0x03 or fixed" },
	{ ENOENT, "no such event: see \"uncorectl events\"" },
	{ ENODEV, "no such unit: see \"uncorectl list\"" },
	{ ERANGE, "a number is too large for its field" },
	{ EOPNOTSUPP, "the units cannot count this, or only with a filter by "
		      "address, packet, thread or core, which is not possible "
		      "through uncore_pmu" },
};

static const struct explanation core_errors[] = {
	{ EINVAL, "not an event: give branch-misses, a name of libpfm4, "
		  "event=0xc5,umask=0x00 or r00c5" },
	{ ENOENT, "no such event on this processor: \"perf list\" and "
		  "libpfm4's showevtinfo show what there is" },
	{ ERANGE, "a number is too large for its field" },
	{ ENODEV, "no performance monitoring unit: in a virtual machine, have "
		  "the host give it one; uncore counters do not need it" },
	{ EACCES, "perf does not let you count: set "
		  "kernel.perf_event_paranoid to 2 (Debian sets 3), or give the "
		  "program the capability CAP_PERFMON; in a container, allow "
		  "perf_event_open" },
	{ EPERM, "RDPMC is forbidden to users: write 1 to "
		 "/sys/bus/event_source/devices/cpu/rdpmc" },
	{ EOPNOTSUPP, "this processor or kernel cannot count this event for a "
		      "thread" },
	{ EBUSY, "the performance monitoring unit is held by another user, as "
		 "by a virtual machine that was given it; or all its counters "
		 "are taken by perf and other programs" },
	{ EXDEV, "the counter belongs to a die or an L3 complex whose CPUs you "
		 "do not run on: keep the thread there (taskset -c)" },
	{ EMFILE, "too many open files in this process: raise ulimit -n, as each "
		  "thread needs one for each event of the core, in each group" },
	{ ENOBUFS, "too many counters are mapped: raise "
		   "kernel.perf_event_mlock_kb or ulimit -l" },
	{ EPROTO, "the kernel's perf page contradicts itself, or the kernel is "
		  "older than 3.12" },
};

static const struct explanation rdpmc_errors[] = {
	{ ENXIO, "this processor has no counter of that index" },
	{ ENODEV, "no performance monitoring unit: in a virtual machine, have "
		  "the host give it one" },
	{ EPERM, "RDPMC is forbidden to users: write 1 to "
		 "/sys/bus/event_source/devices/cpu/rdpmc; or kernel lockdown "
		 "forbids reading counters" },
	{ EOPNOTSUPP, "on this processor, RDPMC shows zero for counters that "
		      "others have programmed: open an event of your own with "
		      "uncore_core_open()" },
	{ EAGAIN, "this CPU is held by a real-time task: try again, or from "
		  "another CPU" },
};

static const struct explanation any_errors[] = {
	{ EPROTO, "the kernel module contradicts itself: please report it with "
		  "the output of \"uncorectl list --json\"" },
	{ ENOMEM, "out of memory" },
};

#define TABLE(errors)	{ errors, ARRAY_SIZE(errors) }

static const struct {
	const struct explanation *table;
	size_t count;
} all_errors[] = {
	[UNCORE_CALL_OPEN] = TABLE(open_errors),
	[UNCORE_CALL_FIND] = TABLE(find_errors),
	[UNCORE_CALL_MAP] = TABLE(map_errors),
	[UNCORE_CALL_PROGRAM] = TABLE(program_errors),
	[UNCORE_CALL_RELEASE] = TABLE(release_errors),
	[UNCORE_CALL_STATUS] = TABLE(status_errors),
	[UNCORE_CALL_EVENT] = TABLE(event_errors),
	[UNCORE_CALL_CORE] = TABLE(core_errors),
	[UNCORE_CALL_RDPMC] = TABLE(rdpmc_errors),
};

static const char *look_up(const struct explanation *table, size_t count,
			   int error)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (table[i].error == error)
			return table[i].text;
	return NULL;
}

const char *uncore_strerror(enum uncore_call call, int error)
{
	const char *text = NULL;

	if (error < 0 && error != INT32_MIN)
		error = -error;

	if ((unsigned int)call < ARRAY_SIZE(all_errors))
		text = look_up(all_errors[call].table,
			       all_errors[call].count, error);
	if (!text)
		text = look_up(any_errors, ARRAY_SIZE(any_errors), error);
	if (!text)
		text = strerrordesc_np(error);
	return text ? text : "unknown error";
}

static const char *pick(const char *const *names, size_t count, uint32_t index)
{
	return index < count && names[index] ? names[index] : "unknown";
}

const char *uncore_state_name(uint32_t state)
{
	static const char *const names[] = {
		[UNCORE_PMU_STATE_OK] = "ok",
		[UNCORE_PMU_STATE_ABSENT] = "absent",
		[UNCORE_PMU_STATE_INVALID] = "invalid",
		[UNCORE_PMU_STATE_LOCKED] = "locked",
		[UNCORE_PMU_STATE_GONE] = "gone",
		[UNCORE_PMU_STATE_WINDOW] = "window",
	};

	return pick(names, ARRAY_SIZE(names), state);
}

const char *uncore_reason_text(uint32_t reason)
{
	static const char *const texts[] = {
		[UNCORE_PMU_REASON_NONE] = "",
		[UNCORE_PMU_REASON_NOT_FOUND] =
			"hidden by the firmware, or not on this die",
		[UNCORE_PMU_REASON_NO_MCFG] =
			"the firmware has no usable MCFG table",
		[UNCORE_PMU_REASON_NO_ECAM] =
			"no MCFG entry covers the PCI segment and bus",
		[UNCORE_PMU_REASON_UNALIGNED] =
			"the page address is not page-aligned",
		[UNCORE_PMU_REASON_ADDRESS] =
			"the page is above the physical address width",
		[UNCORE_PMU_REASON_RAM] =
			("the page is in System RAM: MCFG, or the register "
			 "with its address, is wrong"),
		[UNCORE_PMU_REASON_ID] =
			("the page does not show the function's vendor:device: "
			 "it does not answer (hidden since), or MCFG is wrong"),
		[UNCORE_PMU_REASON_DUPLICATE] =
			"another unit has this name already",
		[UNCORE_PMU_REASON_MAP] =
			"the kernel could not map the page to check it",
		[UNCORE_PMU_REASON_LOCKDOWN] =
			"kernel lockdown is in confidentiality mode",
		[UNCORE_PMU_REASON_REMOVED] =
			"the PCI function was removed",
		[UNCORE_PMU_REASON_BASE_ZERO] =
			("the register with the page's address is zero: the "
			 "firmware has not set it up"),
		[UNCORE_PMU_REASON_BASE_ONES] =
			("the register with the page's address is all ones: "
			 "nothing answers there"),
		[UNCORE_PMU_REASON_OVERLAP] =
			("page or registers belong to another unit or device "
			 "as well: see \"dmesg\""),
		[UNCORE_PMU_REASON_DECODE] =
			("memory decoding of the PCI function is off "
			 "(setpci COMMAND bit 1)"),
		[UNCORE_PMU_REASON_D3] =
			("the PCI function sleeps, in D3: set its power/control "
			 "in sysfs to on"),
		[UNCORE_PMU_REASON_ALL_ONES] =
			"nothing answers, all bits read as ones",
		[UNCORE_PMU_REASON_MCHBAR] =
			("its page shows energy counters, too: load the module "
			 "with mchbar=1 to allow it"),
		[UNCORE_PMU_REASON_MSR] =
			"only the kernel can read its registers, which are MSRs",
		[UNCORE_PMU_REASON_TABLE] =
			("the discovery table, or the unit's entry, is broken: "
			 "see \"dmesg\""),
		[UNCORE_PMU_REASON_FUNCTION] =
			"the discovery table names a function that has no units",
	};

	return pick(texts, ARRAY_SIZE(texts), reason);
}

const char *uncore_access_name(uint32_t access)
{
	static const char *const names[] = {
		[UNCORE_PMU_ACCESS_CONFIG] = "config",
		[UNCORE_PMU_ACCESS_MMIO64] = "mmio64",
		[UNCORE_PMU_ACCESS_MMIO32] = "mmio32",
		[UNCORE_PMU_ACCESS_RDPMC] = "rdpmc",
		[UNCORE_PMU_ACCESS_WINDOW] = "window",
	};

	return pick(names, ARRAY_SIZE(names), access);
}

const char *uncore_kind_name(uint32_t kind)
{
	static const char *const names[] = {
		[UNCORE_PMU_KIND_GENERAL] = "general",
		[UNCORE_PMU_KIND_FIXED] = "fixed",
		[UNCORE_PMU_KIND_FREE_RUNNING] = "free-running",
	};

	return pick(names, ARRAY_SIZE(names), kind);
}

const char *uncore_quantity_name(uint32_t quantity)
{
	static const char *const names[] = {
		[UNCORE_PMU_QUANTITY_EVENT] = "event",
		[UNCORE_PMU_QUANTITY_CYCLES] = "cycles",
		[UNCORE_PMU_QUANTITY_BYTES] = "bytes",
	};

	return pick(names, ARRAY_SIZE(names), quantity);
}

const char *uncore_counter_state_name(int state)
{
	static const char *const names[] = {
		[UNCORE_COUNTER_COUNTING] = "counting",
		[UNCORE_COUNTER_NOT_PROGRAMMED] = "not programmed",
		[UNCORE_COUNTER_FROZEN] = "frozen",
		[UNCORE_COUNTER_GONE] = "gone",
		[UNCORE_COUNTER_NOT_RUNNING] = "not running",
	};

	return pick(names, ARRAY_SIZE(names), (uint32_t)state);
}

const char *uncore_validity_text(int validity)
{
	static const char *const texts[] = {
		[UNCORE_VALID] = "counted without a break",
		[UNCORE_UNCLAIMED] = "not claimed, may be changed by others",
		[UNCORE_OTHER_EVENT] = "counts another event",
		[UNCORE_REPROGRAMMED] = "programmed anew in between",
		[UNCORE_RELEASED] = "released in between",
		[UNCORE_OVERWRITTEN] = "control register overwritten",
		[UNCORE_NOT_RUNNING] =
			("did not run all the time (fewer events at once? the "
			 "NMI watchdog takes a counter)"),
		[UNCORE_UNPAIRED] = "not begun and ended in pairs",
		[UNCORE_OTHER_CPU] = "read on a CPU of another die or complex",
		[UNCORE_IMPLAUSIBLE] =
			("more than it can count in that time: it was reset or "
			 "written"),
	};

	return pick(texts, ARRAY_SIZE(texts), (uint32_t)validity);
}

const char *uncore_claim_state_name(uint32_t state)
{
	static const char *const names[] = {
		[UNCORE_PMU_COUNTER_FREE] = "free",
		[UNCORE_PMU_COUNTER_OTHER] = "used by others",
		[UNCORE_PMU_COUNTER_CLAIMED] = "claimed",
		[UNCORE_PMU_COUNTER_REPROGRAMMED] = "reprogrammed",
		[UNCORE_PMU_COUNTER_LOST] = "lost",
		[UNCORE_PMU_COUNTER_FREE_RUNNING] = "free-running",
	};

	return pick(names, ARRAY_SIZE(names), state);
}

const char *uncore_via_name(uint32_t via)
{
	static const char *const names[] = {
		[UNCORE_PMU_VIA_PERF] = "perf",
		[UNCORE_PMU_VIA_DIRECT] = "direct",
	};

	return pick(names, ARRAY_SIZE(names), via);
}
