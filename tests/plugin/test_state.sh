#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The files that the plugin writes after a sweep, under the stock opensm: installed, dry run, declined.
# What they say is held against the log, `odonata map` and the tables in the switches.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

field() { # NAME: of the state file
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$(state_file json)" "$1"
}
expect_field() { # NAME VALUE
	local found
	found=$(field "$1") || fail "no $1 in $(cat "$(state_file json)")"
	[ "$found" = "$2" ] || fail "$1: expected $2, found $found"
}
expect_status() { # CODE [OPTION...]
	local code=$1 found=0
	shift
	"$odonata" status "$(state_file json)" "$@" >"$FABRIC/status" 2>&1 || found=$?
	[ $found = "$code" ] || fail "odonata status $*: expected $code, found $found: $(cat "$FABRIC/status")"
}

"$odonata" generate dragonfly:p=2,a=4,h=2 --damage 2%,2%,1 --miscable 1%,3 -o "$FABRIC/hurt.net" || fail generate
fabric_start hurt "$FABRIC/hurt.net"
before=$(date +%s)
sm_start "console local"
sm_wait_up 1
expect_routed
# Each time is that of its own part: handing tables over takes a hundredth of what proving them does.
sed -n 's/.*verified in \([0-9.]*\), installed in \([0-9.]*\):.*/\1 \2/p' "$sm_log" |
	awk '{ n++; less += $2 < $1 } END { exit !n || less < n }' || fail "installing took longer than routing"
expect_field outcome installed
expect_field installed 1
expect_field topology dragonfly
expect_field engine dragonfly
expect_field vls "$(grep -o 'engine dragonfly, [0-9]*' "$sm_log" | head -n 1 | cut -d' ' -f3)"
in_fabric ibnetdiscover >"$FABRIC/discovered" || fail ibnetdiscover
"$odonata" map "$FABRIC/discovered" --json >"$FABRIC/map.json"
python3 - "$(state_file json)" "$FABRIC/map.json" "$before" <<'END' || fail "the state file is not what the map says"
import json, sys, time
state, map = (json.load(open(name)) for name in sys.argv[1:3])
faults = state["faults"]
assert len(faults) == map["contradictions"] > 2, (len(faults), map["contradictions"])
for kind, key in ("wrong cable", "wrong_cables"), ("missing switch", "missing_switches"):
    here = [x for x in faults if x["fault"] == kind]
    assert len(here) == len(map.get(key, [])) == state[key], (kind, here, map.get(key))
wrong = {(x["from_guid"], x["from_port"], x["to_guid"], x["to_port"]) for x in faults if x["fault"] == "wrong cable"}
assert wrong and wrong == {(x["from_guid"], x["from_port"], x["to_guid"], x["to_port"]) for x in map["wrong_cables"]}
for key in "switches", "hosts", "cables":
    assert state[key] == map[key], key
for key in "time_seconds", "since_seconds":
    assert int(sys.argv[3]) <= state[key] <= time.time(), key
assert 0 < state["lft_entries_changed"] <= state["lft_entries"]
# Sites read these; each is there whatever the sweep was.
missing = set("""schema subnet process process_started process_space outcome reason routing_engine options options_reason engine
	topology topology_certainty topology_reason installed unconfirmed_nodes options_refused sweep sweeps_not_routed missing_cables
	slow_cables wrong_rails left_out_cables left_out vls sls safe_with_path_sls lft_entries sl_pairs_changed reconnect_pairs
	reconnect_pairs_total multicast_unserved_sls map_seconds route_seconds""".split()) - set(state)
assert not missing, missing
assert state["routing_engine"] == "odonata" and state["topology_certainty"] == "certain", state
END
expect_status 0
expect_status 0 --max-age 600
expect_status 1 --strict
grep -q 'the fabric has faults' "$FABRIC/status" || fail "the alarm is not named"
# Prometheus' text: each line is a comment or a name with a number, and no name comes twice.
grep -vE '^(# (HELP|TYPE) odonata_[a-z_]+ .*|odonata_[a-z_]+(\{[^}]*\})? [0-9.e+-]+)$' "$(state_file prom)" &&
	fail "no line of Prometheus' text"
[ -z "$(grep -v '^#' "$(state_file prom)" | sed 's/[ {].*//' | sort | uniq -d)" ] || fail "a figure twice"
[ "$(grep -c '^# TYPE .*_total counter$' "$(state_file prom)")" = "$(grep -c '^odonata_[a-z_]*_total[ {]' "$(state_file prom)")" ] ||
	fail "a figure named as a counter is none"
grep -qx 'odonata_installed{.*} 1' "$(state_file prom)" || fail "not installed"
[ "$(stat -c %a "$(state_file json)" "$(state_file prom)" | sort -u)" = 644 ] || fail "not for all to read"
[ -z "$(ls "$fabric_dir" | grep -E 'odonata-.*\.(json|prom)\.')" ] || fail "drafts are left behind"

# For whom these tables are safe: as `odonata verify` says of what is installed.
expect_sls() { # of the state file, the log and the live subnet
	in_fabric "$odonata" verify live --json >"$FABRIC/proof.json"
	python3 - "$(state_file json)" "$FABRIC/proof.json" <<'END' || fail "not what verify says of SLs"
import json, sys
state, proof = (json.load(open(name)) for name in sys.argv[1:3])
for key in "sls_safe_for_all", "sls_safe_beside_path_sls":
    assert state[key] == proof[key], (key, state[key], proof[key])
for key in "safe_with_path_sls", "safe_with_any_one_sl":
    assert state[key] == proof[key], (key, state[key], proof[key])
assert state["safe_with_sl_zero"] == (state["sls_safe_for_all"][0] == "0"), state["sls_safe_for_all"]
END
	grep -qx "odonata_safe_with_any_one_sl{.*} $(field safe_with_any_one_sl)" "$(state_file prom)" || fail "prom"
}
expect_sls
expect_field sls_safe_for_all 0-15
grep -q "proved; safe with any SL; " "$sm_log" || fail "the log does not say for whom"

# A sweep that changes nothing leaves the time of the last change.
since=$(field since_seconds)
sleep 1
sm_console "resweep heavy"
sm_wait_up 2
expect_field sweep 2
expect_field lft_entries_changed 0
expect_field since_seconds "$since"

# A cable is lost: what can happen while tables change is judged, as by hand from what is installed.
installed() { # NAME: the subnet and its tables, read back
	in_fabric "$odonata" generate live -o "$FABRIC/$1.net" || fail "generate live"
	for format in lfts sl2vl psl; do
		in_fabric "$odonata" export live --format $format -o "$FABRIC/$1.$format" || fail "export $format"
	done
}
installed old
cable=$(awk -F'"' '/^Switch/ { is[$2] = at = 1; name = $2 } /^(Hca|Ca)/ { at = 0 }
	at && /^\[/ && $2 in is && $2 != name { split($1, port, /[][]/); print "\"" name "\"[" port[2] "]"; exit }' "$FABRIC/hurt.net")
console "Unlink $cable"
sm_wait_up 3
installed new
"$odonata" transition "$FABRIC/new.net" --was "$FABRIC/old.net" --old "$FABRIC/old.lfts,$FABRIC/old.sl2vl,$FABRIC/old.psl" \
	--new "$FABRIC/new.lfts,$FABRIC/new.sl2vl,$FABRIC/new.psl" --hosts-only --json >"$FABRIC/by-hand"
grep -q "odonata: while switches change their tables .* to hosts together .* LIDs of switches .* are not judged" "$sm_log" ||
	fail "the change is not judged, or not said of which LIDs"
python3 - "$(state_file json)" "$FABRIC/by-hand" <<'END' || fail "the change is judged otherwise by hand"
import json, sys
state, hand = (json.load(open(name)) for name in sys.argv[1:3])
assert state["transition_lossy_pairs"] == hand["looping"] + hand["lost_pairs"], (state, hand)
assert state["transition_deadlock"] == (hand["cycle"] > 0), (state, hand)
assert hand["changed_entries"] > 0, hand
assert state["transition_lids_not_judged"] == hand["lids_not_judged"] == state["switches"], (state, hand)
END
sm_stop

# A dry run reports, and installs nothing: the tables are minhop's.
sm_start "event_plugin_options dry_run=1" "routing_engine odonata,minhop"
sm_wait_up 1
expect_field outcome "dry run"
expect_field engine dragonfly
expect_field installed 0
expect_field since_seconds 0
grep -q 'odonata: dry run: these tables are not installed' "$sm_log" || fail "the dry run is not told"
grep -q 'minhop tables configured on all switches' "$sm_log" || fail "minhop does not route"
by_tool lfts | sort >"$FABRIC/dry"
expect_status 1
sm_stop
sm_start "routing_engine minhop"
sm_wait_up 1
# Others route: nothing of ours is installed, whatever the manager before has left in the file.
wait_for 20 has_state || fail "no state file"
expect_field outcome declined
field reason | grep -q "asked none of Odonata's" || fail "no reason: $(field reason)"
grep -qx 'odonata_installed{.*} 0' "$(state_file prom)" || fail "installed though minhop routes"
expect_status 1
by_tool lfts | sort >"$FABRIC/minhop"
cmp "$FABRIC/dry" "$FABRIC/minhop" || fail "after a dry run the tables are not minhop's"
sm_stop

# Nothing can be routed: why is in the file.
sm_forget
sm_start "event_plugin_options max_vls=1 no_fallback=1" "routing_engine odonata,minhop"
sm_wait_up 1
expect_field outcome declined
field reason | grep -q "VLs" || fail "no reason: $(field reason)"
expect_status 1
sm_stop

# Options that are refused: the listed engine routes, and why is in the file (more in test_refused.sh).
sm_start "event_plugin_options max_vl=1" "routing_engine odonata,minhop"
sm_wait_up 1
expect_field outcome declined
expect_field options_refused 1
field reason | grep -q "options are refused: .*max_vl=1" || fail "no reason: $(field reason)"
expect_status 1
sm_stop
rm "$fabric_dir"/odonata*.json

# A file that is no state file.
echo '{"schema": 1}' >"$fabric_dir/odonata-0.json"
expect_status 3
rm "$fabric_dir/odonata-0.json"
expect_status 3

# Where nothing can be written the fabric is routed all the same.
sm_start "dump_files_dir /proc/nowhere"
sm_wait_up 1
expect_routed
grep -q 'odonata: no state file: /proc/nowhere/odonata-[0-9a-f]*.json: cannot write' "$sm_log" || fail "not told: no state file"
sm_stop
echo "state files say what was done"

# While another engine routes, the plugin does not make OpenSM send more than it sends alone.
count_mads() { # LINE...: of the configuration; three sweeps
	local n
	sm_start "routing_engine minhop" "console local" "max_op_vls 1" "$@"
	for n in 1 2 3; do
		sm_wait_log $n "SUBNET UP"
		[ $n = 3 ] || kill -HUP "$(cat "$fabric_dir/sm.pid")"
	done
	sm_console status
	wait_for 20 grep -aq "QP0 MADs sent" "$fabric_dir/osm.out" || fail "no status at the console"
	mads=$(sed -n 's/.*QP0 MADs sent *: *//p' "$fabric_dir/osm.out" | tail -n 1)
	sm_stop
}
sm_forget
count_mads "event_plugin_name (null)" # these sweeps also find the fabric as others left it
count_mads "event_plugin_name (null)"
alone=$mads
count_mads
[ $((mads * 10)) -lt $((alone * 11)) ] && echo "$mads $alone" || fail "$mads MADs beside another engine, $alone without the plugin"
