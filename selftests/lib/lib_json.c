// SPDX-License-Identifier: GPL-2.0-only
/*
 * What uncorectl and membw say on the simulated machine.
 *
 * Test: where=guest timeout=120 kernels=6.12
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <uncore.h>

#include "common.h"
#include "said.h"

#define EVENT	0x0304		/* reads */
#define WRITES	0x0c04

FIXTURE(cli)
{
	struct uncore *uncore;
	struct sim *sim;
	struct uncore_pmu_unit imc;
	struct sim_addr addr;
	char text[16384];
};

FIXTURE_SETUP(cli)
{
	unsigned int unit;

	ASSERT_EQ(0, sim_open(&self->sim));
	ASSERT_EQ(0, sim_clock(self->sim, false));
	ASSERT_EQ(0, uncore_open(NULL, &self->uncore));
	ASSERT_EQ(1, uncore_find(self->uncore, "imc0@1", &unit, 1));
	ASSERT_EQ(0, uncore_unit_info(self->uncore, unit, &self->imc));
	self->addr = unit_addr(&self->imc);
}

FIXTURE_TEARDOWN(cli)
{
	counter_stop(&self->imc, 0);
	counter_stop(&self->imc, 1);
	uncore_close(self->uncore);
	sim_clock(self->sim, true);
	sim_close(self->sim);
}

static const char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "(none)";
}

static long long number_of(json_t *object, const char *key)
{
	json_t *number = json_object_get(object, key);

	return json_is_integer(number) ? json_integer_value(number) : -1;
}

static bool is_null(json_t *object, const char *key)
{
	return json_is_null(json_object_get(object, key));
}

static void compare_counter(struct __test_metadata *_metadata, json_t *object,
			    const struct uncore_pmu_counter *counter)
{
	EXPECT_STREQ(counter->name, text_of(object, "name"));
	EXPECT_STREQ(uncore_kind_name(counter->kind), text_of(object, "kind"));
	EXPECT_EQ(counter->offset, number_of(object, "offset"));
	EXPECT_EQ(counter->width, number_of(object, "width"));
	if (counter->quantity == UNCORE_PMU_QUANTITY_EVENT) {
		EXPECT_TRUE(is_null(object, "scale"));
	} else {
		EXPECT_EQ(counter->scale, number_of(object, "scale"));
	}
}

static void compare_unit(struct __test_metadata *_metadata, json_t *object,
			 const struct uncore_pmu_unit *info)
{
	char name[UNCORE_NAME_LEN], pci[32], id[16];
	json_t *counters = json_object_get(object, "counters");
	unsigned int i;

	uncore_unit_name(info, name, sizeof(name));
	EXPECT_STREQ(name, text_of(object, "name"));
	EXPECT_STREQ(info->type, text_of(object, "type"));
	EXPECT_EQ(info->instance, number_of(object, "index"));
	EXPECT_EQ(info->die, number_of(object, "die"));
	EXPECT_EQ(info->numa_node, number_of(object, "numa_node"));
	EXPECT_STREQ("config", text_of(object, "access"));
	EXPECT_STREQ(uncore_state_name(info->state), text_of(object, "state"));
	snprintf(id, sizeof(id), "%04x:%04x", info->pci_vendor,
		 info->pci_device);
	EXPECT_STREQ(id, text_of(object, "id"));
	if (info->state == UNCORE_PMU_STATE_OK) {
		snprintf(pci, sizeof(pci), "%04x:%02x:%02x.%x", info->segment,
			 info->bus, info->device, info->function);
		EXPECT_STREQ(pci, text_of(object, "pci"));
		EXPECT_EQ((long long)info->mmap_offset,
			  number_of(object, "mmap_offset"));
		EXPECT_EQ(4096, number_of(object, "mmap_length"));
		EXPECT_TRUE(is_null(object, "reason"));
	} else {
		EXPECT_TRUE(is_null(object, "pci"));
		EXPECT_TRUE(is_null(object, "mmap_offset"));
		EXPECT_TRUE(is_null(object, "mmap_length"));
		EXPECT_STREQ(uncore_reason_text(info->reason),
			     text_of(object, "reason"));
	}
	ASSERT_EQ(info->num_counters, json_array_size(counters));
	for (i = 0; i < info->num_counters; i++)
		compare_counter(_metadata, json_array_get(counters, i),
				&info->counter[i]);
}

TEST_F(cli, list_json_is_what_the_module_says)
{
	struct uncore_pmu_unit info;
	struct utsname name;
	json_t *list, *units;
	unsigned int i;
	int status;

	list = said_json("uncorectl list --json", &status);
	ASSERT_EQ(0, status);
	ASSERT_TRUE(json_is_object(list));
	uname(&name);
	EXPECT_EQ(UNCORE_PMU_ABI_VERSION, number_of(list, "abi"));
	EXPECT_STREQ(name.release, text_of(list, "kernel"));
	EXPECT_STREQ("Intel(R) simulated uncore (haswell-ep)",
		     text_of(list, "cpu"));
	EXPECT_STREQ("haswell-ep", text_of(list, "platform"));
	units = json_object_get(list, "units");
	ASSERT_EQ(uncore_num_units(self->uncore), json_array_size(units));
	for (i = 0; i < json_array_size(units); i++) {
		ASSERT_EQ(0, uncore_unit_info(self->uncore, i, &info));
		compare_unit(_metadata, json_array_get(units, i), &info);
	}
	json_decref(list);
}

TEST_F(cli, list_chooses)
{
	json_t *list;
	int status;

	list = said_json("uncorectl list --json imc0@1 HA@0", &status);
	EXPECT_EQ(0, status);
	EXPECT_EQ(3, json_array_size(json_object_get(list, "units")));
	json_decref(list);
	EXPECT_EQ(3, said("uncorectl list imc0@1 imc99 2>&1", self->text,
			  sizeof(self->text)));
	EXPECT_NE(NULL, strstr(self->text, "imc99: this machine has no unit imc99, but imc0"));
	EXPECT_NE(NULL, strstr(self->text, "\nimc0@1 "));
	EXPECT_EQ(3, said("uncorectl list --json nonsense 2>&1 >/dev/null",
			  self->text, sizeof(self->text)));
	EXPECT_NE(NULL, strstr(self->text, "nonsense: this machine has no unit nonsense\n"));
	EXPECT_EQ(2, said("uncorectl list imc@ 2>&1", self->text,
			  sizeof(self->text)));
	EXPECT_NE(NULL, strstr(self->text,
			       "imc@ is not the name of a unit"));
}

TEST_F(cli, list_is_readable)
{
	ASSERT_EQ(0, said("uncorectl list", self->text, sizeof(self->text)));
	EXPECT_NE(NULL, strstr(self->text, "haswell-ep"));
	EXPECT_NE(NULL, strstr(self->text, "\nimc0@1 "));
	EXPECT_NE(NULL, strstr(self->text, "ctr0 ctr1 ctr2 ctr3 fixed, 48 bits"));
	EXPECT_NE(NULL, strstr(self->text, "hidden by the firmware"));
	EXPECT_NE(NULL, strstr(self->text, " units: "));
}

/* Nor does the name of the processor, which hypervisors choose, steer it. */
TEST_F(cli, names_do_not_steer_the_terminal)
{
	json_t *root;
	int status;

	ASSERT_EQ(0, said("printf 'model name\\t: a\\033[2J\\302\\233b\\n' "
			  ">/tmp/cpuinfo && "
			  "mount --bind /tmp/cpuinfo /proc/cpuinfo",
			  self->text, sizeof(self->text)))
		TH_LOG("%s", self->text);
	EXPECT_EQ(0, said("uncorectl list", self->text, sizeof(self->text)));
	EXPECT_EQ(&self->text[0], strstr(self->text, "a?[2J??b, haswell-ep, "));
	said("uncorectl doctor", self->text, sizeof(self->text));
	EXPECT_NE(NULL, strstr(self->text, " machine   a?[2J??b\n"));
	root = said_json("uncorectl list --json", &status);
	EXPECT_EQ(0, status);
	EXPECT_STREQ("a?[2J??b", text_of(root, "cpu"));
	json_decref(root);
	EXPECT_EQ(0, said("umount /proc/cpuinfo", self->text,
			  sizeof(self->text)));
}

/* The only counter of "read --json", which must be there. */
static json_t *read_one(struct __test_metadata *_metadata, const char *command,
			json_t **root, int expected)
{
	json_t *counters;
	int status;

	*root = said_json(command, &status);
	EXPECT_EQ(expected, status);
	counters = json_object_get(*root, "counters");
	EXPECT_EQ(1, json_array_size(counters));
	return json_array_get(counters, 0);
}

TEST_F(cli, read_tells_values_and_states)
{
	static const char command[] = "uncorectl read --json imc0@1/ctr0";
	json_t *counter, *root;

	ASSERT_EQ(0, counter_stop(&self->imc, 0));
	ASSERT_EQ(0, sim_set(self->sim, self->addr, 0, 0xfedcba987654));
	counter = read_one(_metadata, command, &root, 0);
	EXPECT_STREQ("imc0@1", text_of(counter, "unit"));
	EXPECT_STREQ("ctr0", text_of(counter, "counter"));
	EXPECT_STREQ("not programmed", text_of(counter, "state"));
	EXPECT_EQ(0xfedcba987654, number_of(counter, "value"));
	EXPECT_EQ(48, number_of(counter, "width"));
	json_decref(root);

	ASSERT_EQ(0, counter_start(&self->imc, 0, EVENT));
	ASSERT_EQ(0, sim_add(self->sim, self->addr, 0, 1));
	counter = read_one(_metadata, command, &root, 0);
	EXPECT_STREQ("counting", text_of(counter, "state"));
	EXPECT_EQ(0xfedcba987655, number_of(counter, "value"));
	json_decref(root);

	ASSERT_EQ(0, config_store(&self->imc, self->imc.unit_control,
				  self->imc.unit_freeze));
	counter = read_one(_metadata, command, &root, 0);
	EXPECT_STREQ("frozen", text_of(counter, "state"));
	json_decref(root);
	ASSERT_EQ(0, config_store(&self->imc, self->imc.unit_control, 0));

	counter = read_one(_metadata, "uncorectl read --json qpi2@1", &root, 3);
	EXPECT_STREQ("absent", text_of(counter, "state"));
	EXPECT_TRUE(is_null(counter, "value"));
	EXPECT_TRUE(is_null(counter, "counter"));
	json_decref(root);
}

/* Of a unit that cannot be read, nobody knows which counters there are. */
TEST_F(cli, any_name_of_a_counter)
{
	json_t *counter, *root;

	counter = read_one(_metadata, "uncorectl read --json "
			   "\"qpi2@1/$(printf 'a\\303')\"", &root, 3);
	EXPECT_STREQ("absent", text_of(counter, "state"));
	EXPECT_STREQ("a?", text_of(counter, "counter"));
	json_decref(root);
}

TEST_F(cli, read_as_text)
{
	ASSERT_EQ(0, counter_start(&self->imc, 0, EVENT));
	ASSERT_EQ(0, sim_set(self->sim, self->addr, 0, 123456789));
	ASSERT_EQ(0, said("uncorectl read imc0@1", self->text,
			  sizeof(self->text)));
	EXPECT_NE(NULL, strstr(self->text, "123456789  counting"));
	EXPECT_NE(NULL, strstr(self->text, "not programmed"));
	EXPECT_EQ(3, said("uncorectl read imc0@1/ctr0 qpi2@1", self->text,
			  sizeof(self->text)));
	EXPECT_NE(NULL, strstr(self->text, "123456789  counting"));
	EXPECT_NE(NULL, strstr(self->text, "-  absent: hidden"));
	EXPECT_EQ(1, said("uncorectl read imc0@1/ctr9 2>&1", self->text,
			  sizeof(self->text)));
	EXPECT_NE(NULL, strstr(self->text, "imc0@1/ctr9: no such counter, but ctr0, "));
}

TEST_F(cli, intervals)
{
	static const char command[] =
		"uncorectl read --json --interval 0.2 --count 1 imc0@1/ctr0";
	json_t *counter, *root;

	ASSERT_EQ(0, counter_start(&self->imc, 0, EVENT));
	counter = read_one(_metadata, command, &root, 0);
	EXPECT_EQ(0, number_of(counter, "delta"));
	EXPECT_STREQ("counting", text_of(counter, "state"));
	json_decref(root);

	ASSERT_EQ(0, sim_clock(self->sim, true));
	counter = read_one(_metadata, command, &root, 0);
	EXPECT_LT(0, number_of(counter, "delta"));
	EXPECT_LT(0, json_real_value(json_object_get(counter, "rate")));
	EXPECT_TRUE(json_is_false(json_object_get(counter, "reprogrammed")));
	EXPECT_LE(0.2, json_real_value(json_object_get(root, "interval")));
	json_decref(root);

	ASSERT_EQ(0, said("uncorectl read -i 0.1 -n 3 imc0@1/ctr0", self->text,
			  sizeof(self->text)));
	EXPECT_EQ(3, said_count(self->text, "COUNTED"));
	EXPECT_EQ(3, said_count(self->text, "counting"));
	EXPECT_EQ(1, said("uncorectl read -i 0.1 -n 3 imc0@1/ctr0 2>&1 "
			  ">/dev/full", self->text, sizeof(self->text)));
	EXPECT_STREQ("uncorectl: standard output: No space left on device\n",
		     self->text);
}

/* The event changes as soon as the first interval is there. */
TEST_F(cli, no_number_across_a_reprogramming)
{
	static const char command[] =
		"uncorectl read --json -i 0.1 -n 40 imc0@1/ctr0";
	json_t *root, *counter;
	char line[4096];
	int changed = 0;
	FILE *out;

	ASSERT_EQ(0, counter_start(&self->imc, 0, EVENT));
	out = popen(command, "r");
	ASSERT_NE(NULL, out);
	while (fgets(line, sizeof(line), out)) {
		if (!changed) {
			ASSERT_EQ(0, counter_start(&self->imc, 0, EVENT + 1));
		}
		root = json_loads(line, 0, NULL);
		ASSERT_NE(NULL, root);
		counter = json_array_get(json_object_get(root, "counters"), 0);
		if (json_is_true(json_object_get(counter, "reprogrammed"))) {
			EXPECT_TRUE(is_null(counter, "delta"));
			EXPECT_TRUE(is_null(counter, "rate"));
			changed++;
		} else {
			EXPECT_EQ(0, number_of(counter, "delta"));
		}
		json_decref(root);
		if (changed)
			break;
	}
	pclose(out);
	EXPECT_EQ(1, changed);
}

/* Stopped for ten intervals, which are skipped: none of them is short. */
TEST_F(cli, missed_intervals)
{
	static const char key[] = "\"interval\":";
	int lines = 0, shorter = 0;
	const char *at;

	ASSERT_EQ(0, said("uncorectl read -j -i 0.2 -n 12 imc0@1/ctr0 & "
			  "sleep 1; kill -STOP $!; sleep 2; kill -CONT $!; "
			  "wait $!", self->text, sizeof(self->text)));
	for (at = self->text; (at = strstr(at, key)); lines++) {
		at += strlen(key);
		shorter += strtod(at, NULL) < 0.05;
	}
	EXPECT_EQ(12, lines);
	/* The first one after the stop ends with the multiple. */
	EXPECT_GE(1, shorter);
}

TEST_F(cli, bandwidth)
{
	unsigned long reads = 0;
	const char *row;
	int end = 0;

	EXPECT_EQ(1, said("membw --seconds 1 2>&1", self->text,
			  sizeof(self->text)));
	EXPECT_NE(NULL, strstr(self->text, "nothing counts reads or writes"));

	ASSERT_EQ(0, counter_start(&self->imc, 0, EVENT));
	ASSERT_EQ(0, sim_clock(self->sim, true));
	ASSERT_EQ(0, said("membw --seconds 1 2>&1", self->text,
			  sizeof(self->text)));
	row = strstr(self->text, "\nimc0@1 ");
	ASSERT_NE(NULL, row) TH_LOG("%s", self->text);
	EXPECT_EQ(1, sscanf(row, " imc0@1 %*f - - %lu -\n ^ writes are not "
			    "counted%n", &reads, &end)) TH_LOG("%s", row);
	EXPECT_LT(0, reads);
	EXPECT_LT(0, end);

	ASSERT_EQ(0, counter_start(&self->imc, 1, WRITES));
	ASSERT_EQ(0, said("membw --seconds 2 2>&1", self->text,
			  sizeof(self->text)));
	EXPECT_EQ(2, said_count(self->text, "\nimc0@1 "));
	EXPECT_EQ(2, said_count(self->text, "\nsocket 1 "));
	EXPECT_EQ(NULL, strstr(self->text, "imc1@1"));
	EXPECT_EQ(NULL, strstr(self->text, "^"));
	TH_LOG("%s", self->text);

	EXPECT_EQ(1, said("membw --seconds 1 2>&1 >/dev/full", self->text,
			  sizeof(self->text)));
	EXPECT_NE(NULL, strstr(self->text, "standard output"));
}

static int list_as(int sock, void *uid)
{
	char text[512];
	int status;

	(void)sock;
	if (become(*(uid_t *)uid))
		return 99;
	status = said("uncorectl list 2>&1", text, sizeof(text));
	if (status && !strstr(text, "reading it is for the group uncore"))
		return 98;
	return status;
}

TEST_F(cli, users)
{
	uid_t member = MEMBER_UID, outsider = OUTSIDER_UID;

	EXPECT_EQ(0, child_run(list_as, &member));
	EXPECT_EQ(1, child_run(list_as, &outsider));
}

TEST_F(cli, doctor_finds_nothing)
{
	EXPECT_EQ(0, said("uncorectl doctor", self->text, sizeof(self->text)));
	EXPECT_EQ(0, said_count(self->text, "TROUBLE"));
}

TEST_HARNESS_MAIN
