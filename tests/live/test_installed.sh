#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What is installed on a live subnet is read from its switches and its subnet manager: the real OpenSM,
# in the real ibsim. Its minhop on a dragonfly can deadlock; what Odonata computes there is safe, and
# does not pass for it. Each is proved from dumps of the same subnet, too.
ODONATA_BUILD=$1
. "${ODONATA_SOURCE:-$(dirname "$0")/../..}/tests/plugin/fabric.sh"
. "$ODONATA_SOURCE/tests/plugin/readback.sh"

answer=$FABRIC/answer
expect() { # CODE COMMAND...: the answer and what it says beside that
	local code=$1 found=0
	shift
	in_fabric "$odonata" "$@" >"$answer" 2>"$answer.all" || found=$?
	grep -v "^ibwarn: " "$answer.all" >"$answer.err" # umad2sim tells that it is there
	[ $found = "$code" ] || fail "odonata $*: expected exit code $code, found $found: $(cat "$answer" "$answer.err")"
}
says() { # PATTERN [FILE]
	grep -qE "$1" "${2:-$answer}" || fail "not said: $1: $(head -n 20 "${2:-$answer}")"
}
says_not() { # PATTERN: whether it is said, and should not be
	grep -E "$1" "$answer"
}
says_unserved() { # VL
	awk -v vl="^${1:-.*}$" '/^unserved/ { on = 1; next } /^[^ ]/ { on = 0 }
		on && $1 != "at" && $NF ~ vl { n++ } END { exit !n }' "$answer"
}
first_line() { # PATTERN [FILE]
	head -n 1 "${2:-$answer}" | grep -qE "$1" || fail "the first line is no $1: $(head -n 1 "${2:-$answer}")"
}
is_installed='^tables +installed on the subnet$'

"$odonata" generate dragonfly:p=1,a=3,h=2 -o "$FABRIC/dragonfly.net" || fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"
sm_start "routing_engine minhop" "qos FALSE"
sm_wait_up 1
expect 1 verify live
first_line "$is_installed"
says '^safe +no$'
says '^failure +deadlock'
says '^tables read +21 of 21 switches, from 20[0-9]{2}-[-0-9]+ [0-9:]+ to 20[0-9]{2}-[-0-9]+ [0-9:]+$'
in_fabric dump_fts >"$FABRIC/fts" || fail dump_fts
expect 1 verify live --hosts-only --tables "$FABRIC/fts"
says '^failure +deadlock'
! grep -q "^tables" "$answer" || fail "tables from a file are called something else"

# The same for everything that is about tables; in JSON as a field.
for command in "analyze live --bisections 0" "emulate live --load 0.01 --warmup 0 --cycles 100"; do
	expect 0 $command
	first_line "$is_installed"
	expect 0 $command --json
	python3 -c 'import json, sys
answer = json.load(open(sys.argv[1]))
assert next(iter(answer)) == "tables" and answer["tables"] == "installed on the subnet", answer' "$answer" ||
		fail "$command --json: no field"
done
expect 0 export live --format lfts
first_line '^odonata: export: these tables are installed on the subnet' "$answer.err"
lfts_of "$answer" | sort >"$FABRIC/exported"
by_tool lfts | sort >"$FABRIC/held"
cmp "$FABRIC/exported" "$FABRIC/held" || fail "LFTs that are exported are not those in the switches"

# Side by side with what would be installed.
expect 0 compare live --permutations 2
says '^  installed +no '
says '^  computed by Odonata +yes '

expect 1 diff live
says '^  installed +no '
says '^  computed by Odonata +yes '
says '^entries changed +[1-9]'
says '^switches with other vls +21$'
expect 1 diff live --engine updown
says '^  computed by Odonata +yes '

# Watching begins with what is installed.
expect 0 watch live --count 1
says "^safe +no"

# The report is about what is installed, with its deadlock, and sets the other beside it.
expect 1 report live --json
python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
p, rows = d["proof"], [r["routing"] for r in d["comparison"]["routings"]]
assert p["tables"] == "installed on the subnet" and p["safe"] is False and p["cycle"], p
assert rows == ["installed", "computed by Odonata"] and d["tables"]["lft"]["columns"], rows
assert d["left_out"] == [], d["left_out"]' "$answer" || fail "report live"

# What would be computed is asked for by name, and says so.
expect 0 verify live --engine dragonfly
first_line '^tables +computed by Odonata, not those installed'
says '^safe +yes$'
expect 0 route live
first_line '^tables +computed by Odonata, not those installed'
expect 0 map live -C ibsim0 -P 1
expect 5 map live -C ibsim7
says 'at adapter ibsim7' "$answer.err"
expect 0 map live
! grep -q '^tables' "$answer" || fail "map speaks of tables"
expect 0 emulate live --policy min --load 0.01 --warmup 0 --cycles 100
! grep -q '^tables' "$answer" || fail "a policy speaks of tables"
expect 2 verify live --vls 4
first_line '^odonata verify: --vls: expected --engine NAME beside it, because live stands' "$answer.err"
expect 2 verify live --damage 5%,5%
first_line '^odonata verify: --damage, --miscable, --shuffle: expected --engine NAME beside them' "$answer.err"

# A switch that does not answer for its forwarding table (attribute 25) is named, and nothing is said of what
# leads through it. A deadlock elsewhere is one all the same.
console 'Error "g2r1" 100 25'
expect 1 verify live
first_line '^tables +installed on the subnet; some nodes did not answer$'
says '^safe +incomplete$'
says '^tables read +20 of 21 switches, '
says '^deadlock free +no$'
says '^  forwarding table +g2r1 '
! says_not '^failure|^delivers +(yes|no)' || fail "something is said of what is not known"
expect 0 compare live --permutations 2
says '^  installed +incomplete '
expect 0 watch live --count 1
says '^safe +incomplete$'
says '^  forwarding table +g2r1 '
expect 5 analyze live
says '"g2r1" .*does not answer for its forwarding table' "$answer.err"
console 'Error "g2r1" 0 25'
expect 1 verify live
says '^safe +no$'
sm_stop

# Ours, with several VLs; and SLs by pair, which the subnet manager is asked for.
sm_start
sm_wait_up 1
expect_routed
expect 0 verify live
first_line "$is_installed"
says '^safe +yes$'
says '^vls +2$'
says '^vls served +yes$'
expect 0 diff live
says '^  installed +yes '
says '^entries changed +0$'
says '^switches with other vls +0$'
# Switches that do not answer for their VL arbitration (attribute 24): nobody knows whether VLs get out. Each is named.
for name in g2r1 g5r0; do console "Error \"$name\" 100 24"; done
expect 1 verify live
says '^safe +incomplete$'
[ "$(awk '/^  VL arbitration / { print $3 }' "$answer" | sort | paste -sd ' ')" = "g2r1 g5r0" ] ||
	fail "not named, each once: $(cat "$answer")"
! says_unserved || fail "what is not known passes for unserved"
for name in g2r1 g5r0; do console "Error \"$name\" 0 24"; done
# One that does not answer for its SL2VL tables (attribute 23), or not at all: what is read is safe, which says
# nothing of the rest.
console 'Error "g2r1" 100 23'
expect 1 verify live
says '^safe +incomplete$'
says '^  SL2VL tables +g2r1 '
! says_not '^deadlock free +(yes|no)' || fail "deadlocks are judged without SL2VL tables"
console 'Error "g2r1" 0 23'
console 'Error "g2r1" 100'
expect 1 verify live
says '^safe +incomplete$'
says '^  anything of the node behind port [0-9]+ +g'
console 'Error "g2r1" 0'
expect 0 verify live
sm_stop
# A VL that the tables use, and VL arbitration does not let out at any port between switches. The plugin uses none
# of these, and lash does not look.
sm_start "qos_vlarb_high 0:0" "qos_vlarb_low 0:4"
sm_wait_up 1
expect_routed
expect 0 verify live
says '^vls +1$'
sm_stop
sm_start "routing_engine lash" "qos_vlarb_high 0:0" "qos_vlarb_low 0:4,2:4,3:4,4:4,5:4,6:4,7:4"
sm_wait_up 1
expect_routed lash
expect 1 verify live
says '^safe +no$'
says '^deadlock free +yes$'
says '^vls served +no$'
says '^failure +LID .* needs VL 1 at port .*VL arbitration'
says_unserved 1 || fail "no port without service is named"
! says_unserved '[^1]' || fail "a VL that is served or not used is called unserved"
sm_stop
# One that they do not use may stay without.
sm_start "qos_vlarb_high 0:0" "qos_vlarb_low 0:4,1:4"
sm_wait_up 1
expect 0 verify live
says '^safe +yes$'
says '^vls +2$'
sm_stop
fabric_stop
"$odonata" generate torus:k=5x4,c=1 -o "$FABRIC/torus.net" || fail generate
fabric_start torus "$FABRIC/torus.net"
sm_start
sm_wait_up 1
expect_routed
expect 0 verify live
first_line "$is_installed"
says '^safe +yes$'
says '^sl depends on +source and destination$'
expect 0 diff live
sm_stop
# dfsssp draws the SL of a pair anew for each path record: what was asked for proves nothing of the next.
sm_start "routing_engine dfsssp"
sm_wait_up 1
expect_routed dfsssp
expect 1 verify live
first_line '^tables +installed on the subnet; the subnet manager draws SLs anew for each query$'
says '^safe +incomplete$'
sm_stop
# Without a manager nobody knows the SLs: what hangs on them is incomplete.
expect 1 verify live
first_line '^tables +installed on the subnet; no subnet manager answers'
says '^safe +incomplete$'
fabric_stop

# Ports of an adapter at different switches have their own SLs.
awk 'BEGIN { for (n = 6; i < n; i++) {
	printf "switchguid=0x%x(%x)\nSwitch 4 \"S%d\" # \"S%d\" base port 0 lid %d lmc 0\n", 4096 + i, 4096 + i, i, i, i + 1
	printf "[1] \"S%d\"[2]\n[2] \"S%d\"[1]\n", (i + 1) % n, (i + n - 1) % n
	printf "[3] \"H%d\"[1]\n[4] \"H%d\"[2]\n\n", i, (i + n - 1) % n
	printf "caguid=0x%x\nCa 2 \"H%d\" # \"H%d\"\n", 131072 + 16 * i, i, i
	printf "[1](%x) \"S%d\"[3]\n[2](%x) \"S%d\"[4]\n\n", 131073 + 16 * i, i, 131074 + 16 * i, (i + 1) % n
} }' >"$FABRIC/two.net"
fabric_start two "$FABRIC/two.net"
sm_start
sm_wait_up 1
expect_routed
expect 0 verify live
says '^safe +yes$'
says '^sl depends on +source and destination$'
expect 0 analyze live
sm_stop
fabric_stop

# Hosts without a partition in common have no path records: nobody knows their SLs, and that is no error.
"$odonata" generate torus:k=4x4,c=1 -o "$FABRIC/torus.net" || fail generate
echo "Default=0x7fff, ipoib : ALL_CAS=limited, ALL_SWITCHES=full, SELF=full ;" >"$FABRIC/partitions"
fabric_start apart "$FABRIC/torus.net"
sm_start "partition_config_file $FABRIC/partitions"
sm_wait_up 1
expect_routed
expect 1 verify live
first_line '^tables +installed on the subnet; for some pairs the subnet manager has no path record'
says '^safe +incomplete$'
says '^pairs without record +210$' # 15 hosts are limited members: 15 * 14 pairs of them
expect 0 compare live --permutations 2
says '^  installed +incomplete '
says '^  computed by Odonata +yes '
sm_stop
fabric_stop

# Without a device: one line.
"$odonata" verify live >"$answer" 2>"$answer.err" && fail "tables are read where there is no adapter"
[ "$(wc -l <"$answer.err")" -eq 1 ] || fail "more than a line: $(cat "$answer.err")"
says '^odonata: cannot discover the subnet' "$answer.err"
echo "installed tables are read, proved, and told from computed ones"
