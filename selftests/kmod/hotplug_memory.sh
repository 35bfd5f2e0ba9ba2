#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest machine=selftests/kmod/memory-2s.lspci user=root kernels=all timeout=300
#
# perf's driver unmaps units in memory when the last CPU of their die goes.

exec /selftests/hotplug
