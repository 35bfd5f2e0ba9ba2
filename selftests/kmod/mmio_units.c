// SPDX-License-Identifier: GPL-2.0-only
/* What the tests of units in memory share. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "claims.h"
#include "mmio_units.h"

/* The device that carries the simulator's messages, which can be moved. */
#define PLUGGED		"/sys/bus/pci/devices/0000:00:03.0/"

int mmio_module_load(const char *parameters)
{
	static const char *const settle[] = { "udevadm", "settle", NULL };
	int fd = open(MODULE_FILE, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (syscall(SYS_finit_module, fd, parameters, 0))
		err = -errno;
	close(fd);
	if (!err)
		run(settle);
	return err;
}

int mmio_load_units(const char *parameters, struct units *units)
{
	int err = mmio_module_load(parameters);
	int fd;

	if (err)
		return err;
	fd = node_open(O_RDONLY);
	if (fd >= 0)
		*units = units_get(fd);
	return fd;
}

void mmio_unload_units(int *fd, struct units *units)
{
	unmap_all();
	units_free(units);
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	if (module_loaded(MODULE_NAME))
		module_unload();
}

uint64_t mmio_address(struct sim *sim, const struct uncore_pmu_unit *unit)
{
	struct sim_unit what = { 0 };
	struct sim_addr addr;

	if (mmio_find(sim, unit, &addr) || sim_describe(sim, addr, &what))
		return 0;
	return what.address;
}

int plugged_remove(void)
{
	return file_write(PLUGGED "remove", "1");
}

uint64_t plugged_find(void)
{
	unsigned long long start = 0;
	char text[1024];

	if (devices_rescan() ||
	    file_read(PLUGGED "resource", text, sizeof(text)) ||
	    sscanf(text, "%llx", &start) != 1)
		return 0;
	return start;
}

unsigned int mmio_count(const struct units *units, const char *type,
			uint32_t state)
{
	unsigned int i, n = 0;

	for (i = 0; i < units->count; i++)
		n += units->unit[i].state == state &&
		     (!type || unit_is(&units->unit[i], type));
	return n;
}
