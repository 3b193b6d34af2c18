#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Debian packages are built from nothing, lintian has no error and no warning for them, and they work in
# a Debian that has what they depend on, OpenSM and ibsim, and nothing else (installed.sh). Where
# debootstrap cannot make one, they are installed on this machine and removed again. RPMs are built, and no
# more. Some minutes.
set -u
launcher=$(sed -n 's/^CMAKE_C_COMPILER_LAUNCHER:[^=]*=//p' "$1/CMakeCache.txt")
here=$ODONATA_SOURCE/tests
work=$(mktemp -d)
mine=
PATH=$PATH:/usr/sbin:/sbin
cleanup() {
	# shellcheck disable=SC2086
	[ -z "$mine" ] || dpkg --purge $mine >/dev/null 2>&1
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
fail() {
	echo "FAILED: $*" >&2
	exit 1
}
quietly() {
	"$@" >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; fail "$*"; }
}

quietly cmake -S "$ODONATA_SOURCE" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
	-DCMAKE_INSTALL_PREFIX=/usr -DBUILD_TESTING=OFF -DCMAKE_C_COMPILER_LAUNCHER="$launcher"
quietly cmake --build "$work/build" --target odonata odonata-api odonata-plugin manual
(cd "$work/build" && umask 077 && quietly cpack -G DEB -B "$work/deb") || exit 1
debs=$(cd "$work/deb" && ls ./*.deb) || fail "no packages"
names=$(for deb in $debs; do dpkg-deb -f "$work/deb/$deb" Package; done | sort | xargs)
[ "$names" = "libodonata-dev libodonata0 odonata odonata-doc odonata-opensm" ] || fail "packages: $names"
dpkg-deb -f "$work"/deb/odonata-opensm_*.deb Depends | grep -qE '^libc6 \([^,]*\)$' ||
	fail "the plugin depends on more than libc"
lintian "$work"/deb/*.deb >"$work/lintian" 2>"$work/log" || { cat "$work/log" "$work/lintian" >&2; fail lintian; }
! grep -E '^[EW]:' "$work/lintian" >&2 || fail lintian
echo "built, and nothing for lintian: $names"

# The sample of a configuration has all options of the guide.
diff <(grep '^| `[a-z_]*=' "$ODONATA_SOURCE/docs/guide/opensm.md" | grep -o '`[a-z_]*=' | tr -d '`=' |
	grep -v '^conf$' | sort -u) \
	<(sed -n 's/^#\([a-z_]*\)=.*/\1/p' "$ODONATA_SOURCE/packaging/odonata.conf" | sort) ||
	fail "packaging/odonata.conf has not the options of docs/guide/opensm.md"
version=$(dpkg-deb -f "$work"/deb/odonata_*.deb Version)
[ "$version" = "$(cat "$work/build/version.txt")" ] || fail "packages of version $version"

# The spec builds, from what git would put into an archive. What it needs has other names in Debian.
tar -c -C "$ODONATA_SOURCE" --exclude='./build*' --exclude=./.git --transform "s#^\.#odonata-$version#" . |
	gzip -1 >"$work/odonata-$version.tar.gz"
CMAKE_C_COMPILER_LAUNCHER=$launcher quietly rpmbuild -bb --nodeps --define "_topdir $work/rpm" \
	--define "_sourcedir $work" --define "odonata_version $version" "$ODONATA_SOURCE/packaging/odonata.spec"
rpms=$(find "$work/rpm" -name '*.rpm' -printf '%f\n' | sed "s/-$version.*//" | sort | xargs)
[ "$rpms" = "odonata odonata-devel odonata-doc odonata-libs odonata-opensm" ] || fail "RPMs: $rpms"
echo "built as RPMs: $rpms"

[ "$(id -u)" -eq 0 ] || { echo "not root: the packages are not installed"; exit 0; }
needs=$(for deb in $debs; do dpkg-deb -f "$work/deb/$deb" Depends; done | tr ',' '\n' |
	sed 's/(.*//; s/ //g' | grep -v odonata | sort -u | paste -sd,)
if debootstrap --variant=minbase --include="$needs,opensm,ibsim-utils" \
	"$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/root" >"$work/log" 2>&1; then
	mkdir "$work/root/tests"
	cp -r "$work/deb" "$here/build" "$here/plugin" "$work/root/tests/"
	env -i PATH="$PATH" chroot "$work/root" bash /tests/build/installed.sh /tests/deb || exit 1
	echo "in a Debian of its own"
else
	tail -n 3 "$work/log"
	! dpkg-query -W -f='${Status}\n' $names 2>/dev/null | grep -q 'ok installed' || fail "some are installed here"
	mine=$names
	bash "$here/build/installed.sh" "$work/deb" || exit 1
	echo "on this machine"
fi
