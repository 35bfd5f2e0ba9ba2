// SPDX-License-Identifier: LGPL-2.1-or-later
/* What others have named, without what a terminal could take for a command. */
#include <stdio.h>

#include "../internal.h"
#include "cli.h"

void print_visible(FILE *out, const char *text, int width)
{
	int length;

	for (; *text; width--) {
		length = uncore_visible_length(text);
		if (length)
			fwrite(text, 1, (size_t)length, out);
		else
			putc('?', out);
		text += length ? length : 1;
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
