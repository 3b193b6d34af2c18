#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every header compiles on its own, and twice in a row.
set -u
cd "$ODONATA_SOURCE" || exit 1
flags=(-std=gnu17 -D_GNU_SOURCE -I. -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only)
# OpenSM's headers lie outside the usual place, and its own warnings are not ours.
for folder in /usr/include/infiniband; do
	[ -d $folder ] && flags+=(-isystem $folder)
done
failed=0
while IFS= read -r header; do
	printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
		"${CC:-cc}" "${flags[@]}" -x c - || { echo "does not compile alone: $header"; failed=1; }
done < <(find base fabric mapping routing export emulator experiment live plugin cli bench tests -name '*.h' | sort)
exit $failed
