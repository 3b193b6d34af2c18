#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A subnet that means harm: descriptions with commands for terminals, GUIDs at the ends of their range,
# switches of 254 ports, LMC 7 until nearly all LIDs are used. OpenSM lives and routes, and nothing of ours
# writes a control character. Nor does a switch that takes the GUID of another end it.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

forms=$(realpath "${ODONATA_SOURCE:-$(dirname "$0")/../..}")/tests/forms.py

# Beside the end of a line no control character, be it ASCII's or, outside of a letter, the byte that is CSI.
expect_tame() { # FILE...
	local file
	for file; do
		[ -s "$file" ] || fail "$file: there is none"
		! LC_ALL=C sed -E 's/\xc2[\xa0-\xbf]|[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}//g' "$file" |
			LC_ALL=C grep -n -a -P '[\x00-\x08\x0b-\x1f\x7f-\x9f]' >"$FABRIC/wild" ||
			fail "$file: $(head -n 3 "$FABRIC/wild" | cat -v)"
	done
}

# A dragonfly with two cables changed: the state file names their ends.
"$odonata" generate dragonfly:p=1,a=4,h=2 --miscable 5%,3 >"$FABRIC/dragonfly.net" || fail generate
awk -F'"' '/^(Switch|Ca)/ {
	sub(/# "[^"]*"/, "# \"\033]0;" $2 "\007\033[31m\302\233m\2331m\233\2331m\\%s%n<b>&\177" $2 "\"") } 1' \
	"$FABRIC/dragonfly.net" >"$FABRIC/names.net"
LC_ALL=C grep -q -a $'\033' "$FABRIC/names.net" || fail "the net has no control characters"
fabric_start names "$FABRIC/names.net"
sm_start
sm_wait_up 1
expect_routed
grep -a "odonata:" "$sm_log" >"$FABRIC/said"
grep -q '"fault": "wrong cable"' "$(state_file json)" || fail "no wrong cable in the state file"
expect_tame "$FABRIC/said" "$(state_file json)" "$(state_file prom)"
"$odonata" status "$(state_file json)" >"$FABRIC/status" || fail "status: $?"
in_fabric "$odonata" map live >"$FABRIC/map"
in_fabric "$odonata" map live --json >"$FABRIC/map.json"
in_fabric "$odonata" generate live >"$FABRIC/live.net" || fail "the subnet cannot be read"
expect_tame "$FABRIC/status" "$FABRIC/map" "$FABRIC/map.json" "$FABRIC/live.net"
sm_stop
fabric_stop
echo "descriptions with commands: tamed in log, state files and answers"

# Descriptions that mean harm to some form of file: parsers without our code read all that the plugin writes.
python3 "$forms" hostile "$FABRIC/dragonfly.net" >"$FABRIC/forms.net" || fail "no hostile names"
fabric_start forms "$FABRIC/forms.net"
sm_start
sm_wait_up 1
expect_routed
grep -q '"fault": "wrong cable"' "$(state_file json)" || fail "no wrong cable in the state file"
python3 "$forms" json "$(state_file json)" || fail "the state file is no JSON"
python3 "$forms" prometheus "$fabric_dir"/odonata*.prom || fail "Prometheus cannot read its files"
LC_ALL=C grep -a "odonata:" "$sm_log" >"$FABRIC/said"
python3 "$forms" log "$FABRIC/said" || fail "a line of the log is none"
[ "$(grep -c "odonata: .* switches, .* proved" "$FABRIC/said")" = "$(grep -c "tables configured" "$sm_log")" ] ||
	fail "a name poses as a line of the log"
sm_stop
fabric_stop
echo "descriptions for every form of file: read by others"

# A switch that says it is another one.
"$odonata" generate dragonfly:p=1,a=4,h=2 >"$FABRIC/twins.net" || fail generate
fabric_start twins "$FABRIC/twins.net"
sm_start
sm_wait_up 1
guid=$(sed -nE 's/^switchguid=(0x[0-9a-f]+).*/\1/p' "$FABRIC/twins.net" | head -n 1)
console "Guid \"g2r1\" $guid"
kill -HUP "$(cat "$fabric_dir/sm.pid")"
sm_wait_up 2
wait_for 60 grep -q "odonata: 35 switches" "$sm_log" || fail "what is left was not routed"
expect_routed
sm_stop
fabric_stop
echo "two switches with one GUID: the other 35 are routed"

# Three switches of 254 ports. With LMC 7 a host takes 128 LIDs, and 382 hosts 48,896 of 49,151. The GUIDs
# are the least and the greatest that there are.
awk 'BEGIN {
	for (s = 0; s < 3; s++) {
		print s == 2 ? "switchguid=0xfffffffffffffffe" : s ? "switchguid=0x7fffffffffffffff" : "switchguid=0x1"
		print "Switch\t254 \"S" s "\"\t\t# \"S" s "\" base port 0 lid 0 lmc 0"
		for (p = 1; p <= 127; p++)
			print "[" p "]\t\"H" s * 127 + p - 1 "\"[1]"
		for (t = 0; t < 3; t++)
			if (t != s) print "[" 254 - t "]\t\"S" t "\"[" 254 - s "]"
		print ""
	}
	for (h = 0; h < 381; h++)
		print "Ca\t1 \"H" h "\"\t\t# \"H" h "\"\n[1]\t\"S" int(h / 127) "\"[" h % 127 + 1 "]\n"
}' >"$FABRIC/wide.net"
ibsim_limits="-S 4096 -N 30000 -P 200000 -L 49152" fabric_start wide "$FABRIC/wide.net"
sm_start "lmc 7"
sm_wait_up 1 200
expect_routed
grep -q "3 switches, 381 hosts" "$sm_log" || fail "not all were routed"
expect_tame "$(state_file json)"
sm_stop
fabric_stop
echo "254 ports, LMC 7, nearly all LIDs: routed"
