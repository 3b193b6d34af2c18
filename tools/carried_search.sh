#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# carried_search.sh ODONATA FABRIC PATTERN ENGINE...
# Halves between 0 and all for the highest load that passes, in 128ths, as paper 004 may have: the
# network is carried on from run to run, so that a load may fail only because the one before it has
# left the network congested. A line for each engine: what was found, in 128ths and percent, and
# every load tried with what was accepted, "f" where it failed. Environment:
#   MODEL   of the emulator (daryin:source-full=drops; a source that waits would bring its backlog)
#   CYCLES  of a run, of which the second half is measured (600)
#   FIRST   offered before the search, in 128ths; 0: it begins in an empty network (128)
# A run is the whole history in one emulation, each load to the nearest percent of full offer.
# A load that passes and leaves no backlog begins the history anew.
set -euo pipefail
odonata=$1 fabric=$2 pattern=$3
shift 3
model=${MODEL:-daryin:source-full=drops} half=$((${CYCLES:-600} / 2)) first=${FIRST-128}

offer() { # 128THS: the part of a traffic that offers them
	local percent=$((($1 * 100 + 63) / 128))
	[ "$percent" = 100 ] && echo "$pattern" || echo "$percent%$pattern+$((100 - percent))%silent"
}

emulate() { # 128THS...: packets generated, delivered, and the load accepted, in the last half
	local traffic at=0 load
	traffic=$(offer "$1")
	for load in "${@:2}"; do
		at=$((at + 2 * half))
		traffic+="/$at/$(offer "$load")"
	done
	"$odonata" emulate "$fabric" -e "$engine" --model "$model" --load 1 --warmup 0 \
		--cycles $((at + 2 * half)) --pattern "$traffic" --series "$half" |
		awk '$1 == "series" { on = 1 } on && $1 ~ /^[0-9]+$/ { g = $2; d = $3; a = $4 }
			END { if (!on) exit 1; print g, d, a }'
}

try() { # 128THS: pass, fail, or drain (passes, and more arrives than is sent)
	local counts
	history+=("$1")
	counts=$(emulate "${history[@]}")
	verdict=$(awk '{ noise = 0.03 * $1 + 2 * sqrt($1)
		print ($2 < $1 - noise ? "fail" : $2 > $1 + noise ? "drain" : "pass") }' <<<"$counts")
	[ "$verdict" != pass ] || history=("$1")
	trail+=" $1:$(awk '{ printf "%.3f", $3 }' <<<"$counts")"
	[ "$verdict" != fail ] || trail+=f
}

for engine; do
	low=0 high=128 history=() trail=
	if [ "$first" -gt 0 ]; then
		try "$first"
		[ "$verdict" = fail ] || low=$first
	fi
	while [ $((high - low)) -gt 1 ]; do
		middle=$(((low + high) / 2))
		try "$middle"
		if [ "$verdict" = fail ]; then high=$middle; else low=$middle; fi
	done
	awk -v e="$engine" -v p="$pattern" -v n="$low" -v t="$trail" \
		'BEGIN { printf "%s,%s,%d,%.1f,%s\n", e, p, n, n / 1.28, substr(t, 2) }'
done
