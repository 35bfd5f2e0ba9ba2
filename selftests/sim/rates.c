// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast a counter counts, in counts a second.
 *
 *   fixed counter, and event 0x00 of a memory channel		CLOCK_RATE
 *   CAS_COUNT.RD of memory channel c of socket s	READ_RATE + c * READ_STEP
 *							- s * SOCKET_STEP
 *   CAS_COUNT.WR of the same				2/5 of that
 *   CAS_COUNT with read and write bits			the sum
 *   event e with umask u, everywhere else		(e + 1) * 1000003
 *							+ u * 10007 + c * 101
 *   free-running counter i that is none of these	(i + 1) * 1000003 + c * 101
 *
 * CAS_COUNT is event 0x04 with umask bits 0x03 for reads and 0x0c for writes,
 * on Knights Landing event 0x03 with 0x01 and 0x02, on Snow Ridge and Ice Lake
 * 0x04 with 0x0f and 0x30, from Sapphire Rapids on 0x05 with 0x0f and 0x30
 * (of the guides' 0xcf and 0xf0), where the clock is event 0x01. A free-running unit reads, writes and clocks
 * as a memory channel with its number does. A CAS moves 64 bytes, so
 * channel 0 of socket 0 reads 2.4 GB/s and writes 0.96 GB/s. Event select has
 * the extension bit 21 as bit 8. c is the number of the unit among those of
 * its kind on its socket, in the order of their addresses.
 *
 * A threshold t divides the rate by t + 1, inversion makes it the rest of the
 * rate, edge detection divides by 16.
 */
#include "model.h"

#define CLOCK_RATE	1066666667u
#define READ_RATE	37500000u
#define READ_STEP	4100000u
#define SOCKET_STEP	1300000u

static uint64_t memory_rate(const struct unit_place *place, bool read,
			    bool write)
{
	unsigned int socket = place->socket > 0 ? place->socket % 16 : 0;
	uint64_t rate = READ_RATE + (uint64_t)place->instance * READ_STEP -
			socket * SOCKET_STEP;

	return (read ? rate : 0) + (write ? rate * 2 / 5 : 0);
}

static const struct memory_events {
	unsigned int clock;
	unsigned int cas;
	unsigned int read;	/* bits of the umask */
	unsigned int write;
} memory_events[] = {
	[UNIT_MEMORY] = { 0x00, 0x04, 0x03, 0x0c },
	[UNIT_MEMORY_KNL] = { 0x00, 0x03, 0x01, 0x02 },
	[UNIT_MEMORY_SNR] = { 0x00, 0x04, 0x0f, 0x30 },
	[UNIT_MEMORY_SPR] = { 0x01, 0x05, 0x0f, 0x30 },
};

static uint64_t event_rate(const struct unit_kind *kind,
			   const struct unit_place *place, unsigned int event,
			   unsigned int umask)
{
	if (kind->class != UNIT_OTHER && kind->class != UNIT_FREE_RUNNING) {
		const struct memory_events *m = &memory_events[kind->class];

		if (event == m->clock)
			return CLOCK_RATE;
		if (event == m->cas && umask & (m->read | m->write))
			return memory_rate(place, umask & m->read,
					   umask & m->write);
	}
	return (event + 1ull) * 1000003 + umask * 10007ull +
	       place->instance * 101ull;
}

static uint64_t free_running_rate(const struct unit_kind *kind,
				  const struct unit_place *place,
				  unsigned int counter)
{
	switch (kind->role[counter]) {
	case ROLE_CLOCK:
		return CLOCK_RATE;
	case ROLE_READ:
		return memory_rate(place, true, false);
	case ROLE_WRITE:
		return memory_rate(place, false, true);
	case ROLE_TOTAL:
		return memory_rate(place, true, true);
	default:
		return event_rate(kind, place, counter, 0);
	}
}

uint64_t counter_rate(const struct unit_kind *kind,
		      const struct unit_place *place, unsigned int counter,
		      uint32_t control)
{
	unsigned int threshold = (control & CONTROL_THRESHOLD) >> 24;
	unsigned int event = control & CONTROL_EVENT;
	unsigned int umask = (control & CONTROL_UMASK) >> 8;
	uint64_t rate, part;

	if (counter == kind->general)
		return CLOCK_RATE;
	if (unit_is_free_running(kind))
		return free_running_rate(kind, place, counter);
	if (control & CONTROL_EVENT_EXT)
		event |= 0x100;
	rate = event_rate(kind, place, event, umask);
	part = rate / (threshold + 1);
	if (control & CONTROL_INVERT)
		part = rate - part;
	if (control & CONTROL_EDGE)
		part /= 16;
	return part;
}
