#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Races (races.sh) of all kinds by lot, shared by three fabrics:
#   slow_races.sh BUILD [RACES]
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/handed.sh"
. "$(dirname "$0")/held.sh"
. "$(dirname "$0")/certificate.sh"
. "$(dirname "$0")/storm.sh"
. "$(dirname "$0")/races.sh"

races() { # NAME SPEC SEED RACES
	local i
	races_start "$1" "$2" "$3"
	for ((i = 0; i < $4; i++)); do
		race
		race_judge
	done
	sm_stop
	fabric_stop
	echo "$1: $4 races, in which $(grep -c "does not hold the tables that OpenSM wrote" "$sm_log") nodes lost tables that were written; none is left wrong"
}
all=${2:-200}
races torus torus:k=5x5,c=1 1 $((all * 2 / 5))
races dragonfly dragonfly:p=2,a=4,h=2 2 $((all * 2 / 5))
races cube torus:k=5x5x3,c=1 3 $((all / 5))
