# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Part of scripts/setup: gets packages from the distribution's archive.

# The files of the kernel source that the build and the linters use.
SOURCE_FILES=(
	scripts/checkpatch.pl
	scripts/const_structs.checkpatch
	scripts/kernel-doc
	scripts/spelling.txt
	tools/testing/selftests/kselftest.h
	tools/testing/selftests/kselftest_harness.h
)

apt_install() {
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "$@" </dev/null >&2
}

lists_are_fresh=no

# Old lists are better than none, so failure to read new ones is not yet one.
refresh_lists() {
	[[ $lists_are_fresh == yes ]] && return
	note "reading the package lists"
	as_root apt-get -qq -o DPkg::Lock::Timeout=600 update >&2 ||
		note "apt-get update failed"
	lists_are_fresh=yes
}

# A new machine has no package lists at all.
need_lists() {
	[[ -n $(apt-cache pkgnames linux-headers 2>/dev/null | head -n 1) ]] && return
	refresh_lists
}

# package_field PACKAGE FIELD: of the version that would be installed.
package_field() {
	apt-cache show --no-all-versions "$1" 2>/dev/null |
		sed -n "s/^$2: //p" | head -n 1
}

# newest_release VERSION: the newest kernel release of which the archive has
# both an image and the headers; nothing if there is none.
newest_release() {
	local all release

	all=$(apt-cache pkgnames linux- | grep -E '^linux-(image|headers)-[0-9].*-cloud-amd64$' || true)
	sed -n "s/^linux-image-\($1\.[0-9].*\)/\1/p" <<<"$all" | sort -rV |
		while read -r release; do
			grep -qxF "linux-headers-$release" <<<"$all" || continue
			[[ -n $(package_field "linux-image-$release" Version) ]] || continue
			[[ -n $(package_field "linux-headers-$release" Version) ]] || continue
			echo "$release"
			break
		done
}

# download DIR PACKAGE...
download() {
	local dir=$1

	shift
	(cd "$dir" && apt-get -qq -o APT::Sandbox::User=root download "$@" >&2)
}

# header_packages RELEASE: the headers and what they include or run.
header_packages() {
	local dependency

	echo "linux-headers-$1"
	package_field "linux-headers-$1" Depends | tr ',' '\n' |
		while read -r dependency _; do
			case $dependency in
			linux-headers-*|linux-kbuild-*) echo "$dependency" ;;
			esac
		done
}

# relocate_headers ROOT DIR: the packages expect to be unpacked at the root of
# the file system, and will be in DIR.
relocate_headers() {
	local root=$1 dir=$2 file

	for file in "$root"/usr/src/linux-headers-*/Makefile; do
		sed -i "s|^include /usr/src/|include $dir/usr/src/|" "$file"
	done
	# Where kbuild lives differs between releases; the links between the
	# packages are relative, and must not leave the cache.
	for file in "$root"/usr/src/linux-headers-*/{scripts,tools}; do
		[[ -e $file ]] || die "$file is a broken link"
	done
}

unpack_kernel() {
	local version=$1 release=$2 dir=$3 work packages deb

	mapfile -t packages < <(header_packages "$release")
	work=$(mktemp -d "$CACHE/kernels/$version/new.XXXXXX")
	chmod 755 "$work"
	mkdir "$work/debs" "$work/root"
	note "fetching kernel $release"
	if ! download "$work/debs" "linux-image-$release" "${packages[@]}"; then
		rm -rf "$work"
		die "cannot download kernel $release"
	fi
	for deb in "$work"/debs/*.deb; do
		dpkg-deb -x "$deb" "$work/root"
	done
	rm -rf "$work/debs"
	# On a merged /usr the modules are in usr/lib.
	if [[ ! -e $work/root/lib/modules ]]; then
		mkdir -p "$work/root/lib"
		ln -s ../usr/lib/modules "$work/root/lib/modules"
	fi
	depmod -b "$work/root" "$release"
	relocate_headers "$work/root" "$dir"
	echo "$release" >"$work/root/release"
	rm -rf "$dir"
	mv "$work/root" "$dir"
	rmdir "$work"
}

# fetch_kernel VERSION UPDATE: makes $CACHE/kernels/VERSION/current.
fetch_kernel() {
	local version=$1 update=$2 base=$CACHE/kernels/$1 release package_version dir

	[[ $update == no ]] && kernel_dir "$version" >/dev/null && return
	[[ $update == no && -e $base/unavailable &&
	   $base/unavailable -nt /etc/os-release ]] && return
	mkdir -p "$base"
	# What an interrupted run left behind; its lock is ours.
	rm -rf "$base"/new.*
	# The newest release of old lists may be gone from the archive.
	refresh_lists
	release=$(newest_release "$version")
	if [[ -z $release ]]; then
		echo "the archive of this distribution has no kernel $version" >"$base/unavailable"
		return
	fi
	package_version=$(package_field "linux-image-$release" Version)
	dir=$base/${release}_$package_version
	[[ -r $dir/release ]] || unpack_kernel "$version" "$release" "$dir"
	ln -sfn "${dir##*/}" "$base/current"
	rm -f "$base/unavailable"
}

# kernel_compilers: the packages of the compilers that the headers name.
kernel_compilers() {
	local version dir

	for version in "${KERNELS[@]}"; do
		dir=$(kernel_dir "$version") || continue
		grep -ohE 'gcc-[0-9]+' "$dir"/usr/src/linux-headers-*/.kernelvariables || true
	done | sort -u
}

# fetch_source UPDATE: makes $CACHE/source/current.
fetch_source() {
	local update=$1 base=$CACHE/source candidate='' version dir work i

	[[ $update == no && -r $base/current/version ]] && return
	rm -rf "$base"/new.*
	refresh_lists
	for ((i = ${#KERNELS[@]} - 1; i >= 0; i--)); do
		candidate=linux-source-${KERNELS[i]}
		version=$(package_field "$candidate" Version)
		[[ -n $version ]] && break
	done
	[[ -n $version ]] || die "the archive has no linux-source package"

	dir=$base/${candidate}_$version
	if [[ ! -r $dir/version ]]; then
		mkdir -p "$base"
		work=$(mktemp -d "$base/new.XXXXXX")
		chmod 755 "$work"
		note "fetching $candidate $version"
		download "$work" "$candidate" || die "cannot download $candidate"
		extract_source "$candidate" "$work"
		echo "$candidate $version" >"$work/version"
		rm -rf "$dir"
		mv "$work" "$dir"
	fi
	ln -sfn "${dir##*/}" "$base/current"
}

extract_source() {
	local name=$1 work=$2 deb

	deb=$(echo "$work"/*.deb)
	dpkg-deb --fsys-tarfile "$deb" |
		tar -xO "./usr/src/$name.tar.xz" |
		tar -xJ -C "$work" --strip-components=1 "${SOURCE_FILES[@]/#/$name/}"
	rm "$deb"
}
