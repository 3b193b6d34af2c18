#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# docs/reference/api.md is true: its reference is that of the headers, every public function is in
# it, and its first program is the example. test_installed.sh holds what it shows as output.
set -u
cd "$ODONATA_SOURCE" || exit 1
. tests/api/promises.sh
page=docs/reference/api.md
failed=0
fail() {
	echo "$@"
	failed=1
}
tools/api_page.sh | diff $page - || fail "$page is out of date: tools/api_page.sh --write"
n=0
while read -r _ name _; do
	grep -q "^[a-z].*[ *]$name(" $page || fail "$page lacks $name()"
	n=$((n + 1))
done < <(promises | grep '^function ')
[ $n -ge 25 ] || fail "expected at least 25 public functions, found $n"
awk '/^```c$/ && !seen++ { on = 1; next } /^```$/ { on = 0 } on' $page | diff - examples/route_and_verify.c ||
	fail "$page (<) shows another program than examples/route_and_verify.c (>)"
for example in examples/*.c; do
	[ "$(wc -l <"$example")" -le 30 ] || fail "$example has more than 30 lines"
done
exit $failed
