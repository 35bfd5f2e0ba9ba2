#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Shows that a counter in PCI configuration space is reached by 32-bit loads
# only: walks every path through the machine code of functions that read
# counters and follows the pointer from struct uncore_counter to the register.
#
# The walk begins with %rdi pointing to a counter (C), a group (G) or a
# counter's mapping (M) of a CONFIG unit with 48-bit counters. What it knows of
# a value is one of
#
#	counter	points into struct uncore_counter, at an offset modulo its
#		size, or at an unknown offset
#	group	points to struct uncore_group
#	details	points to struct uncore_details
#	mapping	points to struct uncore_mapping
#	reg	points, or may point, into the unit's page; to a place that an
#		index chose, or not
#	number	a known number: the kind of loads
#	other	anything else
#
# and a branch on a known number is followed on its side only. It fails on what
# it does not understand: it never takes anything for granted that it cannot see.
#
# Usage: loads.pl FUNCTION=C|G... <objdump -d --no-show-raw-insn -M att FILE

use strict;
use warnings;

# The layout of the structures; lib_abi.c holds the library to it.
my $COUNTER_SIZE = 64;
my %COUNTER_FIELD = (
	0	=> [8, 'reg'],		# address
	20	=> [1, 'number', 1],	# load: UNCORE_LOAD_PAIR
	21	=> [1, 'number', 1],	# way
	32	=> [8, 'reg'],		# control
	40	=> [8, 'reg'],		# unit_control
	56	=> [8, 'details'],
);
my %GROUP_FIELD = (
	0	=> [8, 'counter', 0],	# counters
	8	=> [8, 'counter', 0],	# blocks_end
	16	=> [8, 'counter', 0],	# end
	28	=> [1, 'number', 1],	# load: UNCORE_LOAD_PAIR
	29	=> [1, 'number', 1],	# halves
);
my %DETAILS_FIELD = (
	16	=> [8, 'mapping'],
);
my %MAPPING_FIELD = (
	16	=> [8, 'reg'],		# page
);

my %WIDTH;
{
	my @old = ([qw(rax eax ax al)], [qw(rbx ebx bx bl)], [qw(rcx ecx cx cl)],
		   [qw(rdx edx dx dl)], [qw(rsi esi si sil)], [qw(rdi edi di dil)],
		   [qw(rbp ebp bp bpl)], [qw(rsp esp sp spl)]);
	push @old, ["r$_", "r${_}d", "r${_}w", "r${_}b"] for 8 .. 15;
	for my $names (@old) {
		$WIDTH{$names->[0]} = [$names->[0], 64];
		$WIDTH{$names->[1]} = [$names->[0], 32];
		$WIDTH{$names->[2]} = [$names->[0], 16];
		$WIDTH{$names->[3]} = [$names->[0], 8];
	}
}

my %code;		# address -> [mnemonic, operands, next address]
my %entry;		# function -> address
my ($loads, @problems);

sub read_code {
	my $last;

	while (my $line = <STDIN>) {
		if ($line =~ /^([0-9a-f]+) <([^>]+)>:/) {
			$entry{$2} = hex $1;
			undef $last;
		} elsif ($line =~ /^\s*([0-9a-f]+):\s+(.*?)\s*$/) {
			my ($address, $text) = (hex $1, $2);
			$text =~ s/\s*#.*//;
			$text =~ s/^(?:notrack|bnd|cs|ds|data16)\s+//g;
			my ($mnemonic, $operands) = split ' ', $text, 2;
			$code{$address} = [$mnemonic // 'nop', $operands // '', undef];
			$code{$last}[2] = $address if defined $last;
			$last = $address;
		}
	}
}

sub problem {
	my ($address, $what) = @_;
	push @problems, sprintf("%x: %s %s: %s", $address,
				$code{$address}[0], $code{$address}[1], $what);
}

# "8(%rax,%rbx,2), %rcx" -> its operands
sub split_operands {
	my @parts;
	my ($depth, $part) = (0, '');

	for my $char (split //, shift) {
		$depth++ if $char eq '(';
		$depth-- if $char eq ')';
		if ($char eq ',' && !$depth) {
			push @parts, $part;
			$part = '';
		} else {
			$part .= $char;
		}
	}
	push @parts, $part if $part ne '';
	return @parts;
}

sub other { return ['other'] }

# [displacement, base, index, scale] of a memory operand, or nothing
sub memory {
	my $operand = shift;

	return unless $operand =~ /^(-?(?:0x)?[0-9a-f]+)?\(([^)]*)\)$/;
	my ($displacement, $inside) = ($1, $2);
	my ($base, $index, $scale) = split /,/, $inside;
	for ($base, $index) {
		s/^%// if defined;
		undef $_ if defined && $_ eq '';
	}
	my $number = 0;
	if (defined $displacement) {
		my $negative = $displacement =~ s/^-//;
		$number = $displacement =~ /^0x/ ? hex $displacement : $displacement;
		$number = -$number if $negative;
	}
	return [$number, $base, $index, $scale];
}

sub known {
	my ($state, $register) = @_;
	return other() unless defined $register && $WIDTH{$register};
	return $state->{$WIDTH{$register}[0]} // other();
}

# What a memory operand points to
sub target {
	my ($state, $place) = @_;
	my ($displacement, $base, $index) = @$place;
	my $value = known($state, $base);
	my $also = known($state, $index);

	# Base and index may have changed places.
	($value, $also) = ($also, $value)
		if $value->[0] eq 'other' && $also->[0] ne 'other';
	return other() if $value->[0] eq 'number';
	if ($value->[0] eq 'counter') {
		return ['counter', undef] if defined $index || !defined $value->[1];
		return ['counter', ($value->[1] + $displacement) % $COUNTER_SIZE];
	}
	return [$value->[0], ($value->[1] // 0) + $displacement]
		if $value->[0] =~ /^(group|details|mapping)$/;
	return $value->[0] eq 'reg' ? ['reg', defined $index || $value->[1]]
				    : other();
}

sub on_stack {
	my ($place) = @_;
	return defined $place->[1] && $place->[1] =~ /^(rsp|rbp)$/;
}

sub field {
	my ($table, $offset, $bytes) = @_;
	my $field = $table->{$offset};
	return other() unless $field && $field->[0] == $bytes;
	return [@{$field}[1 .. $#$field]];
}

# What a load yields; checks the loads through a register's address.
sub load {
	my ($state, $address, $place, $bits) = @_;
	my $to = target($state, $place);

	if ($to->[0] eq 'reg') {
		$loads++;
		problem($address, "a $bits-bit load through the counter's address")
			if $bits != 32;
		problem($address, "an index on the counter's address") if $to->[1];
		return other();
	}
	if ($to->[0] eq 'counter') {
		# At an unknown offset it may be the address.
		return $bits == 64 ? ['reg'] : other() unless defined $to->[1];
		return field(\%COUNTER_FIELD, $to->[1], $bits / 8);
	}
	return field(\%GROUP_FIELD, $to->[1], $bits / 8) if $to->[0] eq 'group';
	return field(\%DETAILS_FIELD, $to->[1], $bits / 8)
		if $to->[0] eq 'details';
	return field(\%MAPPING_FIELD, $to->[1], $bits / 8)
		if $to->[0] eq 'mapping';
	problem($address, "a load from where the walk does not know")
		unless on_stack($place);
	return other();
}

sub set {
	my ($state, $operand, $value) = @_;
	return unless $operand =~ /^%(\w+)$/ && $WIDTH{$1};
	my ($register, $bits) = @{$WIDTH{$1}};
	$value = other() if $bits < 64 && $value->[0] ne 'number';
	$state->{$register} = $value;
}

# The value that a source operand has, with its load checked
sub source {
	my ($state, $address, $operand, $bits) = @_;

	if (my $place = memory($operand)) {
		return load($state, $address, $place, $bits);
	}
	return known($state, $1) if $operand =~ /^%(\w+)$/;
	return ['number', hex $1] if $operand =~ /^\$0x([0-9a-f]+)$/;
	return other();
}

# Bits that an instruction moves: from its suffix, or from its registers.
sub width {
	my ($mnemonic, @operands) = @_;

	return 8 if $mnemonic =~ /^movz?s?b[lqw]$|^movzx?b/;
	return 16 if $mnemonic =~ /^mov[zs]w[lq]$/;
	return 32 if $mnemonic =~ /^movslq$/;
	for my $operand (reverse @operands) {
		return 128 if $operand =~ /^%xmm/;
		return 256 if $operand =~ /^%ymm/;
		return 512 if $operand =~ /^%zmm/;
		return $WIDTH{$1}[1] if $operand =~ /^%(\w+)$/ && $WIDTH{$1};
	}
	return { b => 8, w => 16, l => 32, q => 64 }->{$1}
		if $mnemonic =~ /([bwlq])$/;
	return 0;
}

# Adds a constant to a pointer into a counter.
sub advance {
	my ($value, $number) = @_;
	return ['reg', $value->[1] || !defined $number]
		if $value->[0] eq 'reg';
	return ['counter', undef] if $value->[0] eq 'counter' &&
		(!defined $number || !defined $value->[1]);
	return ['counter', ($value->[1] + $number) % $COUNTER_SIZE]
		if $value->[0] eq 'counter';
	return other();
}

sub arithmetic {
	my ($state, $address, $mnemonic, $bits, @operands) = @_;
	my $to = $operands[-1];
	my $value = source($state, $address, $operands[0], $bits);

	if (memory($to)) {
		problem($address, "a change of a register of the unit")
			if target($state, memory($to))->[0] eq 'reg';
		return;
	}
	my $old = known($state, substr $to, 1);
	if ($mnemonic =~ /^(add|sub)/ && $bits == 64) {
		my $number = $value->[0] eq 'number' ? $value->[1] : undef;
		$number = -$number if defined $number && $mnemonic =~ /^sub/;
		my $pointer = $old->[0] =~ /^(counter|reg)$/ ? $old : $value;
		$number = undef if $pointer == $value;
		set($state, $to, advance($pointer, $number));
	} else {
		set($state, $to, other());
	}
}

sub compare {
	my ($state, $address, $bits, $mnemonic, @operands) = @_;
	my $first = source($state, $address, $operands[0], $bits);
	my $second = source($state, $address, $operands[1], $bits);

	if ($mnemonic =~ /^test/) {
		$state->{equal} = $operands[0] eq $operands[1] &&
			$first->[0] eq 'number' ? $first->[1] == 0 : undef;
		return;
	}
	$state->{equal} = $first->[0] eq 'number' && $second->[0] eq 'number'
		? $first->[1] == $second->[1] : undef;
}

# One instruction: the addresses that may come next.
sub step {
	my ($state, $address) = @_;
	my ($mnemonic, $text, $next) = @{$code{$address}};
	my @operands = split_operands($text);
	my $bits = width($mnemonic, @operands);

	return () if $mnemonic =~ /^(ret|retq|ud2|hlt)$/;
	return $next if $mnemonic =~ /^(nop|endbr64|push|pop|leave|xchg)/;
	if ($mnemonic =~ /^j/) {
		my $to = $text =~ /^([0-9a-f]+) </ ? hex $1 : undef;
		if (!defined $to || !$code{$to}) {
			problem($address, "a jump that the walk cannot follow");
			return ();
		}
		return $to if $mnemonic =~ /^jmpq?$/;
		return ($to, $next) if !defined $state->{equal} ||
			$mnemonic !~ /^jn?[ez]$/;
		my $taken = $mnemonic =~ /^jn/ ? !$state->{equal}
					       : $state->{equal};
		return $taken ? $to : $next;
	}
	if ($mnemonic =~ /^call/) {
		$state->{$_} = other() for qw(rax rcx rdx rsi rdi r8 r9 r10 r11);
		$state->{equal} = undef;
		return $next;
	}
	if ($mnemonic =~ /^(cmp|test)/) {
		compare($state, $address, $bits, $mnemonic, @operands);
		return $next;
	}
	if ($mnemonic =~ /^lea/) {
		my $place = memory($operands[0]);
		my $to = $place ? target($state, $place) : other();
		$to = other() if $to->[0] =~ /^(group|details|mapping)$/;
		set($state, $operands[1], $to);
		return $next;
	}
	if ($mnemonic =~ /^mov/ && @operands == 2 && memory($operands[1])) {
		problem($address, "a store to a register of the unit")
			if target($state, memory($operands[1]))->[0] eq 'reg';
		return $next;
	}
	if ($mnemonic =~ /^v?mov/ && @operands == 2) {
		set($state, $operands[1],
		    source($state, $address, $operands[0], $bits));
		return $next;
	}
	if ($mnemonic =~ /^rdpmc/) {
		set($state, $_, other()) for qw(%rax %rdx);
		return $next;
	}
	if (!@operands) {
		problem($address, "an instruction that the walk does not know");
		return ();
	}
	if ($mnemonic !~ /^(cmov|set)/) {
		$state->{equal} = undef;
		arithmetic($state, $address, $mnemonic, $bits, @operands);
		return $next;
	}
	source($state, $address, $operands[0], $bits);
	set($state, $operands[-1], other());
	return $next;
}

sub key {
	my ($state, $address) = @_;
	return join ' ', $address, map {
		my $value = $state->{$_};
		ref $value ? "$_=" . join ',', map { $_ // '?' } @$value
			   : "$_=" . ($value // '?')
	} sort keys %$state;
}

sub walk {
	my ($function, $kind) = @_;
	my %start = (C => ['counter', 0], G => ['group', 0], M => ['mapping', 0]);
	my (%seen, @work);

	if (!defined $entry{$function}) {
		push @problems, "no function $function";
		return;
	}
	$loads = 0;
	push @work, [$entry{$function}, { rdi => $start{$kind} }];
	while (my $item = pop @work) {
		my ($address, $state) = @$item;
		next if $seen{key($state, $address)}++;
		if (keys %seen > 200_000) {
			problem($address, "too many paths");
			return;
		}
		if (!$code{$address}) {
			push @problems, sprintf "%x: no code", $address;
			next;
		}
		my %copy = %$state;
		for my $next (step(\%copy, $address)) {
			if (!defined $next) {
				problem($address, "runs out of the code");
				next;
			}
			push @work, [$next, { %copy }];
		}
	}
	push @problems, "$function: no load of a register was seen" unless $loads;
}

read_code();
for my $argument (@ARGV) {
	my ($function, $kind) = split /=/, $argument;
	walk($function, $kind);
}
my %once;
print "$_\n" for grep { !$once{$_}++ } @problems;
exit(@problems ? 1 : 0);
