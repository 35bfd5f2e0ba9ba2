// SPDX-License-Identifier: GPL-2.0-only
/* Writes the seeds of the corpus into a folder: seed-NAME from a description. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parse.h"

#define PAGE	(SOURCE_ADDRESS >> 12)

/**
 * struct seed - one file
 * @name: its name, behind "seed-"
 * @platform: as in struct fuzz_head
 * @flags: as in struct fuzz_head
 * @stride: words
 * @units: how many, all good to begin with
 * @unit: the one that something is done to
 * @word: of its entry, or of the global state with @unit -1
 * @value: what becomes of the word; 0 for @cut
 * @and: bits of the word that stay
 * @cut: bytes of the file that are missing at its end
 */
struct seed {
	const char *name;
	u8 platform;
	u8 flags;
	unsigned int stride;
	unsigned int units;
	int unit;
	unsigned int word;
	u64 and;
	u64 value;
	size_t cut;
};

#define BYTE(n)	(~(0xffULL << 8 * (n)))
#define ALL	(~0ULL)
#define TWO	FUZZ_TWO_TABLES
#define SAME	(FUZZ_TWO_TABLES | FUZZ_SAME_DIE)

static const struct seed seeds[] = {
	{ "good", 0, 0, 8, 12, 0, 0, ALL, 0, 0 },
	{ "good-stride-3", 0, 0, 3, 12, 0, 0, ALL, 0, 0 },
	{ "good-spr", 1, 0, 8, 12, 1, 2, 0, 6, 0 },
	{ "good-gnr", 2, 0, 8, 12, 1, 2, 0, 17, 0 },
	{ "good-dmr", 3, 0, 8, 12, 1, 2, 0, 6, 0 },
	{ "good-ptl", 4, 0, 8, 12, 1, 2, 0, 6, 0 },
	{ "good-160-units", 0, 0, 3, 160, 0, 0, ALL, 0, 0 },
	{ "two-dies", 0, TWO, 8, 6, 0, 0, ALL, 0, 0 },
	{ "same-die", 0, SAME, 8, 6, 0, 0, ALL, 0, 0 },
	{ "table-zeros", 0, 0, 8, 3, -1, 0, 0, 0, 0 },
	{ "table-ones", 0, 0, 8, 3, -1, 0, 0, ALL, 0 },
	{ "table-control-zeros", 0, 0, 8, 3, -1, 1, 0, 0, 0 },
	{ "table-status-ones", 0, 0, 8, 3, -1, 2, 0, ALL, 0 },
	{ "stride-0", 0, 0, 8, 3, -1, 0, BYTE(1), 0, 0 },
	{ "stride-2", 0, 0, 8, 3, -1, 0, BYTE(1), 0x200, 0 },
	{ "stride-255", 0, 0, 8, 3, -1, 0, BYTE(1), 0xff00, 0 },
	{ "units-0", 0, 0, 8, 3, -1, 0, BYTE(2), 0, 0 },
	{ "units-1023", 0, 0, 8, 3, -1, 0, BYTE(2), 0x3ff0000, 0 },
	{ "units-65535", 0, 0, 8, 3, -1, 0, BYTE(2), 0xffff0000, 0 },
	{ "cut-head", 0, 0, 8, 3, 0, 0, ALL, 0, 3 * 64 + 1 },
	{ "cut-unit", 0, 0, 8, 3, 0, 0, ALL, 0, 1 },
	{ "cut-many", 0, TWO, 8, 12, 0, 0, ALL, 0, 300 },
	{ "unit-empty", 0, 0, 8, 3, 1, 1, 0, 0, 0 },
	{ "unit-zeros", 0, 0, 8, 3, 1, 0, 0, 0, 0 },
	{ "unit-ones", 0, 0, 8, 3, 1, 0, 0, ALL, 0 },
	{ "unit-control-ones", 0, 0, 8, 3, 1, 1, 0, ALL, 0 },
	{ "unit-type-ones", 0, 0, 8, 3, 1, 2, 0, ALL, 0 },
	{ "access-3", 0, 0, 8, 3, 1, 0, ALL, 3ULL << 62, 0 },
	{ "counters-0", 0, 0, 8, 3, 1, 0, BYTE(0), 0, 0 },
	{ "counters-31", 0, 0, 8, 3, 0, 0, BYTE(0), 31, 0 },
	{ "counters-255", 0, 0, 8, 3, 1, 0, BYTE(0), 255, 0 },
	{ "width-0", 0, 0, 8, 3, 1, 0, BYTE(2), 0, 0 },
	{ "width-32", 0, 0, 8, 3, 1, 0, BYTE(2), 32 << 16, 0 },
	{ "width-65", 0, 0, 8, 3, 1, 0, BYTE(2), 65 << 16, 0 },
	{ "control-offset-0", 0, 0, 8, 3, 1, 0, BYTE(1), 0, 0 },
	{ "control-offset-255", 0, 0, 8, 3, 1, 0, BYTE(1), 0xff00, 0 },
	{ "counter-offset-0", 0, 0, 8, 3, 1, 0, BYTE(3), 0, 0 },
	{ "counter-offset-252", 0, 0, 8, 3, 2, 0, BYTE(3), 0xfc000000, 0 },
	{ "msr-top", 0, 0, 8, 3, 0, 1, 0, 0xfffffff3, 0 },
	{ "msr-above", 0, 0, 8, 3, 0, 1, 0, 0xfffffff4, 0 },
	{ "mmio-top", 0, 0, 8, 3, 1, 1, 0, 0x3fffffffffb0, 0 },
	{ "mmio-above", 0, 0, 8, 3, 1, 1, 0, ALL - 7, 0 },
	{ "mmio-unaligned", 0, 0, 8, 3, 1, 1, ALL, 4, 0 },
	{ "mmio-table", 0, 0, 8, 3, 1, 1, 0, SOURCE_ADDRESS - 8, 0 },
	{ "pci-above", 0, 0, 8, 3, 2, 1, ALL, 1ULL << 31, 0 },
	{ "pci-header", 0, 0, 8, 3, 2, 1, ~0xfffULL, 4, 0 },
	{ "pci-end", 0, 0, 8, 3, 2, 1, ~0xfffULL, 0xfac, 0 },
	{ "duplicate", 0, 0, 8, 12, 3, 2, 0, 100, 0 },
	{ "overlap-msr", 0, TWO, 8, 12, 3, 1, 0, 0x200b, 0 },
	{ "overlap-mmio", 0, 0, 8, 12, 4, 1, 0, 0xc8800848, 0 },
	{ "overlap-pci", 0, 0, 8, 12, 5, 1, 0, 0x7e00438, 0 },
	{ "spr-upi", 1, 0, 8, 6, 2, 2, 0, 8, 0 },
	{ "spr-m3upi", 1, SAME, 8, 6, 2, 2, 0, 9, 0 },
	{ "spr-imc-fixed", 1, 0, 8, 3, 1, 2, 0, 6, 0 },
	{ "dmr-mse", 3, 0, 8, 6, 1, 2, 0, 0x13, 0 },
};

static void change(const struct table *table, const struct seed *seed)
{
	u8 *place = table->data + (seed->unit + 1) * table->stride +
		    seed->word * 8;
	u64 word;

	memcpy(&word, place, sizeof(word));
	word = (word & seed->and) | seed->value;
	memcpy(place, &word, sizeof(word));
}

static int write_seed(const struct seed *seed, const char *folder)
{
	const struct fuzz_head head = {
		.platform = seed->platform, .phys_bits = SOURCE_BITS,
		.flags = seed->flags, .page = PAGE,
	};
	struct table table;
	char path[4096];
	size_t length;
	FILE *file;
	int failed;

	good_table(&table, seed->stride, seed->units);
	change(&table, seed);
	/* An entry for which both words that count are 0 is no unit. */
	if (!strcmp(seed->name, "unit-empty"))
		table_set(&table, seed->unit, 0, 0);
	length = table.length - seed->cut;

	snprintf(path, sizeof(path), "%s/seed-%s", folder, seed->name);
	file = fopen(path, "wb");
	failed = !file || fwrite(&head, sizeof(head), 1, file) != 1 ||
		 fwrite(table.data, 1, length, file) != length;
	if (file && fclose(file))
		failed = 1;
	if (failed)
		perror(path);
	table_free(&table);
	return failed;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc != 2) {
		fprintf(stderr, "usage: discovery_seeds FOLDER\n");
		return 2;
	}
	for (i = 0; i < ARRAY_SIZE(seeds); i++)
		if (write_seed(&seeds[i], argv[1]))
			return 1;
	return 0;
}
