#!/usr/bin/env bash
# The plugin inside the stock opensm on fabrics of full size, emulated by ibsim: what the engine
# says of its processor time.
#
#   bench/bench_scale.sh BUILD [SPEC...]
#
# The defaults are the reference systems of paper 004 with 2,048 switches and a dragonfly at the
# limit of unicast LIDs. Bringing one up takes minutes, nearly all of them OpenSM's discovery and
# ibsim: so a run ends when the tables are made, or after $SECONDS_EACH.
# UNTIL=up waits for OpenSM to have programmed everything, before a cable dies and it sweeps again;
# QOS=FALSE spares it the SL2VL and arbitration tables, where one VL is enough. ENGINE=NAME asks for
# another engine than the one that suits the fabric.
set -u
export ODONATA_BUILD=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- paper-flatfly paper-hypercube paper-dragonfly dragonfly:p=10,a=20,h=10
. "$(dirname "$0")/../tests/plugin/fabric.sh"
. "$(dirname "$0")/../tests/plugin/nets.sh"
ibsim_limits="-S 5000 -N 50000 -P 400000 -L 49151"
patience=${SECONDS_EACH:-1500}

# After how many seconds of opensm's log a line appeared.
seconds_to() { # REGEX
	awk -v regex="$1" '
		{ split($3, t, ":"); now = t[1] * 3600 + t[2] * 60 + t[3]; if (!start) start = now }
		$0 ~ regex { printf "%.1f", now - start + (now < start) * 86400; exit }' "$sm_log"
}

engine_lines() {
	sed -nE 's/.*odonata: ([0-9]+ switches.*)/\1/p' "$sm_log"
}

for spec; do
	net=$FABRIC/net
	"$ODONATA_BUILD/cli/odonata" generate "$spec" -o "$net" || fail "generate $spec"
	fabric_start "${spec%%:*}-$RANDOM" "$net"
	sm_start "routing_engine odonata${ENGINE:+.$ENGINE}" "qos ${QOS:-TRUE}" "transaction_timeout 5000" "max_wire_smps 64" "max_smps_timeout 10000000"
	sm_wait_log 1 "odonata: [0-9]+ switches" "$patience"
	echo "$spec: tables after $(seconds_to 'odonata: [0-9]+ switches') s"
	if [ "${UNTIL:-tables}" = up ]; then
		sm_wait_up 1 "$patience"
		echo "$spec: SUBNET UP after $(seconds_to 'SUBNET UP') s"
		console "Unlink $(some_link "$net")"
		sm_wait_log 2 "odonata: [0-9]+ switches" "$patience"
	fi
	engine_lines
	sm_stop
	fabric_stop
done
