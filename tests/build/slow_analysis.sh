#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# clang-tidy, cppcheck and gcc -fanalyzer over all sources of the product. It fails for a finding that is
# not in analysis.txt: the files and checks, with how often, and the reason why it stays. Whoever mends some
# takes them out there (--write, which keeps the reasons, and what was found by tools that did not run).
#
#   tests/build/slow_analysis.sh BUILD [--write]
#
# ANALYSE   which of clang-tidy, cppcheck and gcc [all]
set -euo pipefail
build=$(realpath "$1")
source=$(cd "$(dirname "$0")/../.." && pwd)
known=$source/tests/build/analysis.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$source"
folders="base fabric yaml mapping routing export emulator saturation experiment plan api live plugin cli"
sources=$(find $folders -name '*.c' | sort)

# Each prints "tool file check", once for each finding.
clang-tidy_finds() {
	echo $sources | xargs -n 4 -P "$(nproc)" nice clang-tidy -p "$build" --extra-arg=-DODO_ANALYSED --quiet 2>/dev/null | sed -nE \
		"s#^$source/([^:]+):[0-9]+:[0-9]+: (warning|error): .*\[([a-zA-Z.,-]+)\]\$#clang-tidy \1 \3#p"
}
cppcheck_finds() {
	nice cppcheck --enable=warning,performance,portability --inline-suppr --std=c11 -D_GNU_SOURCE -I. \
		--suppress=missingIncludeSystem --quiet --template='cppcheck {file} {id}' $folders 2>&1 >/dev/null |
		grep '^cppcheck ' | grep -v nofile || true
}
gcc_finds() {
	jq -r '.[] | select(.file | test("/(tests|bench|examples)/") | not) | .directory + "\t" + .command' \
		"$build/compile_commands.json" >"$work/commands"
	while IFS=$'\t' read -r folder command; do
		(cd "$folder" && nice sh -c "$(sed -E 's/^ccache //; s/ -o [^ ]+ / -o \/dev\/null /; s/-Werror//' <<<"$command") \
			-DODO_ANALYSED -O1 -fanalyzer -fdiagnostics-plain-output" 2>&1) | sed -nE \
			"s#^(.*$source/)?([^: ]+):[0-9]+:[0-9]+: warning: .*\[-Wanalyzer-([a-z-]+)\]\$#gcc \2 \3#p; \
			s#^(.*$source/)?([^: ]+):[0-9]+:[0-9]+: warning: .*\[(CWE-[0-9]+)\] \[-Wanalyzer-([a-z-]+)\]\$#gcc \2 \4#p"
	done <"$work/commands"
}

for tool in ${ANALYSE:-clang-tidy cppcheck gcc}; do
	${tool}_finds
done | sort | uniq -c | awk '{ print $2, $3, $4, $1 }' >"$work/found"
if [ "${2:-}" = --write ]; then
	awk -v tools=" ${ANALYSE:-clang-tidy cppcheck gcc} " 'FNR == NR { key = $1 " " $2 " " $3; line = $0
			sub(/^[^ ]+ [^ ]+ [^ ]+ [^ ]+/, "", line); why[key] = line
			if (!index(tools, " " $1 " ")) print
			next }
		{ print $0 why[$1 " " $2 " " $3] }' "$known" "$work/found" | sort >"$work/written"
	cp "$work/written" "$known"
	exit 0
fi
awk -v tools=" ${ANALYSE:-clang-tidy cppcheck gcc} " 'FNR == NR { had[$1, $2, $3] = $4; next }
	$4 > had[$1, $2, $3] { print $2 ": " $1 ": " $3 ": " $4 " findings, " had[$1, $2, $3] + 0 " known"; new = 1 }
	END { exit new }' "$known" "$work/found"
echo "$(awk '{ n += $4 } END { print n + 0 }' "$work/found") findings, none of them new;" \
	"$(awk 'NF < 5' "$known" | wc -l) of $(wc -l <"$known") entries have no reason yet"
