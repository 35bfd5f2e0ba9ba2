#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest machine=selftests/kmod/topology-snc.lspci user=root kernels=all timeout=120
#
# Ten NUMA nodes, two to a socket: a node's number is not its die's.

TOPOLOGY=snc exec /selftests/topology_nodes
