# docs/results/bounds/README.md has the tables that tools/bounds_table.sh makes of the results there,
# and nothing is accepted above what there is room for: neither there, nor in a small experiment of the
# same sort that is run now.
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$root/docs/results/bounds
table=$("$root/tools/bounds_table.sh" "$folder") || exit 1
bad=0
echo "$table" | grep -q ' Accepted above `most_at_full`: 0\.$' || bad=1
while IFS= read -r line; do
	[ -z "$line" ] || grep -qxF -e "$line" "$folder/README.md" && continue
	echo "$folder/README.md: expected \"$line\""
	bad=1
done <<END
$table
END

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/small.yaml" <<'YAML'
name: bounds-small
title: Static tables and their bound on a small FlatFly
fabric: flatfly:k=4x4,c=2
model: kim
measure: bound
scaled: yes
warmup: 600
measured: 600
patterns: [uniform, tornado]
curves:
  - {name: dor, routing: "tables:dor"}
  - {name: dor plain, routing: "tables:dor", model: "speedup=1,output-buffer=0,iterations=4"}
YAML
"$1/cli/odonata" experiment "$work/small.yaml" --folder "$work" >"$work/said" || { cat "$work/said"; exit 1; }
table=$("$root/tools/bounds_table.sh" "$work" 2>/dev/null)
# Two rows of each router; with the faster crossbar all carry nearly what the analyser says.
echo "$table" | grep -qE '^\| `small` \| 2 \| 2 \| (0\.9[5-9]|1\.0[0-2]) \| (0\.9[5-9]|1\.0[0-2]) \| 2 \| 2 \| 1 \|' &&
	echo "$table" | grep -q '^Rows of all files: 4\. Accepted above `most_at_full`: 0\.$' ||
	{ echo "a small FlatFly does not carry what the analyser says:"; echo "$table"; exit 1; }
exit $bad
