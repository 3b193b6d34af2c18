#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Lists and braces within each other, however deep, end with one line and hardly any processor time, in each file that
# is YAML or JSON.
set -u
odonata=$(realpath "$1/cli/odonata")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

refused() { # COMMAND...
	local code
	(ulimit -t 2 && exec "$odonata" "$@") >out 2>err </dev/null
	code=$?
	[ $code = 3 ] && [ "$(wc -l <err)" = 1 ] && [ ! -s out ] && return
	echo "$depth x '$open', odonata $*: exit code $code, $(head -c 300 err)"
	failed=1
}

for depth in 1000 100000; do
	while read -r open close key; do
		python3 -c 'import sys
open, close, key, n = *sys.argv[1:4], int(sys.argv[4])
print(key.replace("_", " ") + open.replace("_", " ") * n + close.replace("_", " ") * n)' \
			"$open" "${close/-/}" "$key" "$depth" >deep
		refused experiment deep
		refused plan --hosts=8 --radix=8 --prices deep
		refused reproduce --manifest deep
		refused status deep
	done <<'END'
[ ] name:_
[ - name:_
{a:_ } name:_
{a:_ - damage:_
[ ] switches:_
{a:_ } switches:_
-_ - name:_
[ ] variants:_
[{a:_ }] variants:_
{"a":_ } {"schema":1,"faults":_
[ - {"schema":1,"faults":_
END
done
exit $failed
