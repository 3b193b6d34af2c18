#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Never worse than stock, on a sample: the tables that the stock opensm installs by its own engines, imported
# and proved, carry no traffic better than ours, unless they are unsafe or need more VLs.
set -u
build=$1
bench=$ODONATA_SOURCE/bench/bench_stock.sh
if ! [ -e "$build/bench/libodonata-timer.so" ]; then
	echo "a build without benchmarks: nothing to compare with"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=$work/stock.csv
fail() {
	echo "FAILED: $*" >&2
	cat "$rows" >&2
	exit 1
}

# compare SPEC ENGINE...: adds rows
compare() {
	echo "$1" >"$work/list"
	shift
	bash "$bench" "$build" "$rows" "$work/list" "$@" odonata || fail "no rows of $(cat "$work/list")"
}

compare dragonfly:p=2,a=4,h=2 lash nue
compare torus:k=3x3x5,c=1 lash torus-2QoS
compare fattree:k=8,levels=2 minhop ftree

# Each has an engine of OpenSM's that is safe and no more costly, or the comparison would be void.
for spec in dragonfly:p=2,a=4,h=2 torus:k=3x3x5,c=1 fattree:k=8,levels=2; do
	grep -F "\"$spec\"" "$rows" | grep -v ',odonata,' | grep -qE ',(yes|hosts),[0-9]+,' ||
		fail "no safe engine on $spec"
done
bash "$bench" --below "$rows" || fail "below stock"

# A row that is there is not made again; and one that were better would be noticed.
cp "$rows" "$work/before"
compare fattree:k=8,levels=2 minhop ftree
cmp "$rows" "$work/before" || fail "rows were made again"
sed 's/\(,ftree,routed,1,1,[0-9]*,1,\)[0-9.]*,/\10.9,/' "$rows" >"$work/better"
! cmp -s "$rows" "$work/better" || fail "no row of ftree as expected"
! bash "$bench" --below "$work/better" >"$work/said" || fail "a better engine is not noticed"
grep -q "mean of 100 .* ftree " "$work/said" || fail "not said which: $(cat "$work/said")"

# A reason is printed where one of these holds: more VLs, a trade, one path more, or what a file says.
reasons() { # ENGINE BOUNDS SAFE,VLS [AWK-OPTION...]: beside ours on 2 VLs
	local engine=$1 bounds=$2 vls=$3
	shift 3
	awk "$@" -f "$ODONATA_SOURCE/bench/stock_below.awk" - <<-END
		"x",9,18,$engine,routed,$bounds,$vls,4,0,1,c
		"x",9,18,odonata,routed,0.8,0.2,1,0.25,0.4,0.2,0.1,yes,2,4,0,1,c
	END
}
reasons lash 0.8,0.2,1,0.25,0.4,0.25,0.1 yes,3 | grep -q "VLs: it needs 1 more" || fail "VLs"
reasons lash 0.4,0.2,1,0.25,0.4,0.25,0.1 yes,2 | grep -q "trade: it would lose 50 % of uniform" ||
	fail "trade"
reasons lash 0.8,0.2,1,0.25,0.4,0.25,0.1 yes,2 | grep -q "one path more" || fail "one path"
! reasons lash 0.8,0.2,1,0.25,0.4,0.5,0.1 yes,2 >"$work/said" || fail "no reason, and no failure"
grep -q "NO REASON" "$work/said" || fail "a reason: $(cat "$work/said")"
printf 'x\tleast of 100\tlash\tbecause\n' >"$work/reasons"
reasons lash 0.8,0.2,1,0.25,0.4,0.5,0.1 yes,2 -v reasons="$work/reasons" | grep -q " because$" || fail "file"
# What is committed has a reason for each figure.
docs=$ODONATA_SOURCE/docs
bash "$bench" --below "$docs/results/routing/stock.csv" >"$work/said" || fail "a figure without a reason"
last=$(tail -n 1 "$work/said")
grep -qF "$last" "$docs/guide/engines.md" || fail "docs/guide/engines.md lacks: $last"
