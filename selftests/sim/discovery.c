// SPDX-License-Identifier: GPL-2.0-only
/* Reads the description of a discovery table. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "discovery.h"

#define LINE_MAX_	511
#define FORM		"see discovery.h for the form"
#define WORDS_MAX	32
#define CONTROL_STEP	4u
#define COUNTER_STEP	8u
#define REGISTERS_MAX	0x1000u

#define FREEZE		(1u << 0)
#define RESET_CONTROLS	(1u << 8)
#define RESET_COUNTERS	(1u << 9)

struct parser {
	const char *name;
	unsigned int line;
	struct discovery *discovery;
	struct report *report;
	char *word[WORDS_MAX];
	unsigned int words;
};

static int fail_word(const struct parser *p, const char *what, const char *word)
{
	return fail(p->report, "%s:%u: %s '%s'; " FORM, p->name,
		    p->line, what, word);
}

static int number(const struct parser *p, const char *word, uint64_t most,
		  uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(word, &end, 0);
	if (errno || end == word || *end || *word == '-' || *value > most)
		return fail_word(p, "no number, or one out of range:", word);
	return 0;
}

struct key {
	const char *name;
	uint64_t most;
	uint64_t *value;
};

/* "NAME N" pairs from word @first on; a key that is all of the pair has no N. */
static int parse_keys(const struct parser *p, unsigned int first,
		      const struct key *keys, unsigned int count)
{
	unsigned int i, j;

	for (i = first; i < p->words; i++) {
		for (j = 0; j < count; j++)
			if (!strcmp(keys[j].name, p->word[i]))
				break;
		if (j == count)
			return fail_word(p, "unknown word", p->word[i]);
		if (!keys[j].most) {
			*keys[j].value = 1;
			continue;
		}
		if (i + 1 == p->words)
			return fail_word(p, "a number is missing after",
					 p->word[i]);
		if (number(p, p->word[++i], keys[j].most, keys[j].value))
			return -1;
	}
	return 0;
}

static int parse_global(struct parser *p)
{
	struct discovery *d = p->discovery;
	uint64_t type = d->global_type, access = 0, control = d->global_control;
	uint64_t status = 0, statuses = 0, stride = d->stride, bar = 0;
	uint64_t wide = 0;
	const struct key keys[] = {
		{ "type", UINT8_MAX, &type }, { "access", 3, &access },
		{ "control", UINT64_MAX, &control },
		{ "status", UINT8_MAX, &status },
		{ "statuses", UINT16_MAX, &statuses },
		{ "stride", UINT8_MAX, &stride }, { "bar", 4, &bar },
		{ "wide", 0, &wide },
	};

	if (parse_keys(p, 1, keys, ARRAY_SIZE(keys)))
		return -1;
	if (stride < 3)
		return fail_word(p, "an entry has three quadwords, not",
				 "stride");
	d->global_type = type;
	d->global_access = access;
	d->global_control = control;
	d->status = status;
	d->statuses = statuses;
	d->stride = stride;
	d->bar = bar;
	d->wide = wide;
	return 0;
}

static int parse_access(const struct parser *p, const char *word,
			enum discovery_access *access)
{
	static const char * const names[] = {
		[ACCESS_MSR] = "msr", [ACCESS_MMIO] = "mmio",
		[ACCESS_PCI] = "pci",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(word, names[i]))
			continue;
		*access = i;
		return 0;
	}
	return fail_word(p, "unknown access", word);
}

/* The model's idea of the registers; of MSRs it has none. */
static void set_kind(struct discovery_type *type, uint64_t step)
{
	struct unit_kind *kind = &type->kind;
	unsigned int i;

	kind->type = type->name;
	kind->freeze = FREEZE;
	kind->reset_controls = RESET_CONTROLS;
	kind->reset_counters = RESET_COUNTERS;
	kind->unit_bits = FREEZE | RESET_CONTROLS | RESET_COUNTERS;
	kind->unit_control = type->unit;
	kind->fixed_control += type->unit;
	kind->fixed_counter += type->unit;
	for (i = 0; i < kind->general; i++) {
		kind->control[i] = type->unit + type->control + step * i;
		kind->counter[i] = type->unit + type->counter +
				   COUNTER_STEP * i;
	}
}

/* "fixed CONTROL COUNTER", taken out of the words. */
static int take_fixed(struct parser *p, struct unit_kind *kind)
{
	uint64_t control, counter;
	unsigned int i;

	for (i = 0; i < p->words && strcmp(p->word[i], "fixed");)
		i++;
	if (i == p->words)
		return 0;
	if (i + 3 > p->words)
		return fail_word(p, "two offsets are missing after", "fixed");
	if (number(p, p->word[i + 1], UINT8_MAX, &control) ||
	    number(p, p->word[i + 2], UINT8_MAX, &counter))
		return -1;
	kind->fixed_width = 48;
	kind->fixed_enable = FIXED_ENABLE;
	kind->fixed_control = control;
	kind->fixed_counter = counter;
	p->words -= 3;
	memmove(&p->word[i], &p->word[i + 3],
		(p->words - i) * sizeof(*p->word));
	return 0;
}

static struct discovery_type *find_type(struct discovery *d, uint64_t id)
{
	unsigned int i;

	for (i = 0; i < d->types; i++)
		if (d->type[i].id == id)
			return &d->type[i];
	return NULL;
}

static int parse_type(struct parser *p)
{
	uint64_t id, counters = 0, width = 0, control = 0, counter = 0;
	uint64_t step = CONTROL_STEP, status = 0, unit = 0, memory = 0;
	const struct key keys[] = {
		{ "counters", UNIT_GENERAL_MAX, &counters },
		{ "width", 64, &width }, { "control", UINT8_MAX, &control },
		{ "counter", UINT8_MAX, &counter },
		{ "step", COUNTER_STEP, &step },
		{ "status", UINT8_MAX, &status },
		{ "unit", 0xf00, &unit }, { "memory", 0, &memory },
	};
	struct discovery *d = p->discovery;
	struct discovery_type *type;

	if (p->words < 4)
		return fail_word(p, "id, name and access are missing after",
				 "type");
	if (number(p, p->word[1], UINT16_MAX, &id))
		return -1;
	if (find_type(d, id))
		return fail_word(p, "there is this type already:", p->word[1]);
	if (d->types == DISCOVERY_TYPES_MAX)
		return fail_word(p, "too many types:", p->word[1]);
	type = &d->type[d->types];
	if (strlen(p->word[2]) >= sizeof(type->name))
		return fail_word(p, "too long a name:", p->word[2]);
	strcpy(type->name, p->word[2]);
	if (parse_access(p, p->word[3], &type->access) ||
	    take_fixed(p, &type->kind) ||
	    parse_keys(p, 4, keys, ARRAY_SIZE(keys)))
		return -1;
	if (!counters || !width || !control || !counter)
		return fail_word(p, "counters, width, control and counter are not all said of",
				 p->word[2]);
	/* What is not, the model does not read or write at once. */
	if (type->access != ACCESS_MSR &&
	    (control % 4 || counter % 4 || step % 4 || unit % 4 ||
	     type->kind.fixed_control % 4 || type->kind.fixed_counter % 4))
		return fail_word(p, "offsets must be multiples of 4 in",
				 p->word[2]);
	type->id = id;
	type->control = control;
	type->counter = counter;
	type->status = status;
	type->unit = unit;
	type->kind.general = counters;
	type->kind.width = width;
	if (memory)
		type->kind.class = UNIT_MEMORY_SPR;
	set_kind(type, step);
	d->types++;
	return 0;
}

/* "ID" or "ID-ID" */
static int parse_range(const struct parser *p, char *word, uint64_t *first,
		       uint64_t *last)
{
	char *dash = strchr(word, '-');

	if (dash)
		*dash = '\0';
	if (number(p, word, UINT16_MAX, first))
		return -1;
	*last = *first;
	if (dash && number(p, dash + 1, UINT16_MAX, last))
		return -1;
	if (*last < *first)
		return fail_word(p, "the last is before the first:", dash + 1);
	return 0;
}

static unsigned int max(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

/* What is behind the last register of a unit. */
static unsigned int registers_end(const struct unit_kind *kind)
{
	unsigned int i, end = kind->unit_control + CONTROL_STEP;

	for (i = 0; i < kind->general; i++)
		end = max(end, max(kind->control[i] + CONTROL_STEP,
				   kind->counter[i] + COUNTER_STEP));
	if (kind->fixed_width)
		end = max(end, max(kind->fixed_control + CONTROL_STEP,
				   kind->fixed_counter + COUNTER_STEP));
	return end;
}

/* The region of a socket, and no register beyond the page that it begins in. */
static bool fits(const struct discovery_type *type, uint64_t place)
{
	unsigned int end = registers_end(&type->kind);

	if (type->access == ACCESS_PCI)
		return end <= REGISTERS_MAX;
	return type->access == ACCESS_MSR ||
	       (place < 8u << 20 && !(place % 8) &&
		place % REGISTERS_MAX + end <= REGISTERS_MAX);
}

/* "8086:DDDD" */
static int parse_device(const struct parser *p, const char *word,
			uint64_t *device)
{
	if (strncmp(word, "8086:", 5) || strlen(word) != 9 ||
	    strspn(word + 5, "0123456789abcdefABCDEF") != 4)
		return fail_word(p, "no 8086:DDDD:", word);
	*device = strtoul(word + 5, NULL, 16);
	return 0;
}

static int parse_unit(struct parser *p)
{
	struct discovery *d = p->discovery;
	uint64_t id, first, last, place, device = 0, step = 0;
	const struct discovery_type *type;

	if (p->words < 4 || p->words > 5)
		return fail_word(p, "type, ids and a place must follow",
				 "unit");
	if (number(p, p->word[1], UINT16_MAX, &id) ||
	    parse_range(p, p->word[2], &first, &last))
		return -1;
	type = find_type(d, id);
	if (!type)
		return fail_word(p, "there is no type", p->word[1]);
	if (type->access == ACCESS_PCI) {
		if (parse_device(p, p->word[3], &device))
			return -1;
		place = 0;
		step = 1;
	} else if (number(p, p->word[3], UINT64_MAX, &place)) {
		return -1;
	}
	if (p->words == 5 && number(p, p->word[4], UINT32_MAX, &step))
		return -1;
	for (; first <= last; first++, place += step) {
		if (d->units == DISCOVERY_UNITS_MAX)
			return fail_word(p, "too many units:", p->word[2]);
		if (!fits(type, place))
			return fail_word(p, "outside of the region, not aligned, or across pages:",
					 p->word[3]);
		d->unit[d->units++] = (struct discovery_unit) {
			.type = type - d->type, .id = first,
			.device = device, .place = place,
		};
	}
	return 0;
}

static int parse_line(struct parser *p, char *text)
{
	char *save = NULL, *word;

	text[strcspn(text, "#")] = '\0';
	p->words = 0;
	for (word = strtok_r(text, " \t\r", &save); word;
	     word = strtok_r(NULL, " \t\r", &save)) {
		if (p->words == WORDS_MAX)
			return fail_word(p, "too many words:", word);
		p->word[p->words++] = word;
	}
	if (!p->words)
		return 0;
	if (!strcmp(p->word[0], "global"))
		return parse_global(p);
	if (!strcmp(p->word[0], "type"))
		return parse_type(p);
	if (!strcmp(p->word[0], "unit"))
		return parse_unit(p);
	return fail_word(p, "unknown word", p->word[0]);
}

struct discovery *discovery_parse(FILE *stream, const char *name,
				  struct report *report)
{
	struct discovery *d = calloc(1, sizeof(*d));
	struct parser p = { .name = name, .discovery = d, .report = report };
	char text[LINE_MAX_ + 1];
	int ret;

	if (!d)
		abort();
	d->global_control = 0x2ff0;
	d->stride = 3;
	while ((ret = read_line(stream, name, ++p.line, text, LINE_MAX_, FORM,
				report)) > 0 &&
	       !parse_line(&p, text))
		;
	if (!ret)
		return d;
	free(d);
	return NULL;
}

struct discovery *discovery_read(const char *path, struct report *report)
{
	FILE *stream = fopen(path, "re");
	struct discovery *d;

	if (!stream) {
		fail(report, "%s: %s; the listing names it for its discovery tables",
		     path, strerror(errno));
		return NULL;
	}
	d = discovery_parse(stream, path, report);
	fclose(stream);
	return d;
}

struct discovery *discovery_copy(const struct discovery *from)
{
	struct discovery *d = malloc(sizeof(*d));
	unsigned int i;

	if (!d)
		abort();
	memcpy(d, from, sizeof(*d));
	for (i = 0; i < d->types; i++)
		d->type[i].kind.type = d->type[i].name;
	return d;
}
