#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A sweep's points dealt out over 1, 2 and 3 MPI ranks give the same bytes, and a bad file ends
# every rank with an error.
. "$ODONATA_SOURCE/tests/mpi.sh"
mpi_program experiment mpi_farm experiment/sweep/sweep.c experiment/sweep/mpi.c
cat >"$folder/farm.yaml" <<'YAML'
name: farm
title: Points over ranks
fabric: dragonfly:p=1,a=2,h=1
measure: load
patterns: [uniform, "advg:n=1"]
loads: [0.1:0.9:0.1]
warmup: 100
measured: 1000
seeds: 3
curves: [{name: MIN, routing: min}]
YAML
sed 's/^measured:.*/measured: 60000/' "$folder/farm.yaml" >"$folder/long.yaml"
for ranks in 1 2 3; do
	mkdir "$folder/$ranks"
	mpirun --oversubscribe -np $ranks "$folder/mpi_farm" "$folder/farm.yaml" "$folder/$ranks"
done
[ "$(grep -c '^[0-9]' "$folder/1/farm.csv")" -eq 54 ] || { echo "not all points are in"; exit 1; }
for ranks in 2 3; do
	cmp "$folder/1/farm.csv" "$folder/$ranks/farm.csv"
done
# Killed half-way: the rest is done by other ranks.
head -40 "$folder/1/farm.csv" >"$folder/2/farm.csv"
mpirun --oversubscribe -np 3 "$folder/mpi_farm" "$folder/farm.yaml" "$folder/2"
cmp "$folder/1/farm.csv" "$folder/2/farm.csv"
# A rank is killed at a random moment, the one that writes among them: the run ends with an error, and another does the
# rest.
mkdir "$folder/long"
mpirun --oversubscribe -np 1 "$folder/mpi_farm" "$folder/long.yaml" "$folder/long"
RANDOM=5
halfway=0
for killed in 0 1 2; do
	rm -f "$folder/2"/farm.*
	mpirun --oversubscribe -np 3 "$folder/mpi_farm" "$folder/long.yaml" "$folder/2" >"$folder/told" 2>&1 &
	run=$!
	for ((i = 0; i < 400 && $(grep -c '^[0-9]' "$folder/2/farm.csv" 2>/dev/null || true) + 0 < 3; i++)); do
		sleep 0.05
	done
	sleep "0.$(printf '%02d' $((RANDOM % 30)))"
	ranks=$(ps -o pid= --ppid "$run" | xargs -n 1 | sort -n)
	kill -9 "$(echo "$ranks" | sed -n "$((killed + 1))p")" || { echo "the run was over too soon"; continue; }
	if wait $run; then
		echo "mpirun says that all is well without rank $killed"
		exit 1
	fi
	done=$(grep -c '^[0-9]' "$folder/2/farm.csv")
	[ "$done" -ge 3 ] || { echo "rank $killed killed after $done points"; exit 1; }
	halfway=$((halfway + (done < 54)))
	mpirun --oversubscribe -np 2 "$folder/mpi_farm" "$folder/long.yaml" "$folder/2"
	cmp "$folder/long/farm.csv" "$folder/2/farm.csv"
	echo "rank $killed killed after $done points"
done
[ $halfway -gt 0 ] || { echo "no rank was killed half-way"; exit 1; }

# A file that is another sweep's is refused, and no rank waits for ever.
echo "shopping list" >"$folder/3/farm.csv"
if timeout 60 mpirun --oversubscribe -np 2 "$folder/mpi_farm" "$folder/farm.yaml" "$folder/3" 2>"$folder/errors"; then
	echo "a foreign file was accepted"
	exit 1
fi
grep -q "expected the parameters of this sweep" "$folder/errors"

# The program itself: a bad command line, file or fabric is told once, and so is help.
mpi_link odonata cli/main.c "$mpi_build/cli/libodonata-commands.a $(ls "$mpi_build"/live/*.a 2>/dev/null)" \
	emulator/kernel/run/ranks.c experiment/sweep/{sweep,mpi}.c experiment/experiment.c
told_once() {
	local expected=$1 text=$2 code=0
	timeout 60 mpirun --oversubscribe -np 3 "$folder/odonata" "${@:3}" >"$folder/told" 2>&1 || code=$?
	[ $code -eq $expected ] && [ "$(grep -c -- "$text" "$folder/told")" -eq 1 ] ||
		{ cat "$folder/told"; echo "expected once, with $expected: $text; found $code"; exit 1; }
}
echo "name: 1" >"$folder/bad.yaml"
sed 's/^fabric:.*/fabric: nowhere.net/' "$folder/farm.yaml" >"$folder/nowhere.yaml"
told_once 3 "bad.yaml:1" experiment "$folder/bad.yaml"
told_once 3 "nowhere.yaml" experiment "$folder/nowhere.yaml" --folder "$folder"
told_once 2 "experiment: unrecognized option" experiment --nonesuch
told_once 2 "emulate: --load: expected loads" emulate demo-dragonfly --load 7
told_once 5 "nowhere/file" emulate demo-dragonfly --cycles 10 -o "$folder/nowhere/file"
told_once 0 "^Usage: odonata emulate" emulate --help
