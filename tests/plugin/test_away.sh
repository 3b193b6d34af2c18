#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A host is off while cables are cut, and comes back with the SLs that it holds; a leaf comes back before the
# links of its hosts do. After each change all SLs that were ever handed out to ports that are there are safe
# with what the switches have, except those that the log reported while the port was there (tool_held.c).
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/handed.sh"
. "$(dirname "$0")/held.sh"

judge() { # CHANGE
	held_judge
	echo "  $1: $held"
	case $held in yes*) ;; *) bad="$bad${bad:+, }$1 ($held)" ;; esac
}

change() { # CHANGE LINE...: lines for ibsim's console
	local what=$1 line
	shift
	for line in "$@"; do
		console "$line"
	done
	handed_settle
	judge "$what"
}

start() { # NAME SPEC SEED
	net=$FABRIC/$1.net
	echo "$2, seed $3"
	"$odonata" generate "$2" --shuffle "$3" -o "$net" || fail "generate $2"
	RANDOM=$3
	fabric_start "$1" "$net"
	mapfile -t cables < <(switch_cables "$net" | shuf --random-source=<(yes "$3"))
	mapfile -t hosts < <(awk -F'"' -v own="$fabric_host" '/^(Hca|Ca)/ && $2 != own { print $2 }' "$net")
	host=${hosts[RANDOM % ${#hosts[@]}]}
	ups=0 held_read=0 held_n=0 bad=
	sm_start "sweep_interval 2"
	handed_settle
	judge start
}

end() {
	sm_stop
	fabric_stop
	[ -z "$bad" ] || fail "not safe with all SLs handed out: $bad"
}

host_off() { # NAME SPEC SEED
	local i
	start "$@"
	change "host off" "Unlink \"$host\""
	for i in 0 1 2 3; do
		change "cut ${cables[i]}" "Unlink ${cables[i]}"
	done
	change "host back" "Relink \"$host\""
	end
}

leaf_of() { # HOST
	awk -F'"' -v host="$1" '/^(Hca|Ca)/ { at = $2 } /^\[/ && at == host { print $2; exit }' "$net"
}

leaf_first() { # NAME SPEC SEED
	local leaf i there=() back=()
	start "$@"
	while leaf=$(leaf_of "$host") && [ "$leaf" = "$(leaf_of "$fabric_host")" ]; do
		host=${hosts[RANDOM % ${#hosts[@]}]}
	done
	mapfile -t there < <(held_far "$net" "$leaf" | awk '$3 == "host" { print $2 }')
	mapfile -t back < <(held_far "$net" "$leaf" | awk '$3 == "switch" { print "Relink " $1 }')
	change "leaf gone" "Unlink \"$leaf\""
	change "cut ${cables[0]}" "Unlink ${cables[0]}"
	change "leaf back" "${back[@]}"
	for i in 1 2; do
		change "cut ${cables[i]}" "Unlink ${cables[i]}"
	done
	change "repair ${cables[1]}" "Relink ${cables[1]}"
	for host in "${there[@]}"; do
		change "$host back" "Relink \"$host\""
	done
	end
}

host_off torus torus:k=5x5,c=1 5
leaf_first random random:n=20,d=5,c=2 1
echo "SLs of whoever was away are safe, or the log reported them"
