/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions are in the test that needs them. */
#ifndef FUZZ_LINUX_PCI_H
#define FUZZ_LINUX_PCI_H

#include <linux/ioport.h>
#include <linux/types.h>

#define PCI_STD_NUM_BARS	6
#define PCI_BRIDGE_RESOURCES	13
#define PCI_BRIDGE_RESOURCE_END	16
#define PCI_NUM_RESOURCES	17
#define PCI_ANY_ID		(~0U)
#define PCI_VENDOR_ID_INTEL	0x8086
#define PCI_VENDOR_ID		0x00
#define PCI_COMMAND		0x04
#define PCI_COMMAND_MEMORY	0x2
#define PCI_BASE_ADDRESS_0	0x10
#define PCI_BASE_ADDRESS_SPACE_IO 0x1
#define PCI_BASE_ADDRESS_MEM_TYPE_64 0x4
#define PCI_BASE_ADDRESS_MEM_MASK (~0xfU)
#define PCI_CFG_SPACE_EXP_SIZE	4096
#define PCI_EXT_CAP_ID_DVSEC	0x23
#define PCI_DVSEC_HEADER1	0x4
#define PCI_DVSEC_HEADER1_VID(word) ((word) & 0xffff)
#define PCI_DVSEC_HEADER1_LEN(word) ((word) >> 20)
#define PCI_POSSIBLE_ERROR(value) ((value) == ~0U)
#define PCI_PM_CTRL		4
#define PCI_PM_CTRL_STATE_MASK	0x3
#define PCI_D3hot		3

struct pci_bus;

struct pci_driver {
	int unused;
};

struct pci_dev {
	struct pci_driver *driver;
	bool is_bridge;
	int references;
	u8 pm_cap;
	struct pci_bus *bus;
	struct resource resource[PCI_NUM_RESOURCES];
};

struct pci_dev *pci_get_device(unsigned int vendor, unsigned int device,
			       struct pci_dev *from);
int pci_find_next_ext_capability(struct pci_dev *dev, int start, int id);
int pcibus_to_node(struct pci_bus *bus);
int pci_read_config_word(struct pci_dev *dev, int where, u16 *value);
int pci_read_config_dword(struct pci_dev *dev, int where, u32 *value);

#define for_each_pci_dev(dev) \
	while (((dev) = pci_get_device(PCI_ANY_ID, PCI_ANY_ID, (dev))))

#define pci_resource_start(dev, bar)	((dev)->resource[bar].start)
#define pci_resource_flags(dev, bar)	((dev)->resource[bar].flags)
#define pci_resource_len(dev, bar)	resource_size(&(dev)->resource[bar])

static inline bool pci_is_bridge(const struct pci_dev *dev)
{
	return dev->is_bridge;
}

static inline struct pci_dev *pci_dev_get(struct pci_dev *dev)
{
	if (dev)
		dev->references++;
	return dev;
}

static inline void pci_dev_put(struct pci_dev *dev)
{
	if (dev)
		dev->references--;
}

#endif /* FUZZ_LINUX_PCI_H */
