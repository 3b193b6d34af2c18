#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A sweep's points dealt out over 1, 2 and 4 MPI ranks give the same bytes, and a bad file ends
# every rank with an error.
. "$(dirname "$0")/mpi.sh"
mpi_program mpi_farm sweep.c sweep_mpi.c
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
for ranks in 1 2 4; do
	mkdir "$folder/$ranks"
	mpirun --oversubscribe -np $ranks "$folder/mpi_farm" "$folder/farm.yaml" "$folder/$ranks"
done
[ "$(grep -c '^[0-9]' "$folder/1/farm.csv")" -eq 54 ] || { echo "not all points are in"; exit 1; }
for ranks in 2 4; do
	cmp "$folder/1/farm.csv" "$folder/$ranks/farm.csv"
done
# Killed half-way: the rest is done by other ranks.
head -40 "$folder/1/farm.csv" >"$folder/2/farm.csv"
mpirun --oversubscribe -np 3 "$folder/mpi_farm" "$folder/farm.yaml" "$folder/2"
cmp "$folder/1/farm.csv" "$folder/2/farm.csv"
# A file that is another sweep's is refused, and no rank waits for ever.
echo "shopping list" >"$folder/4/farm.csv"
if timeout 60 mpirun --oversubscribe -np 2 "$folder/mpi_farm" "$folder/farm.yaml" "$folder/4" 2>"$folder/errors"; then
	echo "a foreign file was accepted"
	exit 1
fi
grep -q "expected the parameters of this sweep" "$folder/errors"
