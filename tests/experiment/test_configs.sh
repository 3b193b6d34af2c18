#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# configs/README.md names every experiment of every file, and nothing that is not there.
set -u
odonata=$1/cli/odonata
cd "$ODONATA_SOURCE/configs" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# FILE EXPERIMENT, a line for each.
sed -n '/^## Files/,/^| folder/s/^| `\([^`]*\)` | \(.*\) |$/\1 \2/p' README.md | tr -d '`,' |
	awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | sort >"$work/told"
find . -name '*.yaml' -not -name 'base*' -not -path './plan/*' -printf '%P\n' | while IFS= read -r file; do
	"$odonata" experiment --list "$file" | awk -v file="$file" 'NR > 2 { print file, $1 }'
done | sort >"$work/there"
[ "$(wc -l <"$work/there")" -ge 101 ] || { echo "experiments are missing"; exit 1; }
diff -u "$work/told" "$work/there"
