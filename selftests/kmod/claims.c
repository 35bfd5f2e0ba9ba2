// SPDX-License-Identifier: GPL-2.0-only
/* What the tests of programming share. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "claims.h"
#include "mmio_units.h"
#include "perf.h"

#define WORDS	(PAGE / sizeof(uint32_t))

static int map_pages(struct rig *rig)
{
	unsigned int i;

	rig->page = calloc(rig->units.count, sizeof(*rig->page));
	if (!rig->page)
		return -ENOMEM;
	for (i = 0; i < rig->units.count; i++) {
		const struct uncore_pmu_unit *unit = &rig->units.unit[i];

		/* Without control, or if perf is wrong, no claim succeeds. */
		if (unit->state != UNCORE_PMU_STATE_OK ||
		    unit->unit_control == UNCORE_PMU_NO_REGISTER ||
		    perf_is_misplaced(unit) || perf_is_nameless(unit->type))
			continue;
		rig->page[i] = unit_map(rig->fd, &rig->units.unit[i]);
		if (rig->page[i] == MAP_FAILED) {
			rig->page[i] = NULL;
			return -errno;
		}
	}
	return 0;
}

int rig_open(struct rig *rig)
{
	int err;

	memset(rig, 0, sizeof(*rig));
	err = sim_open(&rig->sim);
	if (!err)
		err = sim_clock(rig->sim, false);
	if (err)
		return err;
	rig->fd = node_open(O_RDWR);
	if (rig->fd < 0)
		return rig->fd;
	rig->units = units_get(rig->fd);
	if (!rig->units.count)
		return -ENXIO;
	rig->generations = generations_map(rig->fd, &rig->generation_length);
	if (!rig->generations)
		return -errno;
	return map_pages(rig);
}

void rig_close(struct rig *rig)
{
	unsigned int i;

	for (i = 0; rig->page && i < rig->units.count; i++)
		if (rig->page[i])
			munmap(rig->page[i], PAGE);
	free(rig->page);
	if (rig->generations)
		munmap(rig->generations, rig->generation_length);
	units_free(&rig->units);
	if (rig->fd > 0)
		close(rig->fd);
	if (rig->sim) {
		sim_clock(rig->sim, true);
		sim_close(rig->sim);
	}
}

const struct uncore_pmu_unit *rig_unit(const struct rig *rig, const char *type,
				       uint32_t instance, int32_t die)
{
	const struct uncore_pmu_unit *unit;

	unit = units_find(&rig->units, type, instance, die);
	return unit && unit->state == UNCORE_PMU_STATE_OK ? unit : NULL;
}

static int program(int fd, uint32_t unit, uint32_t kind, uint64_t config,
		   struct uncore_pmu_program *out)
{
	struct uncore_pmu_program arg = {
		.size = sizeof(arg),
		.unit = unit,
		.kind = kind,
		.config = config,
	};
	int err = ioctl(fd, UNCORE_PMU_PROGRAM, &arg) ? -errno : 0;

	if (out)
		*out = arg;
	return err;
}

int claim(int fd, uint32_t unit, uint64_t config,
	  struct uncore_pmu_program *out)
{
	return program(fd, unit, UNCORE_PMU_KIND_GENERAL, config, out);
}

int claim_fixed(int fd, uint32_t unit, struct uncore_pmu_program *out)
{
	return program(fd, unit, UNCORE_PMU_KIND_FIXED, 0, out);
}

int claim_release(int fd, uint32_t number)
{
	struct uncore_pmu_release arg = {
		.size = sizeof(arg),
		.claim = number,
	};

	return ioctl(fd, UNCORE_PMU_RELEASE, &arg) ? -errno : 0;
}

int counter_status(int fd, uint32_t unit, uint32_t counter,
		   struct uncore_pmu_status *status)
{
	/* Leftovers in what the kernel has to fill in would show. */
	memset(status, 0xaa, sizeof(*status));
	status->size = sizeof(*status);
	status->flags = 0;
	status->unit = unit;
	status->counter = counter;
	return ioctl(fd, UNCORE_PMU_STATUS, status) ? -errno : 0;
}

int counter_state(int fd, uint32_t unit, uint32_t counter)
{
	struct uncore_pmu_status status;
	int err = counter_status(fd, unit, counter, &status);

	return err ? err : (int)status.state;
}

uint32_t *generations_map(int fd, uint32_t *length)
{
	struct uncore_pmu_info info = { .size = sizeof(info) };
	void *map;

	if (ioctl(fd, UNCORE_PMU_INFO, &info))
		return NULL;
	*length = info.generation_length;
	map = mmap(NULL, info.generation_length, PROT_READ, MAP_SHARED, fd,
		   UNCORE_PMU_GENERATION_OFFSET);
	return map == MAP_FAILED ? NULL : map;
}

uint32_t generation_of(const uint32_t *generations, uint32_t unit,
		       uint32_t counter)
{
	return page_load(generations,
			 4 * (unit * UNCORE_PMU_MAX_COUNTERS + counter));
}

uint32_t generation_await_change(const uint32_t *generations, uint32_t unit,
				 uint32_t counter, uint32_t from)
{
	int end = now_ms() + PATIENCE_MS;
	uint32_t now;

	do {
		now = generation_of(generations, unit, counter);
		if (now != from)
			break;
		sched_yield();
	} while (now_ms() < end);
	return now;
}

int counter_await(int fd, uint32_t unit, uint32_t counter, int state)
{
	int end = now_ms() + PATIENCE_MS;
	int now;

	do {
		now = counter_state(fd, unit, counter);
		if (now == state)
			break;
		sched_yield();
	} while (now_ms() < end);
	return now;
}

uint32_t plain_event(unsigned int number)
{
	static const uint8_t events[] = { 0x06, 0x0b, 0x0c, 0x0d, 0x0f, 0x16 };

	return events[number / 255 % sizeof(events)] |
	       (number % 255 + 1) << 8;
}

static const struct uncore_pmu_counter *
claim_counter(const struct rig *rig, const struct uncore_pmu_program *p)
{
	return &rig->units.unit[p->unit].counter[p->counter];
}

uint64_t claim_count(const struct rig *rig, const struct uncore_pmu_program *p)
{
	return mmio_load(rig->page[p->unit], &rig->units.unit[p->unit],
			 p->counter);
}

int claim_add(const struct rig *rig, const struct uncore_pmu_program *p,
	      uint64_t n)
{
	struct sim_addr addr;
	int err = mmio_find(rig->sim, &rig->units.unit[p->unit], &addr);

	return err ? err : sim_add(rig->sim, addr, p->counter, n);
}

bool claim_counts(const struct rig *rig, const struct uncore_pmu_program *p,
		  uint64_t n)
{
	uint64_t before = claim_count(rig, p);

	return !claim_add(rig, p, n) &&
	       ((claim_count(rig, p) - before) &
		counter_mask(claim_counter(rig, p))) == n;
}

bool claim_unchanged(const struct rig *rig, const struct uncore_pmu_program *p)
{
	return counter_state(rig->fd, p->unit, p->counter) ==
		       UNCORE_PMU_COUNTER_CLAIMED &&
	       generation_of(rig->generations, p->unit, p->counter) ==
		       p->generation;
}

bool claim_stops(const struct rig *rig, const struct uncore_pmu_program *p)
{
	uint32_t now = generation_await_change(rig->generations, p->unit,
					       p->counter, p->generation);

	return now != p->generation && !(now & 1) &&
	       counter_state(rig->fd, p->unit, p->counter) ==
		       UNCORE_PMU_COUNTER_REPROGRAMMED;
}

uint64_t claim_control(const struct rig *rig,
		       const struct uncore_pmu_program *p)
{
	const struct uncore_pmu_unit *unit = &rig->units.unit[p->unit];
	uint32_t at = claim_counter(rig, p)->control;
	uint64_t control = page_load(rig->page[p->unit], at);

	if (unit->config_mask >> 32 && p->kind == UNCORE_PMU_KIND_GENERAL)
		control |= (uint64_t)page_load(rig->page[p->unit], at + 4)
			   << 32;
	return control;
}

int claim_all(const struct rig *rig, struct uncore_pmu_program *claims, int max)
{
	int count = 0;
	unsigned int i;
	int err;

	for (i = 0; i < rig->units.count && count < max; i++) {
		if (!rig->page[i])
			continue;
		err = claim_fixed(rig->fd, i, &claims[count]);
		if (!err)
			count++;
		else if (err != -EOPNOTSUPP)
			return err;
		do {
			if (count == max)
				return count;
			err = claim(rig->fd, i, plain_event(count),
				    &claims[count]);
			if (!err)
				count++;
		} while (!err);
		if (err != -EBUSY)
			return err;
	}
	return count;
}

int release_all(const struct rig *rig, const struct uncore_pmu_program *claims,
		int count)
{
	int i, err;

	for (i = 0; i < count; i++) {
		err = claim_release(rig->fd, claims[i].claim);
		if (err)
			return err;
	}
	return 0;
}

uint32_t *registers_save(const struct rig *rig)
{
	uint32_t *saved = calloc(rig->units.count, PAGE);
	unsigned int i, n;

	if (!saved || sim_sync(rig->sim)) {
		free(saved);
		return NULL;
	}
	for (i = 0; i < rig->units.count; i++)
		for (n = 0; rig->page[i] && n < WORDS; n++)
			saved[i * WORDS + n] = page_load(rig->page[i], 4 * n);
	return saved;
}

unsigned int registers_changed(const struct rig *rig, const uint32_t *saved)
{
	unsigned int changed = 0;
	unsigned int i, n;

	if (sim_sync(rig->sim))
		return ~0U;
	for (i = 0; i < rig->units.count; i++) {
		for (n = 0; rig->page[i] && n < WORDS; n++) {
			uint32_t now = page_load(rig->page[i], 4 * n);

			if (now == saved[i * WORDS + n])
				continue;
			if (changed++ < 8)
				printf("# %s: register %#x was %#x, is %#x\n",
				       unit_name(&rig->units.unit[i]), 4 * n,
				       saved[i * WORDS + n], now);
		}
	}
	return changed;
}

#define DEVICE_NAME_LEN	32

static void device_name(const struct uncore_pmu_unit *unit, char *name)
{
	snprintf(name, DEVICE_NAME_LEN, "%04x:%02x:%02x.%x", unit->segment,
		 unit->bus, unit->device, unit->function);
}

static int device_write(const struct uncore_pmu_unit *unit, const char *file,
			const char *text)
{
	char path[128], name[DEVICE_NAME_LEN];

	device_name(unit, name);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", name, file);
	return file_write(path, text);
}

int device_remove(const struct uncore_pmu_unit *unit)
{
	return device_write(unit, "remove", "1");
}

int device_unbind(const struct uncore_pmu_unit *unit)
{
	char name[DEVICE_NAME_LEN];

	device_name(unit, name);
	return device_write(unit, "driver/unbind", name);
}

int device_bind_stranger(const struct uncore_pmu_unit *unit)
{
	static const char *const modprobe[] = {
		"modprobe", "uio_pci_generic", NULL
	};
	char name[DEVICE_NAME_LEN];
	int err = run(modprobe);

	if (!err)
		err = device_write(unit, "driver_override", "uio_pci_generic");
	if (err)
		return err;
	device_name(unit, name);
	err = file_write("/sys/bus/pci/drivers_probe", name);
	/* It stays with this one; the next may be another again. */
	return err ? err : device_write(unit, "driver_override", "\n");
}

int perf_driver_load(void)
{
	static const char *const modprobe[] = {
		"modprobe", "intel-uncore", NULL
	};

	return run(modprobe);
}

int perf_driver_unload(void)
{
	return module_loaded("intel_uncore") ? module_remove("intel_uncore") :
					       0;
}

int devices_rescan(void)
{
	int err = perf_driver_unload();

	return err ? err : file_write("/sys/bus/pci/rescan", "1");
}

int machine_restore(void)
{
	int err;

	if (module_loaded(MODULE_NAME)) {
		err = module_unload();
		if (err)
			return err;
	}
	err = devices_rescan();
	if (!err)
		err = perf_driver_load();
	return err ? err : module_load();
}
