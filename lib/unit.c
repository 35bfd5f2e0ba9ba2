// SPDX-License-Identifier: LGPL-2.1-or-later
/* Units: description, search, mapping. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "internal.h"

int uncore_unit_info(struct uncore *uncore, unsigned int unit,
		     struct uncore_pmu_unit *info)
{
	if (unit >= uncore->info.num_units)
		return -ENXIO;

	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	info->index = unit;
	if (!ioctl(uncore->fd, UNCORE_PMU_UNIT, info))
		return 0;

	/* A unit that is gone is described all the same. */
	if (errno == ENODEV && info->state == UNCORE_PMU_STATE_GONE)
		return 0;
	return -errno;
}

int uncore_find(struct uncore *uncore, const char *name, unsigned int *units,
		unsigned int max)
{
	/* A name that can mean no unit is wrong even if there are none. */
	struct uncore_pmu_unit info = { .die = -1 };
	unsigned int i, found = 0;
	int ret;

	ret = uncore_unit_match(&info, name);
	if (ret < 0)
		return ret;

	for (i = 0; i < uncore->info.num_units; i++) {
		ret = uncore_unit_info(uncore, i, &info);
		if (ret)
			return ret;
		if (uncore_unit_match(&info, name) != 1)
			continue;
		if (found < max)
			units[found] = i;
		found++;
	}
	return (int)found;
}

/* The errors that mmap would give, also where there is nothing to map. */
int uncore_check_mappable(const struct uncore_pmu_unit *info)
{
	switch (info->state) {
	case UNCORE_PMU_STATE_OK:
		return info->mmap_length ? 0 : -EPROTO;
	case UNCORE_PMU_STATE_ABSENT:
		return -ENOENT;
	case UNCORE_PMU_STATE_LOCKED:
		return -EPERM;
	case UNCORE_PMU_STATE_GONE:
		return -ENODEV;
	case UNCORE_PMU_STATE_WINDOW:
		return -EADDRNOTAVAIL;
	default:
		return -EIO;
	}
}

int uncore_map_info(struct uncore *uncore, const struct uncore_pmu_unit *info,
		    const volatile void **page)
{
	struct uncore_mapping *mapping = &uncore->mappings[info->index];
	void *address;
	int ret;

	ret = uncore_check_mappable(info);
	if (ret)
		return ret;

	pthread_mutex_lock(&uncore->lock);
	if (!mapping->users) {
		address = mmap(NULL, info->mmap_length, PROT_READ, MAP_SHARED,
			       uncore->fd, (off_t)info->mmap_offset);
		if (address == MAP_FAILED) {
			ret = -errno;
			goto out_unlock;
		}
		mapping->page = address;
		mapping->length = info->mmap_length;
	}
	mapping->users++;
	*page = mapping->page;

out_unlock:
	pthread_mutex_unlock(&uncore->lock);
	return ret;
}

int uncore_map(struct uncore *uncore, unsigned int unit,
	       const volatile void **page)
{
	struct uncore_pmu_unit info;
	int ret;

	ret = uncore_unit_info(uncore, unit, &info);
	return ret ? ret : uncore_map_info(uncore, &info, page);
}

int uncore_unmap(struct uncore *uncore, unsigned int unit)
{
	struct uncore_mapping *mapping;
	int ret = 0;

	if (unit >= uncore->info.num_units)
		return -ENXIO;

	mapping = &uncore->mappings[unit];
	pthread_mutex_lock(&uncore->lock);
	if (!mapping->users) {
		ret = -EINVAL;
	} else if (!--mapping->users) {
		munmap((void *)(uintptr_t)mapping->page, mapping->length);
		mapping->page = NULL;
	}
	pthread_mutex_unlock(&uncore->lock);
	return ret;
}

int uncore_map_generation(struct uncore *uncore, unsigned int unit,
			  unsigned int counter,
			  const volatile uint32_t **word)
{
	size_t index = (size_t)unit * UNCORE_PMU_MAX_COUNTERS + counter;
	size_t length = uncore->info.generation_length;
	void *address;
	int ret = 0;

	*word = NULL;
	if (!length)
		return 0;
	if (index >= length / sizeof(**word))
		return -EPROTO;

	pthread_mutex_lock(&uncore->lock);
	if (!uncore->generations) {
		address = mmap(NULL, length, PROT_READ, MAP_SHARED, uncore->fd,
			       UNCORE_PMU_GENERATION_OFFSET);
		if (address == MAP_FAILED)
			ret = -errno;
		else
			uncore->generations = address;
	}
	if (!ret) {
		uncore->generation_users++;
		*word = uncore->generations + index;
	}
	pthread_mutex_unlock(&uncore->lock);
	return ret;
}

void uncore_unmap_generation(struct uncore *uncore)
{
	if (!uncore->info.generation_length)
		return;

	pthread_mutex_lock(&uncore->lock);
	if (!--uncore->generation_users) {
		munmap((void *)(uintptr_t)uncore->generations,
		       uncore->info.generation_length);
		uncore->generations = NULL;
	}
	pthread_mutex_unlock(&uncore->lock);
}
