/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Is it still the event expected that is counted? Included by <uncore.h> only. */
#ifndef UNCORE_WATCH_H
#define UNCORE_WATCH_H

#ifndef UNCORE_H
#error "include <uncore.h>"
#endif

/**
 * enum uncore_validity - can a difference of a counter be relied upon?
 * @UNCORE_VALID: the counter counts what it is expected to, without a break
 *	since the watch began; a free-running counter always counts its one event
 * @UNCORE_UNCLAIMED: no claim of the module holds the counter: others may change
 *	at any time, unnoticed, what it counts
 * @UNCORE_OTHER_EVENT: the counter is claimed, for another event than expected
 * @UNCORE_REPROGRAMMED: it was programmed anew, moved, or missed counts
 * @UNCORE_RELEASED: the claim has ended or was lost, or cannot be asked for
 * @UNCORE_OVERWRITTEN: someone has changed the control register, without the
 *	module
 * @UNCORE_NOT_RUNNING: a counter of a core did not count all the time: the kernel
 *	shares the hardware between more events than it has counters, or the
 *	thread ran on another kind of core than the event is for; fewer events at
 *	once help, and one counter is that of the NMI watchdog
 * @UNCORE_UNPAIRED: of a region only: begun and not ended, ended and not begun,
 *	or not by the thread that it was opened in
 * @UNCORE_OTHER_CPU: a counter of a die or an L3 complex, see uncore_core_open(),
 *	was read on a CPU of another one
 * @UNCORE_IMPLAUSIBLE: of a region only: a counter of the uncore would have counted
 *	more than any can since the plan was opened, so it was reset or written
 */
enum uncore_validity {
	UNCORE_VALID		= 0,
	UNCORE_UNCLAIMED	= 1,
	UNCORE_OTHER_EVENT	= 2,
	UNCORE_REPROGRAMMED	= 3,
	UNCORE_RELEASED		= 4,
	UNCORE_OVERWRITTEN	= 5,
	UNCORE_NOT_RUNNING	= 6,
	UNCORE_UNPAIRED		= 7,
	UNCORE_OTHER_CPU	= 8,
	UNCORE_IMPLAUSIBLE	= 9,
};

/**
 * struct uncore_watch - what a counter is expected to go on doing
 * @control: the control registers when the watch began; for a counter of a core
 *	the time for which it had not counted
 * @generation: the generation when the watch began
 * @begun: enum uncore_validity when the watch began
 *
 * The fields are for reading only. May be copied; there is nothing to free.
 */
struct uncore_watch {
	uint64_t control;
	uint32_t generation;
	uint32_t begun;
};

/**
 * uncore_generation - the generation of a counter
 * @counter: an open counter
 *
 * Makes no system call.
 *
 * Return: odd while the counter is claimed and counts, and another number after
 * each change; even otherwise; 0 if the module cannot program.
 */
UNCORE_INLINE uint32_t uncore_generation(const struct uncore_counter *counter)
{
	const volatile uint32_t *generation = counter->details->generation;

	return generation ? *generation : 0;
}

/* Both registers, where events need two. */
UNCORE_ALWAYS_INLINE uint64_t
uncore_control_both(const struct uncore_counter *counter)
{
	uint64_t both = counter->control ? *counter->control : 0;

	if (counter->details->wide)
		both |= (uint64_t)counter->control[1] << 32;
	return both;
}

UNCORE_ALWAYS_INLINE int
uncore_watch_judge(const struct uncore_counter *counter,
		   const struct uncore_event *event,
		   const struct uncore_watch *watch)
{
	const struct uncore_details *details = counter->details;

	if (details->kind == UNCORE_PMU_KIND_FREE_RUNNING)
		return event && (event->kind != details->kind ||
				 event->config != details->index)
		       ? UNCORE_OTHER_EVENT : UNCORE_VALID;
	if (!(watch->generation & 1))
		return UNCORE_UNCLAIMED;
	if ((uint32_t)(watch->control & counter->enable) != counter->enable)
		return UNCORE_OVERWRITTEN;
	if (event && (event->kind != details->kind ||
		      ((watch->control ^ event->config) &
		       details->config_mask)))
		return UNCORE_OTHER_EVENT;
	return UNCORE_VALID;
}

/**
 * uncore_watch_begin - begin an interval that can be relied upon
 * @counter: an open counter
 * @event: what it is expected to count; NULL for whatever it counts
 * @watch: filled in any case
 *
 * Makes no system call. Call it before the first value is read. As any read, it
 * raises SIGBUS if the device was removed. If the result is not UNCORE_VALID,
 * uncore_counter_status() says the same until the watch begins anew.
 *
 * A counter of a core takes no @event. It makes a system call in another thread
 * than the one that opened it.
 *
 * Return: UNCORE_VALID, UNCORE_UNCLAIMED, UNCORE_OTHER_EVENT,
 * UNCORE_OVERWRITTEN, UNCORE_NOT_RUNNING or UNCORE_OTHER_CPU.
 */
UNCORE_INLINE int uncore_watch_begin(const struct uncore_counter *counter,
				     const struct uncore_event *event,
				     struct uncore_watch *watch)
{
	if (counter->load == UNCORE_LOAD_PERF)
		return uncore_core_watch_begin(counter, event, watch);

	watch->generation = uncore_generation(counter);
	watch->control = uncore_control_both(counter);
	watch->begun = (uint32_t)uncore_watch_judge(counter, event, watch);
	return (int)watch->begun;
}

UNCORE_ALWAYS_INLINE int
uncore_watch_compare(const struct uncore_counter *counter,
		     const struct uncore_watch *watch)
{
	uint64_t control = uncore_control_both(counter);
	uint32_t generation = uncore_generation(counter);

	if (generation != watch->generation)
		return generation & 1 ? UNCORE_REPROGRAMMED : UNCORE_RELEASED;
	return control == watch->control ? UNCORE_VALID : UNCORE_OVERWRITTEN;
}

/**
 * uncore_counter_look - have the module look at what the counter does now
 * @counter: an open counter
 *
 * Makes one system call. The generations of all counters of the unit then know
 * of everything that perf did to claimed events before.
 *
 * Return: 0, also of a counter of a core; or a negative error of ioctl(2).
 */
int uncore_counter_look(const struct uncore_counter *counter);

/**
 * uncore_counter_status - did the counter count without a break?
 * @counter: an open counter
 * @watch: from uncore_watch_begin()
 *
 * Call it after the last value was read. Makes no system call but, if all seems
 * well, that of uncore_counter_look() where counter->details->ask is set: in
 * units whose events perf moves between counters. In others it takes a user of
 * perf who switches pinned events off and on, which is seen within a second, or
 * with uncore_counter_look(). Does not look whether the unit is frozen:
 * uncore_counter_state() does. A counter of a die or complex, from
 * uncore_core_open(), needs a system call, and is UNCORE_REPROGRAMMED as soon as
 * perf has started it anew, though its values go on.
 *
 * Return: enum uncore_validity; any but UNCORE_VALID says that a difference
 * taken since the watch began means nothing.
 */
UNCORE_INLINE int uncore_counter_status(const struct uncore_counter *counter,
					const struct uncore_watch *watch)
{
	int validity;

	if (counter->load == UNCORE_LOAD_PERF)
		return uncore_core_watch_status(counter, watch);

	if (watch->begun != UNCORE_VALID)
		return (int)watch->begun;
	validity = uncore_watch_compare(counter, watch);
	if (validity != UNCORE_VALID || !counter->details->ask)
		return validity;
	if (uncore_counter_look(counter))
		return UNCORE_RELEASED;
	return uncore_watch_compare(counter, watch);
}

/**
 * uncore_delta_checked - difference of two values, if it means something
 * @counter: the counter that both came from
 * @watch: begun before @before was read
 * @before: the earlier value
 * @after: the later value, read before this call
 * @delta: the difference, as from uncore_delta(); untouched on failure
 *
 * Return: 0, or -ESTALE: uncore_counter_status() says why.
 */
UNCORE_INLINE int uncore_delta_checked(const struct uncore_counter *counter,
				       const struct uncore_watch *watch,
				       uint64_t before, uint64_t after,
				       uint64_t *delta)
{
	if (uncore_counter_status(counter, watch) != UNCORE_VALID)
		return -ESTALE;
	*delta = uncore_delta(counter, before, after);
	return 0;
}

/** uncore_validity_text - what an enum uncore_validity means, in a few words */
const char *uncore_validity_text(int validity);

#endif /* UNCORE_WATCH_H */
