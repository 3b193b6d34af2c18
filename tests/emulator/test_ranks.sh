#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# One run gives the same bytes on 1, 2, 3 and 4 MPI ranks. A sample has 3: more wait for each other.
. "$ODONATA_SOURCE/tests/mpi.sh"
mpi_program emulator mpi_run emulator/kernel/run/ranks.c
ranks_tried="1 3"
[ -z "${ODONATA_WIDE:-}" ] || ranks_tried="1 2 3 4"
compare() {
	for ranks in $ranks_tried; do
		mpirun --oversubscribe -np $ranks "$folder/mpi_run" "$@" >"$folder/$ranks" 2>"$folder/errors" ||
			{ cat "$folder/errors"; exit 1; }
	done
	[ "$(wc -l <"$folder/1")" -gt 2000 ] || { echo "too little printed"; exit 1; }
	for ranks in ${ranks_tried#1 }; do
		cmp "$folder/1" "$folder/$ranks" || { echo "$ranks ranks differ: $*"; exit 1; }
	done
}
compare dragonfly:p=2,a=4,h=2 tables 0.8 1500
compare dragonfly:p=2,a=4,h=2 pb 0.5 1500
[ -z "${ODONATA_WIDE:-}" ] || compare flatfly:k=4x4x4,c=2 tables 0.5 300
compare dragonfly:p=2,a=4,h=2 min alltoall:bytes=64,order=random 60000
# Cycles in which nothing moves are passed over by all, to the same one.
printf '%s\n' "trace 1" "ranks 3" "rank 0" "compute 40000" "send 2 64 after 1" "recv 1 64" \
	"rank 1" "compute 90001" "send 0 64 after 1" "rank 2" "recv 0 64" >"$folder/rest.trace"
compare dragonfly:p=2,a=4,h=2 pb "trace:$folder/rest.trace" 200000
# Threads in each rank change nothing either.
for threads in 1 2; do
	mpirun --oversubscribe -np 2 "$folder/mpi_run" dragonfly:p=2,a=4,h=2 pb 0.5 1500 $threads \
		>"$folder/threads$threads" 2>"$folder/errors" || { cat "$folder/errors"; exit 1; }
done
cmp "$folder/threads1" "$folder/threads2" || { echo "threads in ranks differ"; exit 1; }
# A deadlock is the same one, told queue by queue, wherever its queues are.
compare dragonfly:p=2,a=4,h=2 one-vl 1 60000
[ "$(grep -c '^switch .* waiting for port' "$folder/3")" -ge 2 ] || { echo "no circle named"; exit 1; }

# The program itself: its ranks share a run, one of them answers, and one tells what is wrong.
mpi_link odonata cli/main.c "$mpi_build/cli/libodonata-commands.a $(ls "$mpi_build"/live/*.a 2>/dev/null)" \
	emulator/kernel/run/ranks.c experiment/sweep/{sweep,mpi}.c
program() {
	mpirun --oversubscribe -np "$1" "$folder/odonata" emulate demo-dragonfly --cycles 1000 --warmup 500 --json "${@:2}"
}
options_tried=("--load 0.5 --series 50 --switches")
[ -z "${ODONATA_WIDE:-}" ] || options_tried+=("--load 0.2,0.9" "--load saturation")
for options in "${options_tried[@]}"; do
	program 1 $options >"$folder/1"
	program 3 $options >"$folder/3" --output "$folder/file"
	cmp "$folder/1" "$folder/file" || { echo "the program's ranks differ: $options"; exit 1; }
	[ ! -s "$folder/3" ] || { echo "more than one rank answers"; exit 1; }
done
code=0
program 3 --pattern advg:n=9 2>"$folder/errors" || code=$?
[ $code -eq 4 ] && [ "$(grep -c "expected groups to send to others" "$folder/errors")" -eq 1 ] ||
	{ cat "$folder/errors"; echo "a failure is told once, with exit code 4; found $code"; exit 1; }
