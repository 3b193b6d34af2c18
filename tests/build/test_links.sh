#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Links between our own documents lead somewhere, those with a # to a heading, and every page of docs/ is
# linked from its index.
set -u
cd "$ODONATA_SOURCE" || exit 1
failed=0
pages() {
	find . -name '*.md' -not -path './build*' -not -path './.git/*' -exec "$@" {} +
}
# PAGE#HEADING as in links.
headings=$(LC_ALL=C pages awk 'FNR == 1 { fenced = 0 } /^```/ { fenced = !fenced }
	!fenced && sub(/^#+ /, "") { $0 = tolower($0); gsub(/[^a-z0-9_ -]/, ""); gsub(/ /, "-"); print FILENAME "#" $0 }')
# PAGE:](LINK), a line for each.
while IFS= read -r found; do
	page=${found%%:](*} link=${found#*:](}
	link=${link%)} target=${link%%[#)]*}
	[ -z "$target" ] || [ -e "${page%/*}/$target" ] || {
		echo "$page: no such file: $link"
		failed=1
	}
	[[ $link == *\#* && ($target == *.md || -z $target) ]] || continue
	[ -n "$target" ] && to=./$(realpath -m --relative-to=. "${page%/*}/$target") || to=$page
	grep -qxF -e "$to#${link#*#}" <<<"$headings" || { echo "$page: no such heading: $link"; failed=1; }
done < <(pages grep -oHE '\]\([^)]+\)' | grep -v '://')
for page in docs/*.md docs/guide/*.md docs/reference/*.md docs/design/*.md; do
	page=${page#docs/}
	[ "$page" = README.md ] || grep -q "($page)" docs/README.md || {
		echo "docs/README.md: $page is not in the index"
		failed=1
	}
done
exit $failed
