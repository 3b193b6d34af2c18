#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Links between our own documents lead somewhere, and every page of docs/ is linked from its
# index.
set -u
cd "$ODONATA_SOURCE" || exit 1
failed=0
# PAGE:](LINK), a line for each.
while IFS= read -r found; do
	page=${found%%:](*} link=${found#*:](}
	link=${link%)} target=${link%%[#)]*}
	[ -z "$target" ] || [ -e "${page%/*}/$target" ] || {
		echo "$page: no such file: $link"
		failed=1
	}
done < <(find . -name '*.md' -not -path './build*' -not -path './.git/*' -exec grep -oHE '\]\([^)]+\)' {} + |
	grep -v '://')
for page in docs/*.md docs/guide/*.md docs/reference/*.md docs/design/*.md; do
	page=${page#docs/}
	[ "$page" = README.md ] || grep -q "($page)" docs/README.md || {
		echo "docs/README.md: $page is not in the index"
		failed=1
	}
done
exit $failed
