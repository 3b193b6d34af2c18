#!/usr/bin/env bash
# Tables of the sweep before that are not safe any more do not stay, nor those that leave to others what
# they had better do: ours declines as ever.
export ODONATA_BUILD=$1
. "$(dirname "$0")/keep.sh"

start_dragonfly vls

# Without VLs the tables are not safe, whatever they were: declined, and minhop closes cycles.
reconfigured 's/^qos TRUE/qos FALSE/'
sm_wait_up 2
routed_last minhop
grep -q "declined as .*set \"qos TRUE\".*tables of sweep 1 cannot be kept: .*set \"qos TRUE\"" "$sm_log" ||
	fail "the log does not say why nothing was kept"
reconfigured 's/^qos FALSE/qos TRUE/'
sm_wait_up 3
as_at_the_start
echo "max_op_vls 1" >>"$fabric_dir/opensm.conf"
reconfigured ''
sm_wait_up 4
routed_last minhop
grep -q "cannot be kept: LID .* needs VL 1 " "$sm_log" || fail "the log does not say which VL is gone"
judge_installed minhop
# minhop gives SL 0 to all paths, which the dumps do not tell.
grep -q "^failure *if all packets are on SL 0: deadlock: " "$fabric_dir/verdict" || fail "so it would be with minhop as well"
run_ibdmchk "$fabric_dir/ibdmchk.log" -d opensm-sl2vl.dump # which gives up where paths are missing
grep -q "Found credit loop" "$fabric_dir/ibdmchk.log" || fail "ibdmchk finds no loop under minhop"
reconfigured 's/^max_op_vls 1$/max_op_vls 5/'
sm_wait_log 1 "odonata: 36 switches.*: sweep [56]$"
echo "declined where VLs are gone"

# Nor where VLs are there, and nothing on them would ever be sent.
printf '%s\n' "qos_vlarb_high 0:4" "qos_vlarb_low 0:4" >>"$fabric_dir/opensm.conf"
reconfigured ''
wait_for 60 grep -q "cannot be kept: they need [2-8] VLs, and VL arbitration gives VL 1 no weight" "$sm_log" ||
	fail "tables on VLs without weight are kept"
sm_wait_up 6
routed_last minhop
echo "declined where VLs have no weight"
sm_stop

# An engine that is listed next is preferred to pairs cut off.
start_dragonfly listed "routing_engine odonata,odonata.updown,no_fallback"
console "Unlink $link"
sm_wait_up 2
routed_last odonata.updown
grep -qE "cannot be kept: they cut off 102 of 3888 pairs .*\"odonata.updown\" is listed next" "$sm_log" ||
	fail "the log does not say that another is preferred"
console "Relink $link"
sm_wait_up 3
as_at_the_start
reconfigured 's/^qos TRUE/qos FALSE/'
sm_wait_up 4
routed_last odonata.updown
judge_installed updown
grep -q "^safe *yes" "$fabric_dir/verdict" || fail "updown: $(cat "$fabric_dir/verdict")"
echo "an engine listed next takes over"
sm_stop
