# No cell that was searched for paper 004's table is above what any split over the ways allowed could
# carry, but for the search's resolution: half a 128th, or a sixteenth of itself where that is more. A
# sample, and with ODONATA_WIDE every cell. Cells of withdrawn searches that are above are told, and are no
# failure then: that they were wrong is why they were withdrawn.
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
status=0

# FABRIC|ENGINE|PATTERN|SUSTAINED|WITHDRAWN of every search
for file in "$root"/docs/results/paper004/table-*.csv; do
	awk -F '"' -v OFS='|' '
		/^# fabric:/ { fabric = NF > 1 ? $2 : substr($0, 11) }
		/withdrawn:/ { withdrawn = 1 }
		/^point,curve,pattern,seed,outcome,sustained/ { searched = 1 }
		searched && /^[0-9]/ {
			split($1, before, ",")
			split($3, behind, ",")
			if (behind[3] == "done")
				print fabric, before[2], $2, behind[4], withdrawn + 0
		}' "$file"
done | sort -u >"$work/cells"
[ "$(wc -l <"$work/cells")" -ge 50 ] || { echo "expected 50 cells, found fewer"; exit 1; }
if [ -z "$ODONATA_WIDE" ]; then
	grep -F 'paper-flatfly|ador|complement' "$work/cells" >"$work/some"
	mv "$work/some" "$work/cells"
fi

n=0
while IFS='|' read -r fabric engine pattern sustained withdrawn; do
	"$build/tests/experiment_tool_split" "$fabric" "$engine" "$pattern" >"$work/bound" || status=1
	bound=$(awk -F , '{ print $(NF - 2) }' "$work/bound")
	awk -v s="$sustained" -v b="$bound" 'BEGIN {
		step = s / 16 > 1 / 256 ? s / 16 : 1 / 256
		exit !(b > 0 && s <= b + step) }' || {
		echo "$fabric $engine $pattern: searched $sustained, and no split carries more than $bound"
		[ -n "$ODONATA_WIDE" ] && [ "$withdrawn" = 1 ] || status=1
	}
	n=$((n + 1))
done <"$work/cells"
echo "$n cells"
[ "$n" -ge 1 ] && exit $status
exit 1
