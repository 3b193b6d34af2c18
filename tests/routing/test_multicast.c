/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Multicast trees reach all members and only them, and close no cycle with unicast. */
#include "fixture.h"
#include "base/random.h"
#include "mapping/mapping.h"
#include "routing/graph/dependency.h"
#include "routing/multicast/multicast.h"
#include "routing/verify/internal.h"

static const char *const specs[] = {
	"flatfly:k=4x3x3,l=2x1x1,c=2", "hypercube:n=4,c=1",   "torus:k=5x5,c=1",
	"dragonfly:p=2,a=4,h=2",       "slimfly:q=5,c=2",     "slimfly-flatfly:q=3,k=3,c=1",
	"fattree:k=4,levels=3",        "random:n=24,d=4,c=2",
};
#define N_SPECS (sizeof specs / sizeof *specs)

/* Every turn of a tree on every VL that its SL can have there: more than can happen. */
static void add_turns(const odo_tables *t, const uint8_t *on, unsigned sl,
		      const odo_dependencies *deps)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t in = 0; in < f->first_slot[f->n_switches]; in++) {
		uint32_t s = f->owner[in];
		if (!on[in] || odo_next_switch(f, in) == ODO_NONE)
			continue;
		uint32_t from = f->peer[in], before = f->owner[from];
		for (unsigned out = 1; out <= odo_n_ports(f, s); out++) {
			uint32_t slot = odo_slot(f, s, out);
			if (!on[slot] || slot == in || odo_next_switch(f, slot) == ODO_NONE)
				continue;
			unsigned vl = odo_vl(t, s, odo_port(f, in), out, sl);
			for (unsigned p = 0; p <= odo_n_ports(f, before); p++) {
				uint32_t into = p ? odo_slot(f, before, p) : ODO_NONE;
				if (p && (into == from ||
					  (odo_next_switch(f, into) != ODO_NONE && !on[into])))
					continue;
				odo_depend(deps, from, odo_vl(t, before, p, odo_port(f, from), sl),
					   out, vl);
			}
		}
	}
}

static void expect_safe(const odo_tables *t, const uint8_t *on, unsigned sls)
{
	odo_dependencies deps;
	odo_error err;
	odo_channel *cycle;
	uint32_t n;
	assert_int_equal(odo_dependencies_init(&deps, t->fabric, t->n_vls, &err), 0);
	assert_int_equal(odo_verify_collect(t, &deps, &err), 0);
	for (; sls; sls &= sls - 1)
		add_turns(t, on, (unsigned)__builtin_ctz(sls), &deps);
	assert_int_equal(odo_dependencies_cycle(&deps, &cycle, &n, &err), 0);
	assert_null(cycle);
	odo_dependencies_clear(&deps);
}

/* Floods a group from a switch; returns how many ports to hosts and switches it passed. */
static uint32_t flood(const odo_fabric *f, const uint8_t *on, uint32_t s, uint32_t from)
{
	uint32_t n = 0;
	for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
		uint32_t t = odo_next_switch(f, slot);
		if (!on[slot])
			continue;
		n++;
		if (t == ODO_NONE || slot == from)
			continue;
		assert_true(on[f->peer[slot]]);
		n += flood(f, on, t, f->peer[slot]);
	}
	return n;
}

static void try_group(const odo_mcast *mcast, const uint32_t *hosts, uint32_t n, uint8_t *on)
{
	const odo_fabric *f = mcast->fabric;
	uint32_t *member = calloc(n, sizeof *member), used = 0;
	odo_error err;
	for (uint32_t i = 0; i < n; i++)
		member[i] = f->peer[f->host_slot[hosts[i]]];
	assert_int_equal(odo_mcast_ports(mcast, member, n, NULL, 0, on, &err), 0);
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		used += on[slot];
	/* All ports used hang together, each is passed once, and ends are members. */
	assert_int_equal(flood(f, on, f->owner[member[0]], ODO_NONE), used);
	for (uint32_t i = 0; i < n; i++)
		assert_true(on[member[i]]);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t ports = 0;
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
			ports += on[slot];
		if (n > 1)
			assert_int_not_equal(ports, 1);
	}
	free(member);
}

/* False where there is no safe tree. */
static bool try_tables(const odo_tables *t, unsigned sls)
{
	const odo_fabric *f = t->fabric;
	odo_mcast *mcast;
	odo_error err;
	int status = odo_mcast_create(t, sls, &mcast, &err);
	if (status) {
		assert_int_equal(status, ODO_EDECLINE);
		return false;
	}
	odo_rng rng = odo_rng_make(1, f->n_hosts);
	uint32_t *hosts = calloc(f->n_hosts, sizeof *hosts);
	uint8_t *on = calloc(f->first_slot[f->n_switches], 1);
	for (uint32_t h = 0; h < f->n_hosts; h++)
		hosts[h] = h;
	for (uint32_t n = 1; n <= f->n_hosts; n = n * 3 + 1) {
		odo_rng_shuffle(&rng, hosts, f->n_hosts);
		try_group(mcast, hosts, n, on);
	}
	try_group(mcast, hosts, f->n_hosts, on);
	expect_safe(t, on, sls);
	odo_mcast_free(mcast);
	free(hosts);
	free(on);
	return true;
}

static void trees_are_safe_beside_every_engine(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SPECS; i++) {
		fixture x = make(specs[i], 0);
		for (const odo_engine *row = odo_engines; row->name; row++) {
			odo_tables *t;
			odo_error err;
			if (row->profile != ODO_PROFILE_IB || !(row->kinds & 1u << x.c->kind) ||
			    odo_route(x.f, x.c, row->name, NULL, &t, &err))
				continue;
			if (!try_tables(t, 1))
				fail_msg("%s on %s: no safe tree", row->name, specs[i]);
			odo_tables_free(t);
		}
		unmake(&x);
	}
}

/* Where detours leave no room on the VLs of SL 0 there may be no safe tree, but rarely. */
static void trees_are_safe_on_damaged_fabrics(void **state)
{
	(void)state;
	unsigned n = 0, n_safe = 0;
	for (size_t i = 0; i < N_SPECS; i++) {
		fixture x = make(specs[i], 0);
		for (uint64_t seed = 0; seed < 4; seed++) {
			fixture y = damaged(&x, 0, 0.03 * (double)seed, seed);
			uint32_t *part = calloc(y.f->n_switches, sizeof *part);
			odo_tables *t;
			odo_error err;
			if (odo_fabric_parts(y.f, part, &err) == 1) {
				assert_int_equal(odo_route(y.f, y.c, NULL, NULL, &t, &err), 0);
				n++;
				n_safe += try_tables(t, 1);
				odo_tables_free(t);
			}
			free(part);
			unmake(&y);
		}
		unmake(&x);
	}
	assert_true(n_safe * 10 >= n * 9);
}

/* Groups of several SLs share their tree: it is safe with all of them at once, where some SLs have
 * trees that are not safe beside each other's. */
static void a_tree_serves_several_sls(void **state)
{
	(void)state;
	unsigned n_shared = 0, n_apart = 0;
	fixture x = make("torus:k=5x5,c=1", 0);
	for (uint64_t seed = 0; seed < 60; seed += 3) {
		fixture y = damaged(&x, 0, 0.02, seed);
		odo_coordinates *found;
		odo_tables *t;
		odo_error err;
		assert_int_equal(odo_map(y.f, &found, &err), 0);
		assert_int_equal(odo_route(y.f, found, NULL, NULL, &t, &err), 0);
		unsigned sls = (1u << t->n_sls) - 1;
		bool shared = t->n_sls > 1 && try_tables(t, sls), each = true;
		for (unsigned sl = 0; sl < t->n_sls; sl++)
			each = each && try_tables(t, 1u << sl);
		n_shared += shared;
		n_apart += each && !shared;
		odo_tables_free(t);
		odo_coordinates_free(found);
		unmake(&y);
	}
	unmake(&x);
	assert_in_range(n_shared, 1, 19);
	assert_true(n_apart > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_are_safe_beside_every_engine),
		cmocka_unit_test(trees_are_safe_on_damaged_fabrics),
		cmocka_unit_test(a_tree_serves_several_sls),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
