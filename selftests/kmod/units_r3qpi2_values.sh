#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest machine=selftests/kmod/units-r3qpi2.lspci user=root kernels=all timeout=120 intel_uncore=no
#
# Every counter of that machine, the third link's too.

exec /selftests/values
