# The table of docs/design/speed.md, of what `bench_emulator shares` printed before a change and after.
#
#   awk -f bench/shares_table.awk docs/results/emulator-shares-before.txt docs/results/emulator-shares.txt
BEGIN {
	print "| | M packet-hops a second, before | now | share of minimal, before | now | goal |"
	print "|---|---|---|---|---|---|"
}
{
	what = substr($0, 1, 34)
	sub(/ +$/, "", what)
	match($0, /[0-9.]+ M hops/); speed = substr($0, RSTART, RLENGTH - 7)
	match($0, /share [0-9.]+/); share = substr($0, RSTART + 6, RLENGTH - 6)
	match($0, /goal [0-9.]+/); goal = substr($0, RSTART + 5, RLENGTH - 5)
}
FNR == NR { old[what] = speed; part[what] = share; next }
{ printf "| %s | %s | %s | %s | %s | %s |\n", what, old[what], speed, part[what], share, goal }
