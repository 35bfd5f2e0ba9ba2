// SPDX-License-Identifier: LGPL-2.1-or-later
/* Helpers for JSON output. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cli.h"

/*
 * All keys are this program's own, so that nobody can choose them to collide. By
 * itself jansson asks the kernel for a random seed, which soon after boot waits a
 * second for one.
 */
void json_prepare(void)
{
	json_object_seed(1);
}

int print_json(json_t *object, size_t flags)
{
	int ret;

	if (!object) {
		complain_errno("JSON", ENOMEM);
		return EXIT_FAILED;
	}
	ret = json_dumpf(object, stdout, flags | JSON_ENSURE_ASCII);
	json_decref(object);
	if (!ret)
		ret = putchar('\n') == EOF;
	if (!ret)
		ret = fflush(stdout);
	if (ret) {
		complain_output(errno);
		return EXIT_FAILED;
	}
	return EXIT_OK;
}

json_t *json_number_or_null(bool exists, uint64_t number)
{
	return exists ? json_uint64(number) : json_null();
}

/* JSON integers end at 2^63 here: above, a string of digits. */
json_t *json_uint64(uint64_t value)
{
	char text[24];

	if (value <= INT64_MAX)
		return json_integer((json_int_t)value);
	snprintf(text, sizeof(text), "%" PRIu64, value);
	return json_string(text);
}

json_t *json_string_or_null(const char *text)
{
	return text && *text ? json_string(text) : json_null();
}

json_t *json_signed_or_null(int number)
{
	return json_number_or_null(number >= 0, (uint64_t)number);
}
