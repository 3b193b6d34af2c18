#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Files as sites have them are read, written, and read again the same; what they are is found or told,
# and routes are proved or declined with a reason.
set -u
build=$1
export PATH=$build/cli:$PATH
data=$ODONATA_SOURCE/tests/data/dumps
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() {
	echo "$@"
	failed=1
}

n=0
for structure in "$data"/*.structure; do
	name=$(basename "$structure" .structure)
	awk -f "$data/dump.awk" "$structure" >"$name.topo"
	# What is made of the file has the structure that it was made of.
	awk -f "$data/structure.awk" "$name.topo" | awk -f "$data/dump.awk" | cmp - "$name.topo" ||
		fail "$name: not its structure"
	for format in ibnetdiscover ibsim; do
		odonata generate "$name.topo" --format "$format" -o "again.$format" 2>"$name.err" &&
			"$build/tests/fabric_tool_fabric" same "$name.topo" "again.$format" ||
			fail "$name: not the same, written as $format: $(cat "$name.err")"
	done
	grep -v "^odonata: warning: $name.topo:1: passed over" "$name.err" && fail "$name: warned of nothing"
	odonata map "$name.topo" >map 2>/dev/null
	grep -q '^topology ' map || fail "$name: no answer"
	[ "$(awk '$1 == "hosts" { print $2 }' map)" = \
		"$(grep -cE '^\[[0-9]+\](\([0-9]+\))?	"H-.*"host' "$name.topo")" ] ||
		grep -q vendor "$structure" || fail "$name: $(grep hosts map)"
	odonata route "$name.topo" >route 2>route.err
	case $? in
	0) grep -q '^delivers *yes' route && grep -q '^deadlock free *yes' route || fail "$name: $(cat route)" ;;
	*) grep -q '^odonata: .*: ' route.err || fail "$name: no reason: $(cat route.err)" ;;
	esac
	echo "$name: $(awk '$1 == "topology" { print $2 }' map), $(awk '$1 == "engine" { print $2 }' route)"
	n=$((n + 1))
done
[ "$n" -ge 10 ] || fail "only $n structures"

# Aggregation nodes run no jobs and send nothing.
odonata export hdr-directors-2021.topo -f slurm -o - >slurm || fail "no slurm"
grep -qi aggregation slurm && fail "an aggregation node runs jobs"
grep -v '^#' slurm | grep -q 'HCA' && fail "an adapter's name is in a machine's"
# Vendors' descriptions name no machine; one adapter is cabled with both ports.
odonata export voltaire-2007.topo -f slurm -o - >slurm 2>slurm.err
[ $? = 3 ] && grep -q "no host's name" slurm.err || fail "machines without a name: $(cat slurm slurm.err)"
[ "$(grep -o '0x[0-9a-f]* "' slurm.err | sort | uniq -c | awk '{ print $1 }' | xargs)" = "1 1 1 1" ] || fail "4 adapters: $(cat slurm.err)"
odonata analyze edr-directors-2019.topo --bisections 0 >analyze || fail "no bounds"
for way in "host to switch" "switch to host"; do # 1,470 hosts send and receive 1 each, 174 nodes nothing
	awk -v way="$way" '$0 ~ way { sum = $4 * $5 } END { exit sum < 1469 || sum > 1471 }' analyze ||
		fail "who sends? $(grep "$way" analyze)"
done
# A shift is a permutation, so no shift is worse than the worst one.
odonata analyze edr-directors-2019.topo --bounds=1 >bounds || fail "no bounds by traffic"
awk '/^ *worst shift/ { shift = $NF } /^ *worst permutation/ { worst = $NF }
	END { exit !(worst > 0 && worst <= shift) }' bounds || fail "$(grep worst bounds)"
# What is chosen for a fabric as it stands carries no less than what any fabric can have. Margin: floor.h
bound() { odonata analyze "$@" --bisections 0 2>/dev/null | awk '/^saturation/ { print $NF }'; }
for name in edr-directors-2019 fdr10-2014 hdr-2022 hdr-directors-2021 ndr-2025 qdr-2020; do
	own=$(bound $name.topo)
	for engine in updown layered; do
		other=$(bound $name.topo --engine $engine)
		echo "$name: $own, $engine $other"
		awk -v own="$own" -v other="$other" 'BEGIN { exit !(own > 0 && own * 1.15 >= other) }' ||
			fail "$name: $own, and by $engine $other"
	done
done
# A leaf with a host more than cables, leaves with a few cables less: each source takes another cable to what
# is left over, and knows what those before it took. Where that was not so the first carried 0.52, and
# complement 0.17, 0.14, 0.21.
# What hdr-directors-2021 keeps of the tables that it would have with all its cables costs it 0.05 there.
at_least() { # BOUND NAME ARGUMENT...
	awk -v least="$1" -v is="$(bound "$2.topo" "${@:3}")" 'BEGIN { exit !(is >= least) }' ||
		fail "$2 carries less than $1: ${*:3}"
}
at_least 0.75 hdr-2022
at_least 0.19 hdr-directors-2021 --pattern complement
at_least 0.2 edr-directors-2019 --pattern complement
at_least 0.24 fdr10-2014 --pattern complement
# up*/down* has as many ways to a leaf as there are spines, though each spine has an aggregation node.
at_least 0.3 edr-directors-2019 --engine updown
at_least 0.4 hdr-2022 --engine updown
at_least 0.4 hdr-directors-2021 --engine updown
at_least 0.4 ndr-2025 --engine updown
at_least 0.8 ndr-2025
# Four rails, whatever named the adapters of a machine. Two of its cables are swapped; managers with two
# adapters elsewhere are none of the machines that are built so.
odonata map ndr-2025.topo >map || fail "ndr-2025 is not mapped"
grep -qx 'rails  *4' map || fail "not four rails: $(grep rails map)"
[ "$(sed -n '/^wrong rails/,/^missing/p' map | grep -c ' host')" -eq 2 ] || fail "$(sed -n '/^wrong rails/,/^m/p' map)"
sed -n '/^wrong rails/,/^missing/p' map | awk '/ host/ { name[$1]; from[$5]; to[$9] }
	END { for (leaf in from) bad += !(leaf in to); exit length(name) != 1 || length(from) != 2 || bad }' ||
	fail "no swap on one machine: $(sed -n '/^wrong rails/,/^missing/p' map)"
# By their names: leaf chips (/L) of directors are above all edge switches, with hosts or without, and spine
# chips (/S) above these.
odonata map hdr-directors-2021.topo --coordinates --json >map || fail "no map"
python3 - map <<'END' || fail "hdr-directors-2021: chips are not on their levels"
import json, sys
for row in json.load(open(sys.argv[1]))["coordinates"]:
    level = 1 if "/L" in row["switch"] else 2 if "/S" in row["switch"] else 0
    assert row["at"][0] == level, row
END
exit $failed
