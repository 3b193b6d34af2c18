#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A short storm (storm.sh) under the stock opensm; slow_storm.sh has long ones.
export ODONATA_BUILD=$1
. "$(dirname "$0")/fabric.sh"
. "$(dirname "$0")/readback.sh"
. "$(dirname "$0")/handed.sh"
. "$(dirname "$0")/held.sh"
. "$(dirname "$0")/certificate.sh"
. "$(dirname "$0")/storm.sh"

"$odonata" generate dragonfly:p=2,a=4,h=2 --shuffle 41 -o "$FABRIC/dragonfly.net" || fail generate
storm_places "$FABRIC/dragonfly.net"
storm_start dragonfly "$FABRIC/dragonfly.net" 1
for ((event = 1; event <= 12; event++)); do
	case $event in 3) kind=leaf_gone ;; 5) kind=reboot ;; 7) kind=leaf_back ;; 11) kind=manager_anew ;; *) kind= ;; esac
	storm_event $kind
	echo "$event: $row"
done
sm_stop
echo "every event left safe tables"
