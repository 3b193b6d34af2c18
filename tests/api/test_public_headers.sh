#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every public header compiles on its own, and twice in a row, in C11 and in C++11, without a
# warning and without anything of ours but the public headers.
set -u
cd "$ODONATA_SOURCE" || exit 1
warnings=(-pedantic-errors -Wall -Wextra -Wshadow -Wundef -Werror -fsyntax-only -Iinclude)
failed=0
n=0
try() {
	printf '#include <odonata/%s>\n#include <odonata/%s>\n' "$header" "$header" | "$@" "${warnings[@]}" - ||
		{ echo "does not compile alone: $header: $*"; failed=1; }
}
for header in include/odonata/*.h; do
	header=${header##*/}
	try "${CC:-cc}" -x c -std=c11 -Wstrict-prototypes
	try "${CXX:-c++}" -x c++ -std=c++11
	[ $header = odonata.h ] || grep -q "<odonata/$header>" include/odonata/odonata.h ||
		{ echo "odonata.h does not include $header"; failed=1; }
	n=$((n + 1))
done
[ $n -ge 9 ] || { echo "expected 9 headers, found $n"; failed=1; }
exit $failed
