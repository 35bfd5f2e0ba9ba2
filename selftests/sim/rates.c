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
 *
 * CAS_COUNT is event 0x04 with umask bits 0x03 for reads and 0x0c for writes,
 * on Knights Landing event 0x03 with 0x01 and 0x02. A CAS moves 64 bytes, so
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

static uint64_t memory_rate(const struct function *f, bool read, bool write)
{
	unsigned int socket = f->socket > 0 ? f->socket % 16 : 0;
	uint64_t rate = READ_RATE + (uint64_t)f->instance * READ_STEP -
			socket * SOCKET_STEP;

	return (read ? rate : 0) + (write ? rate * 2 / 5 : 0);
}

static uint64_t event_rate(const struct function *f, unsigned int event,
			   unsigned int umask)
{
	switch (f->kind->class) {
	case UNIT_MEMORY:
		if (event == 0x00)
			return CLOCK_RATE;
		if (event == 0x04 && umask & 0x0f)
			return memory_rate(f, umask & 0x03, umask & 0x0c);
		break;
	case UNIT_MEMORY_KNL:
		if (event == 0x00)
			return CLOCK_RATE;
		if (event == 0x03 && umask & 0x03)
			return memory_rate(f, umask & 0x01, umask & 0x02);
		break;
	case UNIT_OTHER:
		break;
	}
	return (event + 1ull) * 1000003 + umask * 10007ull +
	       f->instance * 101ull;
}

uint64_t counter_rate(const struct function *f, unsigned int counter,
		      uint32_t control)
{
	unsigned int threshold = (control & CONTROL_THRESHOLD) >> 24;
	unsigned int event = control & CONTROL_EVENT;
	unsigned int umask = (control & CONTROL_UMASK) >> 8;
	uint64_t rate, part;

	if (counter == f->kind->general)
		return CLOCK_RATE;
	if (control & CONTROL_EVENT_EXT)
		event |= 0x100;
	rate = event_rate(f, event, umask);
	part = rate / (threshold + 1);
	if (control & CONTROL_INVERT)
		part = rate - part;
	if (control & CONTROL_EDGE)
		part /= 16;
	return part;
}
