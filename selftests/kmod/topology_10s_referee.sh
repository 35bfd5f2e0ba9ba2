#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest machine=selftests/kmod/topology-10s.lspci user=root kernels=all timeout=300
#
# The kernel's own driver must find the same ten dies.

exec /selftests/referee
