#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# One command returns to the tables before a bad change, byte for byte, or leaves the routing to another engine
# and takes it back; it says before what becomes of connections. An order binds the next manager, too.
export ODONATA_BUILD=$1
. "$(dirname "$0")/keep.sh"

handover() { # CODE ARGUMENT...
	local code=$1 found=0
	shift
	"$odonata" handover "$fabric_dir" "$@" >"$FABRIC/said" 2>&1 </dev/null || found=$?
	[ $found = "$code" ] || fail "handover $*: expected $code, found $found: $(cat "$FABRIC/said")"
}
said() { # LINE
	grep -Eq "^ *$1\$" "$FABRIC/said" || fail "expected '$1', found: $(cat "$FABRIC/said")"
}
state_says() { # REGEX...: lines of the state file
	local line
	for line; do
		grep -qsE "^ *$line,?\$" "$(state_file json)" || return 1
	done
}
wait_state() { # REGEX...
	wait_for 60 state_says "$@" || fail "the state file lacks $*"
	wait_for 60 steps_are_done || fail "a sweep that was asked for does not come"
}
holds() { # NAME
	wait_for 60 steps_are_done || fail "a sweep that was asked for does not come"
	by_tool lfts | sort | cmp -s - "$FABRIC/lfts.$1" || fail "LFTs are not those of $1"
	by_tool sl2vl | sort | cmp -s - "$FABRIC/sl2vl.$1" || fail "SL2VL maps are not those of $1"
	echo "tables as at: $1"
}
note() { # NAME
	by_tool lfts | sort >"$FABRIC/lfts.$1"
	by_tool sl2vl | sort >"$FABRIC/sl2vl.$1"
}
start() { # LINE...
	sm_start "event_plugin_options conf=$FABRIC/conf" "root_guid_file $FABRIC/roots" "$@"
	sm_wait_up 1
}

"$odonata" generate torus:k=5x5,c=1 --shuffle 5 -o "$FABRIC/torus.net" || fail generate
fabric_start torus "$FABRIC/torus.net"
in_fabric ibnetdiscover >"$FABRIC/discovered" || fail ibnetdiscover
fabric_most_cables "$FABRIC/discovered" >"$FABRIC/roots"
echo "good_after=0" >"$FABRIC/conf"
start "routing_engine odonata,updn"
note good
handover 3 --to last-good --yes
grep -q "no tables that were read back" "$FABRIC/said" || fail "$(cat "$FABRIC/said")"

# A bad change of options, and a cable that goes after it.
echo "good_after=0 engine=updown" >"$FABRIC/conf"
kill -HUP "$(cat "$fabric_dir/sm.pid")"
wait_state '"engine": "updown"' '"outcome": "installed"'
link=$(some_link "$FABRIC/torus.net" 7)
console "Unlink $link"
wait_state '"missing_cables": 1' '"outcome": "installed"'
console "Relink $link"
wait_state '"missing_cables": 0' '"outcome": "installed"'
note bad
cmp -s "$FABRIC/lfts.good" "$FABRIC/lfts.bad" && fail "the options changed nothing"
handover 0 --to last-good --judge-only
said "cut off +0"
handover 1 --to last-good
said "outcome +nothing was changed"
holds bad

handover 0 --to last-good --yes
said "handed over +yes"
said "outcome +installed"
holds good
"$odonata" status "$fabric_dir" >"$FABRIC/status" && fail "an order is no alarm"
grep -q "order of odonata handover is in force" "$FABRIC/status" || fail "$(cat "$FABRIC/status")"
in_fabric "$odonata" verify live >"$FABRIC/verdict" || fail "not safe: $(cat "$FABRIC/verdict")"

# The next manager obeys it, too, also in a dry run, and does not take these tables for the bad ones that were
# replaced.
sm_stop
echo "good_after=0 engine=updown dry_run=1" >"$FABRIC/conf"
start "routing_engine odonata,updn"
holds good

# Another engine, judged by its tables once these are known; and back.
handover 3 --to minhop --yes
grep -q "put minhop behind" "$FABRIC/said" || fail "$(cat "$FABRIC/said")"
handover 0 --to updn --judge-only
said "safe +unknown"
handover 0 --to updn --yes
said "routed by +updn"
note updn
cp "$fabric_dir/opensm-lfts.dump" "$FABRIC/updn.lfts"
echo "good_after=0" >"$FABRIC/conf"
handover 0 --to odonata --yes --tables "$FABRIC/updn.lfts"
grep -q "unknown" "$FABRIC/said" && fail "all is known: $(cat "$FABRIC/said")"
said "routed by +odonata"
said "must reconnect +$(grep -o '"reconnect_pairs": [0-9]*' "$(state_file json)" | grep -o '[0-9]*$')"
holds good
"$odonata" status "$fabric_dir" >"$FABRIC/status" || fail "still an alarm: $(cat "$FABRIC/status")"
handover 0 --to updn --judge-only --tables "$FABRIC/updn.lfts"
grep -q "unknown" "$FABRIC/said" && fail "all is known: $(cat "$FABRIC/said")"

# Rubbish instead of an order changes nothing, and is an alarm.
echo rubbish >"$(echo "$fabric_dir"/odonata-*.past | sed 's/past$/order/')"
kill -HUP "$(cat "$fabric_dir/sm.pid")"
sm_wait_log 1 "order of odonata handover is refused"
wait_state '"order_reason": ".+"' '"outcome": "installed"'
holds good
"$odonata" status "$fabric_dir" >"$FABRIC/status" && fail "a refused order is no alarm"
rm -f "$fabric_dir"/*.order
sm_stop

# The other stock engines. An engine that cannot route is none: minhop comes instead, and the answer is no.
rm "$FABRIC/roots"
touch "$FABRIC/roots"
for engine in minhop dor updn; do
	list=odonata,$engine
	[ $engine != minhop ] || list=odonata
	start "routing_engine $list"
	holds good
	code=0
	[ $engine != updn ] || code=1
	handover $code --to $engine --yes
	by=$engine
	[ $engine != updn ] || by=minhop
	said "routed by +$by"
	handover 0 --to odonata --yes
	holds good
	sm_stop
done
