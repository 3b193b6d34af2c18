#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# No line of Markdown is above 110 columns, so that pages can be read, and compared, in a terminal.
# Tables, code blocks and what links lead to do not count, nor do the pages that `odonata experiment`
# writes beside its CSVs.
set -u
cd "$ODONATA_SOURCE" || exit 1

# Characters of a line in UTF-8: bytes that continue one are left out.
columns() {
	LC_ALL=C awk '
		FNR == 1 { fenced = 0; code = 0; blank = 1 }
		/^ *```/ { fenced = !fenced; next }
		fenced || /^ *\|/ { next }
		/^(    |\t)/ && (blank || code) { code = 1; next }
		{ code = 0; blank = /^ *$/
		  gsub(/[\200-\277]/, "")
		  gsub(/\]\([^)]*\)/, "]")
		  gsub(/https?:[^ )>]*/, "")
		  if (length($0) > 110) { print FILENAME ":" FNR ": " length($0) " columns"; bad = 1 } }
		END { exit bad }' "$@"
}

# Leaves out FOLDER/NAME.md beside FOLDER/NAME.csv.
without_results() {
	while IFS= read -r -d '' page; do
		[ -e "${page%.md}.csv" ] || printf '%s\0' "$page"
	done
}

# The check itself: it must see a long line, and let a table, code and a link pass.
long=$(printf 'word %.0s' {1..30})
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\n' "$long" >"$work/long.md"
printf '| %s |\n\n    %s\n\n```\n%s\n```\n[page](%s)\n' "$long" "$long" "$long" "${long// /-}" >"$work/fine.md"
if columns "$work/long.md" >/dev/null || ! columns "$work/fine.md"; then
	echo "this script no longer tells long lines from tables, code and links"
	exit 1
fi

find . -name '*.md' -not -path './build*' -not -path './.git/*' -print0 | sort -z | without_results |
	{ mapfile -d '' pages && columns "${pages[@]}"; }
