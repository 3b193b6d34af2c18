#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# ./demo runs to its end, and its table is the one in the README. Some minutes.
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
done < <(head -n 3 build/demo/table.txt)
exit $failed
