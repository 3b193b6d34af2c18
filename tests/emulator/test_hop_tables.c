/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ways from switches to hosts are kept where, and only where, the tables treat all LIDs of a host
 * alike. */
#include <stdlib.h>

#include "emulator/kernel/setup/hop_tables.h"
#include "fabric/transform/transform.h"
#include "tests/emulator/rig.h"

/* The port by which `s` leads to all LIDs of a host, or 0. */
static unsigned port_to_host(const odo_tables *t, uint32_t s, uint32_t host)
{
	const odo_fabric *f = t->fabric;
	uint32_t slot = f->host_slot[host], first = f->port_lid[slot];
	unsigned port = odo_next_port(t, s, first);
	for (uint32_t i = 1; i < 1u << f->port_lmc[slot]; i++)
		if (odo_next_port(t, s, first + i) != port)
			return 0;
	return port <= odo_n_ports(f, s) ? port : 0;
}

/* Looked up host by host; compared with `w` where that has ways. */
static bool one_port_each(const odo_world *w)
{
	const odo_fabric *f = w->e->fabric;
	bool all = true;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (uint32_t h = 0; h < f->n_hosts; h++) {
			bool home = odo_host_switch(f, h) == s;
			unsigned out = port_to_host(w->e->tables, s, h);
			all &= out != 0;
			if (w->hop && home)
				assert_int_equal(w->address[h].exit, out);
			if (w->hop)
				assert_int_equal(w->hop[s * w->n_ends + w->address[h].end],
						 home ? 0 : out);
		}
	}
	return all;
}

/* Returns whether ways were found, as they are to be. */
static bool found_as_expected(const odo_fabric *f, const odo_tables *t)
{
	odo_error err = {0};
	odo_emulation e = {.fabric = f, .tables = t};
	odo_world w = {.e = &e, .model = {.injection_queues = 1}};
	assert_int_equal(odo_find_addresses(&w, &err), 0);
	assert_int_equal(odo_find_hops(&w, &err), 0);
	bool found = w.hop;
	assert_int_equal(found, one_port_each(&w));
	free(w.hop);
	odo_arena_free(&w.memory);
	return found;
}

/* Whole, and with one entry at a time led elsewhere. */
static void keeps_what_tables_say(const char *spec, uint8_t lmc, const char *engine, bool expected)
{
	odo_error err = {0};
	odo_fabric *plain, *f;
	odo_coordinates *truth, *c;
	odo_origin origin;
	odo_tables *t;
	size_t found = 0, tried = 0;
	assert_int_equal(odo_topology_generate(spec, lmc, &plain, &truth, &err), 0);
	assert_int_equal(odo_fabric_shuffle(plain, 7, &f, &origin, &err), 0);
	assert_int_equal(odo_coordinates_carry(truth, f, &origin, &c, &err), 0);
	assert_int_equal(odo_route(f, c, engine, &(odo_route_options){0}, &t, &err), 0);
	assert_int_equal(found_as_expected(f, t), expected);
	size_t entries = (size_t)f->n_switches * f->lid_count;
	for (size_t i = 0; i < entries; i += 1 + entries / 2000) {
		static const uint8_t wrong[] = {1, 2, ODO_NO_PORT, 0};
		uint8_t kept = t->lft[i];
		for (size_t k = 0; k < sizeof wrong; k++, tried++) {
			t->lft[i] = wrong[k];
			found += found_as_expected(f, t);
		}
		t->lft[i] = kept;
	}
	assert_true(expected ? found && found < tried : !found);
	odo_tables_free(t);
	odo_coordinates_free(c);
	odo_coordinates_free(truth);
	odo_origin_free(&origin);
	odo_fabric_free(f);
	odo_fabric_free(plain);
}

static void ways_are_what_the_tables_say(void **state)
{
	(void)state;
	keeps_what_tables_say("flatfly:k=5,c=1", 0, "dor", true);
	keeps_what_tables_say("dragonfly:p=2,a=4,h=2", 0, "dragonfly", true);
	keeps_what_tables_say("dragonfly:p=2,a=4,h=2", 0, "updown", true);
	keeps_what_tables_say("flatfly:k=3x3,c=11", 0, "dor", true);
	keeps_what_tables_say("flatfly:k=2x3,c=3", 3, "dor", true);
	keeps_what_tables_say("flatfly:k=3x3,l=2x1,c=4", 0, "dor", true);
	keeps_what_tables_say("flatfly:k=3x3,l=2x1,c=4", 0, "mixed-dor", true);
	keeps_what_tables_say("flatfly:k=3x3,l=2x1,c=4", 1, "dor", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(ways_are_what_the_tables_say)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
