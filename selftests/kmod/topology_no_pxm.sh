#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest machine=selftests/kmod/topology-no-pxm.lspci user=root kernels=all timeout=120 intel_uncore=no
#
# Ten NUMA nodes, and two UBOX buses that firmware gives none: their die is not
# known. The kernel's own driver takes it for their neighbours' and warns that
# two units collide.

TOPOLOGY=no-pxm exec /selftests/topology_nodes
