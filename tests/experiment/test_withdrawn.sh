# Results whose CSV is marked as withdrawn are so marked wherever a reader meets them.
root=$(cd "$(dirname "$0")/../.." && pwd)
results=$root/docs/results
bad=0
expect() { # FILE: says so in its first ten lines
	head -10 "$1" | grep -q '^\*\*Withdrawn\*\*' && return
	echo "$1: expected \"**Withdrawn**\" at its head: results beside it are"
	bad=1
}
while IFS= read -r csv; do
	[ -n "$csv" ] || continue
	expect "$(dirname "$csv")/README.md"
	[ ! -f "${csv%.csv}.md" ] || expect "${csv%.csv}.md"
done <<END
$(grep -rl '^# # withdrawn' "$results")
END
exit $bad
