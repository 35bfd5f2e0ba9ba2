// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counters. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Whole, aligned and inside the mapping? */
static bool fits(const struct uncore_pmu_unit *info, uint32_t offset,
		 uint32_t size, uint32_t align)
{
	return offset % align == 0 && info->mmap_length >= size &&
	       offset <= info->mmap_length - size;
}

static int choose_load(const struct uncore_pmu_unit *info,
		       const struct uncore_pmu_counter *desc)
{
	bool wide = desc->width > 32;

	if (!desc->width || desc->width > 64)
		return -EPROTO;

	switch (info->access) {
	case UNCORE_PMU_ACCESS_CONFIG:
		if (!fits(info, desc->offset, wide ? 8 : 4, 4))
			return -EPROTO;
		return wide ? UNCORE_LOAD_PAIR : UNCORE_LOAD_32;
	case UNCORE_PMU_ACCESS_MMIO64:
		return fits(info, desc->offset, 8, 8) ? UNCORE_LOAD_64
						      : -EPROTO;
	case UNCORE_PMU_ACCESS_MMIO32:
		return !wide && fits(info, desc->offset, 4, 4) ? UNCORE_LOAD_32
							       : -EPROTO;
	case UNCORE_PMU_ACCESS_RDPMC:
		return UNCORE_LOAD_RDPMC;
	default:
		return -EOPNOTSUPP;
	}
}

static int bind_register(const struct uncore_pmu_unit *info, uint32_t offset,
			 const volatile void *page,
			 const volatile uint32_t **address)
{
	*address = NULL;
	if (offset == UNCORE_PMU_NO_REGISTER)
		return 0;
	if (!fits(info, offset, 4, 4))
		return -EPROTO;
	*address = (const volatile uint32_t *)page + offset / 4;
	return 0;
}

/* What uncore_watch_begin() compares with an event. */
static int describe(const struct uncore_pmu_unit *info,
		    unsigned int index, struct uncore_details *details)
{
	const struct uncore_pmu_counter *desc = &info->counter[index];

	memset(details, 0, sizeof(*details));
	details->kind = desc->kind;
	details->index = (uint8_t)index;
	if (desc->kind != UNCORE_PMU_KIND_GENERAL ||
	    desc->control == UNCORE_PMU_NO_REGISTER)
		return 0;

	details->config_mask = info->config_mask;
	details->wide = info->config_mask >> 32 != 0;
	details->ask = info->ask;
	return details->wide && !fits(info, desc->control, 8, 4) ? -EPROTO : 0;
}

int uncore_counter_bind(struct uncore_counter *counter,
			struct uncore_details *details,
			const struct uncore_pmu_unit *info, unsigned int index,
			const volatile void *page)
{
	const struct uncore_pmu_counter *desc = &info->counter[index];
	struct uncore_counter result = { .scale = desc->scale };
	int load, ret;

	load = choose_load(info, desc);
	if (load < 0)
		return load;

	result.load = (uint8_t)load;
	result.way = load == UNCORE_LOAD_PAIR;
	result.width = (uint8_t)desc->width;
	result.quantity = desc->quantity;
	result.mask = UINT64_MAX >> (64 - desc->width);
	result.high_mask = (uint32_t)(result.mask >> 32);
	if (load == UNCORE_LOAD_RDPMC)
		result.index = desc->offset;
	else
		result.address = (const volatile uint32_t *)page +
				 desc->offset / 4;

	ret = bind_register(info, desc->control, page, &result.control);
	if (!ret)
		ret = bind_register(info, info->unit_control, page,
				    &result.unit_control);
	if (ret)
		return ret;
	ret = describe(info, index, details);
	if (ret)
		return ret;
	result.enable = desc->enable;
	result.freeze = info->unit_freeze;

	*counter = result;
	return 0;
}

/*
 * They are the same each time that the counter is opened, but for the place of
 * the generations if no counter was open meanwhile.
 */
static int keep_details(struct uncore_mapping *mapping, unsigned int index,
			struct uncore_counter *counter,
			const struct uncore_details *details)
{
	struct uncore_details *kept;
	int ret = 0;

	pthread_mutex_lock(&mapping->uncore->lock);
	if (!mapping->details)
		mapping->details = calloc(UNCORE_PMU_MAX_COUNTERS,
					  sizeof(*mapping->details));
	if (mapping->details) {
		kept = &mapping->details[index];
		*kept = *details;
		counter->details = kept;
	} else {
		ret = -ENOMEM;
	}
	pthread_mutex_unlock(&mapping->uncore->lock);
	return ret;
}

static int open_mapped(struct uncore *uncore,
		       const struct uncore_pmu_unit *info, unsigned int index,
		       const volatile void *page,
		       struct uncore_counter *counter)
{
	struct uncore_mapping *mapping = &uncore->mappings[info->index];
	struct uncore_counter result;
	struct uncore_details details;
	int ret;

	ret = uncore_counter_bind(&result, &details, info, index, page);
	if (ret)
		return ret;
	ret = uncore_map_generation(uncore, info->index, index,
				    &details.generation);
	if (ret)
		return ret;
	details.mapping = mapping;
	ret = keep_details(mapping, index, &result, &details);
	if (ret)
		uncore_unmap_generation(uncore);
	else
		*counter = result;
	return ret;
}

int uncore_counter_open(struct uncore *uncore, unsigned int unit,
			unsigned int index, struct uncore_counter *counter)
{
	const volatile void *page;
	struct uncore_pmu_unit info;
	int ret;

	ret = uncore_unit_info(uncore, unit, &info);
	if (ret)
		return ret;
	if (index >= info.num_counters || index >= UNCORE_PMU_MAX_COUNTERS)
		return -ENOENT;

	ret = uncore_map_info(uncore, &info, &page);
	if (ret)
		return ret;
	ret = open_mapped(uncore, &info, index, page, counter);
	if (ret)
		uncore_unmap(uncore, unit);
	return ret;
}

int uncore_counter_open_name(struct uncore *uncore, const char *name,
			     struct uncore_counter *counter)
{
	char unit_name[UNCORE_NAME_LEN];
	struct uncore_pmu_unit info;
	const char *counter_name;
	unsigned int unit;
	int ret;

	ret = uncore_split_name(name, unit_name, sizeof(unit_name),
				&counter_name);
	if (ret)
		return ret;

	ret = uncore_find(uncore, unit_name, &unit, 1);
	if (ret < 0)
		return ret;
	if (ret != 1)
		return ret ? -ENOTUNIQ : -ENOENT;

	ret = uncore_unit_info(uncore, unit, &info);
	if (ret)
		return ret;
	ret = uncore_counter_find(&info, counter_name);
	if (ret < 0)
		return ret;
	return uncore_counter_open(uncore, unit, (unsigned int)ret, counter);
}

void uncore_counter_close(struct uncore_counter *counter)
{
	const struct uncore_details *details = counter->details;

	if (counter->load == UNCORE_LOAD_PERF) {
		uncore_core_close(counter);
		return;
	}
	memset(counter, 0, sizeof(*counter));
	if (!details)
		return;
	uncore_unmap_generation(details->mapping->uncore);
	uncore_unmap(details->mapping->uncore, details->mapping->unit);
}

/* Where there is no enable bit any event counts. */
static bool is_programmed(const struct uncore_counter *counter)
{
	uint32_t mask = counter->enable;

	if (!mask && counter->details)
		mask = (uint32_t)counter->details->config_mask;
	return !counter->control || !mask || *counter->control & mask;
}

int uncore_counter_registers(const struct uncore_counter *counter)
{
	if (!is_programmed(counter))
		return UNCORE_COUNTER_NOT_PROGRAMMED;
	if (counter->unit_control && counter->freeze &&
	    (*counter->unit_control & counter->freeze))
		return UNCORE_COUNTER_FROZEN;
	return UNCORE_COUNTER_COUNTING;
}

int uncore_counter_look(const struct uncore_counter *counter)
{
	const struct uncore_details *details = counter->details;
	const struct uncore_mapping *mapping = details->mapping;
	struct uncore_pmu_status status;

	if (counter->load == UNCORE_LOAD_PERF)
		return 0;
	return uncore_status(mapping->uncore, mapping->unit,
			     (unsigned int)(details - mapping->details),
			     &status);
}

int uncore_counter_state(const struct uncore_counter *counter)
{
	const struct uncore_mapping *mapping;
	struct uncore_pmu_unit info;
	uint32_t id;
	int ret;

	if (counter->load == UNCORE_LOAD_PERF)
		return uncore_core_state(counter);
	mapping = counter->details->mapping;
	ret = uncore_unit_info(mapping->uncore, mapping->unit, &info);
	if (ret)
		return ret;
	if (info.state == UNCORE_PMU_STATE_GONE ||
	    info.state == UNCORE_PMU_STATE_INVALID)
		return UNCORE_COUNTER_GONE;

	/* A function that does not answer reads as ones. */
	if (info.access == UNCORE_PMU_ACCESS_CONFIG) {
		id = *(const volatile uint32_t *)mapping->page;
		if (id != ((uint32_t)info.pci_device << 16 | info.pci_vendor))
			return UNCORE_COUNTER_GONE;
	}
	return uncore_counter_registers(counter);
}
