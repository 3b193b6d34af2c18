#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every command, with every kind of mistake that it can be given: it ends with the exit code that
# docs/reference/cli.md says, tells the mistake in standard error, and under --json as one object on
# standard output, with the same exit code in it.
set -u
export PATH=$1/cli:$PATH LC_ALL=C
bad=$(cd "$(dirname "$0")/bad" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 n=0
mkdir folder
echo "this is nothing" >nonsense
odonata generate demo-dragonfly -o whole.net || exit 1

mistake() { # CODE WORD...
	local code=$1 found
	shift
	n=$((n + 1))
	odonata "$@" >out 2>err </dev/null
	found=$?
	if [ $found -ne "$code" ] || [ ! -s err ] || [ -s out ]; then
		echo "expected exit code $code, found $found: odonata $*"
		head -n 2 err out
		failed=1
	fi
	[ "$1" = experiment ] && [ "${*: -1}" = --redraw ] && return
	odonata "$@" --json >out 2>err2 </dev/null
	if [ $? -ne "$code" ] || ! cmp -s err err2; then
		echo "not the same with --json: odonata $*"
		diff err err2
		failed=1
	fi
	printf '%s\t%s\t%s\n' "$code" "$(head -c 2000 out | tr '\n\t' '  ')" "$*" >>objects
}

# What a command that takes a fabric may be given instead. The words after it make its command line whole.
fabrics() { # COMMAND WORD...
	local command=$1
	shift
	mistake 3 "$command" nowhere.net "$@"
	mistake 3 "$command" nonsense/fabric.net "$@"
	mistake 3 "$command" folder "$@"
	mistake 3 "$command" nonsense "$@"
	mistake 3 "$command" "" "$@"
	mistake 3 "$command" dragonfly:p=2,a=x "$@"
	mistake 3 "$command" "$bad/included.net" "$@"
	mistake 3 "$command" "$bad/ports.net" "$@"
	mistake 2 "$command" whole.net "$@" --damage 200%
}

# What a command that reads some other file may be given instead.
files() { # WORD..., before the file
	mistake 3 "$@" nowhere.txt
	mistake 3 "$@" folder
	mistake 3 "$@" nonsense
}

routes() { # COMMAND
	mistake 2 "$1" whole.net --engine nonsense
	mistake 2 "$1" whole.net --vls 99
	mistake 4 "$1" whole.net --engine dragonfly --vls 1
	mistake 4 "$1" flatfly:k=4x4 --engine dragonfly
	files "$1" whole.net --tables
	files "$1" whole.net --roots
	files "$1" whole.net --pins
}

for command in $(odonata --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
	mistake 2 "$command" whole.net --nonsense
	mistake 2 "$command" $(printf 'whole.net %.0s' {1..40})
	case $command in
	generate | map)
		fabrics "$command"
		mistake 5 "$command" whole.net -o nowhere/file
		mistake 5 "$command" whole.net -o folder
		;;
	export)
		fabrics export --format lfts
		mistake 2 export whole.net
		mistake 2 export whole.net --format nonsense
		mistake 5 export whole.net --format lfts -o nowhere/file
		;;
	route | verify | analyze | emulate)
		fabrics "$command"
		routes "$command"
		mistake 5 "$command" whole.net -o nowhere/file
		;;
	compare | whatif | transition | watch)
		words=
		[ "$command" = watch ] && words="--count 1"
		fabrics "$command" $words
		[ "$command" = compare ] || mistake 4 "$command" flatfly:k=4x4 --engine dragonfly $words
		[ "$command" = watch ] || mistake 5 "$command" whole.net $words -o nowhere/file
		;;
	path | accept)
		words=
		[ "$command" = path ] && words="g0r0 g1r0"
		fabrics "$command" $words
		mistake 4 "$command" flatfly:k=4x4 $words --engine ador
		mistake 5 "$command" whole.net $words -o nowhere/file
		files "$command" whole.net --$([ "$command" = path ] && echo slow || echo measured)
		mistake 2 path whole.net g0r0
		mistake 2 path whole.net g0r0 g1r0 --cable g0r0/1
		mistake 3 path whole.net g0r0 nobody
		mistake 3 path whole.net --cable g0r0/99
		mistake 2 accept whole.net --format nonsense
		;;
	report)
		mistake 3 report nowhere.net -o out.html
		mistake 3 report folder -o out.html
		mistake 5 report whole.net -o nowhere/file
		;;
	diff)
		files diff whole.net
		mistake 3 diff nowhere.net whole.net
		mistake 3 diff folder whole.net
		mistake 5 diff whole.net whole.net -o nowhere/file
		mistake 2 diff whole.net
		;;
	handover)
		files handover
		files handover --to last-good
		mistake 2 handover folder --tables whole.net
		mistake 2 handover folder --wait 0
		;;
	probe)
		mistake 2 probe whole.net
		mistake 2 probe live --write nothing
		mistake 2 probe live --shuffle 1
		;;
	install)
		mistake 2 install whole.net --keep file
		mistake 2 install live
		files install live --restore
		;;
	status)
		files status
		mistake 5 status folder -o nowhere/file
		;;
	experiment)
		files experiment
		mistake 2 experiment nonsense --threads x
		;;
	reproduce)
		files reproduce --manifest
		mistake 2 reproduce --threads 0
		;;
	plan)
		mistake 2 plan --hosts 0 --radix 36
		files plan --hosts 100 --radix 36 --prices
		mistake 5 plan --hosts 100 --radix 36 -o nowhere/file
		mistake 5 plan --figures nowhere/folder
		;;
	list)
		mistake 2 list nonsense
		mistake 2 list engines dragonfly
		;;
	*)
		echo "a command that this test does not know: $command"
		failed=1
		;;
	esac
	case $command in
	list | status | experiment | reproduce | install | probe | handover) ;;
	*) mistake 2 "$command" ;;
	esac
done
for pattern in nonsense advg:n=x; do
	mistake 3 analyze whole.net --pattern $pattern
	mistake 3 emulate whole.net --pattern $pattern
done
mistake 3 emulate whole.net --model nonsense
mistake 3 emulate whole.net --policy nonsense
mistake 3 emulate whole.net --workload nonsense
files emulate whole.net --vlarb
for kind in flows trace; do
	word=--pattern
	[ $kind = trace ] && word=--workload
	for file in nowhere folder nonsense; do
		mistake 3 emulate whole.net $word $kind:$file
	done
done
mistake 2 nonsense
mistake 2 nonsense --load
odonata map whole.net >/dev/full 2>err
[ $? -eq 5 ] || { echo "expected exit code 5 of a full disk"; failed=1; }
odonata map nowhere.net --json >/dev/full 2>err
[ $? -eq 3 ] || { echo "expected exit code 3, whoever can write"; failed=1; }

python3 - objects <<'END' || failed=1
import json, sys
kinds = {1: {"unknown", "unsafe"}, 2: {"usage"}, 3: {"input"}, 4: {"declined"}, 5: {"system"}}
failed = 0
for line in open(sys.argv[1]):
	code, text, words = line.rstrip("\n").split("\t", 2)
	try:
		error = json.loads(text)["error"]
		assert error["exit_code"] == int(code) and error["kind"] in kinds[int(code)] and error["message"]
	except Exception as e:
		print("expected an error as JSON, found", repr(text), "with", words)
		failed = 1
sys.exit(failed)
END
[ $n -gt 200 ] || { echo "only $n mistakes were tried"; failed=1; }
echo "$n mistakes"
exit $failed
