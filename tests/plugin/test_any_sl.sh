#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The damaged dragonfly of ./demo under the stock opensm: proved with the SL of each path, and not for
# applications that put all packets on one SL. Log, state files, status and verify say so, and ibdmchk, which
# shares no code with them, judges each SL that is named or left out.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

"$odonata" generate dragonfly:p=2,a=4,h=2 --damage 0,5,11 --shuffle 11 -o "$FABRIC/hurt.net" || fail generate
fabric_start hurt "$FABRIC/hurt.net"
sm_start
sm_wait_up 1
expect_routed
expect_tables
sm_wait_log 1 "SLs safe for all packets"
grep -q "proved; safe with path SLs; " "$sm_log" || fail "the log does not say for whom"
in_fabric "$odonata" verify live --json >"$FABRIC/proof.json" || fail "not safe with path SLs"
"$odonata" status "$(state_file json)" --json >"$FABRIC/status.json" || fail "status"
list() { # KEY: in all three alike
	python3 - "$1" "$FABRIC/proof.json" "$FABRIC/status.json" <<'END' || fail "$1 is not the same everywhere"
import json, sys
said = [json.load(open(name))[sys.argv[1]] for name in sys.argv[2:]]
assert said[0] == said[1], said
print(int(said[0]) if isinstance(said[0], bool) else said[0])
END
}
all=$(list sls_safe_for_all)
beside=$(list sls_safe_beside_path_sls)
grep -q "SLs safe for all packets: $all; SLs safe beside path SLs: $beside; " "$sm_log" || fail "not in the log"
[ "$(list safe_with_path_sls)" = 1 ] || fail "not proved with path SLs"
[ "$(list safe_with_any_one_sl)" = 0 ] || fail "safe with any one SL"
for figure in "safe_with_path_sls 1" "safe_with_any_one_sl 0" "safe_with_sl_zero 0"; do
	grep -qx "odonata_${figure% *}{.*} ${figure#* }" "$(state_file prom)" || fail "odonata_$figure is not told"
done
"$odonata" status "$(state_file json)" | grep -q "^sls safe for all  *$all$" || fail "not in status"

# ibdmchk with every packet on one SL, as NCCL sends, and with some packets on their paths' SLs.
is_in() { # SL LIST
	python3 -c 'import sys
print(any(int(p[0]) <= int(sys.argv[1]) <= int(p[-1]) for p in (x.split("-") for x in sys.argv[2].split(",")) if p[0] != "none"))' "$@"
}
judge
for sl in 0 1 2 5 15; do
	awk -v sl=$sl '/^0x/ { $3 = sl } { print }' "$fabric_dir/ours/odonata.psl" >"$fabric_dir/one.psl"
	run_ibdmchk "$fabric_dir/one.log" -c one.psl -d opensm-sl2vl.dump
	found=$(grep -q "no credit loops found" "$fabric_dir/one.log" && echo True || echo False)
	[ "$found" = "$(is_in $sl "$all")" ] || fail "SL $sl for all: ibdmchk says $found, we $all"
done
[ "$all" = none ] || fail "expected no SL that is safe for all here, found $all"

# With sl=any there is no such difference.
sm_stop
sm_start "event_plugin_options sl=any"
sm_wait_up 1
grep -q "proved; safe with any SL; " "$sm_log" || fail "sl=any is not safe with any SL"
in_fabric "$odonata" verify live --json >"$FABRIC/proof.json" || fail "not safe with sl=any"
"$odonata" status "$(state_file json)" --json >"$FABRIC/status.json" || fail "status"
[ "$(list safe_with_any_one_sl) $(list sls_safe_beside_path_sls)" = "1 0-15" ] || fail "sl=any: not all SLs are safe"
