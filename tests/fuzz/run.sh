#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every reader under libFuzzer with sanitizers, then under AFL++, and the lines that were reached.
#
#   tests/fuzz/run.sh BUILD [READER...]    needs clang, libclang-rt-dev and afl++
#
# FUZZ_RUNS    executions of each reader under each of the two [10,000,000]
# FUZZ_SECONDS at most so many seconds under libFuzzer, and under AFL++ [7200]
# FUZZ_WITH    `libfuzzer` or `afl`: only that one; the columns of the other stay empty [both]
# FUZZ_KEEP    folder for found inputs, made small; as tests/data/corpus they serve the plain tests
# FUZZ_RECORD  file of results, a line a reader (docs/results/fuzz.csv); what it has already stays
#
# Two may run side by side, with other readers.
set -euo pipefail
build=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
corpus=$source/tests/data/corpus
runs=${FUZZ_RUNS:-10000000} seconds=${FUZZ_SECONDS:-7200} with=${FUZZ_WITH:-libfuzzer afl}
record=${FUZZ_RECORD:-$build/fuzz.csv}
keep=${FUZZ_KEEP:-$build/fuzz-corpus}
[ $# -gt 0 ] || set -- $(cd "$here" && ls fuzz_*.c | sed 's/fuzz_//; s/\.c//')
failed=0

configure() { # FOLDER [OPTION...]
	local folder=$1
	shift
	cmake -S "$source" -B "$folder" -G Ninja -DODONATA_PLUGIN=OFF -DODONATA_WERROR=OFF "$@" >/dev/null
	cmake --build "$folder" --target fuzzers >"$folder/log" || { tail "$folder/log"; exit 1; }
}
CC=clang configure "$build/fuzz" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DODONATA_FUZZ=ON -DODONATA_SANITIZE=ON
AFL_QUIET=1 CC=afl-clang-fast configure "$build/fuzz-afl" -DCMAKE_BUILD_TYPE=Release -DODONATA_FUZZ=ON
configure "$build/fuzz-lines" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=--coverage

crashed() { # READER FILE
	local kept=$build/fuzz-crashes/$1-$(sha1sum "$2" | cut -c1-8)
	mkdir -p "$build/fuzz-crashes"
	cp "$2" "$kept"
	echo "$1: crashes on $kept:" >&2
	head -c 400 "$2" | od -c | head -n 20 >&2
	failed=1
}

under_libfuzzer() { # READER
	local found=$keep/$1
	(cd "$work" && nice -n 19 "$build/fuzz/tests/fuzz_$1" "$found" "$corpus/$1" -runs="$runs" \
		-max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -seed=1 \
		-print_final_stats=1 >log 2>&1 </dev/null) || true
	executed=$(awk '/number_of_executed_units/ { print $2 }' "$work/log")
	edges=$(grep -o 'cov: [0-9]*' "$work/log" | tail -n 1 | cut -d' ' -f2)
	for file in "$work"/crash-* "$work"/oom-* "$work"/timeout-*; do
		[ ! -e "$file" ] || { crashed "$1" "$file"; tail -n 30 "$work/log" >&2; }
	done
	# a few inputs that reach all that was reached
	mkdir "$work/small"
	(cd "$work" && nice -n 19 "$build/fuzz/tests/fuzz_$1" -merge=1 small "$corpus/$1" "$found" \
		>/dev/null 2>&1 </dev/null) || true
	rm -rf "$found"
	mv "$work/small" "$found"
}

under_afl() { # READER
	cp -r "$corpus/$1" "$work/in"
	find "$keep/$1" -type f -exec cp -t "$work/in" {} +
	AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 \
		nice -n 19 afl-fuzz -i "$work/in" -o "$work/afl" -E "$runs" -V "$seconds" -t 10000 -m 2048 \
		-- "$build/fuzz-afl/tests/fuzz_$1" >"$work/afl.log" 2>&1 </dev/null ||
		{ tail "$work/afl.log"; exit 1; }
	executed_afl=$(awk -F' *: *' '/^execs_done/ { print $2 }' "$work/afl/default/fuzzer_stats")
	for file in "$work"/afl/default/{crashes,hangs}/id*; do
		[ ! -e "$file" ] || crashed "$1" "$file"
	done
}

# Lines of the files that a reader is made of, which gcov names if they were entered at all.
lines_reached() { # READER
	local objects=$build/fuzz-lines
	flock 9
	find "$objects" -name '*.gcda' -delete
	"$objects/tests/fuzz_$1" 0 "$corpus/$1" "$keep/$1" "$work"/afl/default/queue >/dev/null 2>&1 </dev/null
	find "$objects" -name '*.gcda' -exec gcov -n {} + 2>/dev/null | awk '
		/^File/ { wanted = $0 ~ files }
		/^Lines/ && wanted { split($0, x, /[:% ]+/); hit += x[3] * x[5] / 100; all += x[5]; wanted = 0 }
		END { if (all) printf "%.0f,%d", hit, all; else printf "," }' files="${files_of[$1]}"
} 9>"$build/fuzz-lines.lock"
declare -A files_of=(
	[cells]='cli/cells[.]c' [experiment]='experiment/(text/(yaml|layout|sources|plain)|experiment|file)[.]c'
	[fabric]='fabric/format/|fabric/builder[.]c' [flows]='traffic/flows[.]c' [guids]='format/guids[.]c'
	[manifest]='reproduce/manifest[.]c' [pins]='labels/pins' [plugin]='plugin/options[.]c'
	[prices]='plan/prices[.]c' [result]='experiment/result[.]c'
	[saved]='routing/reroute/saved[.]c'
	[spec]='topology/topology[.]c|base/options[.]c' [status]='commands/status[.]c'
	[tables]='export/(import|read|lines)' [trace]='traffic/workload_trace[.]c'
	[vlarb]='emulator/vlarb' [words]='emulator/model[.]c|base/options[.]c|traffic/pattern[.]c')

mkdir -p "$keep"
[ -s "$record" ] ||
	echo "reader,libfuzzer_executions,edges,afl_executions,lines_reached,lines,corpus_files,corpus_bytes" >"$record"
for reader in "$@"; do
	work=$(mktemp -d)
	mkdir -p "$keep/$reader" "$work/afl/default/queue"
	executed='' edges='' executed_afl=''
	for tool in $with; do
		"under_$tool" "$reader"
	done
	echo "$reader,$executed,$edges,$executed_afl,$(lines_reached "$reader"),$(ls "$keep/$reader" | wc -l),$(
		find "$keep/$reader" -type f -exec cat {} + | wc -c)" | tee -a "$record"
	rm -rf "$work"
done
exit $failed
