#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each folder includes only those that docs/architecture.md lets it, so that there are no circles;
# and only the plugin knows of OpenSM.
set -u
cd "$ODONATA_SOURCE" || exit 1
failed=0
allow() { # FOLDER ALLOWED...
	local folder=$1 found
	shift
	found=$(grep -nE '^#include "[a-z]+/' "$folder"/*.[ch] |
		grep -vE "#include \"($(IFS='|'; echo "$folder $*" | tr ' ' '|'))/")
	[ -z "$found" ] || { echo "$folder/ may not include:"; echo "$found"; failed=1; }
}
core="fabric mapping routing export emulator"
allow fabric
allow mapping fabric
allow routing fabric mapping
allow export fabric mapping routing
allow emulator fabric mapping routing export
allow live $core
allow plugin $core
allow cli $core live
found=$(grep -nE '#include <(infiniband|opensm|complib|iba)/' fabric/*.[ch] mapping/*.[ch] routing/*.[ch] \
	export/*.[ch] emulator/*.[ch] cli/*.[ch])
[ -z "$found" ] || { echo "knows of InfiniBand libraries:"; echo "$found"; failed=1; }
exit $failed
