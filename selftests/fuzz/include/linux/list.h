/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FUZZ_LINUX_LIST_H
#define FUZZ_LINUX_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD(name)		struct list_head name = { &(name), &(name) }

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline void list_add_tail(struct list_head *new, struct list_head *head)
{
	new->next = head;
	new->prev = head->prev;
	head->prev->next = new;
	head->prev = new;
}

#define list_entry(at, type, member) \
	((type *)((char *)(at) - offsetof(type, member)))

#define list_last_entry(head, type, member) \
	list_entry((head)->prev, type, member)
#define list_entry_is_head(pos, head, member)	(&(pos)->member == (head))

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

#define list_for_each_entry(pos, head, member)				\
	for (pos = list_entry((head)->next, __typeof__(*pos), member);	\
	     &pos->member != (head);					\
	     pos = list_entry(pos->member.next, __typeof__(*pos), member))

#define list_for_each_entry_safe(pos, n, head, member)			\
	for (pos = list_entry((head)->next, __typeof__(*pos), member),	\
	     n = list_entry(pos->member.next, __typeof__(*pos), member); \
	     &pos->member != (head);					\
	     pos = n,							\
	     n = list_entry(n->member.next, __typeof__(*n), member))

#endif /* FUZZ_LINUX_LIST_H */
