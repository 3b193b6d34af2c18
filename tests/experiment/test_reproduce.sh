#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What is committed of the papers' figures: the manifest names every result there is and experiments that
# there are, pages are what the command writes, and cheap points give what the record says.
set -u
odonata=$1/cli/odonata
results=$ODONATA_SOURCE/docs/results
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
	echo "$*"
	failed=1
}

mkdir -p "$work/docs/results"
ln -s "$(cd "$ODONATA_SOURCE" && pwd)/configs" "$work/configs"
here=$work/docs/results
cp -r "$results/figures" "$results/claims" "$results/paper004" "$results/papers.yaml" "$results/again.csv" "$here" || exit 1
"$odonata" reproduce --manifest "$here/papers.yaml" --pages >"$work/out" || fail "no pages"
for page in "$results"/papers/*.md "$here"/papers/*.md; do
	name=${page##*/}
	cmp -s "$results/papers/$name" "$here/papers/$name" ||
		fail "docs/results/papers/$name: expected what 'odonata reproduce --pages' writes"
done
sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$results"/papers/*.md | sort -u >"$work/plots"
[ "$(wc -l <"$work/plots")" -ge 49 ] || fail "plots are missing"
while read -r plot; do
	grep -q '^</svg>' "$results/papers/$plot" || fail "docs/results/papers/$plot: expected a plot"
done <"$work/plots"

# Plots and tables are of the CSVs that stand beside them, other figures of another day. Another gnuplot may
# write other bytes.
cp -r "$results"/{trees,bounds,policies,workloads.csv} "$here"
for csv in "$here"/{trees,bounds,policies}/*.csv "$here"/{figures/ofar-fig07,workloads}.csv; do
	[[ $csv =~ \.[0-9]+\. ]] || "$odonata" experiment --redraw "$csv" >"$work/out" || fail "$(cat "$work/out")"
done
for table in "$results"/{bounds/bounds-*,policies/*,workloads}.md; do
	cmp "$table" "$here/${table#"$results"/}" || failed=1
done
for script in "$results"/figures/*.gp; do
	cmp "$script" "$here/${script#"$results"/}" || failed=1
done
for script in "$results"/figures/*.gp "$here"/trees/*.gp; do
	name=${script#"$results"/} name=${name#"$here"/}
	(cd "$(dirname "$here/$name")" && gnuplot "$here/$name") || fail "$name: gnuplot failed"
done
[ "$(gnuplot --version)" != "gnuplot 5.4 patchlevel 4" ] ||
	for plot in "$results"/{trees,figures,papers}/*.svg; do
		cmp "$plot" "$here/${plot#"$results"/}" || failed=1
	done

# Figures have an experiment; results have a figure.
sed -n 's/^    \(config\|experiment\|results\): //p; s/^  - name: /name /p' "$results/papers.yaml" >"$work/keys"
awk '$1 == "name" { name = $2; next } { print name, $0 }' "$work/keys" | sort -u >"$work/named"
[ "$(cut -d' ' -f1 "$work/named" | sort -u | wc -l)" -ge 50 ] || fail "figures are missing"
grep '\.yaml$' "$work/named" | while read -r name config; do
	experiment=$(awk -v name="$name" '$1 == name && $2 ~ /\.csv$/ { sub(/.*\//, "", $2); sub(/\.csv/, "", $2); print $2 }' "$work/named")
	"$odonata" experiment --list "$results/$config" | grep -q "^  $experiment " ||
		echo "$name: expected the experiment $experiment in $config"
done >"$work/missing"
[ ! -s "$work/missing" ] || fail "$(cat "$work/missing")"
for csv in "$results"/figures/*.csv "$results"/claims/claims-*.csv; do
	name=${csv#"$results"/}
	[[ $name =~ \.[0-9]+\. ]] || grep -q "$name" "$work/named" || fail "$name: expected a figure in papers.yaml"
done

# Each figure of paper 004's table is a claim, and as it stands there; each page has all its cells.
awk -F, 'NR == 1 { split($0, column); next }
	{ for (i = 3; i <= NF; i++) print "      - says: \"" $2 ", " column[i] ": " $i " %\"" }' \
	"$results/paper004/paper.csv" | sort >"$work/said-by-paper"
[ "$(wc -l <"$work/said-by-paper")" -ge 236 ] || fail "paper.csv: figures are missing"
grep '^      - says: ".*, \(uniform\|complement\|reverse\|shuffle\): [0-9.]* %"' "$results/papers.yaml" | sort >"$work/said"
diff "$work/said-by-paper" "$work/said" || fail "papers.yaml: expected the claims that paper.csv has"
cells=$(awk '/^\| ours \(paper/ { n = NF } /^$/ { n = 0 } n && !/---|ours \(/ { n_cells += split($0, c, "|") - 3 }
	END { print n_cells }' "$results"/papers/daryin-*.md)
[ "$cells" = 354 ] || fail "expected 59 rows of six cells on the pages, found $cells cells"

"$odonata" reproduce --manifest "$results/papers.yaml" --check --seed 7 >"$work/out" ||
	fail "$(cat "$work/out")"
[ "$(awk '$1 == "same" || $1 " " $2 == "errors differ" { n += $NF } END { print n }' "$work/out")" -ge 15 ] ||
	fail "too few results were run again: $(cat "$work/out")"

# What no record knows is tried all the same, and the record has it then.
rm "$here/again.csv"
"$odonata" reproduce --manifest "$here/papers.yaml" --check --record >"$work/out" 2>&1
[ "$(grep -cE ',[0-9]+,(same|errors differ|differs),' "$here/again.csv")" -ge 2 ] ||
	fail "too few results without a record were run: $(cat "$work/out")"

# With a seed another point than the dearest is run.
few=$work/docs/few
mkdir -p "$few/figures" "$few/paper004"
cp "$here/figures/valiant-fig0"[23].csv "$few/figures"
cp "$here/paper004/split-bounds.csv" "$few/paper004"
cp "$here/papers.yaml" "$few"
for seed in "" 7; do
	"$odonata" reproduce --manifest "$few/papers.yaml" --check --record ${seed:+--seed $seed} >"$work/out" 2>&1
	grep -E ',[0-9]+,(same|errors differ|differs),' "$few/again.csv" | cut -d, -f1,6 >"$work/points$seed"
	rm "$few/again.csv"
done
[ -s "$work/points" ] && grep -qvxFf "$work/points" "$work/points7" || fail "the seed chooses no point"

# A file that was run anew is tried anew, though it has as many points as before.
"$odonata" reproduce --manifest "$few/papers.yaml" --check --record >/dev/null 2>&1
csv=figures/valiant-fig02.csv
point=$(grep "^$csv,.*,same,$" "$few/again.csv" | cut -d, -f6)
awk -F, -v OFS=, -v point="$point" '
	$1 == "point" { for (i = 1; i <= NF; i++) if ($i == "accepted") at = i }
	$1 == point { $at = 1.01 * $at }
	{ print }' "$few/$csv" >"$work/other.csv"
cmp -s "$few/$csv" "$work/other.csv" && fail "no point of $csv was changed"
cp "$work/other.csv" "$few/$csv"
"$odonata" reproduce --manifest "$few/papers.yaml" --check --record >/dev/null 2>&1
grep -q "^$csv,.*,$point,differs,accepted" "$few/again.csv" || fail "another $csv is taken for the one in the record"
exit $failed
