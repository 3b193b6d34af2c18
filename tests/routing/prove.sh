# prove.sh BUILD FILE [SPEC...]: proves every engine on the reference systems of paper 004, or those
# named, whole and damaged, as many at a time as there are processors. A line each in FILE: what was
# taken away (switches, cables, seed), VLs, longest path, dependencies, processor time to make and to
# verify, verdict. What is there already is not done again, so a run that was cut short goes on where
# it stopped. Fails where some engine's tables are not proved; that it declines, for want of VLs say,
# is an answer.
set -u
build=$1
file=$2
shift 2
[ $# -gt 0 ] || set -- paper-flatfly paper-slimfly-1 paper-dragonfly paper-hypercube paper-torus-3d
touch "$file" || exit

jobs_left() {
	local spec damage engine
	for spec; do
		for damage in "0 0 1" "0.01 0.03 2"; do
			"$build/cli/odonata" list engines | awk 'NR > 1 && $2 != "algorithmic" { print $1 }' |
				while read -r engine; do
					grep -q "^$spec $damage $engine " "$file" || echo "$spec $damage $engine"
				done
		done
	done
}

prove() { # BUILD FILE SPEC SWITCHES CABLES SEED ENGINE
	local line status
	line=$("$1/tests/routing_tool_prove" "${@:3}")
	status=$?
	line=$(tail -n +3 <<<"$line")
	[ -z "$line" ] || echo "${*:3:4} $line" >>"$2"
	return "$status"
}
export -f prove

jobs_left "$@" | xargs -r -P "$(nproc)" -L 1 bash -c 'prove "$@" || exit 1' prove "$build" "$file"
