#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# tools/carried_search.sh finds a static routing's bound whatever came before, and of a routing that
# stays congested less after full offer than from an empty network.
set -euo pipefail
odonata=$1/cli/odonata
search=$(dirname "$0")/../../tools/carried_search.sh

found() { # FIRST FABRIC PATTERN ENGINE: 128ths
	FIRST=$1 CYCLES=${CYCLES:-600} "$search" "$odonata" "${@:2}" | cut -d, -f3
}

expect() { # WHAT FOUND LEAST MOST
	[ "$2" -ge "$3" ] && [ "$2" -le "$4" ] ||
		{ echo "$1: expected $3 to $4 of 128, found $2" >&2; exit 1; }
}

# Four hosts of a switch share a link: a quarter.
for first in 0 128; do
	expect "static, first $first" "$(CYCLES=2000 found $first "flatfly:k=8x8,c=4" complement:of=switches dor)" 31 34
done

fabric="dragonfly:p=3,a=6,h=3,g=18,cables=1,arrangement=numbered"
empty=$(found 0 "$fabric" uniform dragonfly-g)
full=$(found 128 "$fabric" uniform dragonfly-g)
expect "congested by full offer, $empty from empty" "$full" 1 $((empty / 2))
echo "ok: from empty $empty, after full offer $full of 128"
