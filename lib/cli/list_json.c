// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl list --json */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "cli.h"

/* A string of the module, which need not end with a NUL. */
static json_t *bounded_string(const char *text, size_t size)
{
	return json_stringn(text, strnlen(text, size));
}

static json_t *counter_object(const struct uncore_pmu_counter *counter)
{
	bool control = counter->control != UNCORE_PMU_NO_REGISTER;
	bool offset = counter->offset != UNCORE_PMU_NO_REGISTER;
	bool scale = counter->quantity != UNCORE_PMU_QUANTITY_EVENT;

	return json_pack("{s:o, s:s, s:o, s:i, s:o, s:s, s:o}",
			 "name", bounded_string(counter->name,
						sizeof(counter->name)),
			 "kind", uncore_kind_name(counter->kind),
			 "offset", json_number_or_null(offset, counter->offset),
			 "width", (int)counter->width,
			 "scale", json_number_or_null(scale, counter->scale),
			 "quantity", uncore_quantity_name(counter->quantity),
			 "control", json_number_or_null(control,
							counter->control));
}

static json_t *counters_array(const struct uncore_pmu_unit *info)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; i < info->num_counters && i < UNCORE_PMU_MAX_COUNTERS; i++)
		json_array_append_new(array, counter_object(&info->counter[i]));
	return array;
}

static json_t *pci_or_null(const struct uncore_pmu_unit *info)
{
	char text[32];

	if (info->state == UNCORE_PMU_STATE_ABSENT)
		return json_null();
	unit_pci_address(info, text, sizeof(text));
	return json_string(text);
}

static json_t *id_or_null(const struct uncore_pmu_unit *info)
{
	char text[16];

	if (!info->pci_vendor)
		return json_null();
	snprintf(text, sizeof(text), "%04x:%04x", info->pci_vendor,
		 info->pci_device);
	return json_string(text);
}

static json_t *unit_object(const struct uncore_pmu_unit *info)
{
	bool mappable = info->mmap_length > 0;
	char name[UNCORE_NAME_LEN];

	uncore_unit_name(info, name, sizeof(name));
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s,"
			 " s:o, s:o, s:o, s:o}",
			 "name", name,
			 "type", bounded_string(info->type, sizeof(info->type)),
			 "index", json_uint64(info->instance),
			 "die", json_signed_or_null(info->die),
			 "socket", json_signed_or_null(info->socket),
			 "numa_node", json_signed_or_null(info->numa_node),
			 "pci", pci_or_null(info),
			 "id", id_or_null(info),
			 "access", uncore_access_name(info->access),
			 "state", uncore_state_name(info->state),
			 "reason", info->reason
				? json_string(uncore_reason_text(info->reason))
				: json_null(),
			 "mmap_offset", json_number_or_null(mappable,
							    info->mmap_offset),
			 "mmap_length", json_number_or_null(mappable,
							    info->mmap_length),
			 "counters", counters_array(info));
}

int list_json(struct uncore *uncore, const struct options *options)
{
	const struct uncore_pmu_info *about = uncore_info(uncore);
	json_t *units = json_array();
	struct uncore_pmu_unit info;
	struct utsname name;
	unsigned int i;
	char cpu[128];
	int ret;

	for (i = 0; i < uncore_num_units(uncore); i++) {
		ret = uncore_unit_info(uncore, i, &info);
		if (ret) {
			complain("list",
				 uncore_strerror(UNCORE_CALL_FIND, ret));
			json_decref(units);
			return EXIT_FAILED;
		}
		if (list_wants(&info, options) &&
		    json_array_append_new(units, unit_object(&info))) {
			complain_errno("JSON", ENOMEM);
			json_decref(units);
			return EXIT_FAILED;
		}
	}

	cpu_model_name(cpu, sizeof(cpu));
	if (uname(&name))
		name.release[0] = '\0';
	return print_json(json_pack("{s:o, s:s, s:s, s:o, s:o}",
				    "abi", json_uint64(about->abi_version),
				    "kernel", name.release,
				    "cpu", cpu,
				    "platform",
				    about->platform[0]
				    ? bounded_string(about->platform,
						     sizeof(about->platform))
				    : json_null(),
				    "units", units),
			  JSON_INDENT(2));
}
