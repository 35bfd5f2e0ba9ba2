// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl list: the units, as a table. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli.h"
#include "hold.h"

#define AMD_PMU		"/sys/bus/event_source/devices/amd_df"
#define NUM_STATES	(UNCORE_PMU_STATE_WINDOW + 1)

void unit_pci_address(const struct uncore_pmu_unit *info, char *text,
		      size_t size)
{
	snprintf(text, size, "%04x:%02x:%02x.%x", info->segment, info->bus,
		 info->device, info->function);
}

void cpu_model_name(char *text, size_t size)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[256], *value;

	snprintf(text, size, "unknown CPU");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, "model name", 10))
			continue;
		value = strchr(line, ':');
		if (!value)
			continue;
		value[strcspn(value, "\n")] = '\0';
		for (value++; isspace((unsigned char)*value); value++)
			;
		copy_printable(text, size, value, strlen(value));
		break;
	}
	fclose(file);
}

bool list_wants(const struct uncore_pmu_unit *info,
		const struct options *options)
{
	bool wanted = !options->argc;
	int i;

	for (i = 0; i < options->argc; i++)
		wanted |= uncore_unit_match(info, options->argv[i]) == 1;
	return wanted;
}

/* "ctr0 ctr1 ctr2 ctr3 fixed, 48 bits" */
static void print_counters(const struct uncore_pmu_unit *info)
{
	bool same = true;
	unsigned int i;

	for (i = 1; i < info->num_counters; i++)
		same &= info->counter[i].width == info->counter[0].width;

	for (i = 0; i < info->num_counters; i++) {
		printf("%s%.*s", i ? " " : "", UNCORE_PMU_NAME_LEN,
		       info->counter[i].name);
		if (!same)
			printf(":%u", info->counter[i].width);
	}
	if (info->num_counters && same)
		printf(", %u bits", info->counter[0].width);
	putchar('\n');
}

static void print_number(int number)
{
	if (number < 0)
		printf(" %4s", "?");
	else
		printf(" %4d", number);
}

static void print_unit(const struct uncore_pmu_unit *info)
{
	char name[UNCORE_NAME_LEN], pci[32] = "-";
	bool ok = info->state == UNCORE_PMU_STATE_OK;

	uncore_unit_name(info, name, sizeof(name));
	if (info->state != UNCORE_PMU_STATE_ABSENT)
		unit_pci_address(info, pci, sizeof(pci));

	printf("%-19s %-8s", name, uncore_state_name(info->state));
	print_number(info->die);
	print_number(info->numa_node);
	printf(" %-13s %04x:%04x %-7s ", pci, info->pci_vendor,
	       info->pci_device, uncore_access_name(info->access));
	if (ok)
		print_counters(info);
	else
		printf("%s\n", uncore_reason_text(info->reason));
}

static void print_heading(const struct uncore_pmu_info *info)
{
	struct utsname name;
	char cpu[128];

	cpu_model_name(cpu, sizeof(cpu));
	printf("%s, ", cpu);
	if (info->platform[0])
		printf("%.*s, ", (int)sizeof(info->platform), info->platform);
	printf("kernel %s, contract version %u\n",
	       uname(&name) ? "?" : name.release, info->abi_version);
}

static void print_summary(unsigned int total, const unsigned int *states)
{
	const char *separator = ": ";
	unsigned int i;

	printf("%u unit%s", total, total == 1 ? "" : "s");
	for (i = 0; i < NUM_STATES; i++) {
		if (!states[i])
			continue;
		printf("%s%u %s", separator, states[i], uncore_state_name(i));
		separator = ", ";
	}
	putchar('\n');
}

static int list_text(struct uncore *uncore, const struct options *options)
{
	unsigned int i, total = 0, states[NUM_STATES] = { 0 };
	struct uncore_pmu_unit info;
	int ret;

	print_heading(uncore_info(uncore));
	for (i = 0; i < uncore_num_units(uncore); i++) {
		ret = uncore_unit_info(uncore, i, &info);
		if (ret) {
			complain("list",
				 uncore_strerror(UNCORE_CALL_FIND, ret));
			return EXIT_FAILED;
		}
		if (!list_wants(&info, options))
			continue;
		if (!total++)
			printf("\n%-19s %-8s %4s %4s %-13s %-9s %-7s %s\n",
			       "UNIT", "STATE", "DIE", "NODE", "PCI", "ID",
			       "ACCESS", "COUNTERS");
		print_unit(&info);
		if (info.state < NUM_STATES)
			states[info.state]++;
	}
	if (total)
		putchar('\n');
	print_summary(total, states);
	if (!total && !options->argc)
		puts("This machine shows no uncore PMU that the module knows.");
	if (!total && !options->argc && !access(AMD_PMU, F_OK))
		puts("AMD's amd_df and amd_l3 are PMUs of perf: \"perf list\" has "
		     "their events;\n\"perf stat -a\" counts them, and "
		     "\"uncorectl stat -m\" in the regions of a program.");
	return EXIT_OK;
}

int check_unit_names(struct uncore *uncore, const struct options *options)
{
	int i, found, ret = EXIT_OK;

	for (i = 0; i < options->argc; i++) {
		found = uncore_find(uncore, options->argv[i], NULL, 0);
		if (found > 0)
			continue;
		complain_unit(uncore, options->argv[i]);
		if (found)
			return found == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
		ret = EXIT_PARTLY;
	}
	return ret;
}

int cmd_list(struct uncore *uncore, const struct options *options)
{
	int names = check_unit_names(uncore, options), ret;

	if (names != EXIT_OK && names != EXIT_PARTLY)
		return names;
	ret = options->json ? list_json(uncore, options)
			    : list_text(uncore, options);
	return ret == EXIT_OK ? names : ret;
}
