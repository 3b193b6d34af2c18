/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Specs are parsed, refused and written back by the option rows; every row of
 * odo_topologies[] and odo_presets[] makes a sound fabric whose truth holds. */
#include <stdlib.h>
#include <string.h>

#include "fabric/topology/topology.h"
#include "tests/fabric_check.h"
#include "tests/unit.h"

typedef struct refusal {
	const char *spec, *says;
} refusal;

static void bad_specs_are_refused_in_one_clear_line(void **state)
{
	(void)state;
	static const refusal cases[] = {
		{"", "expected a topology (flatfly, hypercube, mesh, torus"},
		{"flutterby:k=4", "expected a topology"},
		{"flatfly", "flatfly: expected k=..., found none"},
		{"flatfly:", "expected option=value with an option of k, l, c, ports, "
			     "speed, host-speed, found \"\""},
		{"flatfly:k", "expected option=value"},
		{"flatfly:k=", "expected k=up to 16 numbers such as 4x4x8, found \"\""},
		{"flatfly:k=4x", "found \"4x\""},
		{"flatfly:k=4y4", "found \"4y4\""},
		{"flatfly:k=0", "expected k from 1 to 254, found 0"},
		{"flatfly:k=-1", "found \"-1\""},
		{"flatfly:k=99999999999999999999", "expected k=up to 16 numbers"},
		{"flatfly:k=2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", "expected k=up to 16 numbers"},
		{"flatfly:k=4,k=4", "expected k once, found twice"},
		{"flatfly:k=4,c=1x1", "expected c=a number from 0 to 254, found \"1x1\""},
		{"flatfly:k=4,z=1", "expected option=value with an option of k, l, c"},
		{"flatfly:k=4x4,l=1x1x1", "one for each of 2 dimensions, found 3"},
		{"torus:k=4x4,l=1x1x1", "one for each of 2 dimensions, found 3"},
		{"slimfly:q=6", "expected q to be a prime power 4w - 1, 4w or 4w + 1, found 6"},
		{"slimfly:q=15", "found 15"},
		{"slimfly:q=2", "expected q from 3 to 169, found 2"},
		{"random:n=5,d=3", "found d=3 for 5 switches"},
		{"random:n=4,d=4", "found d=4 for 4 switches"},
		{"bipartite:n=4,d=5", "found d=5 for 8 switches"},
		{"fattree:k=5", "expected an even number of ports, found 5"},
		{"flatfly:k=254x254x254,c=0", "switches, found more"},
		{"flatfly:k=254,c=3", "expected 1 to 254 ports, found 256"},
		/* just as many switches as there may be are refused for their ports */
		{"flatfly:k=128x128x128x2", "expected 1 to 254 ports, found 383"},
		{"dragonfly:p=200,a=128x2,h=64,g=16384", "expected 1 to 254 ports, found 392"},
		{"dragonfly-plus:p=2,leaves=2,spines=254,h=65,g=16384",
		 "expected 1 to 254 ports, found 256"},
		{"dragonfly-plus:p=2,leaves=2,spines=254,h=65,g=16385",
		 "expected up to 4194304 switches, found more"},
		{"flatfly:k=4,c=3,ports=5", "expected switches of 6 ports at least, found 5"},
		{"dragonfly:p=1,a=4,h=2,g=10", "expected 2 to a*h + 1 = 9 groups, found 10"},
		{"dragonfly:p=1,a=4,h=2,g=1", "groups, found 1"},
		{"dragonfly:a=254x254,h=254", "expected 2 to a*h + 1"},
		{"dragonfly:p=1,a=4,h=2,arrangement=numbered",
		 "expected up to a*h = 8 groups for arrangement=numbered, found 9"},
		{"dragonfly:p=1,a=4,h=2,arrangement=oak",
		 "expected arrangement=one of palmtree, consecutive, relative"},
		{"torus:k=5,speed=zdr",
		 "expected speed=one of sdr, ddr, qdr, fdr10, fdr, edr, hdr, ndr, xdr"},
		{"torus:k=5,speed=", "found \"\""},
		{"torus:k=5,speed=2x", "found \"2x\""},
		{"torus:k=5,speed=13xhdr", "found \"13xhdr\""},
		{"torus:k=5,speed=3xhdr", "expected speed with 1, 2, 4, 8 or 12 lanes, as 2xhdr"},
		{"torus:k=5,host-speed=2xsame", "expected host-speed with 1, 2, 4, 8 or 12 lanes"},
		{"torus:k=5,speed=same", "expected speed=one of"},
		{"torus:k=5,speed=ndr,speed=edr", "expected speed once, found twice"},
		{"demo-torus:speed=ndr,c=3", "expected c once, found twice"},
		{"demo-torus:", "found \"\""},
	};
	for (size_t i = 0; TEST_ROW(i, cases, cases[i].spec); i++) {
		odo_fabric *f = NULL;
		odo_error err = {0};
		assert_int_equal(odo_topology_generate(cases[i].spec, 0, &f, NULL, &err),
				 ODO_EINPUT);
		if (!strstr(err.text, cases[i].says))
			fail_msg("\"%s\" gave \"%s\", not \"%s\"", cases[i].spec, err.text,
				 cases[i].says);
		assert_null(strchr(err.text, '\n'));
	}
}

/* Rates of cables between switches and of hosts' cables, of a spec. */
static void check_rates(const char *spec, const char *more, uint32_t switches, uint32_t hosts)
{
	char text[200];
	odo_fabric *f;
	odo_error err;
	snprintf(text, sizeof text, "%s%s%s", spec, strchr(spec, ':') ? "," : ":", more);
	if (odo_topology_generate(*more ? text : spec, 0, &f, NULL, &err))
		fail_msg("%s", err.text);
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		bool host = f->owner[slot] >= f->n_switches || odo_next_switch(f, slot) == ODO_NONE;
		if (f->peer[slot] != ODO_NONE)
			assert_int_equal(odo_cable_rate(f, slot), host ? hosts : switches);
	}
	odo_fabric_free(f);
}

static void every_topology_has_the_rates_that_its_spec_names(void **state)
{
	(void)state;
	for (const odo_topology *const *row = odo_topologies; *row; row++) {
		check_rates((*row)->example, "", 32000, 32000);
		check_rates((*row)->example, "speed=NDR", 400000, 400000);
		check_rates((*row)->example, "speed=2xHDR,host-speed=1xsdr", 100000, 2000);
		check_rates((*row)->example, "host-speed=4xedr", 32000, 100000);
	}
	check_rates("demo-torus", "speed=ndr", 400000, 400000);
	check_rates("demo-dragonfly", "speed=xdr,host-speed=same", 800000, 800000);
	assert_true(odo_topology_lacks_speed("demo-torus"));
	assert_true(odo_topology_lacks_speed("torus:k=5,host-speed=ndr"));
	assert_false(odo_topology_lacks_speed("torus:speed=ndr,k=5"));
	assert_false(odo_topology_lacks_speed("torus:k=5,speed=ndr"));
	assert_false(odo_topology_lacks_speed("torus.net"));
}

static void specs_are_told_from_files(void **state)
{
	(void)state;
	assert_true(odo_topology_is_spec("flatfly:k=4"));
	assert_true(odo_topology_is_spec("dragonfly"));
	assert_true(odo_topology_is_spec("demo-dragonfly"));
	assert_true(odo_topology_is_spec("demo-dragonfly:speed=ndr"));
	assert_false(odo_topology_is_spec("demo-dragonflies"));
	assert_false(odo_topology_is_spec("dragonfly.net"));
	assert_false(odo_topology_is_spec("./dragonfly"));
	assert_false(odo_topology_is_spec("-"));
}

static void written_back(const char *spec, char *text, size_t size)
{
	const odo_topology *row;
	odo_value value[ODO_MAX_OPTIONS];
	odo_error err;
	FILE *to = fmemopen(text, size, "w");
	assert_int_equal(odo_topology_parse(spec, &row, value, &err), 0);
	odo_topology_write(row, value, to);
	fclose(to);
}

static void specs_are_written_back_in_full(void **state)
{
	(void)state;
	char once[200], twice[200];
	written_back("dragonfly:h=2,a=4x2,g=5", once, sizeof once);
	assert_string_equal(once, "dragonfly:p=1,a=4x2,h=2,g=5,arrangement=palmtree,seed=1,l=1,w=1,"
				  "cables=0,escape=no,"
				  "ports=0,speed=4xqdr,host-speed=same");
	for (const odo_topology *const *row = odo_topologies; *row; row++) {
		written_back((*row)->example, once, sizeof once);
		written_back(once, twice, sizeof twice);
		assert_string_equal(once, twice);
	}
}

/* A cable of a tree joins a switch of level `class` and one of the next, both of one pod or of one
 * plane. */
static void check_tree_cable(const char *spec, uint32_t class, const uint32_t *x, const uint32_t *y,
			     uint32_t top)
{
	const uint32_t *low = x[ODO_TREE_LEVEL] < y[ODO_TREE_LEVEL] ? x : y,
		       *high = low == x ? y : x;
	bool levels = low[ODO_TREE_LEVEL] == class && high[ODO_TREE_LEVEL] == class + 1;
	bool pod = low[ODO_TREE_POD] == high[ODO_TREE_POD] || high[ODO_TREE_LEVEL] == top;
	bool plane = low[ODO_TREE_PLANE] == high[ODO_TREE_PLANE] || !low[ODO_TREE_LEVEL];
	if (!levels || !pod || !plane)
		fail_msg("%s: a cable of class %u from level %u to %u", spec, class,
			 low[ODO_TREE_LEVEL], high[ODO_TREE_LEVEL]);
}

/* Every cable runs in one dimension: its ends differ in that coordinate alone, a global one's
 * in the group at least; widths are as the truth says. */
static void check_truth(const char *spec, const odo_fabric *f, const odo_coordinates *c)
{
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		uint32_t far = f->peer[slot], class = c->port_class[slot];
		if (far == ODO_NONE || odo_next_switch(f, slot) == ODO_NONE) {
			assert_int_equal(class, far == ODO_NONE ? ODO_PORT_FREE : ODO_PORT_HOST);
			continue;
		}
		const uint32_t *x = odo_at(c, f->owner[slot]), *y = odo_at(c, f->owner[far]);
		if (class != c->port_class[far] || class >= c->n_dims)
			fail_msg("%s: slot %u is of the wrong class", spec, slot);
		if (c->kind == ODO_KIND_FATTREE) {
			check_tree_cable(spec, class, x, y, c->size[ODO_TREE_LEVEL] - 1);
			continue;
		}
		assert_int_not_equal(x[class], y[class]);
		if (c->factor[class] == ODO_GROUPS || c->factor[class] == ODO_LABELS)
			continue;
		for (unsigned d = 0; d < c->n_dims; d++)
			if (d != class)
				assert_int_equal(x[d], y[d]);
	}
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned d = 0; d < c->n_dims; d++)
			assert_true(odo_at(c, s)[d] < c->size[d]);
}

static void check_generated(const char *spec)
{
	odo_fabric *f;
	odo_coordinates *c;
	odo_error err;
	if (odo_topology_generate(spec, 0, &f, &c, &err))
		fail_msg("%s", err.text);
	if (odo_fabric_check(f, &err))
		fail_msg("%s: %s", spec, err.text);
	uint32_t *part = calloc(f->n_switches, sizeof *part);
	assert_int_equal(odo_fabric_parts(f, part, &err), 1);
	if (c->kind != ODO_KIND_UNKNOWN)
		check_truth(spec, f, c);
	else
		assert_true(*c->reason);
	free(part);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void every_row_and_preset_makes_what_its_truth_says(void **state)
{
	(void)state;
	for (const odo_topology *const *row = odo_topologies; *row; row++)
		check_generated((*row)->example);
	for (const odo_preset *p = odo_presets; p->name; p++)
		check_generated(p->name);
	static const char *const more[] = {
		"flatfly:k=1,c=1",
		"flatfly:k=2x1x7,l=3x1x2,c=0",
		"torus:k=2x3x4x5,l=1x2x3x4",
		"mesh:k=2x3x4x5,l=1x2x3x4",
		"dragonfly:p=0,a=3x2,h=2,l=2x1,w=3,g=7,arrangement=shuffled,seed=9",
		"dragonfly:a=8,h=1,g=4,arrangement=consecutive",
		"slimfly-flatfly:q=7,l=2,k=3x2,w=1x4",
		"dragonfly-plus:p=0,leaves=2,spines=2,h=1,g=0,cables=0",
	};
	for (size_t i = 0; TEST_ROW(i, more, more[i]); i++)
		check_generated(more[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_specs_are_refused_in_one_clear_line),
		cmocka_unit_test(specs_are_told_from_files),
		cmocka_unit_test(every_topology_has_the_rates_that_its_spec_names),
		cmocka_unit_test(specs_are_written_back_in_full),
		cmocka_unit_test(every_row_and_preset_makes_what_its_truth_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
