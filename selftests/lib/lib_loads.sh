#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# PCI configuration space answers aligned 32-bit loads only, which memory that
# stands for it cannot tell. So the machine code is looked at: that of the built
# library, and that which compilers make of the inline functions.
#
# Test: where=host timeout=120

# shellcheck disable=SC2317 # functions are called by check
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$(dirname "$0")/tap.sh"

# Not -O0, which keeps all on the stack, where the walk loses sight of it.
LEVELS=("-O1" "-O2" "-O3" "-Os" "-O3 -march=x86-64-v3")

walk() {
	objdump -d --no-show-raw-insn -M att "$1" |
		perl "$TOP/selftests/lib/loads.pl" "${@:2}"
}

cat >"$tap_work/inline.c" <<'END'
#include <uncore.h>

uint64_t one(const struct uncore_counter *counter)
{
	return uncore_read(counter);
}

uint64_t known_loads(const struct uncore_counter *counter)
{
	return uncore_load_counter(counter, UNCORE_LOAD_PAIR);
}

uint32_t low(const struct uncore_counter *counter)
{
	return uncore_read_low(counter);
}

uint32_t control(const struct uncore_counter *counter)
{
	return uncore_control(counter);
}

void group(const struct uncore_group *group, uint64_t *values)
{
	uncore_group_read(group, values);
}

void group_low(const struct uncore_group *group, uint32_t *values)
{
	uncore_group_read_low(group, values);
}
END

# What must be found out, each in a function of its own.
cat >"$tap_work/wrong.c" <<'END'
#include <string.h>
#include <uncore.h>

uint64_t wide(const struct uncore_counter *counter)
{
	return *(const volatile uint64_t *)counter->address;
}

uint64_t wide_offset(const struct uncore_counter *counter)
{
	return *(const volatile uint64_t *)(counter->address + 2) & 1;
}

uint64_t narrow(const struct uncore_counter *counter)
{
	return *(const volatile uint8_t *)counter->address;
}

uint64_t half(const struct uncore_counter *counter)
{
	return *(const volatile uint16_t *)(counter->address + 1);
}

uint64_t indexed(const struct uncore_counter *counter, unsigned long i)
{
	return counter->address[i];
}

uint64_t wide_if_pair(const struct uncore_counter *counter)
{
	if (counter->load == UNCORE_LOAD_PAIR)
		return *(const volatile uint64_t *)counter->address;
	return *counter->address;
}

void vector(const struct uncore_counter *counter, void *to)
{
	memcpy(to, (const void *)counter->address, 16);
}

void store(const struct uncore_counter *counter)
{
	*(uint32_t *)(uintptr_t)counter->address = 0;
}

void wide_group(const struct uncore_group *group, uint64_t *values)
{
	for (uint32_t i = 0; i < group->count; i++)
		values[i] = *(const volatile uint64_t *)
			group->counters[i].address & group->counters[i].mask;
}
END

compile() {
	# shellcheck disable=SC2086 # the level may be two words
	"$1" $2 -std=c11 -Wall -Wextra -Werror -I"$LIB/include" \
		-I"$TOP/uapi" -c -o "$tap_work/$3.o" "$tap_work/$3.c"
}

inline_walk() {
	compile "$1" "$2" inline
	walk "$tap_work/inline.o" one=C known_loads=C low=C control=C group=G \
		group_low=G
}

is_found_out() {
	local name=${1%=*}

	! walk "$tap_work/wrong.o" "$1" >"$tap_work/$name" || {
		echo "$name was not found out"
		return 1
	}
	cat "$tap_work/$name"
	! grep -vE 'load through the counter|index on the counter|store to|does not know|no load of' \
		"$tap_work/$name"
}

WRONG=(wide=C wide_offset=C narrow=C half=C indexed=C wide_if_pair=C vector=C
	store=C wide_group=G)
plan $((1 + ${#COMPILERS[@]} * ${#LEVELS[@]} + ${#WRONG[@]}))

check "the shared library" walk "$BUILD/lib/libuncore.so.0" uncore_read=C \
	uncore_read_low=C uncore_control=C uncore_group_read=G \
	uncore_group_read_low=G uncore_counter_state=C
for compiler in "${COMPILERS[@]}"; do
	for level in "${LEVELS[@]}"; do
		check "inline functions, $compiler $level" \
			inline_walk "$compiler" "$level"
	done
done
compile "$CC" -O2 wrong
for wrong in "${WRONG[@]}"; do
	check "found out: ${wrong%=*}" is_found_out "$wrong"
done
finish
