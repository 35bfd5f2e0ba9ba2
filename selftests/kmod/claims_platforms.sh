#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest platform=full-sandybridge-ep,full-ivybridge-ep,full-haswell-ep,full-broadwell-ep,knl,full-skylake-sp,snowridge,full-icelake-sp,sapphire-rapids,alderlake user=root kernels=all timeout=300
#
# Every counter of every unit type that there is.

ANY_MACHINE=1 exec /selftests/claims_many
