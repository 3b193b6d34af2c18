/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Racks hold what they may, and the cabling list has exactly the cables of the fabric. */
#include <stdio.h>
#include <string.h>

#include "tests/unit.h"

#include "base/memory.h"
#include "fabric/topology/topology.h"
#include "plan/choose.h"

static const char *const specs[] = {
	"dragonfly:p=2,a=4,h=2",
	"flatfly:k=4x4x4,l=2x1x1,c=4",
	"torus:k=6x7x5,c=3",
	"slimfly:q=5,c=4",
	"fattree:k=8,levels=3",
	"fattree:k=12",
	"dragonfly-plus:p=4,leaves=4,spines=4,h=4,g=9",
	"hypercube:n=3,c=1",
	"flatfly:k=2,c=1",
};

/* Small racks, so that small fabrics need many. */
static odo_plan_prices small_racks(void)
{
	odo_plan_prices p = odo_plan_default_prices;
	p.rack_hosts = 12;
	p.rack_switches = 5;
	p.electrical_most = 5;
	return p;
}

static uint32_t find_node(const odo_fabric *f, const char *name)
{
	uint32_t v = 0;
	while (v < f->n_nodes && strcmp(odo_name(f, v), name))
		v++;
	return v;
}

typedef struct end {
	char name[64];
	unsigned row, rack, position, port;
} end;

/* The slot of an end, which stands where its rack says. */
static uint32_t slot_of(const odo_fabric *f, const odo_plan_racks *racks, const end *e)
{
	uint32_t node = find_node(f, e->name);
	assert_true(node < f->n_nodes);
	assert_int_equal(racks->rack[node], (e->row - 1) * racks->columns + e->rack - 1);
	assert_int_equal(racks->position[node], e->position);
	return odo_slot(f, node, e->port);
}

static bool read_cable(FILE *from, char *kind, double *metres, end *a, end *b)
{
	return fscanf(from, " %*u,%20[a-z],%lf,\"%63[^\"]\",%u,%u,%u,%u,\"%63[^\"]\",%u,%u,%u,%u",
		      kind, metres, a->name, &a->row, &a->rack, &a->position, &a->port, b->name,
		      &b->row, &b->rack, &b->position, &b->port) == 12;
}

static void check_list(const char *spec, const odo_fabric *f, const odo_plan_racks *racks,
		       const odo_plan_prices *p)
{
	odo_error err = {0};
	FILE *file = tmpfile();
	bool *seen = odo_new(f->n_slots, sizeof *seen);
	uint32_t n = 0;
	char kind[21];
	double metres;
	end a, b;
	assert_non_null(file);
	assert_int_equal(odo_plan_cabling(spec, p, file, &err), 0);
	rewind(file);
	assert_int_equal(fscanf(file, "%*[^\n]"), 0); /* heads */
	while (read_cable(file, kind, &metres, &a, &b)) {
		uint32_t slot = slot_of(f, racks, &a), peer = slot_of(f, racks, &b);
		double there = odo_plan_metres(racks, p, f->owner[slot], f->owner[peer]);
		assert_int_equal(f->peer[slot], peer);
		assert_false(seen[slot] || seen[peer]);
		seen[slot] = seen[peer] = true;
		assert_float_equal(metres, there, 0.0501);
		assert_string_equal(kind, there <= p->electrical_most ? "electrical" : "optical");
		n++;
	}
	assert_true(feof(file));
	assert_int_equal(n, f->n_links);
	free(seen);
	fclose(file);
}

/* Everything has a place of its own, and racks are as full as they may be. */
static void check_places(const odo_fabric *f, const odo_plan_racks *racks, const odo_plan_prices *p)
{
	uint32_t *switches = odo_new(racks->n, sizeof *switches);
	uint32_t *hosts = odo_new(racks->n, sizeof *hosts);
	bool *taken = odo_new((size_t)racks->n * f->n_nodes + 1, sizeof *taken);
	assert_true(racks->columns >= 1 && racks->columns <= racks->n);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		size_t place = (size_t)racks->rack[v] * f->n_nodes + racks->position[v];
		assert_true(racks->rack[v] < racks->n);
		assert_true(racks->position[v] >= 1 && racks->position[v] <= f->n_nodes);
		assert_false(taken[place]);
		taken[place] = true;
		++*(v < f->n_switches ? &switches[racks->rack[v]] : &hosts[racks->rack[v]]);
	}
	for (uint32_t i = 0; i < racks->n; i++) {
		assert_true(switches[i] >= 1 && switches[i] <= p->rack_switches);
		assert_true(hosts[i] <= p->rack_hosts || switches[i] == 1);
	}
	for (uint32_t h = 0; h < f->n_hosts; h++)
		assert_int_equal(racks->rack[f->owner[f->host_slot[h]]],
				 racks->rack[odo_host_switch(f, h)]);
	free(switches);
	free(hosts);
	free(taken);
}

static void lists_have_exactly_the_cables(void **state)
{
	const odo_plan_prices p = small_racks();
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		odo_error err = {0};
		odo_fabric *f;
		odo_coordinates *c;
		odo_plan_racks racks;
		odo_plan_bill bill;
		assert_int_equal(odo_topology_generate(specs[i], 0, &f, &c, &err), 0);
		assert_int_equal(odo_plan_racks_make(f, c, &p, &racks, &err), 0);
		check_places(f, &racks, &p);
		check_list(specs[i], f, &racks, &p);
		odo_plan_count(&racks, f, &p, 10, &bill);
		assert_int_equal(bill.inside + bill.electrical + bill.optical,
				 f->n_links - f->n_hosts);
		assert_int_equal(bill.racks, racks.n);
		assert_float_equal(bill.switches, f->n_switches * p.switch_port * 10, 1e-6);
		odo_plan_racks_clear(&racks);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

/* A ring of racks, one switch each: a fold leaves no cable longer than two steps of a row. */
static void tori_are_folded(void **state)
{
	odo_plan_prices p = odo_plan_default_prices;
	odo_plan_bill bill;
	odo_error err = {0};
	(void)state;
	p.rack_switches = 1;
	p.rack_depth = 1000; /* one row */
	assert_int_equal(odo_plan_bill_of("torus:k=12,c=1", 3, &p, &bill, &err), 0);
	assert_int_equal(bill.racks, 12);
	assert_int_equal(bill.rows, 1);
	assert_int_equal(bill.electrical, 12);
	assert_float_equal(bill.longest, p.overhead + 2 * p.rack_width, 1e-9);
}

/* 001, Figure 2: electrical cables are cheaper when short, optical ones when long. */
static void prices_are_lines(void **state)
{
	const odo_plan_prices *p = &odo_plan_default_prices;
	(void)state;
	assert_float_equal(odo_plan_cable_price(p, 0), 20 * 2.16, 1e-9);
	assert_float_equal(odo_plan_cable_price(p, 8), 20 * (2.16 + 8 * 1.4), 1e-9);
	assert_float_equal(odo_plan_cable_price(p, 100), 20 * (9.7103 + 36.4), 1e-9);
	assert_true(odo_plan_cable_price(p, 8.01) < odo_plan_cable_price(p, 8));
}

static void shipped_prices_are_the_defaults(void **state)
{
	odo_plan_prices p;
	odo_error err = {0};
	(void)state;
	if (odo_plan_prices_read(TEST_DATA "/../../configs/plan/prices.yaml", &p, &err))
		fail_msg("%s", err.text);
#define PRICE(name, fallback, least, most) assert_float_equal(p.name, fallback, 0);
	ODO_PLAN_PRICES(PRICE)
#undef PRICE
}

/* What is enough comes first, the cheapest of it first of all; and tables say whether it is. */
static void choices_are_in_order(void **state)
{
	const odo_plan_wish wish = {.hosts = 100, .radix = 12, .saturation = 0.9};
	const odo_plan_options options = {.per_kind = 3, .rated_hosts = 1000};
	odo_plan_choice *choice;
	odo_error err = {0};
	unsigned n, refused = 0;
	(void)state;
	assert_int_equal(
		odo_plan_choose(&wish, &odo_plan_default_prices, &options, &choice, &n, &err), 0);
	assert_true(n > 10 && choice[0].enough);
	for (unsigned i = 0; i < n; i++) {
		assert_true(*choice[i].rating.engine);
		if (choice[i].enough)
			assert_true(choice[i].rating.uniform >= 0.9 - 1e-9);
		refused += !choice[i].enough && odo_plan_is_enough(&wish, &choice[i].candidate);
		if (i && choice[i].enough)
			assert_true(choice[i - 1].enough && odo_plan_cost(&choice[i - 1].bill) <=
								    odo_plan_cost(&choice[i].bill));
	}
	assert_true(refused > 0);
	free(choice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_have_exactly_the_cables),
		cmocka_unit_test(tori_are_folded),
		cmocka_unit_test(prices_are_lines),
		cmocka_unit_test(shipped_prices_are_the_defaults),
		cmocka_unit_test(choices_are_in_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
