#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest intel_uncore=no timeout=240 kernels=6.1
#
# Standing events where the module programs the counters by itself.

exec /selftests/lib_service
