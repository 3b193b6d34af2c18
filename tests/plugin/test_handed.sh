#!/usr/bin/env bash
# Connections keep the SLs that they were given. After each of some cuts and repairs what all of them
# hold together is safe on the tables of now, as the switches and the SA give them, but for pairs that
# the log told to reconnect; ibdmchk says the same of the first SLs that they were given.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/handed.sh"

series() { # NAME SPEC SEED STEPS [OPTION OF GENERATE...]
	local name=$1 spec=$2 seed=$3 steps=$4 step
	shift 4
	"$odonata" generate "$spec" "$@" >"$FABRIC/$name.net" || fail "generate $spec"
	handed_reads=yes
	handed_start "$name" "$FABRIC/$name.net" "$seed" 3
	for ((step = 1; step <= steps; step++)); do
		handed_step
		echo "$name: $row"
		case $row in *,yes,*) ;; *) fail "not safe with the SLs handed out: $row" ;; esac
	done
	run_ibdmchk "$fabric_dir/ibdmchk.log" -c old.psl -d opensm-sl2vl.dump
	grep -q "no credit loops found" "$fabric_dir/ibdmchk.log" || fail "ibdmchk finds a loop"
	grep -q "pairs must reconnect" "$sm_log" || fail "the sweep's line has no count"
	sm_stop
	fabric_stop
}

series random random:n=24,d=6,c=2 3 2 --shuffle 36
series dragonfly dragonfly:p=1,a=4,h=1 5 3 --shuffle 42
