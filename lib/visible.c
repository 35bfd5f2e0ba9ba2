// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which characters of UTF-8 may go to a terminal. */
#include "internal.h"

int uncore_utf8_length(const char *string)
{
	const unsigned char *c = (const unsigned char *)string;
	unsigned int low = 0x80, high = 0xbf;
	int length, i;

	if (c[0] < 0x80)
		return 1;
	if (c[0] < 0xc2 || c[0] > 0xf4)
		return 0;
	length = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
	/* The shortest form only, no surrogates, and no more than there are. */
	if (c[0] == 0xe0)
		low = 0xa0;
	else if (c[0] == 0xed)
		high = 0x9f;
	else if (c[0] == 0xf0)
		low = 0x90;
	else if (c[0] == 0xf4)
		high = 0x8f;
	for (i = 1; i < length; i++) {
		if (c[i] < low || c[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return length;
}

int uncore_visible_length(const char *string)
{
	const unsigned char *c = (const unsigned char *)string;

	if (c[0] < ' ' || c[0] == 0x7f)
		return 0;
	/* U+0080 to U+009f. */
	if (c[0] == 0xc2 && c[1] < 0xa0)
		return 0;
	return uncore_utf8_length(string);
}
