#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The plugin needs nothing but libc, of which libm is a part: what opensm loads is opensm's business.
# Sanitizers bring theirs.
plugin=$1/plugin/libodonata.so
needed=$(objdump -p "$plugin" | awk '$1 == "NEEDED" { print $2 }')
[ -n "$needed" ] || { echo "$plugin: no list of libraries"; exit 1; }
more=$(grep -vE '^lib(c|m|asan|ubsan)\.so\.[0-9]+$' <<<"$needed")
[ -z "$more" ] || { echo "$plugin also needs:" $more; exit 1; }
! grep -q asan <<<"$needed" || exit 0 # which gives functions of libc its own, without a version
# Nothing is missing but OpenSM's own: what it takes from opensm is named so.
odd=$(nm -D --undefined-only "$plugin" | awk '$1 == "U" { print $2 }' |
	grep -vE '@GLIBC_|^(osm|cl|ib|complib|__asan|__ubsan|__sanitizer)_')
[ -z "$odd" ] || { echo "$plugin takes from elsewhere:" $odd; exit 1; }
