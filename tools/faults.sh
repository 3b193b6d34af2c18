#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Do the tests notice faults? Small random faults (faults.awk) are put into a copy of the sources, one at a time,
# and the tests of the faulty folder's labels run until one fails.
#
#   bash tools/faults.sh [OPTION...] RESULTS.csv FOLDER...
#
#   --seed N      which faults (1)
#   --faults N    how many of them, those in RESULTS.csv counted (50)
#   --again       instead: those that RESULTS.csv says are missed and nobody judged, once more
#   --since COMMIT  instead of FOLDERs: 30 faults by a new seed in the files changed since, and a verdict:
#                 exit code 1 if less than 95 % of those that count are noticed
#   --at F:LINE   instead: all faults that this line could have; no FOLDER is needed. May be given several times
#   --sanitize    under sanitizers, as ./check runs the core; without, in the release build
#   --jobs N      tests at a time (4): many wait for other programs
#   --work DIR    where the copy is built, and kept for the next call (/tmp/odonata-faults)
#
# A row of RESULTS.csv has an outcome:
#   noticed     by a test, which column `by` names
#   missed      all tests passed: read the code. The fault changes nothing that counts, or a test is missing
#   same        the compiler made the same code of it
#   not built   the compiler refused it
# and a column `judgement` for who read it. A run that was stopped goes on where it was: rows are never tried twice.
set -u

# Folders, and the labels of the tests that are there to notice what is wrong in them. The first row that fits.
labels_of() {
	case $1/ in
	base/*) echo base fabric export ;;
	fabric/*) echo fabric export ;;
	mapping/*) echo mapping ;;
	routing/*) echo routing ;;
	export/*) echo export cli ;;
	emulator/traffic/*) echo traffic emulator ;;
	emulator/*) echo emulator traffic saturation experiment ;;
	*) echo "${1%%/*}" ;;
	esac
}

{ # all of it is read before it runs, so that it may be edited meanwhile
seed= faults= at=() again='' since='' sanitize=OFF jobs=4 work=/tmp/odonata-faults
while [[ ${1:-} == --* ]]; do
	case $1 in
	--seed) seed=$2; shift ;;
	--faults) faults=$2; shift ;;
	--again) again=yes ;;
	--since) since=$2; shift ;;
	--at) at+=("$2"); shift ;;
	--sanitize) sanitize=ON ;;
	--jobs) jobs=$2; shift ;;
	--work) work=$2; shift ;;
	*) echo "faults.sh: unknown option $1" >&2; exit 2 ;;
	esac
	shift
done
[ $# -ge 1 ] && [ $(($# + ${#at[@]} + ${#again} + ${#since})) -ge 2 ] || { sed -n '3,24s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
results=$(realpath "$1")
shift
if [ "$since" ]; then
	mapfile -t changed < <(cd "$here/.." && git diff --name-only --diff-filter=d "$since" -- '*.[ch]' |
		grep -vE '^(tests|bench|examples|tools)/')
	[ ${#changed[@]} -gt 0 ] || { echo "faults.sh: no sources have changed since $since"; exit 0; }
	set -- "${changed[@]}"
	: "${seed:=$(date +%s)}" "${faults:=30}"
	echo "seed $seed, ${#changed[@]} files"
fi
: "${seed:=1}" "${faults:=50}"
source=$work/source build=$work/build-$sanitize
mkdir -p "$source" "$build" "$work/tmp" || exit 1
export TMPDIR=$work/tmp ODONATA_SOURCE=$source ODONATA_BUILD=$build
exec 9>"$work/lock"
flock -n 9 || { echo "faults.sh: $work is in use" >&2; exit 1; }

quietly() { "$@" >"$work/log" 2>&1 9>&-; }
# Only what differs is copied, and is new then: after a fault, objects are newer than what it was put into.
cd "$here/.." || exit 1
git ls-files | sort >"$work/files"
while read -r file; do
	[ ! -f "$file" ] || cmp -s "$file" "$source/$file" || cp --parents "$file" "$source"
done <"$work/files"
(cd "$source" && find . -type f | sed 's|^./||' | sort | comm -23 - "$work/files" | xargs -r -d '\n' rm)
quietly cmake -S "$source" -B "$build" -G Ninja -DODONATA_SANITIZE=$sanitize -DODONATA_WERROR=OFF \
	-DCMAKE_BUILD_TYPE="$([ $sanitize = ON ] && echo RelWithDebInfo || echo Release)" &&
	quietly ninja -C "$build" || { tail "$work/log" >&2; exit 1; }
ninja -C "$build" -t deps | awk -v source="$source/" '
	/^[^ ].*: #deps/ { sub(/:.*/, ""); object = $0; next }
	{ sub(/^\.\.\/source\//, source, $1) } # so ccache has it print them
	index($1, source) == 1 { print substr($1, length(source) + 1), object }' |
	grep -vE ' (tests|bench|examples)/' >"$work/objects"
[ $sanitize = ON ] || ulimit -v 12000000

# A test is a script, or in the program of its folder, or a program of its own.
is_script() { [ -f "$source/tests/${1%%_*}/${1#*_}.sh" ]; }
is_target() { grep -qx "$1: phony" "$work/targets"; }

# run_test NAME SECONDS: its status.
run_test() {
	local folder=${1%%_*} command
	if is_script "$1"; then
		command=(bash "$source/tests/$folder/${1#*_}.sh" "$build")
	elif is_target "$1"; then
		command=("$build/tests/$1")
	else
		command=("$build/tests/$folder" "${1#*_test_}")
	fi
	[ "$folder" != fuzz ] || command+=(500 "$source/tests/data/corpus/${1#fuzz_}")
	(cd "$build/tests" && exec timeout -k 5 "$2" "${command[@]}") >"$work/out.$1" 2>&1 9>&- </dev/null
}

# The targets that a test needs: a program, or for scripts nearly everything.
targets_of() {
	local folder=${1%%_*}
	if is_target "$1"; then
		echo "$1"
	elif ! is_script "$1"; then
		echo "${folder}_tests"
	else
		grep -oE '^(odonata|odonata-plugin|odonata-api|plugin_(fault|debug|no-perfmgr)|fault_preload|manual): phony' \
			"$work/targets"
		cat "$source/tests/$folder"/*.sh | grep -oE '[a-z]+_tool_[a-z_]+' | sort -u | sed 's/$/: phony/' |
			grep -xFf - "$work/targets" | grep -v strategies
	fi | sed 's/:.*//'
}

# How long a test takes when nothing is wrong.
measure_test() {
	local start
	start=$(date +%s%N)
	if run_test "$1" 400; then
		echo "$((($(date +%s%N) - start) / 1000000)) $1"
	else
		echo "faults.sh: $1 fails without a fault, and is left out" >&2
	fi
}

# Go on when fewer than --jobs run.
wait_for_place() {
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
}

# Each test of a label, and how long it takes: the quick ones run first.
measure() {
	local name
	[ -s "$build/times.$1" ] && return
	quietly ninja -C "$build" || { tail "$work/log" >&2; exit 1; } # without the fault before
	for name in $(ctest --test-dir "$build" -N -L "^$1\$" | sed -n 's/^ *Test *#[0-9]*: //p'); do
		measure_test "$name" &
		wait_for_place
	done >"$build/measured"
	wait
	sort -n "$build/measured" >"$build/times.$1"
	[ -s "$build/times.$1" ] || { echo "faults.sh: no test of $1 passes without a fault" >&2; exit 1; }
}

# try_test NAME MILLISECONDS: whether it notices the fault. One that waits for other programs must do so twice. Where
# time was up the machine may have been busy: the name says so, for who judges.
try_test() {
	local limit=$((20 + $2 / 100)) status
	[ ! -e "$work/noticed" ] || return 0
	run_test "$1" $limit && return 0
	status=$?
	if [ $status -ne 124 ] && is_script "$1"; then
		[ ! -e "$work/noticed" ] || return 0
		run_test "$1" $limit && return 0
	fi
	[ $status -ne 124 ] || echo "$1:timeout" >>"$work/noticed"
	[ $status -eq 124 ] || echo "$1" >>"$work/noticed"
}

# The tests of a label: first those that are named after the file or its folder or have noticed faults there, then
# the others; the quick ones first.
likely_first() {
	grep -E "^[0-9]+,${file%/*}/" "$results" | sed -nE 's/.*,noticed,([^,:]+)[^,]*,.*/\1/p' | awk -v file="$file" '
		BEGIN { sub(/[.][ch]$/, "", file); n = split(file, word, /[\/_]/) }
		FILENAME == "-" { likely[$1] = 1; next }
		{ for (i = 2; i <= n; i++) if (length(word[i]) > 3 && index($2, word[i])) likely[$2] = 1
		  print !likely[$2], $0 }' - "$build/times.$1" | sort -n -k 1,1 -k 2,2 | cut -d ' ' -f 2-
}

# The outcome of the fault that stands in $source, and the test that saw it.
outcome() {
	local label time name
	local -a objects=("$@")
	local object different=
	quietly ninja -C "$build" "${objects[@]}" || { echo "not built,"; return; }
	for object in "${objects[@]}"; do
		cmp -s "$build/$object" "$work/whole/$object" || different=yes
	done
	[ $different ] || { echo "same,"; return; }
	# Only sanitizers notice memory that is kept.
	[[ $sanitize = OFF && $kind = dropped && $old =~ ^[a-z_]*(free|clear)\( ]] && { echo "missed,"; return; }
	rm -f "$work/noticed"
	for label in $(labels_of "$file"); do
		while read -r time name; do
			# shellcheck disable=SC2046
			quietly ninja -C "$build" $(targets_of "$name") || { echo "not built,"; return; }
			try_test "$name" "$time" &
			wait_for_place
			[ ! -e "$work/noticed" ] || break
		done < <(likely_first "$label")
		wait
		[ ! -e "$work/noticed" ] || { echo "noticed,$(head -n 1 "$work/noticed")"; return; }
	done
	echo "missed,"
}

# change FILE LINE COLUMN LENGTH NEW
change() {
	awk -v line="$2" -v column="$3" -v old="$4" '
		BEGIN { new = ENVIRON["NEW"] }
		FNR == line { $0 = substr($0, 1, column - 1) new substr($0, column + old) }
		{ print }' "$work/original" >"$source/$1"
}

quoted() { printf '"%s"' "${1//\"/\"\"}"; }
quoted_old() {
	local text
	text=$(sed -n "${line}p" "$source/$file")
	quoted "${text:column - 1:length}"
}

# One row: put it in, try it, take it out.
try_fault() {
	local line=$2 column=$3 length=$4 kind=$5 old objects what
	file=$1
	export NEW=$6
	cp -p "$source/$file" "$work/original"
	old=$(sed -n "${line}p" "$work/original")
	old=${old:column - 1:length}
	mapfile -t objects < <(awk -v file="$file" '$1 == file { print $2 }' "$work/objects")
	[ ${#objects[@]} -gt 0 ] || return # nothing is made of it here
	quietly ninja -C "$build" "${objects[@]}" || { tail "$work/log" >&2; exit 1; }
	rm -rf "$work/whole"
	for object in "${objects[@]}"; do
		mkdir -p "$work/whole/${object%/*}" && cp "$build/$object" "$work/whole/$object"
	done
	change "$file" "$line" "$column" "$length"
	what=$(outcome "${objects[@]}")
	cp "$work/original" "$source/$file"
	rm -rf "${work:?}/tmp" "$work"/out.*
	mkdir "$work/tmp"
	printf '%s,%s,%s,%s,%s,%s,%s,%s,\n' "$seed" "$file" "$line" "$column" "$kind" "$(quoted "$old")" \
		"$(quoted "$NEW")" "$what" >>"$results"
	tail -n 1 "$results"
}
trap '[ ! -e "$work/original" ] || [ -z "${file:-}" ] || cp "$work/original" "$source/$file"' EXIT
trap 'exit 130' INT TERM

ninja -C "$build" -t targets all | sed 's/:.*/: phony/; s|^.*/||' | sort -u >"$work/targets"
[ -s "$results" ] || echo "seed,file,line,column,kind,old,new,outcome,by,judgement" >"$results"
if [ "$again" ]; then
	cp "$results" "$work/before.csv"
	: >"$work/faults"
	awk -v faults="$work/faults" -f "$here/csv.awk" -f "$here/faults_again.awk" "$work/before.csv" >"$results"
elif [ ${#at[@]} -gt 0 ]; then
	for place in "${at[@]}"; do
		(cd "$source" && awk -v every=1 -v seed="$seed" -f "$here/faults.awk" "${place%:*}") |
			awk -F '\t' -v line="${place#*:}" '$2 == line'
	done >"$work/faults"
else
	# shellcheck disable=SC2046
	(cd "$source" && awk -v seed="$seed" -f "$here/faults.awk" $(find "$@" -name '*.[ch]' | sort)) |
		awk -v faults="$faults" 'NR <= faults' >"$work/faults"
fi
while IFS=$'\t' read -r -u 3 file line kind column length new again_of; do
	seed=${again_of:-$seed}
	[ "$again" ] || ! grep -qF "$seed,$file,$line,$column,$kind,$(quoted_old),$(quoted "$new")" "$results" || continue
	for label in $(labels_of "$file"); do measure "$label"; done
	try_fault "$file" "$line" "$column" "$length" "$kind" "$new"
done 3<"$work/faults"
# A fault counts if it changes the code, and nobody has judged that it changes nothing that matters.
[ -z "$since" ] || awk -v seed="$seed" -f "$here/csv.awk" -f <(echo '
	{ split_csv($0, field) }
	field[1] == seed && field[8] == "noticed" { noticed++ }
	field[1] == seed && field[8] == "missed" && field[10] == "" { missed++ }
	END { n = noticed + missed
		printf "%d of %d faults that count are noticed\n", noticed, n
		exit n && noticed < .95 * n }') "$results"
exit
}
