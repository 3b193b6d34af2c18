#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The simulated OpenSM (tests/sim) beside the real one and ibsim: the same cables, switches and adapters go and come
# back, and after each of 2,000 events LFTs and SL2VL maps are equal. With a second argument rows are kept in that
# file, and a run that was broken off goes on after the last whole round.
set -u
export ODONATA_BUILD=$1
rows=${2:-$(mktemp)}
touch "$rows"
rounds=${ODONATA_ROUNDS:-40} events=${ODONATA_EVENTS:-50}
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/handed.sh"
specs=(torus:k=4x3,c=1,ports=8 dragonfly:p=1,a=3,h=2,ports=8 random:n=14,d=3,c=1,ports=6 flatfly:k=3x3,c=1,ports=7
	fattree:k=4,levels=3 hypercube:n=4,c=1,ports=7 torus:k=6x6,c=1,ports=7 mesh:k=4x3,c=1,ports=7)
all_options=("" max_vls=4 "" max_vls=2 "" max_sls=1 "" "")
sim=$ODONATA_BUILD/tests/sim

# Lines that can be compared: switch, LID, port; switch, input, output, VLs.
lfts() { awk '/^Unicast/ { match($0, /guid 0x[0-9a-f]+/); s = substr($0, RSTART + 5, RLENGTH - 5) }
	/^0x[0-9a-f]+ [0-9]+ / { print s, $1, $2 + 0 }' "$1/opensm-lfts.dump" | sort; }
maps() { awk '/^(Switch|Channel|CA)/ { s = /^Switch/ ? substr($2, 1, 18) : "" }
	s && /^ *[0-9]+ +[0-9]+ *:/ { gsub(/[:|]/, " "); $1 = $1; print s, $0 }' "$1/opensm-sl2vl.dump" | sort; }

# OpenSM dumps maps of ports that are down, too.
compare_tables() { # WHAT
	[ -n "$(lfts "$simulated")" ] && [ -n "$(maps "$simulated")" ] || fail "$1: nothing is compared"
	diff <(lfts "$fabric_dir") <(lfts "$simulated") >"$FABRIC/difference" || fail "$1: LFTs differ: $(head -n 5 "$FABRIC/difference")"
	comm -13 <(maps "$fabric_dir") <(maps "$simulated") >"$FABRIC/difference"
	[ ! -s "$FABRIC/difference" ] || fail "$1: maps differ: $(head -n 5 "$FABRIC/difference")"
}

simulate() { # LINE
	echo "$1" >&"${SIMULATION[1]}"
	read -r -t 600 said <&"${SIMULATION[0]}" || fail "the simulation has ended"
}

# Light sweeps find a change whose trap was lost. Two of them find nothing: all sweeps have ended. Their number varies,
# and tables may get better in each, so that the simulation sweeps as often.
really() { # COMMAND
	local before
	before=$(grep -c "SUBNET UP" "$sm_log")
	ups=$before
	console "$1"
	handed_settle
	sleep 2.5
	handed_at_rest && [ "$(grep -c "SUBNET UP" "$sm_log")" = "$ups" ] || { ups=$((ups - 1)); handed_settle; sleep 2.5; }
	simulate "Sweep $((ups - before))"
}

toggle() { # THING: sets $command
	if [ -n "${away[$1]:-}" ]; then
		command="Relink $1"
		unset 'away[$1]' # expanded once: the name has brackets
	else
		command="Unlink $1" away[$1]=1
	fi
}

# The fabric stays in one piece for the most part.
draw_thing() { # sets $thing
	local all=("${!away[@]}")
	if [ ${#all[@]} -ge 4 ]; then
		thing=${all[RANDOM % ${#all[@]}]}
	elif [ $((RANDOM % 10)) -lt 6 ]; then
		thing=${cables[RANDOM % ${#cables[@]}]}
	else
		thing=${nodes[RANDOM % ${#nodes[@]}]}
	fi
}

play_round() { # ROUND
	local spec=${specs[$1 % ${#specs[@]}]} options=${all_options[$1 % ${#all_options[@]}]} i
	local net=$FABRIC/$1.net
	declare -A away=()
	RANDOM=$((1000 + $1))
	"$ODONATA_BUILD/cli/odonata" generate "$spec" -o "$net" || fail "no fabric"
	fabric_start "$1" "$net"
	mapfile -t cables < <(switch_cables "$net")
	mapfile -t nodes < <(awk -F'"' -v own="$fabric_host" '
		/^Switch/ { node[$2] } /^(Hca|Ca)/ && $2 != own { node[$2] } /^(Hca|Ca)/ { at = $2 }
		/^\[/ && at == own { spared = $2 }
		END { for (n in node) if (n != spared) print "\"" n "\"" }' "$net" | sort)
	ups=0
	sm_start "sweep_interval 1" "event_plugin_options flap_limit=0 $options"
	handed_settle
	sleep 2
	simulated=$fabric_dir/simulated
	mkdir "$simulated"
	cp "$fabric_dir/opensm-subnet.lst" "$simulated/blueprint.lst"
	coproc SIMULATION { cd "$simulated" && exec "$sim" --replay-at "$fabric_host" --spec blueprint.lst \
		--options "flap_limit=0 $options" --log sim.log; }
	simulate "Sweep $(grep -c "SUBNET UP" "$sm_log")"
	compare_tables "$spec at the start"
	for ((i = 1; i <= events; i++)); do
		draw_thing
		toggle "$thing"
		simulate "$command"
		if [ "$said" = seen ]; then really "$command"; else console "$command"; fi
		[ "$said" != unseen ] || simulate "Sweep 0"
		compare_tables "round $1, $spec \"$options\", event $i: $command"
	done
	exec {SIMULATION[1]}>&-
	wait "$SIMULATION_PID"
	echo "$1,\"$spec\",$options,$events,$(grep -c 'SUBNET UP' "$sm_log"),${said%% *}" | tee -a "$rows"
	sm_stop
	fabric_stop
}

for ((round = $(grep -c . "$rows"); round < rounds; round++)); do
	play_round $round
done
