# prove.sh BUILD FILE [SPEC...]: proves every engine on the reference systems of paper 004, or those
# named, whole and damaged. A line each in FILE: verdict, dependencies, processor time. What is there
# already is not done again, so a run that was cut short goes on where it stopped. Fails where some
# engine's tables are not proved; that it declines, for want of VLs say, is an answer.
set -u
build=$1
file=$2
shift 2
specs=("$@")
[ $# -gt 0 ] || specs=(paper-dragonfly paper-hypercube paper-torus-3d paper-torus-4d
	paper-slimfly-1 paper-slimfly-2 paper-flatfly)
status=0
engines=$("$build/cli/odonata" list engines | awk 'NR > 1 && $2 != "algorithmic" {print $1}')
for spec in "${specs[@]}"; do
	for damage in "0 0 1" "0 0.01 1" "0.01 0.03 2"; do
		for engine in $engines; do
			grep -q "^$spec $damage $engine " "$file" 2>/dev/null && continue
			line=$("$build/tests/routing_tool_prove" "$spec" $damage "$engine") || status=1
			line=$(tail -n +3 <<<"$line")
			[ -z "$line" ] || echo "$spec $damage $line" >>"$file"
		done
	done
done
exit $status
