#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each allocation of a command fails in turn: an answer is whole, or it says that there is no memory.
ODONATA_BUILD=$1
. "$(dirname "$0")/memory_commands.sh"
. "$(dirname "$0")/memory.sh"
each_command 1
exit $failed
