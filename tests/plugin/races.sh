# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Switches and adapters that lose their tables while a sweep runs: after the sweep has written them, and
# before it raises the ports of the node. The next sweep then finds ports that are up. Once the manager rests
# each table is read from the emulated hardware and compared with OpenSM's dumps of what it has written. Source
# after fabric.sh, readback.sh, handed.sh, held.sh and storm.sh.
#
#   races_start NAME SPEC SEED [LINE...]
#   race [KIND]       one race, of a kind of $race_kinds or by lot; $row says what it was
#   race_judge        nothing is left wrong, and the state is "installed" again
race_kinds=(switch silent cable early host twice)
race_mark="odonata: multicast (tree|is left)" # the plugin says so between the tables and the ports

races_start() {
	local net=$FABRIC/$1.net
	"$odonata" generate "$2" --shuffle 41 -o "$net" || fail "generate $2"
	storm_places "$net"
	storm_start "$1" "$net" "$3" "event_plugin_options flap_limit=0" "${@:4}"
	n_races=0
}

# By lot, but for the manager's own switch and host.
race_node() { # switch | host
	local node=$storm_own
	case $1 in
	host) node=${hosts[RANDOM % ${#hosts[@]}]} ;;
	*) while [ "$node" = "$storm_own" ]; do node=${switches[RANDOM % ${#switches[@]}]}; done ;;
	esac
	echo "$node"
}

again() { # NODE OR PORT: it goes and comes back
	console "Unlink $1"
	console "Relink $1"
}

race_ups() {
	grep -c "SUBNET UP" "$sm_log"
}

# Run COMMAND once a sweep that NODE has started has written its tables; a tool waits to empty them. Where it
# was late and the sweep had ended, the node goes and comes back: no node loses its tables without that.
race_in_sweep() { # NODE COMMAND...
	local node=$1 marks before i
	shift
	for ((i = 0; i < 5; i++)); do
		coproc wiper { in_fabric "$readback" wipe "${node//\"/}" wait 2>/dev/null; }
		read -r -u "${wiper[0]}" && break # else the fabric changed while the tool looked for the node
		sleep 0.5
	done
	before=$(race_ups)
	marks=$(grep -cE "$race_mark" "$sm_log")
	again "$node"
	for ((i = 0; i < 500; i++)); do
		log_has $((marks + 1)) "$race_mark" && break # some ms: wait_for() would be late
	done
	[ $((RANDOM % 3)) != 0 ] || sleep 0.0$((RANDOM % 5))
	echo >&"${wiper[1]}" || fail "no tool to empty $node"
	wait "$wiper_PID"
	"$@"
	[ "$(race_ups)" = "$before" ] || again "$node"
}

race_switch() { race_in_sweep "$1" again "$1"; }
race_silent() { race_in_sweep "$1" true; }
race_cable() { race_in_sweep "$1" again "$(printf '%s\n' "${cables[@]}" | grep -m 1 -F "$1[" || echo "$1")"; }
race_host() { race_in_sweep "$1" again "$1"; }
race_twice() {
	race_in_sweep "$1" again "$1"
	race_in_sweep "$(race_node switch)" true
}

# Empty before the sweep, which another switch has started.
race_early() {
	in_fabric "$readback" wipe "${1//\"/}" 2>/dev/null
	again "$(race_node switch)"
	sleep "0.0$((RANDOM % 10))"
	again "$1"
}

race() { # [KIND]
	local kind=${1:-${race_kinds[RANDOM % ${#race_kinds[@]}]}} node
	node=$(race_node "$kind")
	"race_$kind" "$node"
	n_races=$((n_races + 1))
	row="$n_races: $kind, ${node//\"/}"
}

# OpenSM's dump of SL2VL, in the form of by_tool.
race_dumped_sl2vl() {
	awk '/^(Switch|Channel)/ { match($0, /0x[0-9a-f]+/); guid = substr($0, RSTART + 2, RLENGTH - 2) }
		/^[0-9]+ +[0-9]+ +:/ { line = guid " " $1 " " $2
			for (i = 4; i <= NF; i++) line = line " " $i
			print line }' "$fabric_dir/opensm-sl2vl.dump" | sort
}

race_outcome() {
	python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["outcome"])' "$(state_file json)"
}

race_rests() {
	local n
	n=$(race_ups)
	[ "$n" -eq "$ups" ] && [ "$(race_outcome)" = installed ] && return 0
	ups=$n
	return 1
}

race_judge() {
	local what
	sm_rests
	wait_for 60 race_rests || fail "$row: the state is $(race_outcome), and stays so"
	by_tool sl2vl | sort >"$fabric_dir/sl2vl.read"
	by_tool lfts | sort >"$fabric_dir/lfts.read"
	race_dumped_sl2vl >"$fabric_dir/sl2vl.written"
	lfts_of "$fabric_dir/opensm-lfts.dump" | sort >"$fabric_dir/lfts.written"
	for what in sl2vl lfts; do
		[ -s "$fabric_dir/$what.read" ] || fail "$row: no $what were read"
		comm -23 "$fabric_dir/$what.read" "$fabric_dir/$what.written" >"$fabric_dir/$what.wrong"
		[ ! -s "$fabric_dir/$what.wrong" ] ||
			fail "$row: $(wc -l <"$fabric_dir/$what.wrong") of $what are wrong ($(cut -d" " -f1 "$fabric_dir/$what.wrong" | uniq -c | xargs)), the state is $(race_outcome)"
	done
}
