#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Whatever a node is called, no answer in any form commands a terminal: each command that reads a fabric,
# as text and as JSON, each format of fabrics and of tables, the report and the prices' cables.
set -u
build=$(cd "$1" && pwd)
export LC_ALL=C SOURCE_DATE_EPOCH=1
odonata=$build/cli/odonata
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 n=0

"$odonata" generate dragonfly:p=1,a=4,h=2 --miscable 5%,3 |
	awk '/^(Switch|Ca)/ { split($0, part, "\"")
		sub(/# "[^"]*"/, "# \"\033]0;" part[2] "\007\033[31m\302\233m\2331m\\%s%n<b>\\&\177\"") } 1' >names.net
grep -q -a $'\033' names.net || { echo "the net has no control characters"; exit 1; }

tame() { # FILE WHAT
	[ -s "$1" ] || return 0
	n=$((n + 1))
	! grep -n -a -P '[\x00-\x08\x0b-\x1f\x7f]|(?<![\x80-\xff])[\x80-\x9f]|\xc2[\x80-\x9f]' "$1" >wild || {
		echo "$2: $(head -n 2 wild | cut -c1-200 | cat -v)"
		failed=1
	}
}

run() { # ARGUMENT...
	"$odonata" "$@" >out 2>err </dev/null
	local code=$?
	[ "$code" -le 4 ] || { echo "exit code $code: odonata $*"; failed=1; }
	tame out "odonata $*"
	tame err "odonata $*, standard error"
}

for form in "" --json; do
	for command in map route verify analyze emulate compare whatif report transition accept "watch --count=1"; do
		[ "$command" != emulate ] || command="emulate --cycles=100 --warmup=10 --channels=3 --switches"
		run $command names.net $form
	done
	run diff names.net dragonfly:p=1,a=4,h=2 $form
	run map --strict names.net $form
	run route --engine dor names.net $form
done
# The script of an acceptance test gives no name to a shell that it could mistake.
"$odonata" accept names.net --format perftest >script 2>err || { echo "accept: no script"; failed=1; }
bash -n script || failed=1
! grep "^measure '" script | tr -d "'" | grep -q '[^a-zA-Z0-9_. &-]' || { echo "a hostile name in the script"; failed=1; }
report=$("$odonata" report names.net --output report.html 2>&1) || { echo "report: $report"; failed=1; }
tame report.html report
! grep -q '%n<b>' report.html || { echo "report.html: a name is markup"; failed=1; }
for format in $("$odonata" list formats --json | sed -n 's/.*"name": "\(.*\)".*/\1/p' | sort -u); do
	run generate names.net --format "$format"
	mkdir -p folder
	run export names.net --format "$format" --output folder
	for file in folder/*; do
		tame "$file" "export --format $format, ${file##*/}"
	done
	rm -rf folder
done

# What is quoted from a command line or a file is tamed, too.
wild=$'a\033[31m\302\233b\007'
printf 'Switch 8 "%s"\n[9] "x"[1]\n' "$wild" >bad.net
printf '{"%s": 1}' "$wild" >bad.json
printf '%s: 1\n' "$wild" >bad.yaml
printf 'odonata-tables %s\n' "$wild" >bad.keep
run map bad.net
run map "$wild"
run map "flatfly:$wild=1"
run emulate names.net --policy "$wild"
run emulate names.net --model "$wild"
run emulate names.net --pattern "$wild"
run emulate names.net --workload "$wild"
run route names.net --engine "$wild"
run map names.net --pins bad.yaml
run status bad.json
run experiment bad.yaml
run plan --hosts=8 --radix=8 --prices bad.yaml
run reproduce --manifest bad.yaml
run install live --restore bad.keep --yes
[ "$n" -gt 60 ] || { echo "only $n outputs"; failed=1; }
echo "$n outputs"
exit $failed
