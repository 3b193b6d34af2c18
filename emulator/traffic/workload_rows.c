/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Workloads of steps: collectives and stencils, as the actions of a rank in each step. */
#include "emulator/traffic/workload.h"

#include "emulator/streams.h"
#include "base/random.h"

static uint32_t first_number(const odo_value *value, unsigned i)
{
	return value[i].number[0];
}

/* All-to-all. */

/**
 * Return item `i` of a random order of 0 .. n-1 without storing the order: four rounds of a Feistel
 * cipher on the smallest even number of bits that hold n, repeated until the result is below n.
 */
static uint32_t order_item(uint32_t i, uint32_t n, uint64_t seed, uint32_t stream)
{
	uint32_t half = 1;
	while ((uint64_t)1 << 2 * half < n)
		half++;
	uint32_t mask = (uint32_t)(((uint64_t)1 << half) - 1);
	philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
	do {
		uint32_t left = i >> half, right = i & mask;
		for (uint32_t round = 0; round < 4; round++) {
			philox4x32_ctr_t at = {{right, round, stream, ODO_STREAM_WORKLOAD}};
			uint32_t mixed = left ^ (philox4x32(at, key).v[0] & mask);
			left = right;
			right = mixed;
		}
		i = left << half | right;
	} while (i >= n);
	return i;
}

enum { ALL_BYTES, ALL_ORDER, ALL_SYNC, ALL_ROUNDS };
enum { ORDER_LINEAR, ORDER_RANDOM, ORDER_OWN };
static const char *const orders[] = {"linear", "random", "own", NULL};
static const odo_option all_options[] = {
	{"bytes", ODO_OPTION_BYTES, "32", "to each other rank", NULL, 0, 1u << 30},
	{"order", ODO_OPTION_WORD, "random",
	 "order of the phases: by distance, one random order for all, or one for each rank", orders,
	 0, 0},
	{"sync", ODO_OPTION_NUMBER, "1", "1: a phase waits for its message; never with order=own",
	 NULL, 0, 1},
	{"rounds", ODO_OPTION_NUMBER, "1", "how often", NULL, 1, 1u << 20},
	{0},
};

static uint64_t all_n_steps(const odo_value *value, uint32_t n)
{
	return (uint64_t)(n - 1) * first_number(value, ALL_ROUNDS);
}

/** In phase k, every rank sends to the rank d(k) further; d is a permutation of 1 .. n-1. */
static void all_step(const odo_value *value, uint32_t n, uint64_t seed, uint32_t rank,
		     uint32_t step, odo_step *out)
{
	uint32_t order = first_number(value, ALL_ORDER), distance = step % (n - 1);
	if (order != ORDER_LINEAR)
		distance = order_item(distance, n - 1, seed, order == ORDER_OWN ? rank + 1 : 0);
	out->bytes = first_number(value, ALL_BYTES);
	out->n_sends = 1;
	out->peer[0] = (uint32_t)(((uint64_t)rank + 1 + distance) % n);
	out->unawaited = order == ORDER_OWN || !first_number(value, ALL_SYNC);
	out->n_recvs = !out->unawaited;
}

/* Halo exchange. */

enum { HALO_SIZE, HALO_BYTES, HALO_ROUNDS, HALO_WRAP, HALO_COMPUTE };
static const odo_option halo_options[] = {
	{"size", ODO_OPTION_LIST, NULL, "ranks in each of up to four dimensions", NULL, 1, 65535},
	{"bytes", ODO_OPTION_BYTES, "4096", "of each face", NULL, 0, 1u << 30},
	{"rounds", ODO_OPTION_NUMBER, "10", "exchanges", NULL, 1, 1u << 30},
	{"wrap", ODO_OPTION_NUMBER, "1", "1: periodic", NULL, 0, 1},
	{"compute", ODO_OPTION_CYCLES, "0", "time before each exchange as 10us, or cycles", NULL, 0,
	 1u << 30},
	{0},
};

static int halo_check(const odo_value *value, uint32_t n, odo_error *err)
{
	uint64_t product = 1;
	for (unsigned d = 0; d < value[HALO_SIZE].n && product <= UINT32_MAX; d++)
		product *= value[HALO_SIZE].number[d];
	if (value[HALO_SIZE].n > 4)
		return odo_fail(err, ODO_EINPUT, "halo: expected up to four dimensions, found %u",
				value[HALO_SIZE].n);
	if (product != n)
		return odo_fail(err, ODO_EINPUT,
				"halo: expected a size of %u ranks, found one of %llu", n,
				(unsigned long long)product);
	return 0;
}

static uint64_t halo_n_steps(const odo_value *value, uint32_t n)
{
	(void)n;
	return first_number(value, HALO_ROUNDS);
}

/** Send to both neighbours in each dimension; the last dimension is the fastest in rank numbers. */
static void halo_step(const odo_value *value, uint32_t n, uint64_t seed, uint32_t rank,
		      uint32_t step, odo_step *out)
{
	(void)n;
	(void)seed;
	(void)step;
	uint32_t stride = 1;
	out->bytes = first_number(value, HALO_BYTES);
	out->compute = first_number(value, HALO_COMPUTE);
	for (unsigned d = value[HALO_SIZE].n; d-- > 0;) {
		uint32_t k = value[HALO_SIZE].number[d], at = rank / stride % k;
		uint32_t base = rank - at * stride;
		bool wrap = first_number(value, HALO_WRAP) && k > 1;
		if (at + 1 < k || wrap)
			out->peer[out->n_sends++] = base + (at + 1) % k * stride;
		if (at > 0 || wrap)
			out->peer[out->n_sends++] = base + (at + k - 1) % k * stride;
		stride *= k;
	}
	out->n_recvs = out->n_sends;
}

/* Allreduce. */

enum { REDUCE_BYTES, REDUCE_ROUNDS };
static const odo_option reduce_options[] = {
	{"bytes", ODO_OPTION_BYTES, "65536", "of the vector", NULL, 0, 1u << 30},
	{"rounds", ODO_OPTION_NUMBER, "1", "how often", NULL, 1, 1u << 20},
	{0},
};

static uint64_t ring_n_steps(const odo_value *value, uint32_t n)
{
	return 2ull * (n - 1) * first_number(value, REDUCE_ROUNDS);
}

/** Reduce-scatter then all-gather: 2(n-1) steps of a piece of 1/n to the next rank. */
static void ring_step(const odo_value *value, uint32_t n, uint64_t seed, uint32_t rank,
		      uint32_t step, odo_step *out)
{
	(void)seed;
	(void)step;
	out->bytes = (uint32_t)(((uint64_t)first_number(value, REDUCE_BYTES) + n - 1) / n);
	out->n_sends = out->n_recvs = 1;
	out->peer[0] = rank + 1 < n ? rank + 1 : 0;
}

/** log2 of n, rounded down. */
static uint32_t doubling_levels(uint32_t n)
{
	return 31 - (uint32_t)__builtin_clz(n);
}

static uint64_t doubling_n_steps(const odo_value *value, uint32_t n)
{
	return (uint64_t)(doubling_levels(n) + 2) * first_number(value, REDUCE_ROUNDS);
}

/**
 * Exchange the whole vector at distances 1, 2, 4, ... If n is not a power of two, the first 2 * (n
 * - 2^k) ranks form pairs: the odd rank of each pair sends its vector before and gets the result
 * after (steps 0 and k+1, empty otherwise).
 */
static void doubling_step(const odo_value *value, uint32_t n, uint64_t seed, uint32_t rank,
			  uint32_t step, odo_step *out)
{
	(void)seed;
	uint32_t k = doubling_levels(n), extra = n - (1u << k), at = step % (k + 2);
	bool paired = rank < 2 * extra, odd = rank & 1;
	out->bytes = first_number(value, REDUCE_BYTES);
	if (at == 0 || at == k + 1) {
		bool sends = paired && (at == 0 ? odd : !odd);
		out->n_sends = sends;
		out->n_recvs = paired && !sends;
		out->peer[0] = rank ^ 1;
		return;
	}
	if (paired && odd)
		return;
	uint32_t place = paired ? rank / 2 : rank - extra, other = place ^ 1u << (at - 1);
	out->n_sends = out->n_recvs = 1;
	out->peer[0] = other < extra ? 2 * other : other + extra;
}

const odo_step_workload odo_step_workloads[] = {
	{"alltoall", "a message from each rank to every other, in phases", "000, section 5.5",
	 all_options, NULL, all_n_steps, all_step},
	{"halo", "faces to both neighbours in each of up to four dimensions", "none", halo_options,
	 halo_check, halo_n_steps, halo_step},
	{"ring", "allreduce round a ring: reduce-scatter, then all-gather", "none", reduce_options,
	 NULL, ring_n_steps, ring_step},
	{"doubling", "allreduce by recursive doubling", "none", reduce_options, NULL,
	 doubling_n_steps, doubling_step},
	{0},
};
