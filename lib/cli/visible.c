// SPDX-License-Identifier: LGPL-2.1-or-later
/* What others have named, without what a terminal could take for a command. */
#include <stdio.h>

#include "cli.h"

/* How many bytes a visible character of UTF-8 has that begins here, or 0. */
static size_t visible_length(const unsigned char *c)
{
	size_t i, length = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;

	if (c[0] < 0x80)
		return c[0] >= ' ' && c[0] != 0x7f;
	if (c[0] < 0xc2 || c[0] > 0xf4)
		return 0;
	for (i = 1; i < length; i++)
		if (c[i] >> 6 != 2)
			return 0;
	/* U+0080 to U+009f. */
	return c[0] == 0xc2 && c[1] < 0xa0 ? 0 : length;
}

void print_visible(FILE *out, const char *text, int width)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t length;

	for (; *c; width--) {
		length = visible_length(c);
		if (length)
			fwrite(c, 1, length, out);
		else
			putc('?', out);
		c += length ? length : 1;
	}
	fprintf(out, "%*s", width > 0 ? width : 0, "");
}

void copy_printable(char *to, size_t size, const char *from, size_t length)
{
	size_t i;

	for (i = 0; i + 1 < size && i < length && from[i]; i++)
		to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
	to[i] = '\0';
}
