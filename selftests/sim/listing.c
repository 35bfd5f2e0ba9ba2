// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "discovery.h"
#include "listing.h"

#define FORMAT_HINT \
	"expected 'DDDD:BB:dd.f CCCC VVVV:DDDD', as 'lspci -Dn' prints it"

struct parser {
	FILE *stream;
	const char *name;
	unsigned int line;
	struct listing *listing;
	size_t size;
	struct report *report;
	char text[LISTING_LINE_MAX + 1];
};

static int fail_line(struct parser *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int fail_line(struct parser *p, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return fail(p->report, "%s:%u: %s", p->name, p->line, text);
}

/* As read_line(), into parser->text. */
static int next_line(struct parser *p)
{
	return read_line(p->stream, p->name, ++p->line, p->text,
			 LISTING_LINE_MAX, FORMAT_HINT, p->report);
}

/* Takes @least to @most hexadecimal digits off the text. */
static bool take_hex(const char **text, int least, int most, uint32_t *value)
{
	uint32_t number = 0;
	int digits = 0;

	while (isxdigit((unsigned char)(*text)[digits])) {
		char c = tolower((unsigned char)(*text)[digits]);

		if (++digits > most)
			return false;
		number = number << 4 | (isdigit((unsigned char)c) ?
					c - '0' : c - 'a' + 10);
	}
	if (digits < least)
		return false;
	*text += digits;
	*value = number;
	return true;
}

static bool take_char(const char **text, char c)
{
	if (**text != c)
		return false;
	(*text)++;
	return true;
}

static bool take_space(const char **text)
{
	if (!isspace((unsigned char)**text))
		return false;
	while (isspace((unsigned char)**text))
		(*text)++;
	return true;
}

/* "BB:dd.f" at the start: what lspci prints without -D. */
static bool lacks_domain(const char *text)
{
	uint32_t number;

	return take_hex(&text, 2, 2, &number) && take_char(&text, ':') &&
	       take_hex(&text, 2, 2, &number) && take_char(&text, '.');
}

static int parse_address(struct parser *p, const char **text,
			 struct listing_function *function)
{
	uint32_t bus, device, number;

	if (lacks_domain(*text))
		return fail_line(p, "the address has no domain; use 'lspci -Dn'");
	if (!take_hex(text, 4, 8, &function->domain) ||
	    !take_char(text, ':') || !take_hex(text, 2, 2, &bus) ||
	    !take_char(text, ':') || !take_hex(text, 2, 2, &device) ||
	    !take_char(text, '.') || !take_hex(text, 1, 1, &number) ||
	    !take_space(text))
		return fail_line(p, "no PCI address; " FORMAT_HINT);
	if (device > 0x1f)
		return fail_line(p, "device %02x is above 1f; correct the address",
				 device);
	if (number > 7)
		return fail_line(p, "function %x is above 7; correct the address",
				 number);
	function->bus = bus;
	function->device = device;
	function->function = number;
	return 0;
}

static int parse_ids(struct parser *p, const char **text,
		     struct listing_function *function)
{
	uint32_t class, vendor, device;

	if (!take_hex(text, 4, 4, &class))
		return fail_line(p, "no class of four digits; " FORMAT_HINT);
	take_char(text, ':');
	if (!take_space(text) || !take_hex(text, 4, 4, &vendor) ||
	    !take_char(text, ':') || !take_hex(text, 4, 4, &device))
		return fail_line(p, "no vendor:device; " FORMAT_HINT);
	function->class = class;
	function->vendor_id = vendor;
	function->device_id = device;
	return 0;
}

/* "rev RR", "(rev RR)" and "(prog-if ...)", the last of no use here. */
static int parse_rest(struct parser *p, const char *text,
		      struct listing_function *function)
{
	uint32_t revision;

	while (*text) {
		const char *start;
		bool paren;

		if (!take_space(&text))
			return fail_line(p, "unexpected '%.40s'; " FORMAT_HINT,
					 text);
		start = text;
		paren = take_char(&text, '(');
		if (paren && !strncmp(text, "prog-if ", 8) &&
		    strchr(text, ')')) {
			text = strchr(text, ')') + 1;
			continue;
		}
		if (strncmp(text, "rev ", 4))
			return fail_line(p, "unexpected '%.40s'; " FORMAT_HINT,
					 start);
		text += 4;
		if (!take_hex(&text, 2, 2, &revision) ||
		    (paren && !take_char(&text, ')')))
			return fail_line(p, "no revision of two digits in '%.40s'; write 'rev 02'",
					 start);
		function->revision = revision;
	}
	return 0;
}

static int parse_function(struct parser *p, const char *text)
{
	struct listing *listing = p->listing;
	struct listing_function function = { .line = p->line };

	if (parse_address(p, &text, &function) ||
	    parse_ids(p, &text, &function) || parse_rest(p, text, &function))
		return -1;
	if (listing->count == LISTING_FUNCTIONS_MAX)
		return fail_line(p, "more than %d functions; split the listing",
				 LISTING_FUNCTIONS_MAX);
	if (listing->count == p->size) {
		p->size = p->size ? p->size * 2 : 256;
		listing->function = realloc(listing->function,
					    p->size * sizeof(function));
		if (!listing->function)
			abort();
	}
	listing->function[listing->count++] = function;
	return 0;
}

/* Numbers from @least to @most, separated by spaces, to the end of the line. */
static int parse_numbers(struct parser *p, const char *key, const char *text,
			 int base, unsigned int least, unsigned int most,
			 struct listing_numbers *numbers)
{
	numbers->count = 0;
	while (*text) {
		char *end;
		unsigned long value = strtoul(text, &end, base);

		if (!isxdigit((unsigned char)*text) || end == text ||
		    value < least || value > most ||
		    (*end && !isspace((unsigned char)*end)))
			return base == 16 ?
				fail_line(p, "'%s' takes hexadecimal numbers from %x to %x",
					  key, least, most) :
				fail_line(p, "'%s' takes numbers from %u to %u",
					  key, least, most);
		if (numbers->count == LISTING_NUMBERS_MAX)
			return fail_line(p, "'%s' takes at most %d numbers", key,
					 LISTING_NUMBERS_MAX);
		numbers->value[numbers->count++] = value;
		text = end;
		take_space(&text);
	}
	return 0;
}

/* One number from 1 to @most. */
static int parse_number(struct parser *p, const char *key, const char *text,
			unsigned int most, unsigned int *number)
{
	struct listing_numbers numbers;

	if (parse_numbers(p, key, text, 10, 1, most, &numbers))
		return -1;
	if (numbers.count != 1)
		return fail_line(p, "'%s' takes one number", key);
	*number = numbers.value[0];
	return 0;
}

/* Whether the comment is "KEY VALUE"; then @text is at the value. */
static bool take_key(const char **text, const char *key)
{
	if (strncmp(*text, key, strlen(key)))
		return false;
	*text += strlen(key);
	take_space(text);
	return true;
}

/*
 * The file is in the directory of the listing. Its copy is among the machine's
 * files, of which none has such a name.
 */
static int parse_discovery(struct parser *p, const char *text)
{
	struct listing *listing = p->listing;
	const char *slash = strrchr(p->name, '/'), *end = strrchr(text, '.');
	int length = slash ? (int)(slash + 1 - p->name) : 0;

	if (!end || strcmp(end, ".units") || strchr(text, '/') ||
	    listing->discovery)
		return fail_line(p, "'discovery:' takes the name of one file beside the listing, NAME.units");
	length = snprintf(listing->discovery_file,
			  sizeof(listing->discovery_file), "%.*s%s", length,
			  p->name, text);
	if (length >= (int)sizeof(listing->discovery_file))
		return fail_line(p, "the path of '%.40s' is too long; use a shorter one",
				 text);
	listing->discovery = discovery_read(listing->discovery_file, p->report);
	return listing->discovery ? 0 : -1;
}

static int parse_comment(struct parser *p, const char *text)
{
	struct listing *listing = p->listing;

	text++;
	take_space(&text);
	if (take_key(&text, "generation:"))
		snprintf(listing->generation, sizeof(listing->generation),
			 "%.63s", text);
	else if (take_key(&text, "sockets:"))
		listing->sockets = strtoul(text, NULL, 10);
	else if (take_key(&text, "ubox-buses:"))
		return parse_numbers(p, "ubox-buses:", text, 16, 0, 0xff,
				     &listing->ubox_buses);
	else if (take_key(&text, "dies:"))
		return parse_numbers(p, "dies:", text, 10, 0, LISTING_DIE_MAX,
				     &listing->dies);
	else if (take_key(&text, "nodes:"))
		return parse_numbers(p, "nodes:", text, 10, 0, 7,
				     &listing->nodes);
	else if (take_key(&text, "no-pxm:"))
		return parse_numbers(p, "no-pxm:", text, 16, 0, 0xff,
				     &listing->no_pxm);
	else if (take_key(&text, "nodes-per-socket:"))
		return parse_number(p, "nodes-per-socket:", text, 2,
				    &listing->nodes_per_socket);
	else if (take_key(&text, "discovery:"))
		return parse_discovery(p, text);
	else if (take_key(&text, "cpus:"))
		return parse_number(p, "cpus:", text, LISTING_CPUS_MAX,
				    &listing->cpus);
	return 0;
}

static uint64_t sort_key(const struct listing_function *f)
{
	return (uint64_t)f->domain << 16 | f->bus << 8 | f->device << 3 |
	       f->function;
}

static int compare_functions(const void *a, const void *b)
{
	const struct listing_function *left = a, *right = b;
	uint64_t l = sort_key(left), r = sort_key(right);

	if (l != r)
		return l < r ? -1 : 1;
	return left->line < right->line ? -1 : 1;
}

static int sort_functions(struct parser *p)
{
	struct listing *listing = p->listing;
	size_t i;

	if (!listing->count)
		return fail(p->report, "%s: no PCI function in it; make it with 'lspci -Dn'",
			    p->name);
	qsort(listing->function, listing->count, sizeof(*listing->function),
	      compare_functions);
	for (i = 1; i < listing->count; i++) {
		const struct listing_function *f = &listing->function[i];

		if (sort_key(f) != sort_key(f - 1))
			continue;
		p->line = f->line;
		return fail_line(p, "%04x:%02x:%02x.%x is on line %u already; remove one of the two",
				 f->domain, f->bus, f->device, f->function,
				 f[-1].line);
	}
	return 0;
}

int listing_parse(FILE *stream, const char *name, struct listing *listing,
		  struct report *report)
{
	struct parser parser = {
		.stream = stream,
		.name = name,
		.listing = listing,
		.report = report,
	};
	int ret;

	memset(listing, 0, sizeof(*listing));
	while ((ret = next_line(&parser)) > 0) {
		const char *text = parser.text;

		take_space(&text);
		if (*text == '#')
			ret = parse_comment(&parser, text);
		else if (*text)
			ret = parse_function(&parser, text);
		if (ret < 0)
			break;
	}
	if (ret == 0)
		ret = sort_functions(&parser);
	if (ret < 0)
		listing_free(listing);
	return ret;
}

int listing_read(const char *path, struct listing *listing,
		 struct report *report)
{
	struct stat st;
	FILE *stream;
	int ret;

	stream = fopen(path, "re");
	if (!stream)
		return fail(report, "%s: %s; give a listing made with 'lspci -Dn'",
			    path, strerror(errno));
	/* It is read twice. */
	if (!fstat(fileno(stream), &st) && !S_ISREG(st.st_mode)) {
		fclose(stream);
		return fail(report, "%s: is no ordinary file; give a listing made with 'lspci -Dn'",
			    path);
	}
	ret = listing_parse(stream, path, listing, report);
	fclose(stream);
	return ret;
}

void listing_free(struct listing *listing)
{
	free(listing->function);
	free(listing->discovery);
	memset(listing, 0, sizeof(*listing));
}
