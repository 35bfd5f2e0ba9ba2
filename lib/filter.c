// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What would need filters, by which single addresses, packets, threads or cores
 * could be watched.
 */
#include <errno.h>
#include <string.h>

#include "events.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

static bool begins(const char *name, size_t length, const char *text)
{
	size_t known = strlen(text);

	return length >= known && uncore_same_text(name, known, text);
}

/* By how the names of perf and libpfm4 for such fields and unit masks begin. */
bool uncore_is_filter(const char *name, size_t length)
{
	static const char *const texts[] = {
		"filt", "match", "mask", "tid", "cid", "nid", "opc", "config1",
		"config2", "ch_mask", "fc_mask", "occ_", "use_occ",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (begins(name, length, texts[i]))
			return true;
	return false;
}

/* UNC_H_ADDR_OPC_MATCH, UNC_UPI_RXL_BASIC_HDR_MATCH, UNC_M2_PKT_MATCH */
bool uncore_is_match(const char *name, size_t length)
{
	static const char *const texts[] = {
		"opc_match", "hdr_match", "pkt_match",
	};
	size_t i, at;

	for (at = 0; at < length; at++)
		for (i = 0; i < ARRAY_SIZE(texts); i++)
			if (begins(name + at, length - at, texts[i]))
				return true;
	return false;
}

/*
 * What matches packets by registers beside the control register, not all of
 * which libpfm4 knows by number.
 */
int uncore_check_match(const struct uncore_place *place, uint64_t config,
		       struct uncore_event_error *error)
{
	static const struct {
		const char *type;
		uint64_t number;
		const char *name;
	} events[] = {
		{ "ha", 0x20, "UNC_H_ADDR_OPC_MATCH" },
		{ "qpi", 0x38, "UNC_Q_CTO_COUNT" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		if ((config & UNCORE_CONFIG_EVENT) == events[i].number &&
		    !strncmp(place->info->type, events[i].type,
			     sizeof(place->info->type)))
			return uncore_say_filter(error, events[i].name,
						 strlen(events[i].name));
	return 0;
}

int uncore_say_filter(struct uncore_event_error *error, const char *name,
		      size_t length)
{
	uncore_say(error, "%.*s needs a filter, by which single addresses, "
		   "packets, threads or cores could be watched: filters are "
		   "never programmed through uncore_pmu", (int)length, name);
	return -EOPNOTSUPP;
}
