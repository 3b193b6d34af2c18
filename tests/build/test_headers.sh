#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every header compiles on its own, and twice in a row.
set -u
cd "$ODONATA_SOURCE" || exit 1
flags=(-std=gnu17 -D_GNU_SOURCE -I. -Iinclude -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only)
# OpenSM's headers lie outside the usual place, and its own warnings are not ours.
for folder in /usr/include/infiniband; do
	[ -d $folder ] && flags+=(-isystem $folder)
done
try() {
	printf '#include "%s"\n#include "%s"\n' "$1" "$1" | "${CC:-cc}" "${@:2}" -x c - ||
		{ echo "does not compile alone: $1"; exit 1; }
}
export -f try
find base fabric mapping routing export emulator experiment api live plugin cli bench tests -name '*.h' |
	sort | xargs -P2 -I{} bash -c 'try "$@"' try {} "${flags[@]}"
