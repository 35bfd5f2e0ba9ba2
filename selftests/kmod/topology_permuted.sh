#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest machine=selftests/kmod/permuted-4s.lspci user=root kernels=all timeout=120
#
# Sockets whose node ids and dies are in another order than their buses.

exec /selftests/topology
