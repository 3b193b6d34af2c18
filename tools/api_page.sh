#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# docs/reference/api.md with its last part, the reference, made anew from include/odonata/.
# It goes to standard output; with `--write`, to its place.
set -euo pipefail
cd "$(dirname "$0")/.."
page=docs/reference/api.md

whole() {
	sed '/^## Reference$/,$d' $page
	echo '## Reference'
	for name in base fabric map route verify analyze emulate export; do
		printf '\n### odonata/%s.h\n' $name
		awk -f tools/api_page.awk include/odonata/$name.h
	done
}

if [ "${1:-}" = --write ]; then
	whole >$page.new
	mv $page.new $page
else
	whole
fi
