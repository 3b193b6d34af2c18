#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Runs the transcripts (*.t) beside it. In a transcript
#
#   # a comment
#   $ a command            run by bash in an empty folder, shared within the transcript, where
#   > its further lines    `bad` holds the files of tests/cli/bad
#   a line of standard output
#   ! a line of standard error
#   = the exit code, where it is not 0
#
# All of it must come out exactly. UPDATE=1 writes what came out into the transcripts instead.
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
export PATH=$build/cli:$PATH LC_ALL=C
unset NO_COLOR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Run the command held, print its block of the transcript.
flush() {
	[ -n "$command" ] || return 0
	(cd "$work/run" && bash -c "$command" >"$work/out" 2>"$work/err" </dev/null)
	local code=$? out
	printf '%s\n' "\$ ${command//$'\n'/$'\n'> }"
	# By bash alone: a process for each would take longer than what is tested.
	IFS= read -r -d '' out <"$work/out"
	printf '%s' "$out"
	# A last line without its newline must not swallow the next.
	[ -z "$out" ] || [ "${out: -1}" = $'\n' ] || echo '\ no newline'
	while IFS= read -r out || [ "$out" ]; do
		printf '! %s\n' "$out"
	done <"$work/err"
	[ $code -eq 0 ] || echo "= $code"
	command=
}

# Print a transcript as it comes out today.
replay() {
	local line command=
	while IFS= read -r line; do
		case $line in
		'$ '*)
			flush
			command=${line#'$ '}
			;;
		'> '*) command+=$'\n'${line#'> '} ;;
		'#'* | '')
			flush
			printf '%s\n' "$line"
			;;
		esac
	done <"$1"
	flush
}

failed=0
for transcript in "$here"/load_unit.t; do
	rm -rf "$work/run"
	mkdir "$work/run"
	ln -s "$here/bad" "$work/run/bad"
	replay "$transcript" >"$work/replay"
	if [ "${UPDATE:-}" ]; then
		cp "$work/replay" "$transcript"
	elif ! diff -u "$transcript" "$work/replay"; then
		failed=1
	fi
done
exit $failed
