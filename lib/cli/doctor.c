// SPDX-License-Identifier: LGPL-2.1-or-later
/* uncorectl doctor: what stands between the user and the counters. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor.h"
#include "hold.h"

#define GROUP_NAME	"uncore"
#define LOCKDOWN	"/sys/kernel/security/lockdown"

/* Of a unit that cannot be described, or that a newer module describes. */
#define UNKNOWN_STATE	(UNCORE_PMU_STATE_WINDOW + 1)

int read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");
	int ret = 0;

	if (!file)
		return -errno;
	if (!fgets(line, (int)size, file))
		ret = -EIO;
	else
		line[strcspn(line, "\n")] = '\0';
	fclose(file);
	return ret;
}

static void check_module(const struct patient *patient, struct finding *finding)
{
	(void)patient;
	if (!access("/sys/module/uncore_pmu", F_OK)) {
		SAY(finding, "loaded");
		return;
	}
	SAY(finding, "not loaded");
	bad(finding, TROUBLE, "modprobe uncore_pmu; if that fails, see dmesg: "
	    "with Secure Boot the module must be signed");
}

static void check_node(const struct patient *patient, struct finding *finding)
{
	struct stat st;
	struct group *group;

	if (stat(patient->node, &st)) {
		SAY(finding, "%s: %s", patient->node, strerrordesc_np(errno));
		bad(finding, TROUBLE, "load the module; in a container pass "
		    "the node in: --device=" NODE);
		return;
	}
	group = getgrgid(st.st_gid);
	SAY(finding, "%s, group %s, mode %04o", patient->node,
	    group ? group->gr_name : "?", (unsigned int)(st.st_mode & 07777));
	if (!group || strcmp(group->gr_name, GROUP_NAME))
		bad(finding, NOTE, "install 60-uncore-pmu.rules and the group, "
		    "then udevadm trigger: only root can read so far");
	else if (st.st_mode & 07)
		bad(finding, NOTE, "anybody may open it: set the mode to 0640");
}

static void check_group(const struct patient *patient, struct finding *finding)
{
	struct group *group = getgrnam(GROUP_NAME);

	(void)patient;
	if (!geteuid()) {
		SAY(finding, "running as root, who needs no group");
	} else if (!group) {
		SAY(finding, "there is no group " GROUP_NAME);
		bad(finding, TROUBLE, "install the sysusers file, then "
		    "systemd-sysusers");
	} else if (!group_member(group->gr_gid) &&
		   getegid() != group->gr_gid) {
		SAY(finding, "this session is not in the group " GROUP_NAME);
		bad(finding, TROUBLE, "usermod -aG " GROUP_NAME
		    " USER, then log in again");
	} else {
		SAY(finding, "member of " GROUP_NAME);
	}
}

static void check_open(const struct patient *patient, struct finding *finding)
{
	const struct uncore_pmu_info *info;

	if (patient->error) {
		SAY(finding, "cannot be used");
		bad(finding, TROUBLE,
		    uncore_strerror(UNCORE_CALL_OPEN, patient->error));
		return;
	}
	info = uncore_info(patient->uncore);
	SAY(finding, "contract version %u, platform %.*s", info->abi_version,
	    (int)sizeof(info->platform),
	    info->platform[0] ? info->platform : "unknown");
}

/* "30, of which 20 ok, 10 absent" */
static void say_states(struct finding *finding, unsigned int total,
		       const unsigned int *states)
{
	const char *separator = ", of which";
	size_t length;
	uint32_t i;

	SAY(finding, "%u", total);
	for (i = 0; i <= UNKNOWN_STATE; i++) {
		if (!states[i])
			continue;
		length = strlen(finding->text);
		snprintf(finding->text + length, sizeof(finding->text) - length,
			 "%s %u %s", separator, states[i],
			 uncore_state_name(i));
		separator = ",";
	}
}

static void check_units(const struct patient *patient, struct finding *finding)
{
	unsigned int i, total, states[UNKNOWN_STATE + 1] = { 0 };
	uint32_t reason = 0;
	struct uncore_pmu_unit info;

	if (!patient->uncore) {
		SAY(finding, "not known, the node is not open");
		bad(finding, NOTE, NULL);
		return;
	}
	total = uncore_num_units(patient->uncore);
	for (i = 0; i < total; i++) {
		if (uncore_unit_info(patient->uncore, i, &info) ||
		    info.state >= UNKNOWN_STATE) {
			states[UNKNOWN_STATE]++;
			continue;
		}
		states[info.state]++;
		if (info.state == UNCORE_PMU_STATE_INVALID ||
		    info.state == UNCORE_PMU_STATE_LOCKED)
			reason = info.reason;
	}
	if (!total && doctor_on_amd()) {
		SAY(finding, "0: AMD's processors have none to map, perf has "
		    "their counters");
		return;
	}
	say_states(finding, total, states);
	if (reason)
		bad(finding, TROUBLE, uncore_reason_text(reason));
	else if (states[UNCORE_PMU_STATE_GONE])
		bad(finding, TROUBLE, "devices were removed; should they be "
		    "back, have the module look anew: rmmod uncore_pmu, "
		    "modprobe uncore_pmu");
	else if (!states[UNCORE_PMU_STATE_OK])
		bad(finding, TROUBLE, "this machine shows no uncore PMU that "
		    "the module knows; RDPMC works all the same");
	else if (states[UNCORE_PMU_STATE_ABSENT])
		bad(finding, NOTE, "the firmware hides the absent ones, or "
		    "this model has them not: \"uncorectl list\"");
}

static void check_mcfg(const struct patient *patient, struct finding *finding)
{
	(void)patient;
	if (!access("/sys/firmware/acpi/tables/MCFG", F_OK) ||
	    !access("/sys/firmware/acpi/tables/MCFG1", F_OK)) {
		SAY(finding, "present");
		return;
	}
	if (doctor_on_amd()) {
		SAY(finding, "none, and no need of it on AMD's processors");
		return;
	}
	SAY(finding, "the firmware has none");
	bad(finding, NOTE, "units in PCI configuration space cannot be mapped "
	    "without it: look for a firmware update");
}

static void check_lockdown(const struct patient *patient,
			   struct finding *finding)
{
	char line[128];

	(void)patient;
	if (read_line(LOCKDOWN, line, sizeof(line))) {
		SAY(finding, "not known (securityfs is not mounted or not "
		    "readable)");
		return;
	}
	SAY(finding, "%s", line);
	if (strstr(line, "[confidentiality]"))
		bad(finding, TROUBLE, "it forbids reading counters: boot "
		    "without lockdown=confidentiality");
	else if (strstr(line, "[integrity]"))
		bad(finding, NOTE, "it forbids programming counters, not "
		    "reading them: boot without lockdown, or with Secure Boot "
		    "off");
}

static void check_machine(const struct patient *patient,
			  struct finding *finding)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	bool virtual_machine = false;
	char *line = NULL;
	char cpu[128];
	size_t size = 0;

	(void)patient;
	cpu_model_name(cpu, sizeof(cpu));
	SAY(finding, "%s", cpu);
	if (!file)
		return;
	while (!virtual_machine && getline(&line, &size, file) > 0)
		virtual_machine = !strncmp(line, "flags", 5) &&
				  strstr(line, " hypervisor");
	free(line);
	fclose(file);
	if (virtual_machine)
		bad(finding, NOTE, "a virtual machine: hypervisors seldom let "
		    "the uncore through");
}

/* How many counters are claimed, whoever may see them. */
static unsigned int count_claims(struct uncore *uncore)
{
	struct uncore_pmu_status status;
	unsigned int i, counter, count = 0;

	for (i = 0; i < uncore_num_units(uncore); i++)
		for (counter = 0; !uncore_status(uncore, i, counter, &status);
		     counter++)
			count += status.state == UNCORE_PMU_COUNTER_CLAIMED;
	return count;
}

/* Each level of it forbids programming; the one in force is in brackets. */
static bool is_locked_down(void)
{
	char line[128];

	return !read_line(LOCKDOWN, line, sizeof(line)) &&
	       strchr(line, '[') && !strstr(line, "[none]");
}

static void check_program(const struct patient *patient,
			  struct finding *finding)
{
	struct uncore *uncore;
	unsigned int standing;
	bool may, locked = is_locked_down();

	if (!patient->uncore) {
		SAY(finding, "not known, the node is not open");
		bad(finding, NOTE, NULL);
		return;
	}
	if (!uncore_num_units(patient->uncore) && doctor_on_amd()) {
		SAY(finding, "there is nothing to program: perf does it by "
		    "itself");
		return;
	}
	if (uncore_can_program(patient->uncore) == -EOPNOTSUPP) {
		SAY(finding, "the module is too old for it");
		bad(finding, NOTE,
		    uncore_strerror(UNCORE_CALL_PROGRAM, -EOPNOTSUPP));
		return;
	}
	may = !uncore_open_flags(patient->node, UNCORE_OPEN_PROGRAM, &uncore);
	if (may)
		uncore_close(uncore);
	standing = count_claims(patient->uncore);
	SAY(finding, "%u counter%s programmed; %s", standing,
	    standing == 1 ? " is" : "s are",
	    locked ? "kernel lockdown forbids to program others" :
	    may ? "this user may program others"
		: "this user may measure them, not program");
	if (!may && !locked && !standing)
		bad(finding, NOTE, "have root run \"uncorectl program "
		    "SPEC\", or add events to " EVENTS_CONF);
}

static const struct {
	const char *name;
	void (*check)(const struct patient *patient, struct finding *finding);
} checks[] = {
	{ "machine", check_machine },
	{ "module", check_module },
	{ "node", check_node },
	{ "group", check_group },
	{ "opening", check_open },
	{ "units", check_units },
	{ "MCFG", check_mcfg },
	{ "lockdown", check_lockdown },
	{ "rdpmc", check_rdpmc },
	{ "paranoid", check_paranoid },
	{ "perf", check_perf },
	{ "program", check_program },
};

int cmd_doctor(const struct options *options)
{
	static const char *const verdicts[] = { "ok", "note", "TROUBLE" };
	struct patient patient = {
		.node = options->device ? options->device : NODE,
	};
	int ret = EXIT_OK;
	size_t i;

	patient.error = uncore_open(patient.node, &patient.uncore);
	for (i = 0; i < ARRAY_SIZE(checks); i++) {
		struct finding finding = { FINE, "", NULL };

		checks[i].check(&patient, &finding);
		printf("%-8s %-9s ", verdicts[finding.verdict],
		       checks[i].name);
		print_visible(stdout, finding.text, 0);
		putchar('\n');
		if (finding.remedy)
			printf("%-18s %s\n", "", finding.remedy);
		if (finding.verdict == TROUBLE)
			ret = EXIT_FAILED;
	}
	uncore_close(patient.uncore);
	return written(ret);
}
