#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# No spec and no option of a few bytes takes over 2 GB, or 10 seconds on a machine that does nothing else:
# each is served, or refused with a reason, which is never that memory ran out. Rows of tables and options
# of commands are walked, so that a new one is tried as well.
set -u
build=$(cd "$1" && pwd)
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 n=0 specs=0 options=0 asked=0
small=flatfly:k=2x2,c=1

# Of processor time, twice ten for slow machines: the largest Slim Fly takes 4 to 6 on one that does other things.
seconds=20

# A sample: each ninth command line. The slow suite tries all.
every=9
[ -z "${ODONATA_WIDE:-}" ] || every=1

# Exit codes up to 4 are answers. 5 is memory or the system; above 128 a limit was hit.
try() { # ARGUMENT...
	n=$((n + 1))
	(ulimit -v 2000000 -t $seconds && exec timeout -s KILL 600 "$build/cli/odonata" "$@") >out 2>err </dev/null
	local code=$?
	! grep -q "unrecognized option" err || { echo "no such option: odonata $*"; failed=1; }
	[ "$code" -gt 4 ] || return 0
	# A name of no file; an adapter that is not there.
	[ "$code" -ne 5 ] || ! grep -qE ": cannot (write: |discover the subnet )" err || return 0
	echo "exit code $code: odonata $*: $(tail -n 1 err | cut -c1-200)"
	failed=1
}

emulate() {
	try emulate dragonfly:p=1,a=2,h=1 --cycles=200 --warmup=10 --threads=1 "$@"
}

while read -r table spec; do
	specs=$((specs + 1))
	[ $((specs % every)) -eq 0 ] || continue
	case $table in
	topology) try generate "$spec" --output=/dev/null ;;
	pattern) emulate --pattern "$spec" ;;
	workload) emulate --workload "$spec" ;;
	policy) emulate --policy "$spec" ;;
	model) emulate --model "$spec" ;;
	esac
done < <("$build/tests/cli_tool_absurd")
[ "$specs" -gt 500 ] || { echo "only $specs specs"; failed=1; }

# Options that are no harm alone: what many switches with many cables cost is said before they are made.
for spec in random:n=131072,d=64 random:n=40000,d=60,l=2 bipartite:n=65536,d=32 random:n=131072,d=200,c=0 \
	mesh:k=254x254x254,c=0 torus:k=250x250x60,c=0 flatfly:k=100x100x50,c=0 dragonfly:p=1,a=150,h=100 \
	fattree:k=128,levels=4 dragonfly-plus:p=1,leaves=120,spines=120,h=120; do
	try generate $spec --output=/dev/null
	[ "$(wc -l <err)" = 1 ] && grep -qE "take fewer|expected up to .* switches" err ||
		{ echo "$spec is made, or refused without advice: $(cut -c1-200 err)"; failed=1; }
done

# What has too many LIDs to be routed is refused before it is mapped.
for spec in flatfly:k=64x64x64,c=1 hypercube:n=16,c=1 torus:k=60x60x60,c=1 mesh:k=300x300,c=1 \
	fattree:k=64,levels=3; do
	try route "$spec"
done

# What fills gigabytes is told so before it is begun.
: >err
"$build/cli/odonata" route dragonfly-plus:leaves=1,spines=200,h=1 >/dev/null 2>err </dev/null &
for ((i = 0; i < 600 && !$(wc -c <err); i++)); do sleep 0.1; done
kill -9 $! && wait $! 2>/dev/null
grep -q "40401 switches and 40603 LIDs may need 6 GB" err || { echo "nothing is said of 6 GB: $(cat err)"; failed=1; }

# Every option that takes a value, by what the command itself says of it.
arguments() { # COMMAND
	case $1 in
	generate | map | route | export | verify | analyze | emulate | compare | report | transition | accept) echo "$small" ;;
	path) echo "$small --cable=1" ;;
	whatif) echo "$small --threads=1" ;;
	watch) echo "$small --count=1" ;;
	diff) echo "$small $small" ;;
	plan) echo "--hosts=8 --radix=8" ;;
	status) echo "nothing.json" ;;
	experiment) echo "nothing.yaml" ;;
	reproduce) echo "--manifest=nothing.yaml" ;;
	install | probe) echo "live" ;;
	handover) echo "nothing.json" ;;
	list) echo "engines" ;;
	*) echo "test_sizes.sh knows no arguments of $1" >&2; failed=1 ;;
	esac
}

# An option may be given once.
needs() { # COMMAND OPTION: arguments without the option
	arguments "$1" | sed "s/ *$2=[^ ]*//"
}

# Who asks for time gets it: cycles, and how often and how long something is looked at.
takes_time() { # OPTION VALUE
	case $1 in
	--cycles | --warmup | --count | --interval | --counters | --burst) [[ $2 == 4294967295 ]] ;;
	*) false ;;
	esac
}

for command in $("$build/cli/odonata" --help | sed -n 's/^  \([a-z]\+\)  *[A-Z].*/\1/p'); do
	for option in $("$build/cli/odonata" "$command" --help | sed -n 's/^ \+\(-., \)\?\(--[a-zA-Z-]*\)\[\?=.*/\2/p'); do
		options=$((options + 1))
		for value in 4294967295 -1 99999999999999999999 1e308 nan ''; do
			asked=$((asked + 1))
			[ $((asked % every)) -eq 0 ] || continue
			takes_time "$option" "$value" || try "$command" $(needs "$command" "$option") "$option=$value"
		done
	done
done
[ "$options" -gt 50 ] || { echo "only $options options"; failed=1; }
echo "$specs specs, $options options, $n command lines"
exit $failed
