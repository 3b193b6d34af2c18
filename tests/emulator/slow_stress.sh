# Every policy, and tables of damaged fabrics, on random fabrics, switches, options and traffic (tool_stress.c). Goes on
# where it was stopped, and keeps what it did in BUILD/stress.log: run a case that failed again by its number.
#   ODONATA_STRESS=N       cases, 20,000 by default
#   ODONATA_STRESS_FIRST=N number of the first one, 1 by default
#   ODONATA_STRESS_TIMES=N how many times as long each of them runs, 1 by default
# A run of 10^10 packet-hops: ODONATA_STRESS=200000 ODONATA_STRESS_TIMES=20, an hour or two.
build=$1
last=$((${ODONATA_STRESS_FIRST:-1} + ${ODONATA_STRESS:-20000}))
at=$build/stress.at log=$build/stress.log
next=$(cat "$at" 2>/dev/null || echo "${ODONATA_STRESS_FIRST:-1}")
[ -e "$at" ] || : >"$log"
while [ "$next" -lt "$last" ]; do
	"$build/tests/emulator_tool_stress" "$next" 100 "${ODONATA_STRESS_TIMES:-1}" | tee -a "$log" || true
	next=$((next + 100))
	echo "$next" >"$at"
done
rm -f "$at"
awk '/^cases / { well += $5; refused += $7; wrong += $9; hops += $11 }
	END { printf "%d cases well, %d refused, %d wrong; %.0f packet-hops\n", well, refused, wrong, hops }' "$log" |
	tee -a "$log"
! grep "^case " "$log" && ! grep -q "^cases .* [1-9][0-9]* wrong" "$log"
