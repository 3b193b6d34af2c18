#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Adaptive engines beside what comes nearest on simpler switches, for docs/design/adaptive.md: accepted load at
# full offer under uniform traffic and under a pattern that is bad for minimal paths.
#
#   bench/bench_nearest.sh BUILD
set -euo pipefail
odonata=$(realpath "$1")/cli/odonata
accepted() { # FABRIC ENGINE PATTERN
	"$odonata" emulate "$1" -e "$2" -p "$3" -l 1.0 -m daryin --warmup 2000 --cycles 3000 --json |
		sed -n 's/.*"accepted": \([0-9.]*\).*/\1/p' | head -n 1
}
row() { # NAME ENGINE NEAREST FABRIC PATTERN WORD
	local pattern cells=
	for pattern in uniform "$5"; do
		cells+=$(printf ' %.2f / %.2f |' "$(accepted "$4" "$2" "$pattern")" "$(accepted "$4" "$3" "$pattern")")
	done
	echo "| ${1:+$1 }| $6 |$cells"
}
echo "| engine | nearest | uniform | adversarial |"
echo "|---|---|---|---|"
while IFS='|' read -r name engine nearest fabric pattern word; do
	row "$name" "$engine" "$nearest" "$fabric" "$pattern" "$word"
done <<'END'
`ador`|ador|mixed-dor|demo-flatfly|complement|`mixed-dor` (`ib`)
`mixed-ador`|mixed-ador|mixed-dor|demo-flatfly|complement|`mixed-dor`
`twisted-dor`, `twisted-mixed-dor`|twisted-dor|mixed-dor|demo-flatfly|complement|`mixed-dor`
`twisted-ador`, `twisted-mixed-ador`|twisted-mixed-ador|mixed-dor|demo-flatfly|complement|`mixed-dor`
`negative-first`|negative-first|dor|demo-hypercube|complement|`dor` (`ib`)
`abo-negative-first`|abo-negative-first|dor|demo-hypercube|complement|`dor`
`abo-positive-last`|abo-positive-last|dor|demo-hypercube|complement|`dor`
`dragonfly-static`|dragonfly-static|dragonfly|demo-dragonfly|advg:n=1|`dragonfly` (`ib`): the same paths on 2 VLs
`dragonfly-s`, `-d`, `-sd`|dragonfly-s|dragonfly|demo-dragonfly|advg:n=1|`dragonfly`
`dragonfly-g...`, such as `-gid`|dragonfly-gid|ofar-ar|demo-dragonfly|advg:n=1|`ofar-ar` (`ib-ar`)
|dragonfly-gid|dragonfly|demo-dragonfly|advg:n=1|`dragonfly` (`ib`)
`ofar-tree`|ofar-tree|ofar-ar|demo-dragonfly|advg:n=1|`ofar-ar`
`ofar-ring`|ofar-ring|ofar-ar|demo-dragonfly|advg:n=1|`ofar-ar`
`distance-based`|distance-based|layered|demo-flatfly|complement|`layered` (`ib`)
`distance-based+E`, `deflection+E`|distance-based+2|layered|demo-flatfly|complement|`layered`
END
