# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Part of scripts/vm: makes the archives that the guest's memory disk consists
# of. The kernel unpacks one after the other.

GUEST=$TOP/selftests/guest
UDEV_RULES=$TOP/scripts/packaging/60-uncore-pmu.rules
IMAGES=$BUILD/image
DEFAULT_RULES=/usr/lib/udev/rules.d/50-udev-default.rules

# pack DIRECTORY ARCHIVE
pack() {
	(cd "$1" && find . -print0 | sort -z |
		cpio --quiet --null -o -H newc -R 0:0) >"$2.new"
	mv "$2.new" "$2"
}

# stage DIRECTORY: prints the name of a new tree in it, which has the
# directories of a Debian system.
stage() {
	local root=$1/stage dir

	rm -rf "$root"
	mkdir -p "$root"/usr/{bin,sbin,lib,lib64}
	chmod 755 "$root"
	for dir in bin sbin lib lib64; do
		ln -sfn "usr/$dir" "$root/$dir"
	done
	echo "$root"
}

# add_libraries ROOT FILE...: the shared libraries that the programs need.
add_libraries() {
	local root=$1 library

	shift
	{ ldd "$@" 2>/dev/null || true; } |
		sed -n 's|^[^/]*\(/[^ :]*\) (0x.*|\1|p' | sort -u |
		while read -r library; do
			[[ -e $root$library ]] && continue
			mkdir -p "$root${library%/*}"
			cp -L "$library" "$root$library"
		done
}

# add_kernel_modules ROOT VERSION
add_kernel_modules() {
	local root=$1 kernel release name when word path
	local to

	kernel=$(kernel_dir "$2")
	release=$(cat "$kernel/release")
	to=/lib/modules/$release
	mkdir -p "$root$to" "$root/etc"
	cp "$kernel/lib/modules/$release"/modules.{builtin,builtin.modinfo,order} "$root$to"
	while read -r name when; do
		while read -r word path _; do
			[[ $word == insmod ]] || continue
			path=${path#"$kernel"}
			path=${path#/usr}
			add_kernel_module "$root" "$kernel" "$path"
			path=${path%.xz}
			path=${path%.zst}
			[[ $when == never ]] || echo "$path" >>"$root/etc/modules.$when"
		done < <(modprobe -d "$kernel" -S "$release" --show-depends "$name")
	done < <(grep -v '^#' "$GUEST/modules")
	depmod -b "$root" "$release"
}

# add_kernel_module ROOT KERNEL_DIR PATH: uncompressed, since init loads it.
add_kernel_module() {
	local root=$1 source=$2$3 target=$1$3

	mkdir -p "${target%/*}"
	case $source in
	*.xz) xz -dc "$source" >"${target%.xz}" ;;
	*.zst) zstd -qdc "$source" >"${target%.zst}" ;;
	*) cp "$source" "$target" ;;
	esac
}

add_udev() {
	local root=$1

	mkdir -p "$root/lib/udev/rules.d" "$root/lib/systemd" "$root/etc/udev"
	cp -L "$(command -v udevadm)" "$root/bin/udevadm"
	# Debian's udevd is udevadm under another name.
	cp -L /usr/lib/systemd/systemd-udevd "$root/lib/systemd/systemd-udevd"
	cmp -s "$root/bin/udevadm" "$root/lib/systemd/systemd-udevd" &&
		ln -sf /bin/udevadm "$root/lib/systemd/systemd-udevd"
	add_libraries "$root" "$(command -v udevadm)"
	cp "$DEFAULT_RULES" "$root/lib/udev/rules.d/"
	if [[ -e $UDEV_RULES ]]; then
		cp "$UDEV_RULES" "$root/lib/udev/rules.d/"
	fi
	echo 'udev_log=err' >"$root/etc/udev/udev.conf"
}

add_busybox() {
	local root=$1 busybox applet

	busybox=$(command -v busybox)
	cp -L "$busybox" "$root/bin/busybox"
	add_libraries "$root" "$busybox"
	"$busybox" --list | while read -r applet; do
		[[ -e $root/bin/$applet ]] || ln -s busybox "$root/bin/$applet"
	done
}

# What the base image of a kernel is made of.
base_key() {
	{
		kernel_dir "$1"
		sha256sum "$GUEST"/{modules,passwd,group} "$TOP/scripts/image.sh" "$BUILD/guest/init"
		[[ -e $UDEV_RULES ]] && sha256sum "$UDEV_RULES"
		stat -Lc '%n %s %Y' "$(command -v busybox)" "$(command -v udevadm)" \
			"$DEFAULT_RULES" /lib/x86_64-linux-gnu/libc.so.6
	} | sha256sum | cut -c 1-16
}

# base_image VERSION: prints the name of the archive, makes it if need be.
base_image() {
	local version=$1 image root

	image=$IMAGES/base-$version-$(base_key "$version").cpio
	if [[ ! -e $image ]]; then
		rm -f "$IMAGES/base-$version-"*
		root=$(stage "$IMAGES")
		mkdir -p "$root"/{dev,proc,sys,run,tmp,host,root,selftests} \
			"$root"/home/{member,outsider} "$root/etc"
		cp "$GUEST"/{passwd,group} "$root/etc/"
		cp "$BUILD/guest/init" "$root/init"
		add_udev "$root"
		add_busybox "$root"
		add_kernel_modules "$root" "$version"
		pack "$root" "$image"
		rm -rf "$root"
	fi
	echo "$image"
}

# The project's own programs: name on the host, directory in the guest.
tool_files() {
	local file

	for file in "$BUILD"/lib/* "$BUILD"/sim/simctl "$BUILD"/selftests/*; do
		[[ -f $file && -x $file ]] || continue
		case $file in
		*/lib/libuncore.so*) echo "$file /usr/lib/x86_64-linux-gnu" ;;
		*/selftests/*) echo "$file /selftests" ;;
		*) echo "$file /usr/bin" ;;
		esac
	done
	return 0
}

# tools_image: prints the name of the archive, makes it if need be. Symbols stay,
# for backtraces.
tools_image() {
	local image key root file dir

	key=$({
		sha256sum "$TOP/scripts/image.sh"
		tool_files | cut -d ' ' -f 1 | xargs stat -c '%n %s %y'
	} | sha256sum | cut -c 1-16)
	image=$IMAGES/tools-$key.cpio
	if [[ ! -e $image ]]; then
		rm -f "$IMAGES"/tools-*
		root=$(stage "$IMAGES")
		while read -r file dir; do
			mkdir -p "$root$dir"
			cp -P "$file" "$root$dir/"
			[[ -L $file ]] || strip --strip-debug "$root$dir/${file##*/}"
			LD_LIBRARY_PATH=$BUILD/lib add_libraries "$root" "$file"
		done < <(tool_files)
		rm -rf "$root$BUILD"
		pack "$root" "$image"
		rm -rf "$root"
	fi
	echo "$image"
}

# write_initrd FILE VERSION ARCHIVE: all archives in one. Runs at the same time
# must not remove what another one has just made. Prints the kernel's file.
write_initrd() {
	local base tools

	mkdir -p "$IMAGES"
	(
		flock 9
		base=$(base_image "$2")
		tools=$(tools_image)
		cat "$base" "$tools" "$3" >"$1"
		kernel_file "$2" "$IMAGES"
	) 9>"$IMAGES/.lock"
}

# run_image ARCHIVE ORDERS MODULE HOSTFILE...: what belongs to one run alone.
# MODULE may be empty.
run_image() {
	local image=$1 orders=$2 module=$3 root file

	shift 3
	root=$(stage "${image%/*}")
	mkdir -p "$root"/{etc,host} "$root/lib/modules"
	cp "$orders" "$root/etc/orders"
	if [[ -n $module ]]; then
		cp "$module" "$root/lib/modules/uncore_pmu.ko"
	fi
	for file; do
		cp -rL "$file" "$root/host/"
		chmod -R a+rX "$root/host/${file##*/}"
		if [[ -f $file ]]; then
			add_libraries "$root" "$file"
		fi
	done
	pack "$root" "$image"
	rm -rf "$root"
}
