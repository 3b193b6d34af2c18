# Every row of the peers' results that differs from ours (docs/results/peers, by
# tools/compare_peers.sh) has its explanation and its figures in docs/results/agreement.md, which counts
# them right.
# And BookSim2's FlatFly is run now, at the lowest load and with one seed: its rows agree as they did.
root=$(cd "$(dirname "$0")/../.." && pwd)
page=$root/docs/results/agreement.md
bad=0
for name in fogsim-v5 fogsim-v1 fogsim-burst-v5 fogsim-burst-v1 booksim-dragonfly \
	booksim-dragonfly-k4 booksim-flatfly booksim-fattree; do
	file=$root/docs/results/peers/$name.csv
	rows=$(tail -n +2 "$file" | wc -l)
	agree=$(grep -c ',agrees$' "$file")
	if [ "$rows" -lt 8 ] || ! grep -q "^| \`$name\` | $rows | $agree |" "$page"; then
		echo "$page: expected \`$name\` with $rows rows of which $agree agree"
		bad=1
	fi
	while IFS=, read -r routing pattern load peer ours _ peer_latency latency _; do
		[ -z "$routing" ] && continue
		row=$(printf '| `%s` | `%s` | %.3f, %.0f | %.3f, %.0f |' "$routing,$pattern,$load" "$name" \
			"$peer" "$peer_latency" "$ours" "$latency")
		grep -qF "$row" "$page" && continue
		echo "$page: expected a word on $row"
		bad=1
	done <<-END
		$(tail -n +2 "$file" | grep -v ',agrees$')
	END
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
results=$root/docs/results/peers/booksim-flatfly.csv
awk -F, 'NR == 1 { print "routing,pattern,offered_pct,accepted_load,avg_packet_latency" }
	$3 == "0.01" && $2 ~ /^(uniform|complement)$/ {
		print $1 "," ($2 == "uniform" ? $2 : "bitcomp") ",1," $4 "," $7 }' "$results" >"$work/peer.csv"
"$1/cli/odonata" experiment "$root/configs/peers/booksim-flatfly.yaml" --loads 0.01 --seeds 1 --folder "$work" \
	>"$work/said" || { cat "$work/said"; exit 1; }
awk -f "$root/tools/csv.awk" -f "$root/tools/compare_peers.awk" "$work/peer.csv" "$work/peer-booksim-flatfly.csv" \
	>"$work/compared" 2>/dev/null
if [ "$(grep -c ',agrees$' "$work/compared")" -ne 12 ] || [ "$(wc -l <"$work/peer.csv")" -ne 13 ]; then
	echo "BookSim2's FlatFly, run now: expected 12 rows that agree"
	cat "$work/compared"
	bad=1
fi
exit $bad
