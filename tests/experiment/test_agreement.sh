# Every row of the peers' results that differs from ours (docs/results/peers, by
# tools/compare_peers.sh) has its explanation in docs/results/agreement.md, which counts them right.
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
	while IFS=, read -r routing pattern load _; do
		[ -z "$routing" ] && continue
		grep -qF "\`$routing,$pattern,$load\`" "$page" && continue
		echo "$page: expected a word on \`$routing,$pattern,$load\` of $name"
		bad=1
	done <<-END
		$(tail -n +2 "$file" | grep -v ',agrees$')
	END
done
exit $bad
