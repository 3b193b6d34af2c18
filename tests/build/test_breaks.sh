#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The package of the plugin breaks every opensm whose version OpenSM would refuse the plugin for, and not the
# one that it was built for. The recipe for RPM takes the same version from OpenSM's headers.
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
fail() { echo "FAILED: $*" >&2; exit 1; }
grep -q 'odonata-opensm' "$build/CPackConfig.cmake" || { echo "built without the plugin"; exit 0; }
breaks=$(sed -n 's/^set(CPACK_DEBIAN_ODONATA-OPENSM_PACKAGE_BREAKS "\(.*\)")$/\1/p' "$build/CPackConfig.cmake")
[ -n "$breaks" ] || fail "the package breaks no opensm"
command -v dpkg >/dev/null || { echo "no dpkg here to compare versions"; exit 0; }

header=$(find /usr/include -path '*opensm/osm_version.h' | head -n 1)
built=$(sed -n 's/.*define OSM_VERSION.*OpenSM \([0-9.]*\)".*/\1/p' "$header")
by_spec=$(sed -n 's/^%global opensm %(\([a-z]* .*\) %{_includedir}.*)$/\1/p' "$root/packaging/odonata.spec")
[ "$(eval "$by_spec \"$header\"")" = "$built" ] || fail "odonata.spec takes another version from $header"
! command -v rpmspec >/dev/null || rpmspec -q --define "odonata_version 1" "$root/packaging/odonata.spec" >/dev/null ||
	fail "rpm cannot parse odonata.spec"

is_broken() { # VERSION
	local one how than
	while read -r one; do
		read -r how than <<<"$(sed 's/^ *opensm (\(.*\))$/\1/' <<<"$one")"
		! dpkg --compare-versions "$1" "$how" "$than" || return 0
	done < <(tr , '\n' <<<"$breaks")
	return 1
}
next=${built%.*}.$((${built##*.} + 1)) last=${built%.*}.$((${built##*.} - 1))
for version in "$built" "$built-2+b1" "$built-2ubuntu1" "$built-1~bpo12+1"; do
	! is_broken "$version" || fail "breaks opensm $version, for which it was built: $breaks"
done
for version in "$last-3" "$next-1" "$next~rc1-1" "$built.1-1" 4.0-1 3.3.5-1; do
	is_broken "$version" || fail "does not break opensm $version: $breaks"
done
echo "built for opensm $built; the package breaks others: $breaks"
