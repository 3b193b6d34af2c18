# docs/results/bounds/README.md has the tables that tools/bounds_table.sh makes of the results there,
# and nothing is accepted above what there is room for.
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
exit $bad
