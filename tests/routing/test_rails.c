/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rails: the adapters of a machine are reached over different spines, and nothing is lost by that.
 */
#include "bounds.h"
#include "fabric/rails.h"

static const char *const specs[] = {
	"fattree:k=16,levels=2,rails=8", "fattree:k=8,levels=3,rails=4",
	"fattree:k=12,levels=3,rails=2", "pgft:m=32x16,w=1x16,rails=8", /* two hosts a cable up */
};

/* Switches behind the first on the way to a LID; 0 where another adapter's way has been there. */
static bool is_apart(const odo_tables *t, uint32_t s, uint32_t lid, uint32_t mark, uint32_t *seen)
{
	const odo_fabric *f = t->fabric;
	for (unsigned hops = 0; s != f->lid_switch[lid]; hops++) {
		assert_true(hops < 16);
		s = odo_next_switch(f, odo_slot(f, s, t->lft[(size_t)s * f->lid_count + lid]));
		if (seen[s] == mark)
			return false;
		seen[s] = mark;
	}
	return true;
}

/* From every leaf that is not the machine's own. */
static void expect_apart(const odo_tables *t, const odo_rails *rails, uint32_t machine)
{
	const odo_fabric *f = t->fabric;
	uint32_t *seen = calloc(f->n_switches, sizeof *seen);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		bool own = !odo_hosts_of(f, s);
		for (uint32_t i = rails->first[machine]; i < rails->first[machine + 1]; i++)
			own |= odo_host_switch(f, rails->host[i]) == s;
		for (uint32_t i = rails->first[machine]; !own && i < rails->first[machine + 1]; i++)
			if (!is_apart(t, s, f->port_lid[f->host_slot[rails->host[i]]], s + 1, seen))
				fail_msg("machine %u: adapters share a switch from leaf %u",
					 machine, s);
	}
	free(seen);
}

static void adapters_of_a_machine_have_switches_of_their_own(void **state)
{
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = make(specs[i], 0);
		odo_tables *t = route(&x, NULL, NULL);
		odo_rails rails;
		odo_error err;
		assert_string_equal(t->engine, "fattree");
		assert_int_equal(odo_rails_find(x.f, &rails, &err), 0);
		assert_true(rails.n_machines > 7);
		for (uint32_t machine = 0; machine < rails.n_machines; machine++)
			expect_apart(t, &rails, machine);
		odo_rails_clear(&rails);
		odo_tables_free(t);
		unmake(&x);
	}
}

/* Hosts of the generator are in the order of machines, as ranks of parallel programs are. */
static void shifts_by_machine_are_carried(void **state)
{
	(void)state;
	fixture x = make("fattree:k=16,levels=2,rails=8", 0);
	odo_tables *t = route(&x, NULL, NULL);
	for (uint32_t by = 1; by < x.f->n_hosts; by++)
		assert_true(shift(t, by) > 1 - 1e-6);
	odo_tables_free(t);
	unmake(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adapters_of_a_machine_have_switches_of_their_own),
		cmocka_unit_test(shifts_by_machine_are_carried),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
