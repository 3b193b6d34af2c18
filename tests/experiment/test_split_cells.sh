# No cell that was searched for paper 004's table is above what any split over the ways allowed could carry,
# but for the search's resolution, half a 128th. The bounds are those of split-bounds.csv, which each searched
# cell must have; with ODONATA_WIDE they are found anew.
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0

bounds=$root/docs/results/paper004/split-bounds.csv

# FABRIC|ENGINE|PATTERN|SUSTAINED of every search
for file in "$root"/docs/results/paper004/table-*.csv; do
	awk -F '"' -v OFS='|' '
		/^# fabric:/ { fabric = NF > 1 ? $2 : substr($0, 11) }
		/^# +- {name: "/ { engine[$2] = substr($4, index($4, ":") + 1) }
		/^point,curve,pattern,seed,outcome,sustained/ { searched = 1 }
		searched && /^[0-9]/ {
			split($1, before, ",")
			split($3, behind, ",")
			if (behind[3] == "done")
				print fabric, engine[before[2]], $2, behind[4]
		}' "$file"
done | sort -u >"$work/cells"
n=0
while IFS='|' read -r fabric engine pattern sustained; do
	if [ -n "$ODONATA_WIDE" ]; then
		"$build/tests/saturation_tool_split" "$fabric" "$engine" "$pattern" || status=1
	else
		awk -v fabric="$fabric" -v engine="$engine" -v pattern="$pattern" '
			{ line = $0; gsub(/"/, "", $0) }
			index($0, fabric "," engine "," pattern ",") == 1 { print line }' "$bounds"
	fi >"$work/bound"
	bound=$(awk -F , '{ print $(NF - 2) }' "$work/bound")
	awk -v s="$sustained" -v b="$bound" 'BEGIN { exit !(b > 0 && s <= b + 1 / 256) }' || {
		echo "$fabric $engine $pattern: searched $sustained, and no split carries more than ${bound:-(no bound)}"
		status=1
	}
	n=$((n + 1))
done <"$work/cells"
echo "$n cells"
[ "$n" -ge 1 ] && exit $status
exit 1
