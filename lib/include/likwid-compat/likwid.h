/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For programs that include this one for the markers: there is nothing else. */
#include "likwid-marker.h"
