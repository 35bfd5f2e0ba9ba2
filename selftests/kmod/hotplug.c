// SPDX-License-Identifier: GPL-2.0-only
/* Test: where=guest machine=selftests/kmod/hotplug-2s.lspci user=root kernels=all timeout=300 */
/*
 * CPUs go offline under claims: what perf programmed moves with perf to another
 * CPU of the die, and is lost with the last; what we programmed does not care.
 */
#include <fcntl.h>
#include <sys/socket.h>

#include "claims.h"
#include "harness.h"
#include "perf.h"
#include "topo.h"

#define DIE	1
#define CPUS	2

FIXTURE(hotplug)
{
	struct rig rig;
	uint32_t unit;
	int cpu[CPUS];	/* of the die; perf's comes first */
	uint32_t *registers;
};

FIXTURE_VARIANT(hotplug)
{
	uint32_t via;
};

FIXTURE_VARIANT_ADD(hotplug, perf)
{
	.via = UNCORE_PMU_VIA_PERF,
};

FIXTURE_VARIANT_ADD(hotplug, direct)
{
	.via = UNCORE_PMU_VIA_DIRECT,
};

static int cpu_online(int cpu, bool online)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online",
		 cpu);
	return file_write(path, online ? "1" : "0");
}

FIXTURE_SETUP(hotplug)
{
	const struct uncore_pmu_unit *unit;
	struct uncore_pmu_program p;
	struct topo topo;
	int cpu, n = 0;

	ASSERT_EQ(0, rig_open(&self->rig));
	unit = rig_unit(&self->rig, "imc", 0, DIE);
	ASSERT_NE(NULL, unit);
	self->unit = unit->index;
	ASSERT_EQ(0, topo_read(&topo));
	self->cpu[0] = perf_pmu_cpu("imc", 0, DIE);
	ASSERT_LE(0, self->cpu[0]);
	for (cpu = 0; cpu < topo.cpus; cpu++)
		if (topo.cpu[cpu].die == DIE && cpu != self->cpu[0]) {
			ASSERT_GT(CPUS - 1, n);
			self->cpu[++n] = cpu;
		}
	ASSERT_EQ(CPUS - 1, n);
	if (variant->via == UNCORE_PMU_VIA_DIRECT) {
		ASSERT_EQ(0, perf_driver_unload());
	}
	/* perf unfreezes a unit with its first event, and leaves it so. */
	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0x304, &p));
	ASSERT_EQ(0, claim_release(self->rig.fd, p.claim));
	self->registers = registers_save(&self->rig);
	ASSERT_NE(NULL, self->registers);
}

FIXTURE_TEARDOWN(hotplug)
{
	int n;

	free(self->registers);
	rig_close(&self->rig);
	/* Perf's before comes back as perf's. */
	for (n = 0; n < CPUS; n++)
		cpu_online(self->cpu[n], true);
	if (!module_loaded("intel_uncore")) {
		EXPECT_EQ(0, perf_driver_load());
	} else {
		EXPECT_EQ(0, perf_driver_unload());
		EXPECT_EQ(0, perf_driver_load());
	}
}

static bool still_counts(const struct rig *rig,
			 const struct uncore_pmu_program *p)
{
	return counter_state(rig->fd, p->unit, p->counter) ==
		       UNCORE_PMU_COUNTER_CLAIMED &&
	       claim_counts(rig, p, 31337);
}

TEST_F(hotplug, another_cpu_of_the_die)
{
	struct uncore_pmu_program p;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0x304, &p));
	EXPECT_EQ(variant->via, p.via);
	ASSERT_EQ(0, cpu_online(self->cpu[1], false));
	EXPECT_TRUE(still_counts(&self->rig, &p));
	ASSERT_EQ(0, cpu_online(self->cpu[1], true));
	EXPECT_TRUE(still_counts(&self->rig, &p));
	EXPECT_TRUE(claim_unchanged(&self->rig, &p));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
}

/* Both kinds of counter, and one on the other die, which is not concerned. */
TEST_F(hotplug, perfs_cpu)
{
	const struct uncore_pmu_unit *other = rig_unit(&self->rig, "imc", 0, 0);
	struct uncore_pmu_program p[3];
	uint32_t now;
	int i;

	ASSERT_NE(NULL, other);
	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0x304, &p[0]));
	ASSERT_EQ(0, claim_fixed(self->rig.fd, self->unit, &p[1]));
	ASSERT_EQ(0, claim(self->rig.fd, other->index, 0x304, &p[2]));
	ASSERT_EQ(0, cpu_online(self->cpu[0], false));
	for (i = 0; i < 2; i++) {
		if (variant->via == UNCORE_PMU_VIA_DIRECT) {
			now = generation_of(self->rig.generations, p[i].unit,
					    p[i].counter);
			EXPECT_EQ(p[i].generation, now);
		} else {
			now = generation_await_change(self->rig.generations,
						      p[i].unit, p[i].counter,
						      p[i].generation);
			EXPECT_NE(p[i].generation, now);
		}
		EXPECT_EQ(1U, now & 1);
		EXPECT_TRUE(still_counts(&self->rig, &p[i]));
	}
	EXPECT_TRUE(still_counts(&self->rig, &p[2]));
	EXPECT_TRUE(claim_unchanged(&self->rig, &p[2]));
	/* It comes back, and nothing moves. */
	now = generation_of(self->rig.generations, p[0].unit, p[0].counter);
	ASSERT_EQ(0, cpu_online(self->cpu[0], true));
	EXPECT_TRUE(still_counts(&self->rig, &p[0]));
	EXPECT_EQ(now, generation_of(self->rig.generations, p[0].unit,
				     p[0].counter));
	EXPECT_EQ(0, release_all(&self->rig, p, 3));
}

/* Program on a die without a CPU, as far as that can be done. */
static void expect_program(struct __test_metadata *_metadata,
			   FIXTURE_DATA(hotplug) *self, int error)
{
	struct uncore_pmu_program p;

	EXPECT_EQ(-error, claim(self->rig.fd, self->unit, 0x106, &p));
	if (!error) {
		EXPECT_TRUE(still_counts(&self->rig, &p));
		EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	}
}

TEST_F(hotplug, whole_die)
{
	bool direct = variant->via == UNCORE_PMU_VIA_DIRECT;
	struct uncore_pmu_program p, kept;
	struct uncore_pmu_status status;
	const char *page = self->rig.page[self->unit];
	uint32_t n, enable;

	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0x304, &p));
	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0xc04, &kept));
	for (n = 0; n < CPUS; n++) {
		ASSERT_EQ(0, cpu_online(self->cpu[n], false));
	}
	EXPECT_EQ(direct ? UNCORE_PMU_COUNTER_CLAIMED :
			   UNCORE_PMU_COUNTER_LOST,
		  counter_state(self->rig.fd, p.unit, p.counter));
	EXPECT_EQ((uint32_t)direct, generation_of(self->rig.generations, p.unit,
						  p.counter) & 1);
	ASSERT_EQ(0, counter_status(self->rig.fd, p.unit, p.counter, &status));
	EXPECT_EQ(p.claim, status.claim);
	EXPECT_EQ(1U, status.own);
	expect_program(_metadata, self, direct ? 0 : EHOSTDOWN);
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	/* What is lost leaves no counter enabled. */
	enable = self->rig.units.unit[p.unit].counter[p.counter].enable;
	EXPECT_EQ(0U, page_load(page, self->rig.units.unit[p.unit]
					      .counter[p.counter].control) &
		      enable);
	EXPECT_EQ(UNCORE_PMU_COUNTER_FREE,
		  counter_state(self->rig.fd, p.unit, p.counter));
	for (n = 0; n < CPUS; n++) {
		ASSERT_EQ(0, cpu_online(self->cpu[n], true));
	}
	/* Lost is lost; but there is a CPU again for what comes. */
	EXPECT_EQ(direct ? UNCORE_PMU_COUNTER_CLAIMED :
			   UNCORE_PMU_COUNTER_LOST,
		  counter_state(self->rig.fd, kept.unit, kept.counter));
	EXPECT_EQ(0, claim_release(self->rig.fd, kept.claim));
	expect_program(_metadata, self, 0);
	EXPECT_EQ(0U, registers_changed(&self->rig, self->registers));
}

/* Programs and releases until told to stop; then says how often it could. */
static int programs_until_told(int sock, void *arg)
{
	uint32_t unit = *(uint32_t *)arg;
	int fd = node_open(O_RDWR);
	struct uncore_pmu_program p;
	int end = now_ms() + PATIENCE_MS;
	bool told = false;
	int stop;

	while (now_ms() < end) {
		int err = claim(fd, unit, 0x106, &p);

		if (!err && claim_release(fd, p.claim))
			return 1;
		if (err && err != -EHOSTDOWN)
			return -err;
		if (!err && !told)
			told = say(sock, 0);
		if (recv(sock, &stop, sizeof(stop), MSG_DONTWAIT) ==
		    sizeof(stop))
			return 0;
	}
	return 2;
}

TEST_F(hotplug, while_others_program)
{
	struct uncore_pmu_program p;
	struct child child;
	int i, n;

	ASSERT_EQ(0, child_start(&child, programs_until_told, &self->unit));
	ASSERT_EQ(0, heard(child.sock));
	for (i = 0; i < 5; i++) {
		for (n = 0; n < CPUS; n++) {
			ASSERT_EQ(0, cpu_online(self->cpu[n], false));
		}
		for (n = 0; n < CPUS; n++) {
			ASSERT_EQ(0, cpu_online(self->cpu[n], true));
		}
	}
	say(child.sock, 0);
	EXPECT_EQ(0, child_wait(&child));
	ASSERT_EQ(0, claim(self->rig.fd, self->unit, 0x304, &p));
	EXPECT_TRUE(still_counts(&self->rig, &p));
	EXPECT_EQ(0, claim_release(self->rig.fd, p.claim));
	EXPECT_EQ(0U, registers_changed(&self->rig, self->registers));
}

TEST_HARNESS_MAIN
