#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Storms of 1,000 events on each of four fabrics (storm.sh), and of 20 on one of 264 switches, where an event takes
# 20 seconds. A file for each fabric in FOLDER, with a row for each event; what is there already is not done again:
#   slow_storm.sh BUILD [FOLDER [EVENTS [NAME...]]]
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/handed.sh"
. "$(dirname "$0")/held.sh"
. "$(dirname "$0")/certificate.sh"
. "$(dirname "$0")/storm.sh"

folder=${2:-$FABRIC/rows}
events=${3:-1000}
names=" ${*:4} "
mkdir -p "$folder" || fail "cannot make $folder"
commit=$(git -C "${ODONATA_SOURCE:-$(dirname "$0")}" rev-parse --short HEAD 2>/dev/null || echo unknown)

one() { # NAME SPEC SEED [EVENTS]
	local name=$1 spec=$2 event events=${4:-$events} rows=$folder/$1.part
	[ "$names" = "  " ] || [[ $names = *" $name "* ]] || return 0
	[ -s "$folder/$name.csv" ] && { echo "$name: is there"; return; }
	"$odonata" generate "$spec" --shuffle "$3" -o "$FABRIC/$name.net" || fail "generate $spec"
	{
		echo "# tests/plugin/slow_storm.sh BUILD FOLDER $events"
		echo "# $spec --shuffle $3; opensm 3.3.23, ibsim 0.10, commit $commit, $(date +%F)"
		echo "n,$storm_columns"
	} >"$rows"
	storm_places "$FABRIC/$name.net"
	storm_start "$name" "$FABRIC/$name.net" "$3"
	echo "0,$row" >>"$rows"
	for ((event = 1; event <= events; event++)); do
		storm_event
		echo "$event,$row" >>"$rows"
	done
	sm_stop
	fabric_stop
	mv "$rows" "$folder/$name.csv" || fail "cannot write $folder"
	awk -F, -v name="$name" '/^#/ || /^n,/ { next } { n++; if (n == 1) first = $NF; last = $NF; entries += $9
		anew += $2 ~ /^manager anew/; boots += $2 ~ /reboots$/; judged += $18 == "clean"; proofs += $20 == "yes" || $20 == "all"; groups += $20 == "all"; own += $14 == "unicast"
		refused = $12 > refused ? $12 : refused; fallen = $19; ms = $13 > ms ? $13 : ms }
		END { printf "%s: %d events, all safe, also with all SLs handed out, but for OpenSM'"'"'s own multicast after %d; %d entries changed; %d switches rebooted; manager started anew %d " \
			"times; ibdmchk %d times clean; %d certificates hold, %d of them for multicast groups, too; %d fallbacks; at most %d sweeps of one manager without new tables; " \
			"at most %.1f ms to route; memory %d to %d kB\n",
			name, n - 1, own, entries, boots, anew, judged, proofs, groups, fallen, refused, ms, first, last }' "$folder/$name.csv"
}

one dragonfly dragonfly:p=2,a=4,h=2 41
one flatfly flatfly:k=4x4x4,c=1 42
one torus torus:k=5x5x3,c=1 43
one fattree fattree:k=8,levels=3 44
one large dragonfly:p=1,a=8,h=4 45 20
echo ok
