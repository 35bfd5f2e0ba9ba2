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
 *				loads are allowed. A counter wider than 32 bits
 *				is two halves, the high one at offset + 4; read
 *				high, low, high until the high half agrees.
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
 *		 unknown flag is set.
 *   E2BIG	 size is larger than the kernel's structure and the excess holds
 *		 a byte that is not zero; or size is above 4096.
 *   ENOMEM	 Out of memory.
 *   ENXIO	 No unit has this index.
 *   ENODEV	 The unit's device was removed. The description is filled in all
 *		 the same, with state UNCORE_PMU_STATE_GONE.
 *
 * mmap:
 *   EACCES	 The protection asks for writing, or does not ask for reading.
 *   ENOEXEC	 The protection asks for execution. (Where the node lies on a
 *		 file system mounted noexec, the kernel says EPERM first.)
 *   EOPNOTSUPP	 The mapping is private (MAP_PRIVATE).
 *   ENXIO	 The offset is neither the mmap_offset of a unit nor
 *		 UNCORE_PMU_RDPMC_OFFSET.
 *   EINVAL	 The length is not the unit's mmap_length. (The kernel rounds
 *		 lengths up to whole pages before the module sees them, and
 *		 refuses 0 by itself with EINVAL.)
 *   ENOENT	 The unit is absent.
 *   EIO	 The unit is invalid; its reason says why.
 *   ENODEV	 The unit's device was removed.
 *   EPERM	 Kernel lockdown forbids reading performance counters.
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

#define UNCORE_PMU_TYPE_LEN	16
#define UNCORE_PMU_NAME_LEN	16
#define UNCORE_PMU_MAX_COUNTERS	32

/* A register offset that does not exist. */
#define UNCORE_PMU_NO_REGISTER	0xffffffffU

/* A mapping that gives the right to RDPMC and nothing else. */
#define UNCORE_PMU_RDPMC_OFFSET	0
#define UNCORE_PMU_RDPMC_LENGTH	4096

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
 *	for UNCORE_PMU_REASON_ID perhaps only for now
 * @UNCORE_PMU_STATE_LOCKED: mapping is forbidden by kernel lockdown
 * @UNCORE_PMU_STATE_GONE: the device was removed after the module had found it
 */
enum uncore_pmu_state {
	UNCORE_PMU_STATE_OK		= 1,
	UNCORE_PMU_STATE_ABSENT		= 2,
	UNCORE_PMU_STATE_INVALID	= 3,
	UNCORE_PMU_STATE_LOCKED		= 4,
	UNCORE_PMU_STATE_GONE		= 5,
};

/**
 * enum uncore_pmu_reason - why a unit is not UNCORE_PMU_STATE_OK
 * @UNCORE_PMU_REASON_NONE: nothing to explain
 * @UNCORE_PMU_REASON_NOT_FOUND: no PCI function with the unit's id
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
 * struct uncore_pmu_info - ioctl(UNCORE_PMU_INFO)
 * @size: sizeof(struct uncore_pmu_info)
 * @flags: in: must be 0
 * @abi_version: out: UNCORE_PMU_ABI_VERSION of the module
 * @num_units: out: units have the indices 0 to @num_units - 1; the number does
 *	not change while the module is loaded
 * @features: out: bits for later versions, 0 now
 * @platform: out: name of the platform whose units were found, for example
 *	"haswell-ep"; empty if none was
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
};

/**
 * struct uncore_pmu_counter - one counter of a unit
 * @offset: byte offset of the counter (of its low half) from the start of the
 *	mapping; the index for UNCORE_PMU_ACCESS_RDPMC
 * @control: byte offset of the 32-bit control register in the same mapping, or
 *	UNCORE_PMU_NO_REGISTER
 * @enable: the bit of @control that lets the counter count; 0 without control
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
 * @type: out: PMU type as the kernel's perf driver names it, "imc", "ha", ...
 * @instance: out: number of the unit among those of its type on its die
 * @die: out: logical die number as in the kernel's topology, -1 if unknown
 * @socket: out: logical package number, -1 if unknown
 * @numa_node: out: NUMA node, -1 if unknown or more than one
 * @segment: out: PCI segment (domain), 32 bits wide
 * @bus: out: PCI bus; @segment, @bus, @device and @function mean nothing if the
 *	unit is absent
 * @device: out: PCI device (slot)
 * @function: out: PCI function
 * @__reserved: 0
 * @pci_vendor: out: PCI vendor id
 * @pci_device: out: PCI device id
 * @unit_control: out: byte offset of the unit control register in the mapping,
 *	or UNCORE_PMU_NO_REGISTER
 * @unit_freeze: out: the bit of @unit_control that freezes all counters
 * @num_counters: out: valid entries in @counter
 * @mmap_offset: out: offset to pass to mmap
 * @mmap_length: out: length to pass to mmap, in bytes; 0 if it cannot be mapped
 * @counter: out: the counters
 *
 * Describes one unit. Returns ENODEV for a unit that is gone, with the
 * description filled in.
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
	__u8 __reserved;
	__u16 pci_vendor;
	__u16 pci_device;
	__u32 unit_control;
	__u32 unit_freeze;
	__u32 num_counters;
	__aligned_u64 mmap_offset;
	__aligned_u64 mmap_length;
	struct uncore_pmu_counter counter[UNCORE_PMU_MAX_COUNTERS];
};

#define UNCORE_PMU_IOCTL_TYPE	0xb7

/* The size travels in the structure, so that the numbers outlive its growth. */
#define UNCORE_PMU_INFO		_IO(UNCORE_PMU_IOCTL_TYPE, 0x00)
#define UNCORE_PMU_UNIT		_IO(UNCORE_PMU_IOCTL_TYPE, 0x01)

#endif /* _UAPI_LINUX_UNCORE_PMU_H */
