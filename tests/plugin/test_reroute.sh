#!/usr/bin/env bash
# Cables and switches come and go while opensm runs: each time the tables in the emulated switches
# are again exactly ours, or those before, mended; and when all is back they are those of the start.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/nets.sh"

ups=0 steps=0
settled() { # WHAT: one more sweep ends with our tables in place, and those that it asks for
	ups=$((ups + 1))
	sm_wait_up $ups
	while [ "$(grep -c "change step by step" "$sm_log")" -gt $steps ]; do
		steps=$((steps + 1)) ups=$((ups + 1))
		sm_wait_up $ups
	done
	[ "$(grep -c "odonata tables configured" "$sm_log")" -ge $ups ] || fail "$1: another engine"
	expect_tables
	echo "$1: $summary"
	same_lfts
	same sl2vl "$fabric_dir/sl2vl" by_tool sl2vl
}

# What stands of the tables before depends on these: only what they do is looked at.
mended() { # WHAT
	ups=$((ups + 1))
	sm_wait_up $ups
	[ "$(grep -c "odonata tables configured" "$sm_log")" -ge $ups ] || fail "$1: another engine"
	in_fabric "$odonata" verify live >"$FABRIC/verified" || fail "$1: not safe"
	grep "while switches change" "$sm_log" | tail -n 1 >"$FABRIC/change"
	grep -q "cannot deadlock" "$FABRIC/change" || fail "$1: $(cat "$FABRIC/change")"
	by_tool lfts | sort >"$FABRIC/lfts.cut"
	! cmp -s "$FABRIC/lfts.cut" "$FABRIC/lfts.start" || fail "$1: nothing changed"
	echo "$1: mended"
}

"$odonata" generate dragonfly:p=2,a=4,h=2,g=5 --damage 0,3,21 --shuffle 21 >"$FABRIC/dragonfly.net" || fail generate
fabric_start dragonfly "$FABRIC/dragonfly.net"
sm_start
settled start
by_tool lfts | sort >"$FABRIC/lfts.start"
by_tool sl2vl | sort >"$FABRIC/sl2vl.start"

link=$(some_link "$FABRIC/dragonfly.net" 20)
console "Unlink $link"
mended "cable $link cut"
# What the log says of the change is what the switches show.
changed=$(comm -13 "$FABRIC/lfts.start" "$FABRIC/lfts.cut" | wc -l)
grep -qE "odonata: $changed of $(wc -l <"$FABRIC/lfts.cut") LFT entries change" "$sm_log" ||
	fail "$changed entries changed, and the log says $(grep -o "[0-9]* of [0-9]* LFT.*" "$sm_log" | tail -n 1)"
console "Relink $link"
settled "cable back"
by_tool lfts | sort | cmp -s - "$FABRIC/lfts.start" || fail "LFTs are not those of the start"
by_tool sl2vl | sort | cmp -s - "$FABRIC/sl2vl.start" || fail "SL2VL is not that of the start"

# A switch of another group than the manager's, so that it stays in touch.
console "Unlink ${link%[*}"
mended "switch ${link%[*} gone"
console "Relink ${link%[*}"
settled "switch back"
by_tool lfts | sort | cmp -s - "$FABRIC/lfts.start" || fail "LFTs are not those of the start"
sm_stop

# A sweep that ours declines, pairs being cut off and an engine listed next, is that engine's, with
# OpenSM's own SL2VL; the next one is ours.
"$odonata" generate dragonfly:p=2,a=4,h=2,g=5 --shuffle 22 >"$FABRIC/whole.net" || fail generate
fabric_start whole "$FABRIC/whole.net"
sm_start "routing_engine odonata,minhop" "event_plugin_options strict=1 no_fallback=1"
ups=0 steps=0
settled "whole"
by_tool lfts | sort >"$FABRIC/lfts.start"
by_tool sl2vl | sort >"$FABRIC/sl2vl.start"
link=$(some_link "$FABRIC/whole.net" 20)
console "Unlink $link"
ups=$((ups + 1))
sm_wait_up $ups
routed_last() { # ENGINE
	grep -E "tables configured" "$sm_log" | tail -n 1 | grep -q "$1" || fail "$1 did not route last"
}
grep -q "odonata: declined as odonata: .*contradiction" "$sm_log" || fail "did not decline"
routed_last minhop
by_tool sl2vl | awk '{ for (sl = 0; sl < 8; sl++) if ($(4 + sl) != sl) exit 1 }' ||
	fail "SL2VL of the sweep that ours declined is not OpenSM's own"
console "Relink $link"
ups=$((ups + 1))
sm_wait_up $ups
routed_last odonata
by_tool lfts | sort | cmp -s - "$FABRIC/lfts.start" || fail "LFTs are not those of the start"
by_tool sl2vl | sort | cmp -s - "$FABRIC/sl2vl.start" || fail "SL2VL is not that of the start"
echo "declined once, then ours again"
sm_stop

# `layered` is told the tables before: only entries change whose packets passed the cable, which a
# manager that starts anew does not manage; and once it is back they are those of the start.
astray() { # FILE: changed entries whose old path stands, by following it through the start's tables
	awk -F'[][" \t]+' '
		FILENAME ~ /discovered/ && /^(Switch|Ca)/ { guid = substr($3, 3) }
		FILENAME ~ /discovered/ && /^\[/ && $3 ~ /^S-/ { far[FILENAME, guid, $2 + 0] = substr($3, 3) }
		FILENAME ~ /lfts.start/ { port[$1, $2] = $3 + 0 }
		FILENAME ~ /lfts.after/ && port[$1, $2] != $3 + 0 {
			stands = 1
			for (s = $1; stands && (start, s, port[s, $2]) in far; s = far[start, s, port[s, $2]])
				stands = (after, s, port[s, $2]) in far
			n += stands }
		END { print n + 0 }' start="$FABRIC/discovered.start" after="$FABRIC/discovered.after" \
		"$FABRIC/discovered.start" "$FABRIC/discovered.after" "$FABRIC/lfts.start" "$1"
}
"$odonata" generate random:n=24,d=6,c=2 --shuffle 23 >"$FABRIC/random.net" || fail generate
fabric_start random "$FABRIC/random.net"
few_vls() {
	sm_forget
	sm_start "routing_engine odonata.layered" "event_plugin_options max_vls=2"
	sm_wait_up 1
	expect_routed odonata.layered
}
few_vls
# The times that the log tells are processor time of one thread: the busiest has had no less.
cat "/proc/$(cat "$fabric_dir/sm.pid")"/task/*/schedstat >"$FABRIC/threads" || fail "no times of threads"
sed -nE 's/.* in ([0-9.]+) ms, mapped in ([0-9.]+), .*verified in ([0-9.]+), installed in ([0-9.]+):.*/\1 \2 \3 \4/p' "$sm_log" |
	awk 'NF == 4 { told += $1 + $2 + $3 + $4 } NF == 3 && $1 > most { most = $1 }
		END { print told " ms told, " most / 1e6 " ms of a thread"; exit !(told > 0 && told <= most / 1e6) }' \
		- "$FABRIC/threads" || fail "more time told than any thread has had"
in_fabric ibnetdiscover >"$FABRIC/discovered.start" || fail "ibnetdiscover"
by_tool lfts | sort >"$FABRIC/lfts.start"
link=$(some_link "$FABRIC/random.net" 40)
console "Unlink $link"
sm_wait_up 2
in_fabric ibnetdiscover >"$FABRIC/discovered.after" || fail "ibnetdiscover"
by_tool lfts | sort >"$FABRIC/lfts.after-cut"
! cmp -s "$FABRIC/lfts.start" "$FABRIC/lfts.after-cut" || fail "the cut changed nothing"
[ "$(astray "$FABRIC/lfts.after-cut")" -eq 0 ] || fail "entries changed whose paths stand"
sm_stop
few_vls
by_tool lfts | sort >"$FABRIC/lfts.after-anew"
[ "$(astray "$FABRIC/lfts.after-anew")" -gt 0 ] || fail "so it would be without the tables before"
console "Relink $link"
sm_wait_up 2
by_tool lfts | sort | cmp -s - "$FABRIC/lfts.start" || fail "LFTs are not those of the start"
echo "layered: what stood was kept"
