#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# ./demo runs to its end, and its tables are those in the README. It names faults, shows that minhop can deadlock and
# ours cannot, and writes a page of each.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
(cd "$ODONATA_SOURCE" && tar -c --exclude='./build*' --exclude=./.git .) | tar -x -C "$work"
cd "$work" || exit 1
./demo >log 2>&1 || { tail -n 20 log; exit 1; }
failed=0
while IFS= read -r row; do
	grep -qxF -e "    $row" README.md || { echo "README.md lacks: $row"; failed=1; }
done < <(grep -E '^(fabric|dragonfly|flatfly|routing|odonata|minhop) ' build/demo/table.txt)
expect() { grep -qE "$1" "$2" || { echo "$2 lacks: $1"; failed=1; }; }
expect "^ *wrong cables" log
expect "^ *missing links" log
expect "dragonfly under minhop: deadlock: " log
expect "^odonata +yes .* none$" build/demo/table.txt
expect "^minhop +no +1 " build/demo/table.txt
expect '"deadlock_free":true' build/demo/dragonfly.html
expect '"deadlock_free":false' build/demo/minhop.html
exit $failed
