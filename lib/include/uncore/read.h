/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The read path of libuncore; included by <uncore.h> only. */
#ifndef UNCORE_READ_H
#define UNCORE_READ_H

#ifndef UNCORE_H
#error "include <uncore.h>"
#endif

/*
 * Does the high half differ from what was seen? Comparing with memory saves a
 * load, which compilers do not do for volatile. The volatile loads beside it
 * keep the order.
 */
UNCORE_ALWAYS_INLINE int uncore_high_differs(const volatile uint32_t *low,
					     uint32_t seen)
{
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
	int differs;

	__asm__ volatile("cmpl 4(%[low]), %[seen]"
			 : "=@ccne"(differs)
			 : [low] "r"(low), [seen] "r"(seen));
	return differs;
#else
	return low[1] != seen;
#endif
}

/* PCI configuration space answers aligned 32-bit loads only. */
UNCORE_ALWAYS_INLINE uint64_t
uncore_load_pair(const struct uncore_counter *counter)
{
	const volatile uint32_t *low = counter->address;
	uint32_t high_half, low_half;

	do {
		high_half = low[1];
		low_half = low[0];
	} while (__builtin_expect(uncore_high_differs(low, high_half), 0));

	high_half &= counter->high_mask;
	return (uint64_t)high_half << 32 | low_half;
}

/* The address of a counter with this load is a multiple of 8. */
UNCORE_ALWAYS_INLINE uint64_t
uncore_load_64(const struct uncore_counter *counter)
{
	const volatile void *address = counter->address;

	return *(const volatile uint64_t *)address;
}

/**
 * uncore_load_counter - read a counter of which the program knows the loads
 * @counter: an open counter
 * @load: a constant, equal to @counter->load
 *
 * As uncore_read(), without the choice at run time.
 *
 * Return: the value, 0 to 2^width - 1.
 */
UNCORE_ALWAYS_INLINE uint64_t
uncore_load_counter(const struct uncore_counter *counter, uint32_t load)
{
	if (load == UNCORE_LOAD_PAIR)
		return uncore_load_pair(counter);
	if (load == UNCORE_LOAD_64)
		return uncore_load_64(counter) & counter->mask;
	if (load == UNCORE_LOAD_32)
		return *counter->address & (uint32_t)counter->mask;
	if (load == UNCORE_LOAD_PERF)
		return uncore_core_read(counter);
	return uncore_rdpmc(counter->index) & counter->mask;
}

/**
 * uncore_read - read a counter
 * @counter: an open counter
 *
 * Makes no system call and never fails, but raises SIGBUS if the device was
 * removed; for a counter of a core see uncore_core_read(). A counter that is not
 * programmed or is frozen keeps its value: uncore_counter_state() tells.
 *
 * Return: the value, 0 to 2^width - 1.
 */
UNCORE_INLINE uint64_t uncore_read(const struct uncore_counter *counter)
{
	if (__builtin_expect(counter->way == 1, 1))
		return uncore_load_counter(counter, UNCORE_LOAD_PAIR);
	if (counter->way > 1)
		return uncore_load_counter(counter, UNCORE_LOAD_PERF);
	if (counter->load == UNCORE_LOAD_64)
		return uncore_load_counter(counter, UNCORE_LOAD_64);
	/* Or compilers load the mask further up, in one more instruction. */
	__asm__ volatile("" : : : "memory");
	if (counter->address)
		return uncore_load_counter(counter, UNCORE_LOAD_32);
	__asm__ volatile("" : : : "memory");
	return uncore_load_counter(counter, UNCORE_LOAD_RDPMC);
}

/* The low half of all but pairs and counters of the core. */
UNCORE_ALWAYS_INLINE uint32_t
uncore_load_low(const struct uncore_counter *counter)
{
	/* The registers of MMIO64 units answer whole 64-bit loads. */
	if (counter->load == UNCORE_LOAD_64)
		return (uint32_t)uncore_load_64(counter);
	if (counter->load == UNCORE_LOAD_RDPMC)
		return (uint32_t)uncore_rdpmc(counter->index);
	return *counter->address;
}

/**
 * uncore_read_low - read the low 32 bits of a counter with one load
 * @counter: an open counter
 *
 * For sections in which the counter counts less than 2^32: at 64 bytes a count
 * that is 256 GiB of memory traffic.
 *
 * Return: the low half; take differences with uncore_delta_low().
 */
UNCORE_INLINE uint32_t uncore_read_low(const struct uncore_counter *counter)
{
	if (__builtin_expect(counter->way == 1, 1))
		return *counter->address;
	if (counter->load == UNCORE_LOAD_PERF)
		return (uint32_t)uncore_core_read(counter);
	return uncore_load_low(counter);
}

/**
 * uncore_delta - difference of two values of uncore_read()
 * @counter: the counter that both came from
 * @before: the earlier value
 * @after: the later value
 *
 * Return: what was counted in between, right if the counter wrapped at most
 * once and was not reset: nothing here knows the time.
 */
UNCORE_INLINE uint64_t uncore_delta(const struct uncore_counter *counter,
				    uint64_t before, uint64_t after)
{
	return (after - before) & counter->mask;
}

/**
 * uncore_delta_low - difference of two values of uncore_read_low()
 * @counter: the counter that both came from
 * @before: the earlier value
 * @after: the later value
 *
 * Return: what was counted in between, modulo 2^32, or 2^width if that is less.
 */
UNCORE_INLINE uint32_t uncore_delta_low(const struct uncore_counter *counter,
					uint32_t before, uint32_t after)
{
	return (after - before) & (uint32_t)counter->mask;
}

/**
 * uncore_control - read a counter's control register
 * @counter: an open counter
 *
 * Return: the register, or 0 for a counter that has none.
 */
UNCORE_INLINE uint32_t uncore_control(const struct uncore_counter *counter)
{
	return counter->control ? *counter->control : 0;
}

/* With a constant for load, without a branch on the kind. */
UNCORE_ALWAYS_INLINE void uncore_load_each(const struct uncore_group *group,
					   uint64_t *values, uint32_t load)
{
	const struct uncore_counter *counter = group->counters;

	while (counter != group->end)
		*values++ = uncore_load_counter(counter++, load);
}

/* A channel of each of eight units is a usual group. */
UNCORE_ALWAYS_INLINE void uncore_load_pairs(const struct uncore_group *group,
					    uint64_t *values)
{
	const struct uncore_counter *counter = group->counters;
	const struct uncore_counter *end = group->blocks_end;

	for (; counter != end; counter += 8, values += 8) {
		values[0] = uncore_load_pair(&counter[0]);
		values[1] = uncore_load_pair(&counter[1]);
		values[2] = uncore_load_pair(&counter[2]);
		values[3] = uncore_load_pair(&counter[3]);
		values[4] = uncore_load_pair(&counter[4]);
		values[5] = uncore_load_pair(&counter[5]);
		values[6] = uncore_load_pair(&counter[6]);
		values[7] = uncore_load_pair(&counter[7]);
	}
	while (counter != group->end)
		*values++ = uncore_load_pair(counter++);
}

/**
 * uncore_group_read - read all counters of a group, one after the other
 * @group: from uncore_group_init()
 * @values: room for one value a counter, in their order
 *
 * As uncore_read() for each counter, with the choice of loads made once.
 */
UNCORE_INLINE void uncore_group_read(const struct uncore_group *group,
				     uint64_t *values)
{
	if (__builtin_expect(group->halves, 1))
		uncore_load_pairs(group, values);
	else if (group->load == UNCORE_LOAD_64)
		uncore_load_each(group, values, UNCORE_LOAD_64);
	else if (group->load == UNCORE_LOAD_32)
		uncore_load_each(group, values, UNCORE_LOAD_32);
	else if (group->load == UNCORE_LOAD_PERF)
		uncore_core_group_read(group, values);
	else
		uncore_load_each(group, values, UNCORE_LOAD_RDPMC);
}

/**
 * uncore_group_read_low - read the low 32 bits of all counters of a group
 * @group: from uncore_group_init()
 * @values: room for one value a counter, in their order
 */
UNCORE_INLINE void uncore_group_read_low(const struct uncore_group *group,
					 uint32_t *values)
{
	const struct uncore_counter *counter = group->counters;
	const struct uncore_counter *end = group->blocks_end;

	if (__builtin_expect(!group->halves, 0)) {
		if (group->load == UNCORE_LOAD_PERF) {
			uncore_core_group_read_low(group, values);
			return;
		}
		while (counter != group->end)
			*values++ = uncore_load_low(counter++);
		return;
	}
	for (; counter != end; counter += 8, values += 8) {
		values[0] = *counter[0].address;
		values[1] = *counter[1].address;
		values[2] = *counter[2].address;
		values[3] = *counter[3].address;
		values[4] = *counter[4].address;
		values[5] = *counter[5].address;
		values[6] = *counter[6].address;
		values[7] = *counter[7].address;
	}
	while (counter != group->end)
		*values++ = *counter++->address;
}

#endif /* UNCORE_READ_H */
