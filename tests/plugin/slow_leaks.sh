#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# OpenSM with the plugin under valgrind, over 100 sweeps in which cables are cut and come back: no wrong access and no
# leak with a function of ours on its stack, and of what is still in use nothing that has grown since the
# tenth sweep.
#
#   tests/plugin/slow_leaks.sh BUILD
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/nets.sh"
sweeps=100
source=$(cd "$(dirname "$0")/../.." && pwd)
ours="libodonata|$source/"

# Blocks of valgrind's log, separated by empty lines, in which something of ours is named.
of_ours() { # LOG
	sed -E 's/^==[0-9]+== ?//' "$1" | awk -v RS='' -v ours="$ours" '
		/^(Invalid|Conditional|Use of|Syscall|Source and|Mismatched|.* bytes in [0-9])/ && $0 ~ ours { print $0 "\n" }'
}

"$odonata" generate dragonfly:p=1,a=4,h=2,g=5 --shuffle 4 >"$FABRIC/dragonfly.net" || fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"
log=$FABRIC/valgrind.log
export G_SLICE=always-malloc
sm_under="valgrind --leak-check=full --show-leak-kinds=definite,indirect,possible --keep-debuginfo=yes
	--num-callers=40 --fullpath-after= --vgdb=yes --vgdb-prefix=$FABRIC/vgdb --log-file=$log"
sm_start "event_plugin_options flap_limit=0"
sm_wait_up 1 300
expect_routed
for host in $(awk -F'"' '/^Ca[ \t]/ && ++n % 3 == 1 { print $2 }' "$FABRIC/dragonfly.net"); do
	fabric_host=$host in_fabric "$readback" join >/dev/null || fail "$host cannot join"
done

in_use() { # [increased]
	vgdb --vgdb-prefix="$FABRIC/vgdb" leak_check full reachable "${1:-any}" >"$FABRIC/in-use.${1:-any}" 2>&1 ||
		fail "vgdb: $(tail -n 1 "$FABRIC/in-use.${1:-any}")"
}

# Two sweeps in each round: a cable is cut, and is back.
ups=1
for ((n = 1; ups < sweeps; n++)); do
	link=$(some_link "$FABRIC/dragonfly.net" "$n")
	console "Unlink $link"
	sm_wait_up $((++ups)) 300
	console "Relink $link"
	sm_wait_up $((++ups)) 300
	[ "$n" -ne 5 ] || in_use
done
in_use increased
changed=$(grep -cE "odonata: [1-9][0-9]* of [0-9]+ LFT entries change" "$sm_log")
[ "$changed" -gt $((sweeps / 2)) ] || fail "only $changed sweeps changed a table"
sm_stop
grep -q "ERROR SUMMARY" "$log" || fail "valgrind has not ended: $(tail -n 3 "$log")"
grep -q "libodonata" "$FABRIC/in-use.any" || fail "valgrind does not see the plugin"
of_ours "$log" >"$FABRIC/ours"
of_ours "$FABRIC/in-use.increased" >"$FABRIC/grown"
for found in ours grown; do
	[ ! -s "$FABRIC/$found" ] || { tail -n 60 "$FABRIC/$found"; fail "valgrind: $found"; }
done
echo "$ups sweeps, $changed of them changed tables: no leak, no growth and no wrong access of ours;" \
	"$(grep -o "ERROR SUMMARY: [0-9]* errors" "$log") of OpenSM's and ibsim's"
