// SPDX-License-Identifier: LGPL-2.1-or-later
/* Specs of the command line and of files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "hold.h"

/* "message; did you mean A, B or C?" */
static void complain_event(const char *where, int error,
			   const struct uncore_event_error *details)
{
	char text[sizeof(details->message) + sizeof(details->nearest) + 64];
	size_t length;
	unsigned int i;

	if (!details->message[0]) {
		complain(where, uncore_strerror(UNCORE_CALL_EVENT, error));
		return;
	}
	snprintf(text, sizeof(text), "%s", details->message);
	for (i = 0; i < details->num_nearest; i++) {
		length = strlen(text);
		snprintf(text + length, sizeof(text) - length, "%s%s",
			 !i ? "; did you mean " :
			 i + 1 < details->num_nearest ? ", " : " or ",
			 details->nearest[i]);
	}
	if (i) {
		length = strlen(text);
		snprintf(text + length, sizeof(text) - length, "?");
	}
	complain(where, text);
}

/* What there is for events says most of units. */
void complain_unit(struct uncore *uncore, const char *name)
{
	struct uncore_event_error details = { .message = "" };
	struct uncore_event event;
	char spec[UNCORE_SPEC_LEN];
	int ret = -EINVAL;

	if (!strchr(name, '/') && snprintf(spec, sizeof(spec), "%s/fixed/",
					   name) < (int)sizeof(spec))
		ret = uncore_spec_parse(uncore, spec, &event, NULL, 0,
					&details);
	if (details.message[0])
		complain_event(name, ret, &details);
	else
		complain(name, uncore_strerror(UNCORE_CALL_FIND, ret));
}

static int parse(struct uncore *uncore, struct request *request)
{
	unsigned int max = uncore_num_units(uncore);
	struct uncore_event_error details = { .message = "" };
	int count;

	request->units = calloc(max ? max : 1, sizeof(*request->units));
	if (!request->units) {
		complain_errno(request->where, ENOMEM);
		return EXIT_FAILED;
	}
	count = uncore_spec_parse(uncore, request->spec, &request->event,
				  request->units, max, &details);
	if (count <= 0) {
		complain_event(request->where, count, &details);
		return EXIT_FAILED;
	}
	request->count = (unsigned int)count;
	return EXIT_OK;
}

/* To understand a spec takes a while, and a file may have it often. */
static const struct request *same_spec(const struct requests *requests,
				       const char *spec)
{
	size_t i;

	for (i = 0; i < requests->count; i++)
		if (!strcmp(requests->list[i].spec, spec))
			return &requests->list[i];
	return NULL;
}

static int copy(const struct request *from, struct request *to)
{
	to->event = from->event;
	to->count = from->count;
	to->units = calloc(from->count, sizeof(*to->units));
	if (!to->units) {
		complain_errno(to->where, ENOMEM);
		return EXIT_FAILED;
	}
	memcpy(to->units, from->units, from->count * sizeof(*to->units));
	return EXIT_OK;
}

static void request_free(struct request *request)
{
	free(request->spec);
	free(request->where);
	free(request->units);
}

/* Room behind the last one, for twice as many at each power of two. */
static struct request *new_request(struct requests *requests)
{
	size_t count = requests->count;
	struct request *list = requests->list;

	if (!(count & (count - 1))) {
		list = reallocarray(list, count ? count * 2 : 1, sizeof(*list));
		if (!list)
			return NULL;
		requests->list = list;
	}
	memset(&list[count], 0, sizeof(*list));
	return &list[count];
}

int request_add(struct requests *requests, struct uncore *uncore,
		const char *spec, const char *where)
{
	const struct request *same;
	struct request *request;
	int ret;

	request = new_request(requests);
	if (!request) {
		complain_errno(where, ENOMEM);
		return EXIT_FAILED;
	}

	request->spec = strdup(spec);
	request->where = strdup(where);
	same = same_spec(requests, spec);
	if (request->spec && request->where) {
		ret = same ? copy(same, request) : parse(uncore, request);
	} else {
		complain_errno(where, ENOMEM);
		ret = EXIT_FAILED;
	}
	if (ret != EXIT_OK)
		request_free(request);
	else
		requests->count++;
	return ret;
}

void request_remove_last(struct requests *requests)
{
	request_free(&requests->list[--requests->count]);
}

void requests_free(struct requests *requests)
{
	size_t i;

	for (i = 0; i < requests->count; i++)
		request_free(&requests->list[i]);
	free(requests->list);
	memset(requests, 0, sizeof(*requests));
}
