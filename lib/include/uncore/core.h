/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters of the core; included by <uncore.h> only. */
#ifndef UNCORE_CORE_H
#define UNCORE_CORE_H

#ifndef UNCORE_H
#error "include <uncore.h>"
#endif

struct uncore_watch;

/* Room for the name of a core's PMU, for example "cpu_atom", and its NUL. */
#define UNCORE_CORE_PMU_LEN	32

/**
 * struct uncore_perf_page - the beginning of a perf event's page
 * @version: not used
 * @compat_version: not used
 * @lock: changes each time that the kernel changes something here
 * @index: RDPMC index plus 1, or 0 if the event has no hardware counter now
 * @offset: to be added to what the hardware counter says
 * @time_enabled: nanoseconds for which the event could have been counted
 * @time_running: nanoseconds for which it was
 *
 * As struct perf_event_mmap_page in <linux/perf_event.h>, which is not included
 * because <perfmon/perf_event.h> of libpfm4 cannot stand beside it.
 */
struct uncore_perf_page {
	uint32_t version;
	uint32_t compat_version;
	uint32_t lock;
	uint32_t index;
	int64_t offset;
	uint64_t time_enabled;
	uint64_t time_running;
};

/**
 * struct uncore_core - what reads a counter of the core
 * @details: what struct uncore_counter points to
 * @page: the perf event's page
 * @owner: the thread that it counts
 * @sign: the counter's uppermost bit
 * @bias: the same once more, so that compilers take both from memory
 * @limit: RDPMC indices from here on are read out of line
 * @__reserved: 0
 *
 * The fields are for reading only. In a child made by fork they are all 0.
 */
struct uncore_core {
	struct uncore_details details;
	const struct uncore_perf_page *page;
	uint64_t owner;
	uint64_t sign;
	uint64_t bias;
	uint32_t limit;
	uint32_t __reserved;
};

#define UNCORE_CORE_DISTANCE	4096

/**
 * struct uncore_core_pages - a counter of the core, and its perf page behind it
 * @core: what @details of struct uncore_counter points to
 * @__fill: not used
 * @perf: where @core.page points to: no pointer has to be loaded
 */
struct uncore_core_pages {
	struct uncore_core core;
	char __fill[UNCORE_CORE_DISTANCE - sizeof(struct uncore_core)];
	struct uncore_perf_page perf;
};

/**
 * struct uncore_core_facts - what became of a counter of the core
 * @event: the event's name as it was given
 * @pmu: the PMU that counts it: "cpu", or on a processor with several kinds of
 *	cores that of one of them, as "cpu_atom"; "amd_df" or "amd_l3"
 * @config: the event's number, in struct perf_event_attr
 * @type: the PMU's number there
 * @state: UNCORE_COUNTER_COUNTING or UNCORE_COUNTER_NOT_RUNNING
 * @enabled: nanoseconds for which the thread ran since the counter was opened;
 *	of "amd_df" or "amd_l3" those that have passed
 * @running: nanoseconds of these for which the counter counted; if it is less,
 *	values are too low by what was missed
 * @system_calls: how many reads needed a system call
 * @error: what the last read that failed did so with, a negative errno, or 0;
 *	-EXDEV: on a CPU of another die or complex
 * @other_core: 1 if the thread runs on a kind of core that @pmu is not for, or
 *	on a CPU of another die or complex
 */
struct uncore_core_facts {
	char event[UNCORE_EVENT_NAME_LEN];
	char pmu[UNCORE_CORE_PMU_LEN];
	uint64_t config;
	uint32_t type;
	int32_t state;
	uint64_t enabled;
	uint64_t running;
	uint64_t system_calls;
	int32_t error;
	uint32_t other_core;
};

/**
 * uncore_core_open - count an event of the calling thread
 * @event: one of
 *	"branch-misses" a generic name of perf, or "L1-dcache-load-misses" and
 *	the like;
 *	"mem-loads" a name of the kernel's PMU;
 *	"BR_MISP_RETIRED:ALL_BRANCHES" a name of libpfm4;
 *	"event=0xc5,umask=0x00,cmask=1" fields of the PMU, with numbers as in C;
 *	"r00c5" the number of the event in hexadecimal;
 *	in front of any of them the PMU, "cpu_atom/branch-misses/"; behind it ":u"
 *	for user level alone, as without, ":k" for the kernel, ":uk" for both
 * @counter: filled on success; closed with uncore_counter_close()
 * @error: filled; may be NULL
 *
 * For all functions that read counters. It counts this thread, wherever it runs,
 * from now on. Other threads, and children made by fork, may read it, with a
 * system call each time.
 *
 * On a processor with several kinds of cores an event is for one kind only: the
 * one that the caller runs on, unless @event names its PMU. On the others it
 * does not count, which uncore_counter_status() and uncore_core_info() report.
 *
 * With "amd_df/.../" or "amd_l3/.../" it counts in AMD's data fabric or L3 cache
 * (Zen), for all that run on the die or the complex of the CPU that the caller
 * runs on: "amd_df/event=0x07,umask=0x38/", "amd_l3/UNC_L3_REQUESTS:ALL/". The
 * counter is 48 bits wide. perf must permit to count for all. Any thread of the
 * process may read it, on CPUs of that die or complex: there without a system
 * call once the event has counted, anywhere else a read is refused. Never run on
 * real hardware yet.
 *
 * Return: 0, or -EINVAL, -ENOENT, -ERANGE @event is not understood, or there is
 * no such event; -ENODEV no PMU, as in many virtual machines; -EACCES perf does
 * not permit it (kernel.perf_event_paranoid, or a container); -EPERM the sysfs
 * attribute "rdpmc" is 0, or only root can see whether it is; -EOPNOTSUPP the
 * processor cannot count it, or RDPMC does not reach it ("amd_umc_0/.../"); -EXDEV
 * perf does not count for the die or complex that the caller runs on, or that is not
 * certain; -EBUSY all counters of the PMU are taken; -EMFILE, -ENOMEM; -ENOBUFS too
 * much memory is locked; -EPROTO the kernel's page contradicts itself.
 */
int uncore_core_open(const char *event, struct uncore_counter *counter,
		     struct uncore_event_error *error);

/**
 * uncore_core_info - tell how a counter of the core fared
 * @counter: from uncore_core_open()
 * @facts: filled on success
 *
 * Makes a system call.
 *
 * Return: 0, or -EINVAL not such a counter, or an error of read(2).
 */
int uncore_core_info(const struct uncore_counter *counter,
		     struct uncore_core_facts *facts);

/*
 * What uncore_core_read() does for a counter that RDPMC cannot read now: asks
 * the kernel, and takes note of it. Returns 2^64 - 1 if that fails. For one of a
 * die or complex it looks first where it is.
 */
uint64_t uncore_core_read_slowly(const struct uncore_counter *counter);

/*
 * What the functions for groups and for watches do, not inline so that those
 * stay small for other counters.
 */
void uncore_core_group_read(const struct uncore_group *group, uint64_t *values);
void uncore_core_group_read_low(const struct uncore_group *group,
				uint32_t *values);
int uncore_core_watch_begin(const struct uncore_counter *counter,
			    const struct uncore_event *event,
			    struct uncore_watch *watch);
int uncore_core_watch_status(const struct uncore_counter *counter,
			     const struct uncore_watch *watch);

/**
 * uncore_rdpmc_begin - let this process use uncore_rdpmc()
 * @uncore: from uncore_open()
 *
 * It may already, while a unit is mapped; this maps no unit. The sysfs attribute
 * "rdpmc" stays in charge: while it is 0, the instruction raises SIGSEGV. Kernels
 * show it to root alone: for others an event of perf tells, and where they may not
 * open any (kernel.perf_event_paranoid), nothing does.
 *
 * Return: 0, or -EOPNOTSUPP the processor may show zero for counters that others
 * have programmed, which could not be told from a count; -ENODEV it has no PMU;
 * -EPERM the sysfs attribute "rdpmc" is 0, or kernel lockdown; -EAGAIN, -ENOMEM.
 */
int uncore_rdpmc_begin(struct uncore *uncore);

/** uncore_rdpmc_end - take back one uncore_rdpmc_begin() */
void uncore_rdpmc_end(struct uncore *uncore);

/**
 * uncore_rdpmc_width - is there a counter of this index, and how wide is it?
 * @index: for uncore_rdpmc(): Intel's general counters are 0, 1, and so on, its
 *	fixed ones 0x40000000, 0x40000001, and so on; AMD's of the core 0 to 5, of
 *	the data fabric 6 to 9 and from 16 on, of the L3 cache 10 to 15
 *
 * By what CPUID says of the CPU that the caller runs on.
 *
 * Return: number of bits, or -ENXIO: uncore_rdpmc() would raise SIGSEGV.
 */
int uncore_rdpmc_width(uint32_t index);

/**
 * uncore_rdpmc - read a counter of the CPU that the caller runs on
 * @index: one for which uncore_rdpmc_width() gives a width
 *
 * One instruction, and no system call. Between uncore_rdpmc_begin() and
 * uncore_rdpmc_end(); otherwise it may raise SIGSEGV. What the counter counts,
 * for whom, and whether it still does at the next read, is not known here: the
 * caller keeps the thread on its CPU, and has programmed the counter or knows
 * who has. uncore_core_open() needs none of this.
 *
 * Return: the value, 0 to 2^width - 1.
 */
UNCORE_INLINE uint64_t uncore_rdpmc(uint32_t index)
{
#ifdef __x86_64__
	/* The instruction clears the upper halves of both. */
	uint64_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return high << 32 | low;
#else
	(void)index;
	return 0;
#endif
}

/* Compares with memory, after all that was loaded before. */
UNCORE_ALWAYS_INLINE int
uncore_lock_differs(const struct uncore_perf_page *page, uint32_t seen)
{
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
	int differs;

	__asm__ volatile("cmpl %[lock], %[seen]"
			 : "=@ccne"(differs)
			 : [lock] "m"(page->lock), [seen] "r"(seen)
			 : "memory");
	return differs;
#else
	return *(const volatile uint32_t *)&page->lock != seen;
#endif
}

/**
 * uncore_core_read - read a counter of the core
 * @counter: from uncore_core_open()
 *
 * As uncore_read(), which does the same after looking what kind of counter it
 * is. Makes a system call only if the counter is not on the hardware now, or in
 * another thread than the one that opened it; uncore_core_info() says how often.
 *
 * Return: the count since the counter was opened; 2^64 - 1 if the system call
 * failed, or the counter is of a die or complex that the caller does not run on.
 */
UNCORE_INLINE uint64_t uncore_core_read(const struct uncore_counter *counter)
{
#ifdef __x86_64__
	const struct uncore_core_pages *pages =
		(const struct uncore_core_pages *)(const void *)
			counter->details;
	const struct uncore_core *core = &pages->core;
	uint64_t value, self;
	uint32_t lock, index;

	/* The index of another thread's counter means nothing here. */
	__asm__("mov %%fs:0, %0" : "=r"(self));
	if (__builtin_expect(self != core->owner, 0))
		return uncore_core_read_slowly(counter);
	do {
		lock = pages->perf.lock;
		__asm__ volatile("" : : : "memory");
		/* Not on the hardware is index 0, here the largest number. */
		index = pages->perf.index - 1;
		if (__builtin_expect(index >= core->limit, 0))
			return uncore_core_read_slowly(counter);
		/* Extends the counter's sign, together with the bias. */
		value = uncore_rdpmc(index) ^ core->sign;
		value += (uint64_t)pages->perf.offset;
		__asm__ volatile("" : "+r"(value) : : "memory");
	} while (__builtin_expect(uncore_lock_differs(&pages->perf, lock), 0));
	return value - core->bias;
#else
	return uncore_core_read_slowly(counter);
#endif
}

#endif /* UNCORE_CORE_H */
