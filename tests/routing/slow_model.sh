#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What connections hold, in all 31 connected graphs of up to 5 switches (explore.h): about 12 minutes of one core.
# A line for each graph says how deep it was explored whole.
#
#   slow_model.sh BUILD [MODE]     MODE nosym: graphs are not renumbered, at a smaller depth
set -u
explore=$1/tests/routing_tool_model
failed=0
run() { # WHAT SWITCHES DEPTH KINDS ASKS
	echo "== $1: $2 switches, depth $3, asks $5"
	"$explore" "${@:2}" || failed=1
}
if [ "${2:-}" = nosym ]; then
	run "every event, states not renumbered" 1-4 2 all a nosym
	exit $failed
fi
run "every event" 1-2 4 all a
run "every event, and who asks when" 1-3 2 all nah
run "every event" 3 3 all a
run "every event" 4-5 2 all a
run "cables, hosts, managers, options" 3 6 cable,host,takeover,option a
run "cables, hosts, managers, options" 4 4 cable,host,takeover,option a
run "cables, hosts, managers, options" 5 3 cable,host,takeover,option a
run "cables alone" 4 6 cable a
run "cables alone" 5 4 cable a
exit $failed
