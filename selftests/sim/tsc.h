/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TSC_H
#define TSC_H

/* How many thousand counts a second this host's TSC makes; 0 if not known. */
unsigned int tsc_khz(void);

#endif /* TSC_H */
