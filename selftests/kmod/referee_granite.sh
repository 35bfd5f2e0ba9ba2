#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Test: where=guest platform=granite-rapids user=root kernels=6.12 timeout=600
#
# Linux 6.1 does not know Granite Rapids by name.

exec /selftests/referee
