// SPDX-License-Identifier: GPL-2.0-only
/*
 * The numbers of "uncorectl bench" where instructions are counted exactly.
 *
 * Test: where=guest icount=yes timeout=120 kernels=6.12
 */
#include "harness.h"

#include "said.h"

/* Instructions a read of the line with that name, or a negative number. */
static double cost_of(json_t *bench, const char *name)
{
	json_t *line;
	size_t i;

	json_array_foreach(json_object_get(bench, "lines"), i, line)
		if (!strcmp(name, json_string_value(json_object_get(line,
								    "name"))))
			return json_number_value(json_object_get(line,
								 "a_read"));
	return -1;
}

FIXTURE(bench)
{
	json_t *bench;
};

FIXTURE_SETUP(bench)
{
	int status;

	self->bench = said_json("uncorectl bench --json", &status);
	ASSERT_EQ(0, status);
	ASSERT_NE(NULL, self->bench);
}

FIXTURE_TEARDOWN(bench)
{
	json_decref(self->bench);
}

TEST_F(bench, counts_instructions)
{
	EXPECT_STREQ("instructions", json_string_value(
			     json_object_get(self->bench, "measure")));
}

TEST_F(bench, every_way_was_measured)
{
	json_t *line;
	size_t i;

	json_array_foreach(json_object_get(self->bench, "lines"), i, line) {
		TH_LOG("%s: %.2f a read",
		       json_string_value(json_object_get(line, "name")),
		       json_number_value(json_object_get(line, "a_read")));
		EXPECT_TRUE(json_is_null(json_object_get(line, "trouble")));
		EXPECT_LT(0, json_number_value(json_object_get(line,
							       "a_read")));
	}
	EXPECT_LT(10, i);
}

TEST_F(bench, a_pair_takes_ten_instructions)
{
	EXPECT_LE(cost_of(self->bench, "library read"), 10);
}

TEST_F(bench, the_library_costs_no_more_than_bare_loads)
{
	double bare = cost_of(self->bench, "bare loads, 8 written out");

	EXPECT_LT(0, bare);
	EXPECT_LE(cost_of(self->bench, "library group read of 8"), 1.05 * bare);
}

TEST_F(bench, system_calls_cost_a_hundred_times_as_much)
{
	double read = cost_of(self->bench, "library read");

	EXPECT_LE(100 * read, cost_of(self->bench,
				      "pread of the sysfs config file"));
	EXPECT_LE(100 * read, cost_of(self->bench, "pread of /proc/bus/pci"));
	EXPECT_LE(100 * read, cost_of(self->bench, "perf read(2)"));
}

TEST_HARNESS_MAIN
