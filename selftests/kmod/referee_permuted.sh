#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest machine=selftests/kmod/permuted-4s.lspci user=root kernels=all timeout=300
#
# There the kernel's own driver must find the same dies.

exec /selftests/referee
