#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# For tests in which allocations of the command fail, the libraries' as well: no_memory STEP COMMAND...
# runs it with the first one that fails further on by STEP each time, once so that the others succeed
# and once so that they do not. It must answer as if nothing had happened, or say that there is no
# memory and exit with 5.
set -u
build=$(cd "$ODONATA_BUILD" && pwd)
export PATH=$build/cli:$PATH LC_ALL=C
unset NO_COLOR
export ODONATA_FAULT ODONATA_FAULT_COUNT
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ODONATA_FAULT=$work/fault
ODONATA_FAULT_COUNT=$work/count
failed=0
ulimit -t 60 # what hangs is killed
mkdir "$work/run"
cd "$work/run" || exit 1

# Run the command held in `line`; sets code, said, and answer: what it printed and wrote.
answer() {
	[ ${#outputs[@]} -eq 0 ] || rm -rf "${outputs[@]}"
	LD_PRELOAD=$build/tests/libfault.so "${line[@]}" >"$work/out" 2>"$work/err" </dev/null
	code=$?
	said=$(<"$work/err")
	answer=$(<"$work/out")
	answer=${answer/time *20??-??-?? ??:??:??/time} # of `watch`, which goes on between two runs
	[ ${#outputs[@]} -eq 0 ] || answer+=$(find "${outputs[@]}" -type f -size -1000k -exec cat {} + 2>"$work/find")
}

complain() { # the fault
	echo "allocation $1 fails: exit code $code: ${line[*]}"
	head -n 3 "$work/err"
	failed=1
}

judge() { # the fault
	if [ "$code" -eq 5 ]; then
		# a thread that has no memory for its own does not start, and the system does not say why
		[[ $said == *"no memory"* || $said == *"out of memory"* || $said == *"annot allocate memory"* ||
			$said == *"no thread could be started"* ]] && [[ $said != *$'\n'* ]] || complain "$1"
	elif [ "$code" -ne "$whole_code" ] || [ "$said" != "$whole_said" ] || [ "$answer" != "$whole_answer" ]; then
		complain "$1"
		[ "$code" -ne 0 ] || diff <(echo "$whole_answer") <(echo "$answer") | head -n 5
	fi
}

# outputs: files and folders that the command makes.
outputs=()
no_memory() { # STEP COMMAND...
	local step=$1 total n
	shift
	line=("$@")
	answer
	whole_code=$code whole_said=$said whole_answer=$answer
	read -r total _ <"$ODONATA_FAULT_COUNT"
	[ "$total" -gt 20 ] || complain "none of $total"
	for ((n = 0; n < total; n += step)); do
		echo "$n" >"$ODONATA_FAULT"
		answer
		judge "$n"
		echo "$n on" >"$ODONATA_FAULT"
		answer
		judge "$n on"
	done
	echo "$total allocations, each ${step}th: ${line[*]}"
}
