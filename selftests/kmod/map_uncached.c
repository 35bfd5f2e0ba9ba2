// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest platform=haswell-ep,skylake-sp user=root kernels=all timeout=120 */
/*
 * A unit's page is mapped uncached, read-only and not executable: seen in the
 * page table entry that the kernel is about to write. The driver hands it to
 * vmf_insert_pfn_prot(), which corrects the type of memory after what is known
 * of the page, and gives it to insert_pfn().
 */
#include <fcntl.h>

#include "harness.h"

#define TRACING		"/sys/kernel/debug/tracing"
#define GROUP		"uncore_pmu_test"
#define MEMTYPES	"/sys/kernel/debug/x86/pat_memtype_list"

/* Bits of a page table entry */
#define PRESENT		(1ULL << 0)
#define WRITABLE	(1ULL << 1)
#define USER		(1ULL << 2)
#define WRITE_THROUGH	(1ULL << 3)
#define CACHE_DISABLE	(1ULL << 4)
#define PAT		(1ULL << 7)
#define NO_EXECUTE	(1ULL << 63)
#define MEMORY_TYPE	(WRITE_THROUGH | CACHE_DISABLE | PAT)
#define LOOKED_AT	(PRESENT | WRITABLE | USER | MEMORY_TYPE | NO_EXECUTE)

/* Flags of a pfn_t are above. */
#define PFN_MASK	((1ULL << 40) - 1)

static const char *const probes[] = { "vmf_insert_pfn_prot", "insert_pfn" };

FIXTURE(uncached)
{
	int fd;
	struct units units;
};

static void remove_probes(void)
{
	file_write(TRACING "/events/" GROUP "/enable", "0");
	file_write(TRACING "/kprobe_events", "-:" GROUP "/insert_pfn\n");
	file_write(TRACING "/kprobe_events",
		   "-:" GROUP "/vmf_insert_pfn_prot\n");
}

/* Added to those there are: file_write() does not truncate. */
static int add_probe(const char *function)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "p:" GROUP "/%s %s addr=%%si:x64 pfn=%%dx:x64 prot=%%cx:x64\n",
		 function, function);
	return file_write(TRACING "/kprobe_events", text);
}

FIXTURE_SETUP(uncached)
{
	unsigned int i;

	self->fd = node_open(O_RDONLY);
	ASSERT_LE(0, self->fd);
	self->units = units_get(self->fd);
	/* Of a test that did not come to its end */
	remove_probes();
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		ASSERT_EQ(0, add_probe(probes[i])) TH_LOG("%s", probes[i]);
	ASSERT_EQ(0, file_write(TRACING "/events/" GROUP "/enable", "1"));
}

FIXTURE_TEARDOWN(uncached)
{
	remove_probes();
	unmap_all();
	units_free(&self->units);
	close(self->fd);
}

/* Empties the trace. */
static int trace_clear(void)
{
	int fd = open(TRACING "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* What a probe saw of an address: the last call, and how many there were. */
static int trace_find(const char *probe, const void *page,
		      unsigned long long *pfn, unsigned long long *prot)
{
	FILE *file = fopen(TRACING "/trace", "re");
	unsigned long long addr, number, bits;
	char line[512], name[64];
	const char *at;
	int count = 0;

	snprintf(name, sizeof(name), " %s: (", probe);
	while (file && fgets(line, sizeof(line), file)) {
		at = strstr(line, " addr=");
		if (!strstr(line, name) || !at ||
		    sscanf(at, " addr=%llx pfn=%llx prot=%llx", &addr, &number,
			   &bits) != 3 || addr != (unsigned long)page)
			continue;
		*pfn = number & PFN_MASK;
		*prot = bits;
		count++;
	}
	if (file)
		fclose(file);
	return count;
}

/* Where the page is, by the table that firmware gave to the kernel. */
static uint64_t physical(const struct uncore_pmu_unit *unit)
{
	int fd = open("/sys/firmware/acpi/tables/MCFG", O_RDONLY | O_CLOEXEC);
	uint64_t base = 0;

	if (fd < 0 || pread(fd, &base, sizeof(base), 44) != sizeof(base))
		return 0;
	close(fd);
	return base + ((uint64_t)unit->bus << 20) + (unit->device << 15) +
	       (unit->function << 12);
}

/* The first load puts the page there, once, with these bits. */
static void expect_entry(struct __test_metadata *_metadata, const void *page,
			 uint64_t frame, uint64_t bits)
{
	unsigned long long pfn = 0, prot = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		EXPECT_EQ(1, trace_find(probes[i], page, &pfn, &prot))
			TH_LOG("%s", probes[i]);
		if (frame) {
			EXPECT_EQ(frame, pfn) TH_LOG("%s", probes[i]);
		}
		EXPECT_EQ(bits, prot & LOOKED_AT) TH_LOG("%s", probes[i]);
	}
}

TEST_F(uncached, every_unit)
{
	unsigned int i, count = 0;
	void *page;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];

		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		ASSERT_EQ(0, trace_clear());
		page = unit_map(self->fd, u);
		ASSERT_NE(MAP_FAILED, page) ABOUT(u);
		EXPECT_EQ(unit_id(u), page_load(page, 0)) ABOUT(u);
		EXPECT_EQ(unit_id(u), page_load(page, 0)) ABOUT(u);
		/* Cache disable alone is the type "UC-". */
		expect_entry(_metadata, page, physical(u) / PAGE,
			     PRESENT | USER | CACHE_DISABLE | NO_EXECUTE);
		munmap(page, PAGE);
		count++;
	}
	EXPECT_LT(0U, count);
}

/* The page that gives RDPMC alone is memory, and cached. */
TEST_F(uncached, but_not_the_page_without_a_unit)
{
	void *page;

	ASSERT_EQ(0, trace_clear());
	page = rdpmc_map(self->fd);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_EQ(0U, page_load(page, 0));
	expect_entry(_metadata, page, 0, PRESENT | USER | NO_EXECUTE);
}

/* What the bits mean is what the kernel has put into the PAT register. */
TEST_F(uncached, meaning_of_the_bits)
{
	char record[8192];
	bool found = false;
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	ssize_t n;

	ASSERT_LE(0, fd);
	while ((n = read(fd, record, sizeof(record) - 1)) > 0) {
		record[n] = 0;
		found |= !!strstr(record, "x86/PAT: Configuration [0-7]: "
				  "WB  WC  UC- UC  WB  WP  UC- WT");
	}
	close(fd);
	EXPECT_TRUE(found);
}

/* Nobody else has any of the pages with another type of memory. */
TEST_F(uncached, and_by_nobody_cached)
{
	unsigned long long start, end;
	unsigned int i, count;
	char line[256];
	FILE *file;

	for (i = 0; i < self->units.count; i++) {
		const struct uncore_pmu_unit *u = &self->units.unit[i];
		uint64_t page = physical(u);

		if (u->state != UNCORE_PMU_STATE_OK)
			continue;
		file = fopen(MEMTYPES, "re");
		ASSERT_NE(NULL, file);
		count = 0;
		while (fgets(line, sizeof(line), file)) {
			if (sscanf(line, "PAT: [mem %llx-%llx]", &start,
				   &end) != 2 || page < start || page >= end)
				continue;
			EXPECT_NE(NULL, strstr(line, "] uncached-minus\n"))
				TH_LOG("%s", line);
			count++;
		}
		fclose(file);
		/* The PCI core has it too. */
		EXPECT_LT(0U, count) ABOUT(u);
	}
}

TEST_HARNESS_MAIN
