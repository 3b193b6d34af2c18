#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A race of each kind (races.sh) under the stock opensm; slow_races.sh has 200.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/handed.sh"
. "$(dirname "$0")/held.sh"
. "$(dirname "$0")/storm.sh"
. "$(dirname "$0")/races.sh"

races_start torus torus:k=5x5,c=1 7
[ -n "${ODONATA_WIDE:-}" ] || race_kinds=(switch silent host twice)
for kind in "${race_kinds[@]}"; do
	race "$kind"
	race_judge
	echo "$row: all tables are those that were written"
done
sm_stop
[ "$(grep -c "does not hold the tables that were written" "$sm_log")" -gt 0 ] || fail "no race lost a table: all came too late"
echo "no table is left wrong"
