/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * cycle.c compiled once more, with the instructions that avx512.h needs. Each run selects one of
 * the two when it begins, so one program serves all processors. PRFCHW is older than AVX-512, and
 * is only a hint elsewhere.
 */
#include "emulator/kernel/cycle/cycle.h"

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

bool odo_can_run_wide(const odo_world *w)
{
	/* Twice the number of a lane is a signed 32-bit index. */
	uint64_t lanes = (uint64_t)w->e->fabric->n_switches << (w->port_bits + w->lane_bits);
	return lanes < 1u << 30 && __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi") &&
	       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

#ifdef __clang__
#pragma clang attribute push(                                                                      \
	__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,bmi2,popcnt,prfchw"))),   \
	apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,bmi2,popcnt,prfchw")
#endif

#define ODO_WIDE
#define odo_run_of odo_run_of_wide
#include "emulator/kernel/cycle/cycle.c"

#ifdef __clang__
#pragma clang attribute pop
#endif

#else

bool odo_can_run_wide(const odo_world *w)
{
	(void)w;
	return false;
}

odo_run_part *odo_run_of_wide(const odo_loop *loop)
{
	return odo_run_of(loop);
}

#endif
