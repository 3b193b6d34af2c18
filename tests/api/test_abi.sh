#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The binary interface is the one that is committed: the library exports exactly the functions of
# the headers, and prototypes, values, sizes and offsets are those of api/abi.txt.
# With `--write` that file is written anew: after functions or members at the ends of structs have
# been added, or ODONATA_ABI has been counted up.
set -u
build=${1:-build}
export ODONATA_SOURCE=${ODONATA_SOURCE:-$PWD}
. "$ODONATA_SOURCE/tests/api/promises.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
	echo "$@"
	failed=1
}
promises >"$work/promised" || fail "the headers cannot be read"

# A program that tells what the compiler makes of them.
{
	cat <<-'END'
		#include <odonata/odonata.h>
		#include <stdio.h>
		#define SIZE(s, m) sizeof(((s *)0)->m)
		#define CONSTANT(c) printf("%s = %lld\n", #c, (long long)c)
		#define MEMBER(s, m) printf("%s.%s at %zu, %zu bytes\n", #s, #m, offsetof(s, m), SIZE(s, m))
		#define STRUCT(s, last) printf("%s of %zu bytes, unused at its end: %zu\n", #s, sizeof(s), \
			sizeof(s) - offsetof(s, last) - SIZE(s, last))
		int main(void) {
	END
	awk '
	$1 == "member" { last[$2] = $3; printf "MEMBER(%s, %s);\n", $2, $3 }
	$1 == "constant" { printf "CONSTANT(%s);\n", $2 }
	END { for (s in last) printf "STRUCT(%s, %s);\n", s, last[s] | "sort" }' "$work/promised"
	echo 'return 0; }'
} >"$work/layout.c"
"${CC:-cc}" -std=c11 -I"$ODONATA_SOURCE/include" "$work/layout.c" -o "$work/layout" || fail "layout"
{
	echo "# The binary interface on 64-bit machines. Written by: tests/api/test_abi.sh --write"
	awk '$1 == "function" { sub(/^[^ ]+ [^ ]+ /, ""); print }' "$work/promised" | sort
	"$work/layout"
} >"$work/abi.txt"
if [ "$build" = --write ]; then
	cp "$work/abi.txt" "$ODONATA_SOURCE/api/abi.txt"
	exit
fi
if [ "$(getconf LONG_BIT)" = 64 ]; then
	diff "$ODONATA_SOURCE/api/abi.txt" "$work/abi.txt" || fail "the interface has changed, see above"
fi
# Later versions put members there, which callers of this one have not set.
grep 'unused at its end: [^0]' "$work/abi.txt" && fail "a struct has padding at its end"

# Functions of the headers, of the version script and of the library.
awk '$1 == "function" { print $2 }' "$work/promised" | sort >"$work/headers"
sed -n 's/^\t\(odonata_[a-z_]*\);$/\1/p' "$ODONATA_SOURCE/api/odonata.map" | sort >"$work/map"
[ -s "$work/headers" ] || fail "no functions"
diff "$work/headers" "$work/map" || fail "headers (<) and api/odonata.map (>) differ"
library=$build/api/libodonata-api.so
abi=$(awk '/^#define ODONATA_ABI / { print $3 }' "$ODONATA_SOURCE/include/odonata/base.h")
readelf -d "$library" | grep -q "SONAME.*\[libodonata-api.so.$abi\]" || fail "its name has not ABI $abi"
# Sanitizers put symbols and libraries of their own there.
if ! nm -D "$library" | grep -qE ' (U|w) __(asan|ubsan|tsan|gcov)'; then
	nm -D --defined-only --without-symbol-versions "$library" | awk '$2 != "A" { print $3 }' |
		sort >"$work/exported"
	diff "$work/headers" "$work/exported" || fail "headers (<) and exported symbols (>) differ"
	nm -D --defined-only "$library" | awk '$2 != "A"' | grep -v "@@ODONATA_$abi\$" &&
		fail "not of version ODONATA_$abi"
	readelf -d "$library" | grep NEEDED | grep -vE 'lib(c|m|pthread|mpi)\.so' && fail "needs more"
fi

# What a program gets that includes them: names of ours only.
"${CC:-cc}" -E -dM -I"$ODONATA_SOURCE/include" "$ODONATA_SOURCE/include/odonata/odonata.h" >"$work/all"
printf '#include <stddef.h>\n#include <stdint.h>\n' | "${CC:-cc}" -E -dM - | cat - "$work/all" |
	awk '{ print $2 }' | sort | uniq -u | grep -v '^ODONATA_' && fail "macros without our prefix"
exit $failed
