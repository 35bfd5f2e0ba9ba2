/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_PCI_H
#define FUZZ_LINUX_PCI_H

#include <stdbool.h>

struct pci_driver {
	int unused;
};

struct pci_dev {
	struct pci_driver *driver;
	bool is_bridge;
};

static inline bool pci_is_bridge(const struct pci_dev *dev)
{
	return dev->is_bridge;
}

#endif /* FUZZ_LINUX_PCI_H */
