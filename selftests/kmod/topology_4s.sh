#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest machine=selftests/sim/machines/snb-ep-4s-dell-server.lspci user=root kernels=all timeout=120
#
# Four sockets.

exec /selftests/topology
