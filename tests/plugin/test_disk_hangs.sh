#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A disk that does not answer, wherever in its work, stops no sweep: the fabric is routed around a cable that goes,
# and paths are answered. When it answers again the files are written. A full disk for OpenSM's log stops none either.
export ODONATA_BUILD=$1
. "$(dirname "$0")/keep.sh"

export ODONATA_HANG=$FABRIC/hang
say() { # WORD: the call that hangs
	echo "$1" >"$ODONATA_HANG.new"
	mv "$ODONATA_HANG.new" "$ODONATA_HANG"
}
ups() {
	grep -c "SUBNET UP" "$sm_log"
}
has_swept() { # N: more than N times, and what switches hold is proved
	[ "$(ups)" -gt "$1" ] && in_fabric "$odonata" verify live >"$FABRIC/verdict"
}
is_written() { # the state file tells of the last sweep
	local sweep
	sweep=$(grep -o "installed in [0-9.]*: sweep [0-9]*$" "$sm_log" | tail -n 1)
	grep -qs "\"sweep\": ${sweep##* }," "$(state_file json)"
}

say nothing
"$odonata" generate dragonfly:p=1,a=4,h=2 --shuffle 22 -o "$FABRIC/net" || fail generate
fabric_start stuck "$FABRIC/net"
preload=$fabric_preload
fabric_preload="$ODONATA_BUILD/tests/libhang.so $preload"
sm_start "event_plugin_options disk_wait=1 max_sls=1"
fabric_preload=$preload
sm_wait_up 1
gaps=0
for call in opendir openat fsync; do
	link=$(some_link "$FABRIC/net" $((gaps + 6)))
	say $call
	for what in Unlink Relink; do
		before=$(ups)
		console "$what $link"
		wait_for 60 has_swept $before || fail "$call, $what: $(cat "$FABRIC/verdict")"
	done
	gaps=$((gaps + 1))
	log_has $gaps "files cannot be read or written for 1 s" || fail "$call: nothing in the log"
	! is_written || fail "$call: the state file is written"
	say nothing
	for try in {1..20}; do
		log_has $gaps "files can be read and written again" && is_written && break
		[ $try -lt 20 ] || fail "$call: files are not written again"
		before=$(ups)
		kill -HUP "$(cat "$fabric_dir/sm.pid")"
		wait_for 60 has_swept $before || fail "$call: no sweep afterwards"
	done
	echo "$call hangs, and sweeps go on"
done
! log_has $((gaps + 1)) "files cannot be read" || fail "more gaps than there were"

# What was written in the end is whole: the next manager continues from it.
say nothing
sm_stop
sm_start "event_plugin_options disk_wait=1 max_sls=1"
sm_wait_up 1
log_has 1 "tables and SLs are taken over" || fail "the file for the next manager is not there"
! log_has 1 "is not used" || fail "the file for the next manager is damaged"
sm_stop

# A manager that routes before it can read that file keeps the SLs of both, and does not take old tables.
say opendir
fabric_preload="$ODONATA_BUILD/tests/libhang.so $preload"
sm_start "event_plugin_options disk_wait=1 max_sls=1"
fabric_preload=$preload
sm_wait_up 1
log_has 1 "files cannot be read or written for 1 s" || fail "the file was read"
say nothing
for try in {1..20}; do
	log_has 1 "SLs are taken over from an earlier manager, whose file could not be read" && is_written && break
	[ $try -lt 20 ] || fail "the earlier manager's file is not read"
	before=$(ups)
	kill -HUP "$(cat "$fabric_dir/sm.pid")"
	wait_for 60 has_swept $before || fail "no sweep afterwards"
done
! log_has 1 "tables and SLs are taken over" || fail "tables that no switch has are taken over"
! ls "$fabric_dir" | grep -Eq '^odonata(-\.past|\.json|_alive-\.prom)$' || fail "a file without an ID"
sm_stop

# A log without room.
rm -f "$fabric_dir"/odonata-*.json
(OSM_TMP_DIR=$fabric_dir OSM_CACHE_DIR=$fabric_dir exec_in_fabric opensm -e -f /dev/full \
	-F "$fabric_dir/opensm.conf" >"$fabric_dir/osm.out" 2>&1) &
fabric_pids+=($!)
state_says() { # TEXT
	grep -qs "$1" "$(state_file json)"
}
wait_for 60 state_says '"outcome": "installed"' || fail "no sweep with a full log"
console "Unlink $link"
wait_for 60 state_says '"missing_cables": 1' || fail "no second sweep with a full log"
echo "a full log stops no sweep"
