#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Reading back sends no more MADs a second than it may, on an idle fabric that asks for far more. OpenSM's own log of
# the MADs it sends is counted. Time is measured around what is counted, so a busy machine only allows more.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

rate=40
n_asked() { # Gets of LFT blocks, SL2VL maps and VL arbitration
	awk '/SMP dump/ { get = 0 }
	     /method\.+0x1 / { get = 1 }
	     /attr_id\.+0x(19|17|18) / { n += get; get = 0 }
	     END { print n + 0 }' "$sm_log"
}
has_asked() { [ "$(n_asked)" -ge "$1" ]; }
figure() { sed -n "s/^odonata_$1{subnet=\"[0-9a-f]*\"} //p" "$fabric_dir"/odonata_alive-*.prom; }

"$odonata" generate dragonfly:p=2,a=4,h=2,g=5 -o "$FABRIC/net" || fail generate
fabric_start idle "$FABRIC/net"
sm_start "event_plugin_options read_back_seconds=1 read_back_rate=$rate" "sweep_interval 3600" "console local"
sm_wait_up 1
before=$(date +%s%N)
has_asked 1 && fail "MADs are logged without being asked for: those of the sweep would count"
sm_console "loglevel 0x63" # with MADs
wait_for 60 has_asked $((rate * 3)) || fail "only $(n_asked) MADs in a minute"
n=$(n_asked)
ms=$((($(date +%s%N) - before) / 1000000))
most=$((rate * (ms + 1000) / 1000 + 1)) # a second's worth may have been saved up
echo "$n MADs in $ms ms: at most $most are allowed"
[ "$n" -le "$most" ] || fail "$n MADs in $ms ms: $most are allowed"

# It says how long all takes at this rate, and how old the oldest knowledge is.
tables=$(figure read_back_tables)
[ "$tables" -gt 1000 ] || fail "$tables tables: too few to ask for"
python3 -c 'import sys
tables, rate, took = map(float, sys.argv[1:])
assert abs(took - tables / rate) < 1, (took, tables / rate)' "$tables" $rate "$(figure read_back_round_seconds)" ||
	fail "all tables take $(figure read_back_round_seconds) s"
"$odonata" status "$(state_file json)" >"$FABRIC/status" || fail "$(cat "$FABRIC/status")"
grep -qE '^read back +[0-9]+ of 20 switches .*, the oldest .*s ago; 1 s are wanted$' "$FABRIC/status" ||
	fail "status: $(cat "$FABRIC/status")"
sm_stop
