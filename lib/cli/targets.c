// SPDX-License-Identifier: LGPL-2.1-or-later
/* The counters that the arguments of "read" name. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "hold.h"

static struct target *add_target(struct targets *targets,
				 const struct uncore_pmu_unit *info)
{
	struct target *target;

	target = reallocarray(targets->target, targets->count + 1,
			      sizeof(*target));
	if (!target)
		return NULL;
	targets->target = target;
	target += targets->count++;

	memset(target, 0, sizeof(*target));
	uncore_unit_name(info, target->unit, sizeof(target->unit));
	target->unit_state = uncore_state_name(info->state);
	return target;
}

/* The attempt to map a unit may have shown that it is not ok. */
static void explain(struct uncore *uncore, unsigned int unit, int error,
		    struct target *target)
{
	struct uncore_pmu_unit info;

	target->unit_state = "not mapped";
	target->trouble = uncore_strerror(UNCORE_CALL_MAP, error);
	if (!uncore_unit_info(uncore, unit, &info) &&
	    info.state != UNCORE_PMU_STATE_OK) {
		target->unit_state = uncore_state_name(info.state);
		target->trouble = uncore_reason_text(info.reason);
	}
}

static int add_counter(struct uncore *uncore, struct targets *targets,
		       const struct uncore_pmu_unit *info, unsigned int index)
{
	struct target *target = add_target(targets, info);
	int ret;

	if (!target)
		return -ENOMEM;
	memcpy(target->name, info->counter[index].name, UNCORE_PMU_NAME_LEN);
	ret = uncore_counter_open(uncore, info->index, index, &target->counter);
	if (ret)
		explain(uncore, info->index, ret, target);
	return 0;
}

/* Names those that there are. */
static void complain_counter(const struct uncore_pmu_unit *info,
			     const char *name)
{
	char unit[UNCORE_NAME_LEN], where[UNCORE_NAME_LEN + 64];
	char text[UNCORE_PMU_MAX_COUNTERS * (UNCORE_PMU_NAME_LEN + 2) + 64];
	size_t length;
	unsigned int i;

	uncore_unit_name(info, unit, sizeof(unit));
	snprintf(where, sizeof(where), "%s/%.60s", unit, name);
	snprintf(text, sizeof(text), "no such counter, but");
	for (i = 0; i < info->num_counters; i++) {
		length = strlen(text);
		snprintf(text + length, sizeof(text) - length, "%s %.*s",
			 i ? "," : "", UNCORE_PMU_NAME_LEN,
			 info->counter[i].name);
	}
	complain(where, text);
}

/* One counter of the unit, or all if @name is NULL. */
static int add_unit(struct uncore *uncore, struct targets *targets,
		    unsigned int unit, const char *name)
{
	struct uncore_pmu_unit info;
	struct target *target;
	unsigned int i;
	int ret;

	ret = uncore_unit_info(uncore, unit, &info);
	if (ret)
		return ret;

	if (info.state != UNCORE_PMU_STATE_OK) {
		target = add_target(targets, &info);
		if (!target)
			return -ENOMEM;
		target->trouble = uncore_reason_text(info.reason);
		if (name)
			copy_printable(target->name, sizeof(target->name), name,
				       strlen(name));
		return 0;
	}

	if (name) {
		ret = uncore_counter_find(&info, name);
		if (ret < 0) {
			complain_counter(&info, name);
			return ret;
		}
		return add_counter(uncore, targets, &info, (unsigned int)ret);
	}
	for (i = 0; i < info.num_counters; i++) {
		ret = add_counter(uncore, targets, &info, i);
		if (ret)
			return ret;
	}
	return 0;
}

static int add_argument(struct uncore *uncore, struct targets *targets,
			const char *argument)
{
	unsigned int i, *units, max = uncore_num_units(uncore);
	char unit[UNCORE_NAME_LEN];
	const char *slash = strchr(argument, '/');
	size_t length = slash ? (size_t)(slash - argument) : strlen(argument);
	int ret, count;

	if (length >= sizeof(unit) || (slash && !slash[1])) {
		complain(argument, uncore_strerror(UNCORE_CALL_FIND, -EINVAL));
		return -EINVAL;
	}
	memcpy(unit, argument, length);
	unit[length] = '\0';

	units = calloc(max ? max : 1, sizeof(*units));
	if (!units)
		return -ENOMEM;

	count = uncore_find(uncore, unit, units, max);
	if (count <= 0)
		complain_unit(uncore, unit);
	ret = count < 0 ? count : count ? 0 : -ENOENT;
	for (i = 0; !ret && i < (unsigned int)count; i++)
		ret = add_unit(uncore, targets, units[i],
			       slash ? slash + 1 : NULL);
	free(units);
	return ret;
}

int targets_open(struct uncore *uncore, const struct options *options,
		 struct targets *targets)
{
	int i, ret;

	memset(targets, 0, sizeof(*targets));
	for (i = 0; i < options->argc; i++) {
		ret = add_argument(uncore, targets, options->argv[i]);
		if (ret) {
			/* What is wrong with a name was said. */
			if (ret != -EINVAL && ret != -ENOENT)
				complain(options->argv[i],
					 uncore_strerror(UNCORE_CALL_FIND,
							 ret));
			targets_close(targets);
			return ret;
		}
	}
	return 0;
}

void targets_close(struct targets *targets)
{
	size_t i;

	for (i = 0; i < targets->count; i++)
		if (targets->target[i].counter.load)
			uncore_counter_close(&targets->target[i].counter);
	free(targets->target);
	memset(targets, 0, sizeof(*targets));
}

static void sample(void *argument)
{
	struct target *target = argument;
	struct moment before = target->moment;
	uint64_t value, counted;
	uint32_t control;
	int state;

	moment_begin(&target->moment);
	value = uncore_read(&target->counter);
	moment_end(&target->moment);
	control = uncore_control(&target->counter);
	state = uncore_counter_state(&target->counter);
	counted = uncore_delta(&target->counter, target->value, value);
	if (!target->doubt)
		target->doubt = moment_doubt(&target->counter, &before,
					     &target->moment, counted);
	target->delta += counted;
	target->stable = target->stable && control == target->control;
	target->value = value;
	target->control = control;
	target->state = state < 0 ? UNCORE_COUNTER_GONE : state;
}

void targets_sample(struct targets *targets)
{
	size_t i;

	for (i = 0; i < targets->count; i++) {
		struct target *target = &targets->target[i];

		if (target->trouble)
			continue;
		if (!guard_run(sample, target))
			target->state = UNCORE_COUNTER_GONE;
		if (target->state == UNCORE_COUNTER_GONE) {
			target->unit_state = "gone";
			target->trouble = "the device was removed or does not "
					  "answer";
		}
	}
}

void targets_begin(struct targets *targets)
{
	size_t i;

	for (i = 0; i < targets->count; i++) {
		targets->target[i].delta = 0;
		targets->target[i].stable = true;
		targets->target[i].doubt = NULL;
	}
}

double targets_period(const struct targets *targets)
{
	double least = DAY, period;
	size_t i;

	for (i = 0; i < targets->count; i++) {
		if (targets->target[i].trouble)
			continue;
		period = sample_period(&targets->target[i].counter);
		least = period < least ? period : least;
	}
	return least;
}

bool target_counted(const struct target *target)
{
	return !target->trouble && target->stable && !target->doubt;
}

bool targets_all_counted(const struct targets *targets)
{
	size_t i;

	for (i = 0; i < targets->count; i++)
		if (!target_counted(&targets->target[i]))
			return false;
	return true;
}

bool targets_all_read(const struct targets *targets)
{
	size_t i;

	for (i = 0; i < targets->count; i++)
		if (targets->target[i].trouble)
			return false;
	return true;
}
