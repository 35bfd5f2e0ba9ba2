/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Telling the service manager; without one, these do nothing. */
#ifndef UNCORECTL_NOTIFY_H
#define UNCORECTL_NOTIFY_H

/* Each gives 0 or an error. */
int notify(const char *message);
int notify_ready(const char *status);
int notify_reloading(void);

#endif /* UNCORECTL_NOTIFY_H */
