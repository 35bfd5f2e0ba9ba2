/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/uncore_pmu: read uncore performance counters through a pointer.
 *
 * This header is the whole contract between the uncore_pmu kernel module and
 * user space.
 *
 * A unit is one performance monitoring unit (PMU) box of the uncore: one
 * memory channel, one home agent, one interconnect link. A process opens the
 * node for reading, asks for the description of each unit with
 * UNCORE_PMU_UNIT, maps the unit's page and reads the counters with plain
 * loads, without a system call:
 *
 *	page = mmap(NULL, unit.mmap_length, PROT_READ, MAP_SHARED, fd,
 *		    unit.mmap_offset);
 *	value = *(volatile __u32 *)(page + unit.counter[n].offset);
 *
 * Opening the node for reading gives the right to read. Programming the
 * counters is another right and needs a descriptor opened for writing. Whoever
 * holds a descriptor holds its right, however it got it.
 *
 *
 * Reading a counter
 * =================
 *
 * The access class of the unit says which loads reach the counter:
 *
 *   UNCORE_PMU_ACCESS_CONFIG	PCI configuration space. Only aligned 32-bit
 *				loads are allowed; nothing prevents others, but
 *				what they give is not defined. A counter wider
 *				than 32 bits is two halves, the high one at
 *				offset + 4; read high, low, high until the high
 *				half agrees.
 *   UNCORE_PMU_ACCESS_MMIO64	One aligned 64-bit load at offset.
 *   UNCORE_PMU_ACCESS_MMIO32	One aligned 32-bit load at offset.
 *   UNCORE_PMU_ACCESS_RDPMC	The RDPMC instruction with index offset.
 *   UNCORE_PMU_ACCESS_WINDOW	Published by the kernel in shared memory.
 *
 * Counters run freely and wrap at their width: mask a value to the width, and
 * take differences modulo 2^width. Any number of processes may read the same
 * counter at the same time.
 *
 *
 * Choosing what is counted
 * ========================
 *
 * UNCORE_PMU_PROGRAM, through a descriptor opened for writing, claims a counter
 * and has it count an event. Where the kernel has a perf PMU for the unit, perf
 * does it and chooses the counter, so that neither disturbs the other; only
 * where it has none, the module writes the registers. Which counter it became
 * is part of the answer. Bits that would filter by address, opcode, thread or
 * core cannot be set.
 *
 * The claim belongs to the open file: it ends with UNCORE_PMU_RELEASE, or with
 * the last reference to the open file, passed descriptors and mappings included.
 * The registers then have their previous content again.
 *
 * Everyone may read what is programmed, and ask with UNCORE_PMU_STATUS. To be
 * sure of a difference without a system call, compare at its begin and end
 *
 *   - the counter's generation, a 32-bit word, which changes each time that
 *     this module programs, moves, loses or releases the counter, and is odd
 *     while it is claimed and counts:
 *	((__u32 *)mapping)[unit * UNCORE_PMU_MAX_COUNTERS + counter]
 *     in a mapping of info.generation_length bytes at
 *     UNCORE_PMU_GENERATION_OFFSET;
 *   - the counter's control register, in the unit's own page: perf, or someone
 *     who writes registers, may reprogram a counter without this module.
 *
 * If either has changed, or the generation is even, the difference means
 * nothing. perf may move its events to other counters of the unit, and back
 * again, whenever it adds one. The module looks twice a second, and for
 * UNCORE_PMU_STATUS: the generation changes if the counter has missed counts of
 * its event since, or had others. Where the unit's ask is 1, reading is not
 * enough: call UNCORE_PMU_STATUS after the last value was read, then compare.
 * Where it is 0, only perf users who switch pinned events off and on need that.
 * perf moves events of a CPU that goes offline to another one, which loses some
 * counts and changes the generation at once. Claims through perf on a die whose
 * last CPU goes offline are lost, and stay so, which suspend does to all dies but
 * the first. After it, the others are programmed anew, with a new generation.
 *
 *
 * Reading core counters
 * =====================
 *
 * While a process holds a mapping, RDPMC does not fault in any of its threads,
 * as long as the sysfs attribute "rdpmc" of the core PMU is not 0. The right
 * goes with the last mapping. A child made by fork inherits the mappings and
 * the right with them; exec gives up both.
 *
 * A process that wants the right alone, or runs on a machine without any unit,
 * maps UNCORE_PMU_RDPMC_LENGTH bytes at offset UNCORE_PMU_RDPMC_OFFSET: one
 * page of zeros.
 *
 *
 * General ioctl format
 * ====================
 *
 * Every ioctl takes a pointer to a structure whose first member, size, the
 * caller sets to the size of the structure that it was compiled with. Newer
 * kernels may know a longer structure; what the caller does not pass counts as
 * zero, and what the kernel does not know must be zero.
 *
 *
 * Errors
 * ======
 *
 * ioctl:
 *   ENOTTY	 The ioctl is not known.
 *   EFAULT	 The structure, or a part of it, is not accessible memory.
 *   EINVAL	 size is smaller than the first version of the structure, or an
 *		 unknown flag or a reserved bit is set.
 *   E2BIG	 size is larger than the kernel's structure and the excess holds
 *		 a byte that is not zero; or size is above 4096.
 *   ENOMEM	 Out of memory.
 *   ENXIO	 No unit has this index.
 *   ENODEV	 The unit's device was removed. The answer of UNCORE_PMU_UNIT is
 *		 filled in all the same, with state UNCORE_PMU_STATE_GONE.
 *
 * UNCORE_PMU_PROGRAM, besides, and nothing is claimed:
 *   EBADF	 The descriptor is not open for writing.
 *   EPERM	 The unit is locked, or kernel lockdown forbids access to PCI.
 *   ENOENT, EIO, EADDRNOTAVAIL  For the unit's state, as in mmap.
 *   EINVAL	 also: config has a bit outside of the unit's config_mask, or is 0
 *		 where no bit enables a counter, or not 0 for a fixed counter; or
 *		 kind is neither general nor fixed.
 *   EOPNOTSUPP	 The unit has no counter of that kind, or no PCI function; or
 *		 perf of this kernel programs another link, see uncore_pmu(4).
 *   EBUSY	 All counters that could count this are in use.
 *   EADDRINUSE	 A driver without perf PMU has the device that the unit is.
 *   EHOSTDOWN	 No CPU of the unit's die is online, or the die is not known.
 *   EPROTO	 perf chose a register that is not the unit's, or a register does
 *		 not hold what was written to it: perf writes the lower 32 bits
 *		 alone for some types; or it stays frozen with all other units.
 *   others	 perf refused the event: its errno.
 *
 * UNCORE_PMU_RELEASE, besides:
 *   EBADF	 The descriptor is not open for writing.
 *   ENOENT	 There is no such claim.
 *   EACCES	 The claim belongs to another open file.
 *
 * UNCORE_PMU_STATUS, besides:
 *   ENXIO	 also: the unit has no such counter.
 *   ENOENT, EIO, EPERM, EADDRNOTAVAIL  For the unit's state, as in mmap.
 *
 * mmap:
 *   EACCES	 The protection asks for writing, or does not ask for reading.
 *   ENOEXEC	 The protection asks for execution. (Where the node lies on a
 *		 file system mounted noexec, the kernel says EPERM first.)
 *   EOPNOTSUPP	 The mapping is private (MAP_PRIVATE).
 *   ENXIO	 The offset is no unit's mmap_offset, nor UNCORE_PMU_RDPMC_OFFSET,
 *		 nor UNCORE_PMU_GENERATION_OFFSET on a machine with units.
 *   EINVAL	 The length is not the unit's mmap_length, or not
 *		 generation_length, or not UNCORE_PMU_RDPMC_LENGTH, all rounded
 *		 up to whole pages by the kernel; or is 0.
 *   ENOENT	 The unit is absent.
 *   EIO	 The unit is invalid; its reason says why.
 *   ENODEV	 The unit's device was removed.
 *   EPERM	 The unit is locked; its reason says why, such as kernel lockdown.
 *   EADDRNOTAVAIL	 The unit has no page: its state is UNCORE_PMU_STATE_WINDOW.
 *   EOVERFLOW	 The offset is too large for the kernel to hand it to the module.
 *   EAGAIN	 RDPMC could not be enabled on the calling CPU in bounded time.
 *   ENOMEM	 Out of memory.
 *
 * After mmap:
 *   SIGBUS	 The unit's device was removed while it was mapped.
 *   EACCES	 from mprotect: a mapping never becomes writable or executable.
 *   EFAULT	 from mremap: a mapping never grows.
 */
#ifndef _UAPI_LINUX_UNCORE_PMU_H
#define _UAPI_LINUX_UNCORE_PMU_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define UNCORE_PMU_ABI_VERSION	1

#define UNCORE_PMU_TYPE_LEN	24
#define UNCORE_PMU_NAME_LEN	16
#define UNCORE_PMU_MAX_COUNTERS	32

/* A register offset that does not exist. */
#define UNCORE_PMU_NO_REGISTER	0xffffffffU

/* A mapping that gives the right to RDPMC and nothing else. */
#define UNCORE_PMU_RDPMC_OFFSET	0
#define UNCORE_PMU_RDPMC_LENGTH	4096

/* The generations of all counters; the length is in struct uncore_pmu_info. */
#define UNCORE_PMU_GENERATION_OFFSET	0x10000

/* In the features of struct uncore_pmu_info. */
#define UNCORE_PMU_FEATURE_PROGRAM	0x1

/**
 * enum uncore_pmu_access - how the counters of a unit are read
 * @UNCORE_PMU_ACCESS_CONFIG: PCI configuration space, aligned 32-bit loads only
 * @UNCORE_PMU_ACCESS_MMIO64: memory-mapped registers, 64-bit loads
 * @UNCORE_PMU_ACCESS_MMIO32: memory-mapped registers, 32-bit loads
 * @UNCORE_PMU_ACCESS_RDPMC: RDPMC, the counter's offset is the index
 * @UNCORE_PMU_ACCESS_WINDOW: memory published by the kernel
 */
enum uncore_pmu_access {
	UNCORE_PMU_ACCESS_CONFIG	= 1,
	UNCORE_PMU_ACCESS_MMIO64	= 2,
	UNCORE_PMU_ACCESS_MMIO32	= 3,
	UNCORE_PMU_ACCESS_RDPMC		= 4,
	UNCORE_PMU_ACCESS_WINDOW	= 5,
};

/**
 * enum uncore_pmu_state - what became of a unit
 * @UNCORE_PMU_STATE_OK: can be mapped
 * @UNCORE_PMU_STATE_ABSENT: known for this platform but not on this machine:
 *	the firmware hides it or the die does not have it
 * @UNCORE_PMU_STATE_INVALID: present but cannot be trusted, see the reason;
 *	perhaps only for now where the reason is looked at anew each time
 * @UNCORE_PMU_STATE_LOCKED: mapping is forbidden, see the reason
 * @UNCORE_PMU_STATE_GONE: the device was removed after the module had found it
 * @UNCORE_PMU_STATE_WINDOW: has no page, only the kernel can publish it
 */
enum uncore_pmu_state {
	UNCORE_PMU_STATE_OK		= 1,
	UNCORE_PMU_STATE_ABSENT		= 2,
	UNCORE_PMU_STATE_INVALID	= 3,
	UNCORE_PMU_STATE_LOCKED		= 4,
	UNCORE_PMU_STATE_GONE		= 5,
	UNCORE_PMU_STATE_WINDOW		= 6,
};

/**
 * enum uncore_pmu_reason - why a unit is not UNCORE_PMU_STATE_OK
 * @UNCORE_PMU_REASON_NONE: nothing to explain
 * @UNCORE_PMU_REASON_NOT_FOUND: no PCI function with the unit's id or address
 * @UNCORE_PMU_REASON_NO_MCFG: the firmware has no MCFG table, or a broken one
 * @UNCORE_PMU_REASON_NO_ECAM: no MCFG entry covers the segment and bus
 * @UNCORE_PMU_REASON_UNALIGNED: the page address is not page-aligned
 * @UNCORE_PMU_REASON_ADDRESS: the page is above the physical address width
 * @UNCORE_PMU_REASON_RAM: the page touches System RAM
 * @UNCORE_PMU_REASON_ID: the page's first dword is not the vendor:device that
 *	the PCI core reported; looked at anew each time, since a function can
 *	stop to answer
 * @UNCORE_PMU_REASON_DUPLICATE: another unit already has this type, instance
 *	and die
 * @UNCORE_PMU_REASON_MAP: the kernel could not map the page to check it
 * @UNCORE_PMU_REASON_LOCKDOWN: kernel lockdown is in confidentiality mode
 * @UNCORE_PMU_REASON_REMOVED: the PCI function was removed
 * @UNCORE_PMU_REASON_BASE_ZERO: the register with the page's address is zero
 * @UNCORE_PMU_REASON_BASE_ONES: the register with the page's address is all ones
 * @UNCORE_PMU_REASON_OVERLAP: page or registers are another unit's or device's
 * @UNCORE_PMU_REASON_DECODE: memory decoding is off; looked at anew each time
 * @UNCORE_PMU_REASON_D3: the function sleeps, in D3; looked at anew each time
 * @UNCORE_PMU_REASON_ALL_ONES: nothing answers; looked at anew each time
 * @UNCORE_PMU_REASON_MCHBAR: energy counters in its page; see parameter mchbar
 * @UNCORE_PMU_REASON_MSR: its registers are model-specific registers
 * @UNCORE_PMU_REASON_TABLE: discovery table or its entry unusable, see the log
 * @UNCORE_PMU_REASON_FUNCTION: a discovery table names a function without units
 */
enum uncore_pmu_reason {
	UNCORE_PMU_REASON_NONE		= 0,
	UNCORE_PMU_REASON_NOT_FOUND	= 1,
	UNCORE_PMU_REASON_NO_MCFG	= 2,
	UNCORE_PMU_REASON_NO_ECAM	= 3,
	UNCORE_PMU_REASON_UNALIGNED	= 4,
	UNCORE_PMU_REASON_ADDRESS	= 5,
	UNCORE_PMU_REASON_RAM		= 6,
	UNCORE_PMU_REASON_ID		= 7,
	UNCORE_PMU_REASON_DUPLICATE	= 8,
	UNCORE_PMU_REASON_MAP		= 9,
	UNCORE_PMU_REASON_LOCKDOWN	= 10,
	UNCORE_PMU_REASON_REMOVED	= 11,
	UNCORE_PMU_REASON_BASE_ZERO	= 12,
	UNCORE_PMU_REASON_BASE_ONES	= 13,
	UNCORE_PMU_REASON_OVERLAP	= 14,
	UNCORE_PMU_REASON_DECODE	= 15,
	UNCORE_PMU_REASON_D3		= 16,
	UNCORE_PMU_REASON_ALL_ONES	= 17,
	UNCORE_PMU_REASON_MCHBAR	= 18,
	UNCORE_PMU_REASON_MSR		= 19,
	UNCORE_PMU_REASON_TABLE		= 20,
	UNCORE_PMU_REASON_FUNCTION	= 21,
};

/**
 * enum uncore_pmu_kind - what makes a counter count
 * @UNCORE_PMU_KIND_GENERAL: counts the event in its control register
 * @UNCORE_PMU_KIND_FIXED: counts one event, its control register enables it
 * @UNCORE_PMU_KIND_FREE_RUNNING: counts one event always, has no control
 */
enum uncore_pmu_kind {
	UNCORE_PMU_KIND_GENERAL		= 1,
	UNCORE_PMU_KIND_FIXED		= 2,
	UNCORE_PMU_KIND_FREE_RUNNING	= 3,
};

/**
 * enum uncore_pmu_quantity - what one count of a counter stands for
 * @UNCORE_PMU_QUANTITY_EVENT: depends on the event programmed
 * @UNCORE_PMU_QUANTITY_CYCLES: @scale cycles of the unit's clock
 * @UNCORE_PMU_QUANTITY_BYTES: @scale bytes
 */
enum uncore_pmu_quantity {
	UNCORE_PMU_QUANTITY_EVENT	= 0,
	UNCORE_PMU_QUANTITY_CYCLES	= 1,
	UNCORE_PMU_QUANTITY_BYTES	= 2,
};

/**
 * enum uncore_pmu_via - who has programmed a counter for the module
 * @UNCORE_PMU_VIA_PERF: the kernel's perf PMU of the unit
 * @UNCORE_PMU_VIA_DIRECT: the module itself, the kernel has no perf PMU for it
 */
enum uncore_pmu_via {
	UNCORE_PMU_VIA_PERF		= 1,
	UNCORE_PMU_VIA_DIRECT		= 2,
};

/**
 * enum uncore_pmu_counter_state - what a counter is doing
 * @UNCORE_PMU_COUNTER_FREE: not claimed, and not enabled by anyone else
 * @UNCORE_PMU_COUNTER_OTHER: not claimed, but enabled: perf or other software
 *	uses it
 * @UNCORE_PMU_COUNTER_CLAIMED: claimed, and counts what was programmed
 * @UNCORE_PMU_COUNTER_REPROGRAMMED: claimed, but its control register does not
 *	hold what was programmed
 * @UNCORE_PMU_COUNTER_LOST: the claim has ended without its holder: the device
 *	was removed or changed its driver, perf had it and the last CPU of the
 *	die went offline, or it was not to be programmed anew after suspend.
 *	Seen until it is released or the counter is claimed again
 * @UNCORE_PMU_COUNTER_FREE_RUNNING: counts always, cannot be programmed
 */
enum uncore_pmu_counter_state {
	UNCORE_PMU_COUNTER_FREE		= 1,
	UNCORE_PMU_COUNTER_OTHER	= 2,
	UNCORE_PMU_COUNTER_CLAIMED	= 3,
	UNCORE_PMU_COUNTER_REPROGRAMMED	= 4,
	UNCORE_PMU_COUNTER_LOST		= 5,
	UNCORE_PMU_COUNTER_FREE_RUNNING	= 6,
};

/**
 * struct uncore_pmu_info - ioctl(UNCORE_PMU_INFO)
 * @size: sizeof(struct uncore_pmu_info)
 * @flags: in: must be 0
 * @abi_version: out: UNCORE_PMU_ABI_VERSION of the module
 * @num_units: out: units have the indices 0 to @num_units - 1; the number does
 *	not change while the module is loaded
 * @features: out: UNCORE_PMU_FEATURE_* bits
 * @platform: out: name of the platform whose units were found, for example
 *	"haswell-ep"; empty if none was
 * @generation_length: out: bytes to map at UNCORE_PMU_GENERATION_OFFSET, a
 *	multiple of 4096; 0 without units
 * @__reserved: 0
 *
 * About the module and the machine.
 */
struct uncore_pmu_info {
	__u32 size;
	__u32 flags;
	__u32 abi_version;
	__u32 num_units;
	__aligned_u64 features;
	char platform[32];
	__u32 generation_length;
	__u32 __reserved;
};

/**
 * struct uncore_pmu_counter - one counter of a unit
 * @offset: byte offset of the counter (of its low half) in the mapping; the index
 *	for UNCORE_PMU_ACCESS_RDPMC; UNCORE_PMU_NO_REGISTER for _WINDOW
 * @control: byte offset of the 32-bit control register in the same mapping, or
 *	UNCORE_PMU_NO_REGISTER
 * @enable: the bit of @control that lets the counter count; 0 if it needs none
 * @scale: see @quantity; 0 where that is UNCORE_PMU_QUANTITY_EVENT
 * @width: number of significant bits, 1 to 64
 * @kind: enum uncore_pmu_kind
 * @quantity: enum uncore_pmu_quantity
 * @__reserved: 0
 * @name: "ctr0", "fixed", ...; unique in its unit, NUL-terminated
 */
struct uncore_pmu_counter {
	__u32 offset;
	__u32 control;
	__u32 enable;
	__u32 scale;
	__u16 width;
	__u8 kind;
	__u8 quantity;
	__u32 __reserved;
	char name[UNCORE_PMU_NAME_LEN];
};

/**
 * struct uncore_pmu_unit - ioctl(UNCORE_PMU_UNIT)
 * @size: sizeof(struct uncore_pmu_unit)
 * @flags: in: must be 0
 * @index: in: which unit to describe
 * @state: out: enum uncore_pmu_state
 * @reason: out: enum uncore_pmu_reason
 * @access: out: enum uncore_pmu_access
 * @type: out: PMU type as the kernel's perf driver names it, "imc", "ha", ...,
 *	NUL-terminated
 * @instance: out: number of the unit among those of its type on its die
 * @die: out: logical die number as in the kernel's topology, -1 if unknown
 * @socket: out: logical package number, -1 if unknown
 * @numa_node: out: NUMA node, -1 if unknown or more than one
 * @segment: out: PCI segment (domain), 32 bits wide
 * @bus: out: PCI bus; @segment, @bus, @device and @function mean nothing if the
 *	unit is absent. In memory: of the function that tells where it is, or 0
 * @device: out: PCI device (slot)
 * @function: out: PCI function
 * @ask: out: 1 if to be sure takes UNCORE_PMU_STATUS, see above; 0 otherwise
 * @pci_vendor: out: PCI vendor id
 * @pci_device: out: PCI device id
 * @unit_control: out: byte offset of the unit control register in the mapping,
 *	or UNCORE_PMU_NO_REGISTER
 * @unit_freeze: out: the bit of @unit_control that freezes all counters; some
 *	guides call it write only, then it reads as 0
 * @num_counters: out: valid entries in @counter
 * @mmap_offset: out: offset to pass to mmap
 * @mmap_length: out: length to pass to mmap, in bytes; 0 if it cannot be mapped
 * @counter: out: the counters
 * @config_mask: out: the bits that UNCORE_PMU_PROGRAM lets be set for a general
 *	counter of this unit, in the positions that they have in its control
 *	register; bits above 31 are those of the following register
 *
 * Describes one unit, also one that is gone.
 */
struct uncore_pmu_unit {
	__u32 size;
	__u32 flags;
	__u32 index;
	__u32 state;
	__u32 reason;
	__u32 access;
	char type[UNCORE_PMU_TYPE_LEN];
	__u32 instance;
	__s32 die;
	__s32 socket;
	__s32 numa_node;
	__u32 segment;
	__u8 bus;
	__u8 device;
	__u8 function;
	__u8 ask;
	__u16 pci_vendor;
	__u16 pci_device;
	__u32 unit_control;
	__u32 unit_freeze;
	__u32 num_counters;
	__aligned_u64 mmap_offset;
	__aligned_u64 mmap_length;
	struct uncore_pmu_counter counter[UNCORE_PMU_MAX_COUNTERS];
	__aligned_u64 config_mask;
};

/**
 * struct uncore_pmu_program - ioctl(UNCORE_PMU_PROGRAM)
 * @size: sizeof(struct uncore_pmu_program)
 * @flags: in: must be 0
 * @unit: in: index of the unit
 * @kind: in: UNCORE_PMU_KIND_GENERAL or UNCORE_PMU_KIND_FIXED
 * @config: in: event select, umask, edge detect, invert and threshold, in the
 *	positions that they have in the control register, see config_mask; 0 for
 *	a fixed counter
 * @counter: out: index of the counter in the unit's description
 * @claim: out: number of the claim, never 0, not used again for a long time
 * @generation: out: the counter's generation
 * @via: out: enum uncore_pmu_via
 *
 * Claims a counter and has it count an event.
 */
struct uncore_pmu_program {
	__u32 size;
	__u32 flags;
	__u32 unit;
	__u32 kind;
	__aligned_u64 config;
	__u32 counter;
	__u32 claim;
	__u32 generation;
	__u32 via;
};

/**
 * struct uncore_pmu_release - ioctl(UNCORE_PMU_RELEASE)
 * @size: sizeof(struct uncore_pmu_release)
 * @flags: in: must be 0
 * @claim: in: number of the claim, made through this open file
 * @__reserved: in: must be 0
 *
 * Ends a claim.
 */
struct uncore_pmu_release {
	__u32 size;
	__u32 flags;
	__u32 claim;
	__u32 __reserved;
};

/**
 * struct uncore_pmu_status - ioctl(UNCORE_PMU_STATUS)
 * @size: sizeof(struct uncore_pmu_status)
 * @flags: in: must be 0
 * @unit: in: index of the unit
 * @counter: in: index of the counter in the unit's description
 * @state: out: enum uncore_pmu_counter_state
 * @via: out: enum uncore_pmu_via, 0 if not claimed
 * @generation: out: the counter's generation
 * @claim: out: number of the claim, 0 if not claimed
 * @config: out: what was programmed, 0 if not claimed
 * @control: out: content of the control register at this moment, of two where
 *	config_mask has bits above 31; 0 if the counter has none
 * @since: out: when it was programmed, ns of CLOCK_BOOTTIME; 0 if not claimed
 * @pid: out: process that has programmed it, as the caller's PID namespace
 *	numbers it; 0 if not claimed, or not to be seen by the caller
 * @own: out: 1 if the claim belongs to this open file
 * @comm: out: command name of that process when it did; empty as @pid is 0
 *
 * Asks what a counter is doing. @pid and @comm are for callers with the same
 * user id, a descriptor opened for writing, or CAP_PERFMON.
 */
struct uncore_pmu_status {
	__u32 size;
	__u32 flags;
	__u32 unit;
	__u32 counter;
	__u32 state;
	__u32 via;
	__u32 generation;
	__u32 claim;
	__aligned_u64 config;
	__aligned_u64 control;
	__aligned_u64 since;
	__s32 pid;
	__u32 own;
	char comm[16];
};

#define UNCORE_PMU_IOCTL_TYPE	0xb7

/* The size travels in the structure, so that the numbers outlive its growth. */
#define UNCORE_PMU_INFO		_IO(UNCORE_PMU_IOCTL_TYPE, 0x00)
#define UNCORE_PMU_UNIT		_IO(UNCORE_PMU_IOCTL_TYPE, 0x01)
#define UNCORE_PMU_PROGRAM	_IO(UNCORE_PMU_IOCTL_TYPE, 0x02)
#define UNCORE_PMU_RELEASE	_IO(UNCORE_PMU_IOCTL_TYPE, 0x03)
#define UNCORE_PMU_STATUS	_IO(UNCORE_PMU_IOCTL_TYPE, 0x04)

#endif /* _UAPI_LINUX_UNCORE_PMU_H */
