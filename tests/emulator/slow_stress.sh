# Every policy on random fabrics, switches, options and traffic (tool_stress.c). Goes on where it was
# stopped, and keeps what failed in BUILD/stress.log: run a case again by its number.
#   ODONATA_STRESS=N       cases, 20,000 by default
#   ODONATA_STRESS_FIRST=N number of the first one, 1 by default
build=$1
last=$((${ODONATA_STRESS_FIRST:-1} + ${ODONATA_STRESS:-20000}))
at=$build/stress.at log=$build/stress.log
next=$(cat "$at" 2>/dev/null || echo "${ODONATA_STRESS_FIRST:-1}")
[ -e "$at" ] || : >"$log"
while [ "$next" -lt "$last" ]; do
	"$build/tests/emulator_tool_stress" "$next" 100 | tee -a "$log" || true
	next=$((next + 100))
	echo "$next" >"$at"
done
rm -f "$at"
! grep "^case " "$log"
