/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cables that carry less than others of their class, and cables from a switch to itself. */
#include "base/random.h"
#include "trial.h"
#include "tests/unit.h"

typedef struct rate {
	uint8_t lanes, speed;
} rate;

static void run_at(odo_fabric *f, uint32_t slot, rate r)
{
	f->width[slot] = f->width[f->peer[slot]] = r.lanes;
	f->speed[slot] = f->speed[f->peer[slot]] = r.speed;
}

static bool is_cable(const odo_fabric *f, uint32_t slot)
{
	return f->peer[slot] != ODO_NONE && f->peer[slot] > slot;
}

static bool is_between_switches(const odo_fabric *f, uint32_t slot)
{
	return is_cable(f, slot) && odo_is_switch(f, f->owner[slot]) &&
	       odo_next_switch(f, slot) != ODO_NONE;
}

static odo_coordinates *map(const odo_fabric *f)
{
	odo_coordinates *c;
	odo_error err;
	assert_int_equal(odo_map(f, &c, &err), 0);
	return c;
}

static uint32_t count_slow(const odo_coordinates *c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->n_faults; i++)
		n += c->faults[i].type == ODO_FAULT_SLOW_LINK;
	return n;
}

static uint32_t faults_of(const odo_fabric *f)
{
	odo_coordinates *c = map(f);
	uint32_t n = c->n_faults;
	odo_coordinates_free(c);
	return n;
}

static odo_fabric *generate(const char *spec, odo_coordinates **truth)
{
	odo_fabric *f;
	odo_error err;
	assert_int_equal(odo_topology_generate(spec, 0, &f, truth, &err), 0);
	return f;
}

/* One cable in a hundred, one at least, runs slower in one way or another. Returns how many;
 * `slow` [n_slots] is set for both ends. */
static uint32_t slow_down(odo_fabric *f, uint64_t seed, uint8_t *slow)
{
	static const rate rates[] = {
		{1, ODO_SDR}, {1, ODO_QDR}, {2, ODO_QDR}, {4, ODO_SDR}, {4, ODO_DDR}};
	odo_rng rng = odo_rng_make(seed, 77);
	uint32_t n = f->n_links / 100 ? f->n_links / 100 : 1, left = n;
	while (left) {
		uint32_t slot = odo_rng_below(&rng, f->n_slots);
		if (f->peer[slot] == ODO_NONE || slow[slot])
			continue;
		slow[slot] = slow[f->peer[slot]] = 1;
		run_at(f, slot, rates[odo_rng_below(&rng, sizeof rates / sizeof *rates)]);
		left--;
	}
	return n;
}

typedef struct tally {
	uint32_t slow, reported, hit;
} tally;

static void try_one(const trial *t, tally *sum)
{
	outcome o;
	odo_error err;
	assert_int_equal(trial_prepare(t, &o, &err), 0);
	odo_coordinates *before = map(o.fabric);
	uint8_t *slow = calloc(o.fabric->n_slots, 1);
	sum->slow += slow_down(o.fabric, t->damage.seed, slow);
	o.found = map(o.fabric);
	/* What a fabric is, no rate tells. */
	assert_int_equal(o.found->kind, before->kind);
	assert_memory_equal(o.found->port_class, before->port_class, o.fabric->n_slots);
	assert_int_equal(o.found->n_faults, before->n_faults + count_slow(o.found));
	for (uint32_t i = 0; i < o.found->n_faults; i++) {
		const odo_fault *x = &o.found->faults[i];
		if (x->type != ODO_FAULT_SLOW_LINK)
			continue;
		assert_int_equal(o.fabric->peer[x->slot[0]], x->slot[1]);
		assert_int_equal(o.fabric->owner[x->slot[0]], x->node[0]);
		assert_int_equal(o.fabric->owner[x->slot[1]], x->node[1]);
		assert_int_equal(o.fabric->width[x->usual], 4);
		assert_int_equal(o.fabric->speed[x->usual], ODO_QDR);
		sum->reported++;
		sum->hit += slow[x->slot[0]];
	}
	odo_coordinates_free(before);
	free(slow);
	outcome_clear(&o);
}

/* Every kind, and graphs of none: whole, damaged and miscabled. */
static void slow_cables_are_named(void **state)
{
	static const char *const specs[] = {
		"flatfly:k=8x8,c=4",     "hypercube:n=7,c=2",       "torus:k=6x6x6,c=2",
		"dragonfly:p=4,a=8,h=4", "slimfly:q=9,c=4",         "slimfly-flatfly:q=4,k=4x4,c=2",
		"random:n=200,d=8,c=4",  "bipartite:n=80,d=12,c=4", "fattree:k=12,levels=3"};
	static const trial trials[] = {
		{.damage = {0}}, {.damage = {.05, .02, 0}}, {.damage = {0}, .miscabled = .01}};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		tally sum = {0};
		for (size_t j = 0; TEST_ROW(j, trials, trials[j].spec); j++)
			for (uint64_t seed = 1; seed <= test_seeds(5); seed++) {
				trial t = trials[j];
				t.spec = specs[i];
				t.damage.seed = seed;
				try_one(&t, &sum);
			}
		if (sum.hit != sum.reported || 100 * sum.hit < 99 * sum.slow)
			fail_msg("%s: %u slow, %u reported, %u of them slow", specs[i], sum.slow,
				 sum.reported, sum.hit);
	}
}

static void one_slow_cable_is_named_in_the_smallest(void **state)
{
	static const char *const specs[] = {"hypercube:n=3,c=1", "flatfly:k=3x3,c=1",
					    "dragonfly:p=1,a=2,h=1", "torus:k=5,c=1",
					    "random:n=8,d=3,c=1"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++)
		for (uint32_t slot = 0;; slot++) {
			odo_fabric *f = generate(specs[i], NULL);
			bool end = slot == f->n_slots, cable = !end && is_cable(f, slot);
			if (cable)
				run_at(f, slot, (rate){1, ODO_SDR});
			odo_coordinates *c = map(f);
			assert_int_equal(count_slow(c), cable);
			if (cable)
				assert_int_equal(c->faults[c->n_faults - 1].slot[0], slot);
			odo_coordinates_free(c);
			odo_fabric_free(f);
			if (end)
				break;
		}
}

/* Long cables of another make, as in a dimension of their own. */
static void a_slower_dimension_is_no_fault(void **state)
{
	odo_coordinates *truth;
	odo_fabric *f = generate("flatfly:k=8x8x2,c=4", &truth);
	uint32_t slot, n = 0;
	(void)state;
	for (slot = 0; slot < f->n_slots; slot++)
		if (is_between_switches(f, slot) && truth->port_class[slot] == 2)
			run_at(f, slot, (rate){4, ODO_DDR});
	assert_int_equal(faults_of(f), 0);
	/* What is slow in another dimension is usual in this. */
	for (slot = 0; slot < f->n_slots && !n; slot++)
		if (is_between_switches(f, slot) && truth->port_class[slot] == 0 && ++n)
			run_at(f, slot, (rate){4, ODO_DDR});
	assert_int_equal(faults_of(f), 1);
	odo_coordinates_free(truth);
	odo_fabric_free(f);
}

/* Four in ten cables are of an older generation, those of hosts too. */
static void a_mixture_is_no_fault_and_hides_none(void **state)
{
	static const uint32_t shares[] = {10, 25, 40, 50, 60, 90};
	odo_coordinates *truth;
	(void)state;
	for (size_t i = 0; TEST_ROW(i, shares, NULL); i++) {
		odo_fabric *f = generate("dragonfly:p=4,a=8,h=4", &truth);
		odo_rng rng = odo_rng_make(i, 0);
		for (uint32_t slot = 0; slot < f->n_slots; slot++) {
			bool old = odo_rng_below(&rng, 100) < shares[i];
			if (is_cable(f, slot))
				run_at(f, slot, (rate){4, old ? ODO_EDR : ODO_HDR});
		}
		assert_int_equal(faults_of(f), 0);
		run_at(f, odo_slot(f, 5, 2), (rate){1, ODO_EDR});
		run_at(f, odo_slot(f, 7, 14), (rate){4, ODO_QDR});
		assert_int_equal(faults_of(f), 2);
		odo_coordinates_free(truth);
		odo_fabric_free(f);
	}
}

/* A switch that can do no more slows all of its cables down, and none is broken. */
static void cables_of_an_old_switch_are_no_fault(void **state)
{
	odo_fabric *f = generate("flatfly:k=8x8,c=4", NULL);
	(void)state;
	for (uint32_t slot = f->first_slot[9]; slot < f->first_slot[10]; slot++)
		run_at(f, slot, (rate){4, ODO_DDR});
	assert_int_equal(faults_of(f), 0);
	run_at(f, f->first_slot[9] + 6, (rate){1, ODO_DDR});
	assert_int_equal(faults_of(f), 1);
	odo_fabric_free(f);
}

static void equal_rates_and_unknown_ones_say_nothing(void **state)
{
	odo_fabric *f = generate("flatfly:k=4x4,c=2", NULL);
	(void)state;
	for (uint32_t slot = 0; slot < f->n_slots; slot++)
		if (is_cable(f, slot))
			run_at(f, slot, (rate){4, ODO_EDR});
	run_at(f, 2, (rate){2, ODO_HDR});
	run_at(f, 10, (rate){1, ODO_NDR});
	run_at(f, 18, (rate){4, ODO_SPEED_UNKNOWN});
	run_at(f, 26, (rate){200, ODO_SDR});
	assert_int_equal(faults_of(f), 0);
	odo_fabric_free(f);
}

/* A ring with a tail is nothing known; one of its switches is cabled to itself. */
static void loops_are_wrong_in_unknown_fabrics(void **state)
{
	static const unsigned links[][4] = {{0, 1, 1, 2}, {1, 1, 2, 2}, {2, 1, 3, 2}, {3, 1, 0, 2},
					    {3, 3, 4, 1}, {4, 2, 5, 1}, {2, 3, 2, 4}};
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	(void)state;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (uint32_t s = 0, id; s < 6; s++)
		assert_int_equal(odo_builder_add(b,
						 &(odo_node_info){.type = ODO_SWITCH, .n_ports = 8},
						 &id, &err),
				 0);
	for (size_t i = 0; TEST_ROW(i, links, NULL); i++)
		assert_int_equal(odo_builder_link(b, links[i][0], links[i][1], links[i][2],
						  links[i][3], (odo_link_info){0}, &err),
				 0);
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	odo_coordinates *c = map(f);
	assert_int_equal(c->kind, ODO_KIND_UNKNOWN);
	assert_int_equal(c->n_faults, 1);
	assert_int_equal(c->faults[0].type, ODO_FAULT_WRONG_LINK);
	assert_int_equal(c->faults[0].slot[0], odo_slot(f, 2, 3));
	assert_int_equal(c->faults[0].slot[1], odo_slot(f, 2, 4));
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow_cables_are_named),
		cmocka_unit_test(one_slow_cable_is_named_in_the_smallest),
		cmocka_unit_test(a_slower_dimension_is_no_fault),
		cmocka_unit_test(a_mixture_is_no_fault_and_hides_none),
		cmocka_unit_test(cables_of_an_old_switch_are_no_fault),
		cmocka_unit_test(equal_rates_and_unknown_ones_say_nothing),
		cmocka_unit_test(loops_are_wrong_in_unknown_fabrics),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
