/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_FS_H
#define FUZZ_LINUX_FS_H

struct file;
struct file_operations;

#endif /* FUZZ_LINUX_FS_H */
