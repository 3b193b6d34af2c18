# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Programs built with MPI, whatever the build at hand was configured for. Source with the build
# folder as $1; leaves a $folder of its own, removed at the end.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export ASAN_OPTIONS=detect_leaks=0 # MPI's own
mpi_build=$1 sanitize=
grep -q 'ODONATA_SANITIZE:BOOL=ON' "$mpi_build/CMakeCache.txt" && sanitize=-fsanitize=address,undefined

# mpi_program NAME FILE...: tests/emulator/NAME.c, with these files of emulator/ compiled for MPI, to
# $folder/NAME
mpi_program() {
	local name=$1
	shift
	mpicc $sanitize -std=gnu17 -O2 -D_GNU_SOURCE -DODONATA_MPI -I"$ODONATA_SOURCE" \
		"$ODONATA_SOURCE/tests/emulator/$name.c" "${@/#/$ODONATA_SOURCE/emulator/}" \
		"$mpi_build/libodonata-core.a" $(pkg-config --libs libcyaml yaml-0.1) -lpthread -lm -o "$folder/$name"
}
