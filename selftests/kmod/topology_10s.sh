#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest machine=selftests/kmod/topology-10s.lspci user=root kernels=all timeout=120
#
# Ten NUMA nodes, worked out once more from sysfs.

exec /selftests/topology
