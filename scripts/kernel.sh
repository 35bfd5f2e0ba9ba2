# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Part of scripts/vm: the file of the kernel that QEMU starts. Debian's is
# compressed, and unpacks itself; the simulated processor takes a tenth of the
# time of a boot for that. What it contains can be started directly as well.

# Fields of the head of the file: the kernel's Documentation/arch/x86/boot.rst.
HEAD_SETUP_SECTS=0x1f1
HEAD_PAYLOAD=0x248		# offset and length

# unpack_payload BZIMAGE: prints the kernel without its wrapping.
unpack_payload() {
	local sectors offset length magic decompress

	sectors=$(od -An -tu1 -j $((HEAD_SETUP_SECTS)) -N1 "$1")
	read -r offset length < <(od -An -tu4 -j $((HEAD_PAYLOAD)) -N8 "$1")
	offset=$((offset + (sectors + 1) * 512))
	magic=$(od -An -tx1 -j "$offset" -N4 "$1" | tr -d ' ')
	case $magic in
	28b52ffd) decompress=zstd ;;
	02214c18) decompress=lz4 ;;
	fd377a58) decompress=xz ;;
	*) return 1 ;;
	esac
	# The last four bytes are the length of what is unpacked.
	dd "if=$1" iflag=skip_bytes,count_bytes bs=64K status=none \
		"skip=$offset" "count=$((length - 4))" | "$decompress" -qdc
}

# can_start FILE: does that kernel say where a hypervisor may start it (PVH)?
can_start() {
	readelf -nW "$1" 2>/dev/null | grep -q '^ *Xen .*(0x00000012)'
}

# packed_kernel VERSION: prints the name of Debian's file.
packed_kernel() {
	local kernel

	kernel=$(kernel_dir "$1")
	echo "$kernel/boot/vmlinuz-$(cat "$kernel/release")"
}

# kernel_file VERSION DIR: prints the name of the file to start, which may be
# made in that directory. Only one process at a time may ask.
kernel_file() {
	local packed file

	packed=$(packed_kernel "$1")
	file=$2/vmlinux-$1-$(stat -Lc '%n %s %Y' "$packed" | sha256sum | cut -c 1-16)
	if [[ ! -e $file ]]; then
		rm -f "$2/vmlinux-$1-"*
		if ! unpack_payload "$packed" >"$file.new" || ! can_start "$file.new"; then
			ln -sf "$packed" "$file.new"
		fi
		mv "$file.new" "$file"
	fi
	echo "$file"
}
