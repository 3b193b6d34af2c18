#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Two cables of a machine with four adapters are swapped: the log, the state file and `odonata status --strict`
# name both adapters and the leaf where each belongs. On the fabric as planned they name none.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"

status() { # CODE
	local found=0
	"$odonata" status "$(state_file json)" --strict >"$FABRIC/status" 2>&1 || found=$?
	[ $found = "$1" ] || fail "status --strict: expected $1, found $found: $(cat "$FABRIC/status")"
}

"$odonata" generate fattree:k=8,levels=2,rails=4 -o "$FABRIC/rails.net" || fail generate
sed 's/"H1 mlx5_1"/"x"/g; s/"H1 mlx5_2"/"H1 mlx5_1"/g; s/"x"/"H1 mlx5_2"/g' "$FABRIC/rails.net" >"$FABRIC/swapped.net"

fabric_start rails "$FABRIC/rails.net"
sm_start
sm_wait_up 1
wait_for 20 has_state || fail "no state file"
status 0
grep -qx 'odonata_wrong_rails{.*} 0' "$(state_file prom)" || fail "rails of the whole fabric"
grep -q 'of another rail' "$sm_log" && fail "the whole fabric has wrong rails in the log"
sm_stop
fabric_stop

fabric_start swapped "$FABRIC/swapped.net"
sm_start
sm_wait_up 1
wait_for 20 has_state || fail "no state file"
status 1
grep -qx 'odonata_wrong_rails{.*} 2' "$(state_file prom)" || fail "$(grep rails "$(state_file prom)")"
grep -q 'odonata: 2 adapters are on a leaf of another rail, the first "H1 mlx5_[12]" on "S[12]"; it belongs on S[12]$' "$sm_log" ||
	fail "wrong rails are not in the log"
python3 - "$(state_file json)" <<'END' || fail "$(cat "$(state_file json)")"
import json, sys
faults = json.load(open(sys.argv[1]))["faults"]
assert sorted((x["fault"], x["from"], x["to"], x["from_belongs"]) for x in faults) == [
    ("wrong rail", "H1 mlx5_1", "S2", "S1"), ("wrong rail", "H1 mlx5_2", "S1", "S2")], faults
END
sm_stop
echo "swapped rails are named"
