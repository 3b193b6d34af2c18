#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every header compiles on its own, and twice in a row. That a source file includes its header before
# all others shows the first, wherever it is built; the others are compiled here.
set -u
cd "$ODONATA_SOURCE" || exit 1
flags=(-std=gnu17 -D_GNU_SOURCE -I. -Iinclude -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only)
# OpenSM's headers lie outside the usual place, and its own warnings are not ours.
for folder in /usr/include/infiniband; do
	[ -d $folder ] && flags+=(-isystem $folder)
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find base fabric yaml mapping routing export emulator saturation experiment api live plugin cli bench tests -name '*.[ch]' >"$work/all"
xargs awk '
FNR == 1 { first = 1 }
/^#ifndef ODONATA_.*_H$/ { guards[FILENAME]++ }
/^#include/ && first { begins[FILENAME] = $2; first = 0 }
FILENAME ~ /\.h$/ { header[FILENAME] }
END {
	for (h in header)
		if (begins[substr(h, 1, length(h) - 1) "c"] != "\"" h "\"" || guards[h] != 1)
			print h
}' <"$work/all" >"$work/others"
[ "$(grep -c '\.h$' "$work/all")" -gt 100 ] && [ -s "$work/others" ] || { echo "few headers found"; exit 1; }
while read -r header; do
	printf '#include "%s"\n#include "%s"\n' "$header" "$header" >"$work/${header//\//-}.c"
done <"$work/others"
# Each file is compiled by itself; to start the driver for each would take as long.
ls "$work"/*.c | xargs -P2 -n40 "${CC:-cc}" "${flags[@]}" || { echo "headers that do not compile alone"; exit 1; }
