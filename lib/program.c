// SPDX-License-Identifier: LGPL-2.1-or-later
/* Claims. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>

#include "events.h"

/* A module of an earlier release does not know these calls. */
static int call(const struct uncore *uncore, unsigned long request, void *arg)
{
	if (!ioctl(uncore->fd, request, arg))
		return 0;
	return errno == ENOTTY ? -EOPNOTSUPP : -errno;
}

int uncore_can_program(const struct uncore *uncore)
{
	int flags = fcntl(uncore->fd, F_GETFL);

	if (!(uncore->info.features & UNCORE_PMU_FEATURE_PROGRAM))
		return -EOPNOTSUPP;
	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

/* It counts already, for everyone: there is nothing to claim. */
static int point_at(struct uncore *uncore, unsigned int unit,
		    const struct uncore_event *event,
		    struct uncore_pmu_program *claim)
{
	struct uncore_pmu_unit info;
	struct uncore_event found;
	int ret;

	ret = uncore_unit_info(uncore, unit, &info);
	if (!ret)
		ret = uncore_check_mappable(&info);
	if (ret)
		return ret;
	if (!uncore_free_get(&info, event->config, &found))
		return -EINVAL;
	*claim = (struct uncore_pmu_program){
		.size = sizeof(*claim),
		.unit = unit,
		.kind = event->kind,
		.config = event->config,
		.counter = (uint32_t)event->config,
	};
	return 0;
}

int uncore_program(struct uncore *uncore, unsigned int unit,
		   const struct uncore_event *event,
		   struct uncore_pmu_program *claim)
{
	struct uncore_pmu_program program = {
		.size = sizeof(program),
		.unit = unit,
		.kind = event->kind,
		.config = event->config,
	};
	int ret;

	if (event->kind == UNCORE_PMU_KIND_FREE_RUNNING)
		return point_at(uncore, unit, event, claim);
	ret = call(uncore, UNCORE_PMU_PROGRAM, &program);
	if (!ret)
		*claim = program;
	return ret;
}

int uncore_release(struct uncore *uncore, uint32_t claim)
{
	struct uncore_pmu_release release = {
		.size = sizeof(release),
		.claim = claim,
	};

	return call(uncore, UNCORE_PMU_RELEASE, &release);
}

int uncore_status(struct uncore *uncore, unsigned int unit,
		  unsigned int counter, struct uncore_pmu_status *status)
{
	struct uncore_pmu_status answer = {
		.size = sizeof(answer),
		.unit = unit,
		.counter = counter,
	};
	int ret;

	ret = call(uncore, UNCORE_PMU_STATUS, &answer);
	if (!ret)
		*status = answer;
	return ret;
}
