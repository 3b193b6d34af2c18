#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What is written from the subcommands' rows is there, is well formed, and is what is committed.
set -u
build=$1
export PATH=$build/cli:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
	echo "$@"
	failed=1
}

odonata-manual markdown >"$work/cli.md"
diff -u "$ODONATA_SOURCE/docs/reference/cli.md" "$work/cli.md" ||
	fail "docs/reference/cli.md is out of date: odonata-manual markdown > docs/reference/cli.md"

# Options name options that the same subcommand has: a wrong name would make a check idle. A name or letter stands for
# one option, which has help, and a line of -h fits.
odonata-manual options >"$work/options"
awk -F'\t' 'NR == FNR { has[$1 $2]++; letter[$1 $5]++; next }
	function refuse(why) { print $1, $2 ": " why; failed = 1 }
	{
		n = split($7 (($7 != "" && $8 != "") ? "," : "") $8, others, ",")
		for (i = 1; i <= n; i++)
			if (!($1 "--" others[i] in has))
				refuse("no such option: --" others[i])
		if (has[$1 $2] > 1 || ($5 != "-" && letter[$1 $5] > 1))
			refuse("twice")
		if ($4 == "" || length($6) > 52)
			refuse("no help, or a line that is too long")
	}
	END { exit failed || NR < 350 }' "$work/options" "$work/options" || fail "rows of options are wrong"

odonata-manual bash >"$work/bash" && bash -n "$work/bash" || fail "completion is no bash"
complete_line() {
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _odonata
		printf "%s\n" "${COMPREPLY[@]}"' bash "$work/bash" "$@"
}
complete_line odonata gen | grep -qx generate || fail "'odonata gen' is not completed"
complete_line odonata generate --sh | grep -qx -- --shuffle= || fail "options are not completed"
[ -z "$(complete_line odonata experiment d)" ] || fail "a fabric completes a file of experiments"
complete_line odonata route -e mix | grep -qx mixed-dor || fail "values of letters are not completed"
complete_line odonata list ada | grep -qx adapters || fail "tables that are listed are not completed"
complete_line odonata help ver | grep -qx verify || fail "commands to help with are not completed"
[ -z "$(complete_line odonata route d.net --pins d)" ] || fail "a fabric completes a file of pins"
touch "$work/dragon.net"
(cd "$work" && complete_line odonata route drag) | xargs | grep -qx "dragonfly: dragonfly-plus: dragon.net" ||
	fail "files are not completed beside topologies"
complete_line odonata generate drag | grep -qx dragonfly: || fail "topologies are not completed"

odonata-manual zsh >"$work/_odonata"
touch "$work/my.net"
if command -v zsh >/dev/null; then
	zsh -n "$work/_odonata" || fail "completion is no zsh"
	zsh -f "$(dirname "$0")/complete.zsh" "$work" \
		'odonata ge' 'generate' 'odonata map --coo' 'rdinates' 'odonata map ' 'my.net' \
		'odonata route drag' 'onfly:' 'odonata list engi' 'nes' \
		'odonata emulate --workload=' 'doubling' 'odonata route -e mix' 'ed-dor' \
		'odonata help ver' 'ify' ||
		fail "completion for zsh"
fi

# Every page, by whichever tool is there to read it.
for command in "" $(odonata --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	odonata-manual man $command >"$work/page" || fail "no manual page: $command"
	grep -q '^\.SH EXIT STATUS' "$work/page" || fail "no exit status: $command"
	if command -v groff >/dev/null; then
		groff -man -Tascii -ww "$work/page" 2>&1 >/dev/null | grep . && fail "page $command"
	fi
done
exit $failed
