#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The committed figures of paper 001 are what comes out, and what the paper says of Figure 19 is so where
# docs/results/plan/README.md says that it agrees.
set -u
export PATH=$1/cli:$PATH LC_ALL=C
results=$ODONATA_SOURCE/docs/results/plan
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
odonata plan --figures "$work" --prices "$ODONATA_SOURCE/configs/plan/kim.yaml" >/dev/null || exit 1
failed=0
n=0
for file in "$work"/*; do
	n=$((n + 1))
	[[ $file == *.gp ]] || cmp "$file" "$results/${file##*/}" || failed=1
done
[ $n -eq 9 ] || { echo "expected 9 files, found $n"; failed=1; }
for script in "$work"/*.gp; do
	(cd "$work" && gnuplot "$script") || failed=1
done
# Another gnuplot may write other bytes.
[ "$(gnuplot --version)" != "gnuplot 5.4 patchlevel 4" ] || cmp "$work/kim-fig19.svg" "$results/kim-fig19.svg" || failed=1

# Shares of cost that a dragonfly saves.
awk -F, '
	NR > 1 { butterfly[$1] = 1 - $2 / $3; clos[$1] = 1 - $2 / $4; torus[$1] = 1 - $2 / $5 }
	function within(what, share, low, high) {
		if (share < low || share > high) { printf "%s: %.3f\n", what, share; failed = 1 }
	}
	END {
		within("butterfly, 1K", butterfly[1024], 0, 0)
		within("butterfly, 20K", butterfly[20480], 0.18, 0.22)
		within("Clos, 16K", clos[16384], 0.5, 0.54)
		within("Clos, 20K", clos[20480], 0.5, 0.54)
		within("torus, 20K", torus[20480], 0.6, 0.8)
		exit failed
	}' "$work/kim-fig19.csv" || failed=1
# The page has the same figures.
awk -F, '
	function of(x) { x = sprintf("%+.0f", 100 * ($2 / x - 1)); sub(/^[+-]0$/, "0", x); return x " %" }
	function thousands(n) { return n < 1000 ? n : sprintf("%d,%03d", n / 1000, n % 1000) }
	NR > 1 { printf "| %s | %.0f | %s | %s | %s |\n", thousands($1), $2, of($3), of($4), of($5) }
' "$work/kim-fig19.csv" | while IFS= read -r row; do
	grep -qxF "$row" "$results/README.md" || echo "README.md lacks: $row"
done >"$work/lacks"
[ ! -s "$work/lacks" ] || { cat "$work/lacks"; failed=1; }

# What was varied: the saving at 20,480 hosts with keys of the file of prices changed, as the page has it.
# saves FILE KEYS...
saves() {
	local prices=$ODONATA_SOURCE/configs/plan/$1
	shift
	printf '%s\n' "$@" | cat "$prices" - |
		awk -F: '/^#/ || !NF { next } !($1 in at) { order[++n] = $1 } { at[$1] = $0 }
			END { for (i = 1; i <= n; i++) print at[order[i]] }' >"$work/prices.yaml"
	odonata plan --figures "$work" --prices "$work/prices.yaml" >"$work/out" || exit 1
	awk -F, '$1 == 20480 { for (i = 3; i <= 5; i++) printf "| %.0f %% ", 100 * (1 - $2 / $i); print "|" }' \
		"$work/kim-fig19.csv"
}
n=0
while IFS='|' read -r _ _ file keys figures; do
	IFS=, read -ra keys <<<"$(tr -d '` ' <<<"$keys")"
	[ "| ${figures# }" = "$(saves "$(tr -d '` ' <<<"$file")" "${keys[@]/:/: }")" ] ||
		{ echo "README.md: other savings with $file: ${keys[*]}"; failed=1; }
	n=$((n + 1))
done < <(grep -E '^\| .* \| `(kim|prices)\.yaml` \|' "$results/README.md")
[ $n -eq 6 ] || { echo "expected 6 rows of what was varied, found $n"; failed=1; }

# "With radix-64 routers, the topology scales to over 256k nodes."
awk -F, '$1 == 63 && $3 > 256 * 1024 { found = 1 } END { exit !found }' "$work/kim-fig04.csv" || {
	echo "Figure 4: fewer than 256k hosts"
	failed=1
}

# Paper 004, section 1: the systems that are found, and what tables carry on them.
odonata plan --hosts 16384 --exact --per-switch 8 --radix 36 --each 8 --json >"$work/plan.json" || exit 1
python3 - "$work/plan.json" "$results/README.md" <<'END' || failed=1
import json, subprocess, sys

plan = json.load(open(sys.argv[1]))
spec_of = {row["n"]: row["spec"] for row in plan["specs"]}
found = {spec_of[c["n"]]: c for c in plan["candidates"]}
quick = ("FlatFly", "SFxFF-1", "SFxFF-2")  # their worst permutations take a second or two each
spec, wrong, rows = {}, [], 0


def analyze(name, *options):
    command = ["odonata", "analyze", spec[name], "--bisections", "0", "--worst", "0", "--json", *options]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


for line in open(sys.argv[2]):
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    name = cells[0]
    if len(cells) == 6 and cells[1].strip("`") in found:
        spec[name] = cells[1].strip("`")
        c = found[spec[name]]
        wanted = [str(c["ports"]), str(c["diameter"]), "%.3g %%" % (100 * c["bisection"])]
        got = cells[2:5]
    elif len(cells) == 5 and name in spec:
        uniform = analyze(name)
        wanted = ["%.3f" % found[spec[name]]["uniform"], "%.3f" % uniform["saturation_at_most"], str(uniform["vls"])]
        got = cells[1:3] + cells[4:]
        if name in quick:
            wanted.append("%.4f" % analyze(name, "--pattern", "worst")["saturation_at_most"])
            got.append(cells[3])
    else:
        continue
    rows += 1
    if got != wanted:
        wrong.append("README.md: %s: expected %s, found %s" % (name, wanted, got))
print("\n".join(wrong), end="")
sys.exit(len(wrong) > 0 or rows != 14)
END
exit $failed
