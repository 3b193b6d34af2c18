#!/usr/bin/env bash
# Every engine for stock switches, from end to end under the stock opensm, on a small fabric
# (engines.sh). A sample leaves out those that other tests start there, too; slow_engines.sh has
# larger fabrics.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/certificate.sh"
. "$(dirname "$0")/engines.sh"

others="dragonfly layered updown" # test_reroute.sh, test_floor.sh
while read -r engine spec lmc; do
	done_engines="${done_engines:-} $engine"
	[ -z "${ODONATA_WIDE:-}" ] && grep -qw -- "$engine" <<<"${others// /$'\n'}" && continue
	engine_holds "$spec" "$engine" "$lmc"
done <<'END'
dor flatfly:k=3x3,c=2 0
mixed-dor flatfly:k=3x3,c=2 1
dragonfly dragonfly:p=2,a=4,h=2,g=5 0
dragonfly-valiant dragonfly:p=1,a=3,h=2,g=5 2
slimfly slimfly:q=4,c=1 0
torus torus:k=5x4,c=1 0
fattree fattree:k=4,levels=3 0
fattree-shifts pgft:m=4x2x2,w=1x3x2 0
dragonfly-plus dragonfly-plus:p=2,leaves=2,spines=2,h=2,g=5 0
dragonfly-plus-valiant dragonfly-plus:p=1,leaves=2,spines=2,h=2,g=5 1
layered random:n=16,d=4,c=1 0
updown random:n=16,d=4,c=1 1
turns random:n=16,d=4,c=1 1
END
for engine in $(ib_engines); do
	grep -qw -- "$engine" <<<"$done_engines" || fail "engine $engine is not tested here"
done
