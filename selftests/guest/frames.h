/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the guest's init tells the host through its virtio-serial port: a
 * sequence of frames, each a header and that many bytes of payload. A stream
 * that ends without FRAME_DONE means that the guest died.
 */
#ifndef FRAMES_H
#define FRAMES_H

#include <stdint.h>

#define FRAME_PORT	"uncore"	/* name of the virtio-serial port */
#define FRAME_MAX	65536		/* most bytes of payload in a frame */

enum frame_type {
	FRAME_BEGIN	= 'B',	/* struct frame_begin: a job starts */
	FRAME_STDOUT	= 'O',	/* the job's output */
	FRAME_STDERR	= 'E',
	FRAME_LOG	= 'K',	/* kernel messages since the last FRAME_LOG */
	FRAME_END	= 'X',	/* struct frame_end: the job ended */
	FRAME_BROKEN	= 'F',	/* text: the guest cannot go on */
	FRAME_DONE	= 'D',	/* all jobs were run, everything was sent */
};

struct frame {
	uint32_t type;
	uint32_t length;
};

struct frame_begin {
	uint32_t job;		/* counted from 0 */
	uint32_t timeout;	/* seconds that the guest allows it */
};

struct frame_end {
	uint32_t job;
	uint32_t timed_out;
	uint32_t status;	/* as wait(2) gives it */
};

#endif
