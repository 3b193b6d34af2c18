#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# One run gives the same bytes on 1, 2 and 4 MPI ranks.
. "$(dirname "$0")/mpi.sh"
mpi_program mpi_run ranks.c parallel.c emulate.c measure.c
compare() {
	for ranks in 1 2 4; do
		mpirun --oversubscribe -np $ranks "$folder/mpi_run" "$@" >"$folder/$ranks" 2>"$folder/errors" ||
			{ cat "$folder/errors"; exit 1; }
	done
	[ "$(wc -l <"$folder/1")" -gt 2000 ] || { echo "too little printed"; exit 1; }
	for ranks in 2 4; do
		cmp "$folder/1" "$folder/$ranks" || { echo "$ranks ranks differ: $*"; exit 1; }
	done
}
compare dragonfly:p=2,a=4,h=2 tables 0.8 1500
compare dragonfly:p=2,a=4,h=2 pb 0.5 1500
compare flatfly:k=4x4x4,c=2 tables 0.5 300
compare dragonfly:p=2,a=4,h=2 min alltoall:bytes=64,order=random 60000
# Threads in each rank change nothing either.
for threads in 1 2; do
	mpirun --oversubscribe -np 2 "$folder/mpi_run" dragonfly:p=2,a=4,h=2 pb 0.5 1500 $threads \
		>"$folder/threads$threads" 2>"$folder/errors" || { cat "$folder/errors"; exit 1; }
done
cmp "$folder/threads1" "$folder/threads2" || { echo "threads in ranks differ"; exit 1; }
# A deadlock is the same one, told queue by queue, wherever its queues are.
compare dragonfly:p=2,a=4,h=2 one-vl 1 60000
[ "$(grep -c '^switch .* waiting for port' "$folder/4")" -ge 2 ] || { echo "no circle named"; exit 1; }
