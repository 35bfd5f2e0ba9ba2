# SPDX-License-Identifier: GPL-2.0-or-later
# The devices that scripts/vm asks for, and nothing else.
CONFIG_I440FX=y

# -device loader, which puts tables and configuration spaces into guest RAM
CONFIG_GENERIC_LOADER=y
# -device ivshmem-plain, the simulator's control page
CONFIG_IVSHMEM_DEVICE=y
# -device isa-debugcon (kernel log) and isa-debug-exit; isa-serial comes with
# the machine
CONFIG_ISA_DEBUG=y
# -device virtio-serial-pci and virtserialport: output and exit status
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_SERIAL=y
# -device virtio-blk-pci, virtio-rng-pci: what tests may add by QEMU_ARGS
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_RNG=y
# a clock source that is there in stock QEMU, too
CONFIG_HPET=y
