#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the README and the guides show is what comes out: every ```console block of a page, in order,
# in a folder of its own.
# Lines of "..." stand for lines left out. Numbers may be off by a quarter, so that a change
# in how detours or the emulator work leaves the page true.
set -u
build=$1
export PATH=$build/cli:$PATH LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# Compare what came out with a block's lines, where "..." matches any number of lines.
matches() {
	awk 'NR == FNR { want[++n] = $0; next } { got[++m] = $0 }
	     function same(a, b,   x, y, n, i) {
		     if (a == b) return 1
		     n = split(a, x, " ")
		     if (split(b, y, " ") != n) return 0
		     for (i = 1; i <= n; i++)
			     if (x[i] != y[i] && !(x[i] ~ /^[0-9.]+$/ && y[i] ~ /^[0-9.]+$/ &&
				 x[i] <= y[i] * 1.25 && y[i] <= x[i] * 1.25)) return 0
		     return 1
	     }
	     function match_from(i, j,   k) {
		     if (i > n) return j > m
		     if (want[i] == "...") {
			     for (k = j; k <= m + 1; k++) if (match_from(i + 1, k)) return 1
			     return 0
		     }
		     return j <= m && same(want[i], got[j]) && match_from(i + 1, j + 1)
	     }
	     END { exit !match_from(1, 1) }' "$1" "$2"
}

check() {
	[ -n "$command" ] || return 0
	bash -c "$command" >out 2>&1 </dev/null
	if ! matches want out; then
		echo "$page: $command"
		diff -u want out
		failed=1
	fi
	command=
}

run_page() {
	local command= inside= line
	while IFS= read -r line; do
		case $inside$line in
		'```console') inside=1 ;;
		'1```')
			check
			inside=
			;;
		'1$ '*)
			check
			command=${line#'$ '}
			: >want
			;;
		1*) printf '%s\n' "$line" >>want ;;
		esac
	done <"$ODONATA_SOURCE/$page"
}

for page in README.md docs/guide/{fabric,validate,export}.md docs/design/mapping.md; do
	mkdir -p "$work/$page"
	cd "$work/$page" || exit 1
	run_page
done
exit $failed
