/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside the uncore_pmu module.
 *
 * Locking
 *
 * uncore_pmu_units_lock	State, reason and pdev of every unit. Held for
 *	reading while a page table entry is inserted, so that after the state
 *	was changed under the write lock no entry can appear that the zapping
 *	which follows does not see. Nests inside mmap_lock.
 * claims_lock (claim.c)	Claims and what belongs to them, and the writing of
 *	registers. Outside of uncore_pmu_units_lock and of all locks of perf;
 *	inside of the lock of a unit's device, which keeps the device and its
 *	driver together. Its holders take the CPU hotplug lock for reading right
 *	after it; CPU hotplug callbacks hold that for writing, and have with it
 *	alone all that claims_lock protects.
 * device lock of a perf PMU (perf_pmu.c)	Keeps the PMU. Inside claims_lock,
 *	outside of nothing.
 * files_lock (file.c)		The list of open files. Held while mappings are
 *	zapped, therefore outside of i_mmap_rwsem, and never taken inside
 *	mmap_lock or uncore_pmu_units_lock.
 *
 * Everything else about a unit is written before the node appears and constant
 * from then on. RDPMC (rdpmc.c) works with atomic counts alone.
 */
#ifndef _UNCORE_PMU_INTERNAL_H
#define _UNCORE_PMU_INTERNAL_H

#include <linux/bits.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include <linux/uncore_pmu.h>

struct uncore_client;
struct uncore_discovery_platform;
struct uncore_file;
struct uncore_fixed;
struct uncore_global;
struct uncore_imc;
struct mm_struct;
struct page;
struct perf_event;
struct pci_dev;
struct vm_area_struct;

/*
 * SNBEP_PMON_BOX_CTL_FRZ in arch/x86/events/intel/uncore_snbep.c, the same for
 * all units so far.
 */
#define UNCORE_PMU_UNIT_FREEZE	BIT(8)

/* What lies between UNCORE_PMU_GENERATION_OFFSET and the first unit. */
#define UNCORE_PMU_MAX_GENERATION_LENGTH \
	(BIT(UNCORE_PMU_UNIT_SHIFT) - UNCORE_PMU_GENERATION_OFFSET)
/* A unit has so much of the node's offsets; so has what is before them all. */
#define UNCORE_PMU_UNIT_SHIFT	20

#define UNCORE_MAX_INSTANCES	8
#define UNCORE_ANY_DEVFN	0x100
#define UNCORE_PERF_NAME_LEN	64

/**
 * struct uncore_free_running - a counter that counts one event always
 * @name: as perf names the event
 * @offset: where it is
 * @width: bits
 * @quantity: enum uncore_pmu_quantity
 * @scale: see @quantity
 */
struct uncore_free_running {
	const char *name;
	u16 offset;
	u8 width;
	u8 quantity;
	u8 scale;
};

/**
 * struct uncore_layout - where a unit's registers lie
 * @access: enum uncore_pmu_access
 * @num_counters: number of general counters; without any there is neither a
 *	fixed one nor a unit control register
 * @width: bits of a counter, general or fixed
 * @control_stride: distance of the general counters' control registers
 * @num_free: number of free-running counters
 * @counter: first general counter; the others follow at 8 bytes
 * @control: control register of the first general counter
 * @counters: offsets of all general counters, if they are irregular
 * @fixed: fixed counter, 0 if there is none
 * @fixed_control: control register of the fixed counter
 * @fixed_enable: enable bit in @fixed_control
 * @unit_control: unit control register
 * @enable: enable bit in the general counters' control registers; 0 if they
 *	need none
 * @freeze: bit in @unit_control that freezes all counters
 * @free: free-running counters
 *
 * Offsets are from the unit's own begin in its pages.
 */
struct uncore_layout {
	u8 access;
	u8 num_counters;
	u8 width;
	u8 control_stride;
	u8 num_free;
	u16 counter;
	u16 control;
	const u16 *counters;
	u16 fixed;
	u16 fixed_control;
	u32 fixed_enable;
	u16 unit_control;
	u32 enable;
	u32 freeze;
	const struct uncore_free_running *free;
};

/**
 * struct uncore_function - the PCI function of one instance of a unit type
 * @device: PCI device id, less the id_base of the platform; 0 ends a list
 * @devfn: device and function where several share an id, or UNCORE_ANY_DEVFN
 */
struct uncore_function {
	u16 device;
	u16 devfn;
};

/**
 * struct uncore_constraint - an event that not all counters can count
 * @event: event select
 * @counters: bit mask of the general counters that can; 0 ends a list
 */
struct uncore_constraint {
	u8 event;
	u8 counters;
};

/**
 * struct uncore_type - one kind of unit
 * @name: as perf names it
 * @layout: its registers
 * @at: its instances
 * @config: bits of a control register that can be programmed beside those of
 *	the platform
 * @filter: bits that single out packets: never set, whoever left them there
 * @constraints: events that not all counters can count, or NULL
 * @perf_by_index: perf finds the registers by tables of its own; the addresses
 *	in its events mean nothing
 * @perf_unbound: perf uses the function without being its driver
 * @alias: how perf names it where it knows its number only, or NULL
 */
struct uncore_type {
	const char *name;
	const struct uncore_layout *layout;
	struct uncore_function at[UNCORE_MAX_INSTANCES];
	u64 config;
	u64 filter;
	const struct uncore_constraint *constraints;
	bool perf_by_index;
	bool perf_unbound;
	const char *alias;
};

/**
 * struct uncore_platform - a generation of processors
 * @name: as INFO reports it
 * @models: family << 8 | model of processors, 0 at the end. With discovery tables
 *	it is one of these. Of a client, device 00:00.0 is then the host bridge
 *	whatever its id is; NULL if ids decide
 * @types: unit types of its PCI functions, NULL at the end; NULL if none
 * @imc: memory controllers of a server, or NULL
 * @client: memory controller of a client, or NULL
 * @discovery: what is known of its discovery tables; NULL if it has none
 * @fixed: units at fixed addresses, or NULL
 * @id_base: added to the device ids of @types
 * @ubox: device id of the function that tells the die of a bus; 0 if the
 *	processor is always alone and all its buses belong to die 0
 * @node_id: register of @ubox with the node id
 * @node_map: register of @ubox with the node ids of all dies
 * @config: bits of a control register that can be programmed in all units
 * @fill_up: buses without @ubox belong to the die of the next lower bus that
 *	has one, otherwise of the next higher
 */
struct uncore_platform {
	const char *name;
	const u16 *models;
	const struct uncore_type *const *types;
	const struct uncore_imc *imc;
	const struct uncore_client *client;
	const struct uncore_discovery_platform *discovery;
	const struct uncore_fixed *fixed;
	u16 id_base;
	u16 ubox;
	u8 node_id;
	u8 node_map;
	u32 config;
	bool fill_up;
};

/**
 * struct uncore_saved - what a unit's registers held before they were claimed
 * @claims: number of claims, the structure goes with the last
 * @direct: number of those without perf
 * @unit_control: unit control register, kept while there is one without perf
 * @counter: control register and count; valid for counters that were claimed
 */
struct uncore_saved {
	unsigned int claims;
	unsigned int direct;
	u32 unit_control;
	struct {
		u64 control;
		u64 count;
	} counter[];
};

/**
 * struct uncore_unit - one unit, present or expected
 * @pdev: its function, or that which leads to it, with a reference; NULL if
 *	absent or gone, or if there is no such function
 * @saved: NULL while nothing of the unit is claimed
 * @global: register that freezes it and others, or NULL
 * @regs: the pages of a unit in memory, mapped while they are ours to read
 * @page: physical address of its pages
 * @length: their length in bytes, 0 if they must not be mapped
 * @offset: begin of its registers in them
 * @type: what it is
 * @die: logical die, -1 if unknown
 * @socket: logical package, -1 if unknown
 * @numa_node: NUMA node, -1 if unknown or more than one
 * @segment: PCI segment of @pdev, kept for when it is gone, as are the next
 * @bus: PCI bus
 * @devfn: PCI device and function
 * @leads: @pdev is not the unit but decodes the addresses of its pages
 * @decode: @pdev had memory decoding switched on
 * @perf_elsewhere: perf of this kernel would program another unit for it
 * @told: enum uncore_pmu_reason that the log has of what became of it
 * @device: PCI device id, the vendor is always Intel
 * @rank: position of @type in the list of units
 * @instance: number among the units of @type on @die
 * @state: enum uncore_pmu_state
 * @reason: enum uncore_pmu_reason
 */
struct uncore_unit {
	struct pci_dev *pdev;
	struct uncore_saved *saved;
	struct uncore_global *global;
	void __iomem *regs;
	phys_addr_t page;
	u32 length;
	u32 offset;
	const struct uncore_type *type;
	int die;
	int socket;
	int numa_node;
	u32 segment;
	u8 bus;
	u8 devfn;
	bool leads;
	bool decode;
	u16 device;
	bool perf_elsewhere;
	u8 told;
	u32 rank;
	u16 instance;
	u8 state;
	u8 reason;
};

/**
 * struct uncore_claim - a counter that an open file has programmed
 * @list: all claims
 * @owner: the open file
 * @unit: whose counter it is
 * @event: perf's event, NULL if there is no perf or the claim is lost
 * @desc: description of the counter
 * @config: what it counts
 * @tag: perf's mark of where it has put @event, another one each time
 * @ahead: what the counter's register is ahead of perf's count of @event
 * @since: when it was programmed, ns of CLOCK_BOOTTIME
 * @pid: who has programmed it
 * @uid: its user
 * @comm: its command name
 * @id: number
 * @index: index of @unit
 * @counter: index of the counter in @unit
 * @cpu: CPU that @event is on
 * @via: enum uncore_pmu_via
 * @state: UNCORE_PMU_COUNTER_CLAIMED, _REPROGRAMMED or _LOST
 */
struct uncore_claim {
	struct list_head list;
	struct uncore_file *owner;
	struct uncore_unit *unit;
	struct perf_event *event;
	struct uncore_pmu_counter desc;
	u64 config;
	u64 tag;
	u64 ahead;
	u64 since;
	struct pid *pid;
	kuid_t uid;
	char comm[TASK_COMM_LEN];
	u32 id;
	u32 index;
	u32 counter;
	int cpu;
	u8 via;
	u8 state;
};

/* constraints.c */
extern const struct uncore_constraint uncore_pmu_snbep_r2pcie[];
extern const struct uncore_constraint uncore_pmu_snbep_r3qpi[];
extern const struct uncore_constraint uncore_pmu_hswep_r2pcie[];
extern const struct uncore_constraint uncore_pmu_hswep_r3qpi[];
extern const struct uncore_constraint uncore_pmu_bdx_r2pcie[];
extern const struct uncore_constraint uncore_pmu_bdx_r3qpi[];
extern const struct uncore_constraint uncore_pmu_knl_m2pcie[];
extern const struct uncore_constraint uncore_pmu_skx_m2pcie[];
extern const struct uncore_constraint uncore_pmu_skx_m3upi[];
extern const struct uncore_constraint uncore_pmu_icx_m3upi[];
extern const struct uncore_constraint uncore_pmu_spr_cxlcm[];

/* find.c */
struct uncore_unit *
uncore_pmu_find_units(const struct uncore_platform **found, unsigned int *n);
void uncore_pmu_put_units(struct uncore_unit *list, unsigned int n);

/* topology.c */
int uncore_pmu_die_cpu(int die);
bool uncore_pmu_is_last_of_die(unsigned int cpu);

/* mmio.c */
bool uncore_pmu_is_taken(u64 start, u64 end, const struct pci_dev *own);
bool uncore_pmu_mmio_is_taken(const struct uncore_unit *unit);
enum uncore_pmu_reason uncore_pmu_mmio_check_now(const struct uncore_unit *unit);

/* global.c */
void uncore_pmu_check_globals_taken(void);
bool uncore_pmu_global_is_lost(const struct uncore_unit *unit);
bool uncore_pmu_global_is_frozen(const struct uncore_unit *unit);
int uncore_pmu_global_lift(const struct uncore_unit *unit);
int uncore_pmu_global_get(const struct uncore_unit *unit);
void uncore_pmu_global_put(const struct uncore_unit *unit);

/* units.c */
extern struct rw_semaphore uncore_pmu_units_lock;
int uncore_pmu_units_init(void);
void uncore_pmu_units_exit(void);
unsigned int uncore_pmu_num_units(void);
u32 uncore_pmu_platform_config(void);
const char *uncore_pmu_platform_name(void);
struct uncore_unit *uncore_pmu_unit(u64 index);
enum uncore_pmu_state uncore_pmu_unit_state(const struct uncore_unit *unit,
					    enum uncore_pmu_reason *reason);
const char *uncore_pmu_reason_text(enum uncore_pmu_reason reason);
int uncore_pmu_unit_usable(const struct uncore_unit *unit);
struct pci_dev *uncore_pmu_unit_device(const struct uncore_unit *unit);

/* describe.c */
unsigned int uncore_pmu_num_counters(const struct uncore_unit *unit);
void uncore_pmu_describe_counter(const struct uncore_unit *unit, u32 n,
				 struct uncore_pmu_counter *out);
u64 uncore_pmu_config_mask(const struct uncore_unit *unit);
int uncore_pmu_check_config(const struct uncore_unit *unit,
			    const struct uncore_pmu_program *arg);
u32 uncore_pmu_perf_base(const struct uncore_unit *unit);
void uncore_pmu_describe(const struct uncore_unit *unit, u32 index,
			 struct uncore_pmu_unit *out);
u64 uncore_pmu_mmap_offset(u32 index);
bool uncore_pmu_locked_down(void);

/* registers.c */
bool uncore_pmu_is_mmio(const struct uncore_unit *unit);
u64 uncore_pmu_read_control(const struct uncore_unit *unit,
			    const struct uncore_pmu_counter *counter);
u64 uncore_pmu_meaning(const struct uncore_unit *unit,
		       const struct uncore_pmu_counter *counter, u64 control);
u32 uncore_pmu_enable_mask(const struct uncore_unit *unit,
			   const struct uncore_pmu_counter *counter);
bool uncore_pmu_is_enabled(const struct uncore_unit *unit,
			   const struct uncore_pmu_counter *counter,
			   u64 control);
void uncore_pmu_write_control(const struct uncore_unit *unit,
			      const struct uncore_pmu_counter *counter,
			      u64 value);
u64 uncore_pmu_read_count(const struct uncore_unit *unit,
			  const struct uncore_pmu_counter *counter);
void uncore_pmu_write_count(const struct uncore_unit *unit,
			    const struct uncore_pmu_counter *counter,
			    u64 value);
u32 uncore_pmu_read_unit_control(const struct uncore_unit *unit);
bool uncore_pmu_is_frozen(const struct uncore_unit *unit);
void uncore_pmu_write_unit_control(const struct uncore_unit *unit, u32 value);

/* generation.c */
int uncore_pmu_generation_init(void);
void uncore_pmu_generation_exit(void);
u32 uncore_pmu_generation_length(void);
struct page *uncore_pmu_generation_page(u64 offset);
u32 uncore_pmu_generation(u32 unit, u32 counter);
void uncore_pmu_generation_next(u32 unit, u32 counter, bool counts);

/* claim.c */
int uncore_pmu_program(struct file *file, struct uncore_pmu_program *arg);
int uncore_pmu_release(struct file *file, struct uncore_pmu_release *arg);
void uncore_pmu_release_all(struct uncore_file *owner);
int uncore_pmu_status(struct file *file, struct uncore_pmu_status *arg);
void uncore_pmu_lose_claims(struct uncore_unit *unit, enum uncore_pmu_via via);
void uncore_pmu_lose_claims_of_cpu(unsigned int cpu);
bool uncore_pmu_check_claims(void (*check)(struct uncore_claim *claim));
bool uncore_pmu_is_claimed(const struct uncore_unit *unit, u32 counter);
void uncore_pmu_claim_moved(struct uncore_claim *claim, u32 counter);
void uncore_pmu_claim_counts(struct uncore_claim *claim, bool counts);
void uncore_pmu_claim_seen(struct uncore_claim *claim, bool counts);
void uncore_pmu_lose_claim(struct uncore_claim *claim);

/* perf_pmu.c */
int uncore_pmu_perf_pmu_init(void);
bool uncore_pmu_perf_has(const struct uncore_unit *unit);
int uncore_pmu_perf_type(const struct uncore_unit *unit, u32 *type, char *name);

/* claim_perf.c */
int uncore_pmu_perf_init(void);
void uncore_pmu_perf_exit(void);
int uncore_pmu_perf_program(struct uncore_claim *claim);
void uncore_pmu_perf_end(struct uncore_claim *claim);
void uncore_pmu_perf_check(struct uncore_claim *claim);
void uncore_pmu_perf_resume(struct uncore_claim *claim);

/* claim_direct.c */
int uncore_pmu_direct_program(struct uncore_claim *claim);
void uncore_pmu_direct_end(struct uncore_claim *claim);
void uncore_pmu_direct_check(struct uncore_claim *claim);
void uncore_pmu_direct_resume(struct uncore_claim *claim);

/* watch.c */
int uncore_pmu_watch_init(void);
void uncore_pmu_watch_exit(void);
void uncore_pmu_watch_start(void);
void uncore_pmu_check_claim(struct uncore_claim *claim);

/* file.c */
extern const struct file_operations uncore_pmu_fops;
void uncore_pmu_zap(u64 offset, u64 length);

/* ioctl.c */
long uncore_pmu_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

/* mmap.c */
int uncore_pmu_mmap(struct file *file, struct vm_area_struct *vma);
unsigned int uncore_pmu_count_mappings(struct mm_struct *mm);

/* rdpmc.c */
int uncore_pmu_rdpmc_init(void);
void uncore_pmu_rdpmc_exit(void);
struct page *uncore_pmu_rdpmc_page(void);
int uncore_pmu_rdpmc_get(struct mm_struct *mm);
void uncore_pmu_rdpmc_copy(struct mm_struct *mm);
void uncore_pmu_rdpmc_put(struct mm_struct *mm);
unsigned int uncore_pmu_rdpmc_count(struct mm_struct *mm);
void uncore_pmu_rdpmc_set_count(struct mm_struct *mm, unsigned int count);

/* fork.c */
int uncore_pmu_fork_init(void);
void uncore_pmu_fork_exit(void);

#endif /* _UNCORE_PMU_INTERNAL_H */
