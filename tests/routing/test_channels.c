/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The counted graph of (link, VL), held against a search for cycles in a matrix. */
#include "base/random.h"
#include "fixture.h"
#include "routing/turns/channels.h"

#define N_VLS 2u
#define N_STEPS 4000u

typedef struct matrix {
	uint32_t n;
	uint8_t *uses; /* [n * n] */
	uint8_t *seen; /* [n] */
} matrix;

static bool leads_to(matrix *x, uint32_t from, uint32_t to)
{
	if (from == to)
		return true;
	x->seen[from] = 1;
	for (uint32_t next = 0; next < x->n; next++)
		if (x->uses[(size_t)from * x->n + next] && !x->seen[next] && leads_to(x, next, to))
			return true;
	return false;
}

static bool may_add(matrix *x, odo_edge edge)
{
	memset(x->seen, 0, x->n);
	return x->uses[(size_t)edge.from * x->n + edge.to] || !leads_to(x, edge.to, edge.from);
}

/* A channel of some cable between switches, and one of the switch that it leads to. */
static odo_edge any_edge(const odo_channels *x, const odo_fabric *f, odo_rng *random)
{
	for (;;) {
		uint32_t slot = odo_rng_below(random, f->first_slot[f->n_switches]);
		uint32_t next = odo_next_switch(f, slot);
		if (next == ODO_NONE)
			continue;
		uint32_t on = f->first_slot[next] +
			      odo_rng_below(random, f->first_slot[next + 1] - f->first_slot[next]);
		if (odo_next_switch(f, on) == ODO_NONE)
			continue;
		return (odo_edge){odo_channel_at(x, slot, odo_rng_below(random, N_VLS)),
				  odo_channel_at(x, on, odo_rng_below(random, N_VLS))};
	}
}

static void compare_with_matrix(const char *spec, uint64_t seed)
{
	fixture x = make(spec, 0);
	odo_channels channels;
	odo_error err;
	odo_rng random = odo_rng_make(seed, 0);
	assert_int_equal(odo_channels_init(&channels, x.f, N_VLS, &err), 0);
	matrix m = {.n = channels.graph.forward.n_channels};
	m.uses = calloc((size_t)m.n * m.n, 1);
	m.seen = calloc(m.n, 1);
	unsigned refused = 0, removed = 0;
	for (unsigned i = 0; i < N_STEPS; i++) {
		odo_edge edge = any_edge(&channels, x.f, &random);
		uint8_t *uses = &m.uses[(size_t)edge.from * m.n + edge.to];
		assert_int_equal(odo_channels_uses(&channels, edge), *uses);
		if (*uses && odo_rng_below(&random, 2)) {
			odo_channels_remove(&channels, edge);
			--*uses;
			removed++;
			continue;
		}
		bool may = may_add(&m, edge);
		assert_int_equal(odo_channels_add(&channels, edge), may);
		*uses = (uint8_t)(*uses + may);
		refused += !may;
	}
	assert_true(refused > N_STEPS / 10 && removed > 10);
	free(m.uses);
	free(m.seen);
	odo_channels_clear(&channels);
	unmake(&x);
}

static void a_dependency_is_added_unless_it_closes_a_cycle(void **state)
{
	(void)state;
	compare_with_matrix("torus:k=4x4,c=1", 1);
	compare_with_matrix("random:n=12,d=4,c=1", 2);
}

static void dependencies_are_added_together_or_not_at_all(void **state)
{
	(void)state;
	fixture x = make("torus:k=3,c=1", 0);
	odo_channels channels;
	odo_error err;
	odo_edge round[3];
	assert_int_equal(odo_channels_init(&channels, x.f, 1, &err), 0);
	uint32_t slot = 0, s = 0;
	for (unsigned i = 0; i < 3; i++) { /* round the ring, never back */
		uint32_t before = slot;
		for (slot = x.f->first_slot[s];
		     odo_next_switch(x.f, slot) == ODO_NONE || (i && slot == x.f->peer[before]);)
			slot++;
		s = odo_next_switch(x.f, slot);
		round[i].from = round[(i + 2) % 3].to = odo_channel_at(&channels, slot, 0);
	}
	assert_false(odo_channels_add_all(&channels, round, 3));
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(odo_channels_uses(&channels, round[i]), 0);
	assert_true(odo_channels_add_all(&channels, round, 2));
	assert_false(odo_channels_add(&channels, round[2]));
	odo_channels_remove(&channels, round[0]);
	assert_true(odo_channels_add(&channels, round[2]));
	odo_channels_clear(&channels);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dependency_is_added_unless_it_closes_a_cycle),
		cmocka_unit_test(dependencies_are_added_together_or_not_at_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
