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
grep -q 'CMAKE_C_FLAGS:STRING=.*fsanitize=thread' "$mpi_build/CMakeCache.txt" && sanitize=-fsanitize=thread

# mpi_link NAME SOURCE LIBRARY FILE...: a source of ours, with these files of ours compiled for
# MPI and that library of ours before the core, to $folder/NAME
mpi_link() {
	local name=$1 source=$2 library=$3
	shift 3
	mpicc $sanitize -std=gnu17 -O1 -D_GNU_SOURCE -DODONATA_MPI -I"$ODONATA_SOURCE" \
		"$ODONATA_SOURCE/$source" "${@/#/$ODONATA_SOURCE/}" $library "$mpi_build/libodonata-version.a" "$mpi_build/libodonata-core.a" \
		$(pkg-config --libs libcyaml yaml-0.1 jansson libibnetdisc libibmad libibumad libibverbs) -lpthread -lm -o "$folder/$name"
}

# mpi_program FOLDER NAME FILE...: tests/FOLDER/NAME.c
mpi_program() {
	mpi_link "$2" "tests/$1/$2.c" "" "${@:3}"
}
