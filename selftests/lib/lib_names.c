// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of units and counters, with what users and attackers may type.
 *
 * Test: where=host
 */
#include "harness.h"

#include "internal.h"

static struct uncore_pmu_unit unit_of(const char *type, unsigned int instance,
				      int die)
{
	struct uncore_pmu_unit info = { .instance = instance, .die = die };

	memcpy(info.type, type, strlen(type));
	return info;
}

static int match(const char *type, unsigned int instance, int die,
		 const char *name)
{
	struct uncore_pmu_unit info = unit_of(type, instance, die);

	return uncore_unit_match(&info, name);
}

TEST(all_forms_match)
{
	EXPECT_EQ(1, match("imc", 3, 1, "imc3@1"));
	EXPECT_EQ(1, match("imc", 3, 1, "imc3"));
	EXPECT_EQ(1, match("imc", 3, 1, "imc@1"));
	EXPECT_EQ(1, match("imc", 3, 1, "imc"));
	EXPECT_EQ(1, match("imc", 3, 1, "IMC3@1"));
	EXPECT_EQ(1, match("imc", 3, 1, "iMc"));
	EXPECT_EQ(1, match("imc", 0, 0, "imc0@0"));
	EXPECT_EQ(1, match("imc", 12, 15, "imc12@15"));
}

TEST(others_do_not)
{
	EXPECT_EQ(0, match("imc", 3, 1, "imc3@0"));
	EXPECT_EQ(0, match("imc", 3, 1, "imc2@1"));
	EXPECT_EQ(0, match("imc", 3, 1, "imc@2"));
	EXPECT_EQ(0, match("imc", 3, 1, "ha"));
	EXPECT_EQ(0, match("imc", 3, 1, "im"));
	EXPECT_EQ(0, match("imc", 3, 1, "im3"));
	EXPECT_EQ(0, match("imc", 3, 1, "imc33"));
	EXPECT_EQ(0, match("imc", 3, 1, "imc03"));
	EXPECT_EQ(0, match("imc", 0, 1, "imc00"));
	EXPECT_EQ(0, match("imc", 3, 1, "imcx"));
	EXPECT_EQ(0, match("imc", 3, 1, "3"));
}

TEST(digits_in_types)
{
	EXPECT_EQ(1, match("r3qpi", 0, 0, "r3qpi0@0"));
	EXPECT_EQ(1, match("r3qpi", 1, 0, "r3qpi1"));
	EXPECT_EQ(0, match("r3qpi", 1, 0, "r3qpi"
					  "0"));
	EXPECT_EQ(1, match("m3upi", 2, 0, "m3upi2"));
	EXPECT_EQ(1, match("box2", 7, 0, "box2_7"));
	EXPECT_EQ(1, match("box2", 7, 0, "box2"));
	EXPECT_EQ(0, match("box2", 7, 0, "box7"));
	EXPECT_EQ(1, match("edc_uclk", 7, 0, "edc_uclk7@0"));
	EXPECT_EQ(0, match("edc_uclk", 7, 0, "edc7@0"));
}

TEST(unknown_die)
{
	EXPECT_EQ(1, match("imc", 3, -1, "imc3@?"));
	EXPECT_EQ(1, match("imc", 3, -1, "imc3"));
	EXPECT_EQ(0, match("imc", 3, -1, "imc3@0"));
	EXPECT_EQ(0, match("imc", 3, 0, "imc3@?"));
	EXPECT_EQ(0, match("imc", 3, -1, "imc3@4294967295"));
}

TEST(addresses)
{
	struct uncore_pmu_unit info = unit_of("imc", 3, -1);

	info.segment = 0x1ab;
	info.bus = 0xfe;
	info.device = 0x14;
	info.function = 5;
	EXPECT_EQ(1, uncore_unit_match(&info, "imc3@01ab:fe:14.5"));
	EXPECT_EQ(1, uncore_unit_match(&info, "IMC3@01AB:Fe:14.5"));
	EXPECT_EQ(1, uncore_unit_match(&info, "imc@01ab:fe:14.5"));
	EXPECT_EQ(0, uncore_unit_match(&info, "imc2@01ab:fe:14.5"));
	EXPECT_EQ(0, uncore_unit_match(&info, "ha3@01ab:fe:14.5"));
	EXPECT_EQ(0, uncore_unit_match(&info, "imc3@01ac:fe:14.5"));
	EXPECT_EQ(0, uncore_unit_match(&info, "imc3@01ab:ff:14.5"));
	EXPECT_EQ(0, uncore_unit_match(&info, "imc3@01ab:fe:15.5"));
	EXPECT_EQ(0, uncore_unit_match(&info, "imc3@01ab:fe:14.4"));
	/* Also where the die is known */
	info.die = 1;
	EXPECT_EQ(1, uncore_unit_match(&info, "imc3@01ab:fe:14.5"));
	/* A unit that is absent has no address, whatever is written there. */
	info.state = UNCORE_PMU_STATE_ABSENT;
	EXPECT_EQ(0, uncore_unit_match(&info, "imc3@01ab:fe:14.5"));
	info.state = UNCORE_PMU_STATE_GONE;
	info.segment = 0x10000;
	EXPECT_EQ(1, uncore_unit_match(&info, "imc3@10000:fe:14.5"));
	EXPECT_EQ(-EINVAL, uncore_unit_match(&info, "imc3@010000:fe:14.5"));
	info.segment = UINT32_MAX;
	EXPECT_EQ(1, uncore_unit_match(&info, "imc3@ffffffff:fe:14.5"));
}

TEST(not_addresses)
{
	static const char *const bad[] = {
		"imc3@01ab:fe:14.5 ", "imc3@01ab:fe:14.", "imc3@01ab:fe:14",
		"imc3@01ab:fe:14.8", "imc3@01ab:fe:20.0", "imc3@01ab:fe:4.0",
		"imc3@1ab:fe:14.5", "imc3@fe:14.5", "imc3@:fe:14.5",
		"imc3@01ab:f:14.5", "imc3@01ab:0fe:14.5", "imc3@01ab:fe:14.05",
		"imc3@01ab:fe:14:5", "imc3@01ab.fe:14.5", "imc3@g1ab:fe:14.5",
		"imc3@123456789:fe:14.5", "imc3@:", "imc3@::.", "imc3@01ab:",
		"@01ab:fe:14.5", "imc3@01ab:fe:14.5@1", "imc3@-1ab:fe:14.5",
		"imc3@0x1a:fe:14.5", "imc3@01ab:fe:14.5/ctr0", "imc3:1",
	};
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(bad); i++)
		EXPECT_EQ(-EINVAL, match("imc", 3, 1, bad[i]))
			TH_LOG("name %zu", i);
}

TEST(not_names_at_all)
{
	static const char *const bad[] = {
		"", "@", "@1", "imc@", "imc3@", "imc3@1@1", "imc3@@1", "imc3@x",
		"imc3@-1", "imc3@+1", "imc3@ 1", "imc3@1 ", " imc3@1", "imc 3",
		"imc3@01", "imc3@0x1", "imc-3", "imc3/ctr0", "imc3@1/ctr0",
		"../imc3", "imc*", "imc3@4294967296", "imc3@99999999999999999",
		"imc\n3", "imc\xc3\xa9", "\xff\xff", "%s%n", "imc3@??", "imc?@1",
		"imcimcimcimcimcimcimcimcimcimcimcimcimcimcimcimcimcimcimcimc",
	};
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(bad); i++)
		EXPECT_EQ(-EINVAL, match("imc", 3, 1, bad[i]))
			TH_LOG("name %zu", i);
}

TEST(every_short_byte_string_is_answered)
{
	char name[4] = { 0 };
	int first, second, ret;

	for (first = 1; first < 256; first++) {
		for (second = 0; second < 256; second++) {
			name[0] = (char)first;
			name[1] = (char)second;
			ret = match("im", 3, 1, name);
			EXPECT_TRUE(ret == 0 || ret == 1 || ret == -EINVAL);
			EXPECT_EQ(!strcasecmp(name, "im"), ret == 1);
		}
	}
}

TEST(enormous_name)
{
	size_t size = 1 << 20;
	char *name = malloc(size);

	ASSERT_NE(NULL, name);
	memset(name, 'i', size - 1);
	name[size - 1] = '\0';
	EXPECT_EQ(-EINVAL, match("imc", 3, 1, name));
	free(name);
}

TEST(type_without_end)
{
	struct uncore_pmu_unit info = { .die = 0, .instance = 1 };
	char name[UNCORE_NAME_LEN];

	memset(info.type, 't', sizeof(info.type));
	EXPECT_EQ(1, uncore_unit_match(&info, "tttttttttttttttttttttttt1@0"));
	EXPECT_EQ(0, uncore_unit_match(&info, "ttttttttttttttttttttttt1@0"));
	EXPECT_EQ(0, uncore_unit_name(&info, name, sizeof(name)));
	EXPECT_STREQ("tttttttttttttttttttttttt1@0", name);
}

/* Types that the module has no name for are called by their number. */
TEST(type_that_ends_in_a_digit)
{
	struct uncore_pmu_unit info = unit_of("type_12", 3, 1);
	char name[UNCORE_NAME_LEN];

	EXPECT_EQ(0, uncore_unit_name(&info, name, sizeof(name)));
	EXPECT_STREQ("type_12_3@1", name);
	EXPECT_EQ(1, match("type_12", 3, 1, "type_12_3@1"));
	EXPECT_EQ(1, match("type_12", 3, 1, "type_12_3"));
	EXPECT_EQ(1, match("type_12", 3, 1, "type_12"));
	EXPECT_EQ(1, match("type_12", 3, 1, "type_12@1"));
	EXPECT_EQ(0, match("type_12", 3, 1, "type_123@1"));
	EXPECT_EQ(0, match("type_12", 3, 1, "type_12_"));
	EXPECT_EQ(0, match("type_12", 3, 1, "type_12_33"));
	EXPECT_EQ(0, match("type_12", 3, 1, "type_12__3"));
	EXPECT_EQ(0, match("type_1", 23, 1, "type_123"));
	EXPECT_EQ(0, match("type_1", 2, 1, "type_12"));
	EXPECT_EQ(0, match("imc", 3, 1, "imc_3"));
}

TEST(unit_without_type_has_no_name)
{
	EXPECT_EQ(0, match("", 3, 1, "3"));
	EXPECT_EQ(0, match("", 3, 1, "imc"));
}

TEST(name_of_a_unit)
{
	struct uncore_pmu_unit info = unit_of("imc", 3, 1);
	char name[UNCORE_NAME_LEN];

	EXPECT_EQ(0, uncore_unit_name(&info, name, sizeof(name)));
	EXPECT_STREQ("imc3@1", name);
	EXPECT_EQ(0, uncore_unit_name(&info, name, 7));
	EXPECT_EQ(-ENAMETOOLONG, uncore_unit_name(&info, name, 6));
	EXPECT_EQ(-ENAMETOOLONG, uncore_unit_name(&info, name, 1));
	info.die = -1;
	info.segment = 1;
	info.bus = 0xff;
	info.device = 0x14;
	EXPECT_EQ(0, uncore_unit_name(&info, name, sizeof(name)));
	EXPECT_STREQ("imc3@0001:ff:14.0", name);
	EXPECT_EQ(0, uncore_unit_name(&info, name, 18));
	EXPECT_EQ(-ENAMETOOLONG, uncore_unit_name(&info, name, 17));
}

TEST(longest_name_fits)
{
	struct uncore_pmu_unit info = { .instance = UINT32_MAX,
					.die = INT32_MAX };
	char name[UNCORE_NAME_LEN];

	memset(info.type, 't', sizeof(info.type));
	EXPECT_EQ(0, uncore_unit_name(&info, name, sizeof(name)));
	EXPECT_EQ(1, uncore_unit_match(&info, name));
	info.die = -1;
	info.segment = UINT32_MAX;
	info.bus = 0xff;
	info.device = 0x1f;
	info.function = 7;
	EXPECT_EQ(0, uncore_unit_name(&info, name, sizeof(name)));
	EXPECT_EQ(1, uncore_unit_match(&info, name));
}

TEST(counters)
{
	struct uncore_pmu_unit info = { .num_counters = 3 };

	strcpy(info.counter[0].name, "ctr0");
	strcpy(info.counter[1].name, "fixed");
	memset(info.counter[2].name, 'x', sizeof(info.counter[2].name));
	EXPECT_EQ(0, uncore_counter_find(&info, "ctr0"));
	EXPECT_EQ(0, uncore_counter_find(&info, "CTR0"));
	EXPECT_EQ(1, uncore_counter_find(&info, "fixed"));
	EXPECT_EQ(2, uncore_counter_find(&info, "xxxxxxxxxxxxxxxx"));
	EXPECT_EQ(-ENOENT, uncore_counter_find(&info, "xxxxxxxxxxxxxxxxx"));
	EXPECT_EQ(-ENOENT, uncore_counter_find(&info, "ctr"));
	EXPECT_EQ(-ENOENT, uncore_counter_find(&info, "ctr00"));
	EXPECT_EQ(-ENOENT, uncore_counter_find(&info, ""));
}

TEST(more_counters_than_there_is_room)
{
	struct uncore_pmu_unit info = { .num_counters = UINT32_MAX };

	EXPECT_EQ(-ENOENT, uncore_counter_find(&info, "ctr0"));
}

TEST(unit_and_counter)
{
	static const char *const bad[] = {
		"", "/", "imc3@1", "imc3@1/", "/ctr0", "a/b/c", "a//b",
	};
	const char *counter;
	char unit[8];
	size_t i;

	EXPECT_EQ(0, uncore_split_name("imc3@1/ctr0", unit, sizeof(unit),
				       &counter));
	EXPECT_STREQ("imc3@1", unit);
	EXPECT_STREQ("ctr0", counter);
	EXPECT_EQ(-EINVAL, uncore_split_name("imc33@11/ctr0", unit,
					     sizeof(unit), &counter));
	for (i = 0; i < ARRAY_LENGTH(bad); i++)
		EXPECT_EQ(-EINVAL, uncore_split_name(bad[i], unit, sizeof(unit),
						     &counter));
}

TEST_HARNESS_MAIN
