/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _PLACE_H
#define _PLACE_H

/* A folder of made-up files, in place of one of the kernel's. */

/* @dir: receives its name, at least 32 bytes. Return: 0 or -errno. */
int place_make(char *dir);

/* Writes a file in it, in folders that are made if need be. */
void place_put(const char *dir, const char *file, const char *text);

/* Return: 0, or what nftw() returns. */
int place_remove(const char *dir);

#endif /* _PLACE_H */
