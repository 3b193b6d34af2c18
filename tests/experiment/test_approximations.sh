# docs/results/approximations.md is what bench_approximations.sh makes of the CSV beside it. A routing that our
# verifier proves does not stand still at full offer, but accepts something.
root=$(cd "$(dirname "$0")/../.." && pwd)
results=$root/docs/results
"$root/bench/bench_approximations.sh" --page "$results/approximations.csv" | diff - "$results/approximations.md" ||
	{ echo "docs/results/approximations.md: expected what bench_approximations.sh --page writes"; exit 1; }
awk -F '"' '
	/^"/ {
		split($5, v, ",")
		n++
		if (v[3] == "yes" && v[5] != "" && !(v[6] > 0)) { print "proved, and accepts nothing: " $0; bad = 1 }
	}
	END { if (n < 6) print "rows are missing"; exit bad || n < 6 }' "$results/approximations.csv"
