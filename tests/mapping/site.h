/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics as sites have them, cabled by hand, and expectations of how they are mapped. */
#ifndef ODONATA_TESTS_MAPPING_SITE_H
#define ODONATA_TESTS_MAPPING_SITE_H

#include <string.h>

#include "mapping/mapping.h"
#include "tests/unit.h"

enum { MOST_SWITCHES = 512, N_PORTS = 40 };

/* A fabric that is being cabled: ports are used in order. */
typedef struct site {
	odo_builder *b;
	uint32_t n, used[MOST_SWITCHES];
} site;

static inline void start(site *x, uint32_t n)
{
	odo_error err;
	*x = (site){.n = n};
	assert_true(n <= MOST_SWITCHES);
	assert_int_equal(odo_builder_create(&x->b, &err), 0);
	for (uint32_t s = 0; s < n; s++) {
		uint32_t id;
		odo_node_info info = {.type = ODO_SWITCH, .n_ports = N_PORTS};
		assert_int_equal(odo_builder_add(x->b, &info, &id, &err), 0);
	}
}

static inline void connect(site *x, uint32_t a, uint32_t b)
{
	odo_error err;
	assert_int_equal(
		odo_builder_link(x->b, a, ++x->used[a], b, ++x->used[b], (odo_link_info){0}, &err),
		0);
}

static inline void add_hosts(site *x, uint32_t s, unsigned n)
{
	odo_error err;
	for (unsigned i = 0; i < n; i++) {
		uint32_t id;
		odo_node_info info = {.type = ODO_CA, .n_ports = 1};
		assert_int_equal(odo_builder_add(x->b, &info, &id, &err), 0);
		assert_int_equal(
			odo_builder_link(x->b, s, ++x->used[s], id, 1, (odo_link_info){0}, &err),
			0);
	}
}

static inline odo_coordinates *map_site(site *x, odo_fabric **f)
{
	odo_coordinates *c;
	odo_error err;
	assert_int_equal(odo_builder_freeze(x->b, ODO_LIDS_FILL, 0, f, &err), 0);
	assert_int_equal(odo_map(*f, &c, &err), 0);
	return c;
}

static inline void expect_kind(site *x, odo_kind kind, uint32_t missing, const char *reason)
{
	odo_fabric *f;
	odo_coordinates *c = map_site(x, &f);
	uint32_t found = 0;
	for (uint32_t i = 0; i < c->n_faults; i++)
		found += c->faults[i].type == ODO_FAULT_MISSING_LINK ? c->faults[i].count : 0;
	if (c->kind != kind || found != missing || (reason && !strstr(c->reason, reason)))
		fail_msg("a %s with %u cables missing: %s", odo_kind_name(c->kind), found,
			 c->reason);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

/* A fat tree of two levels; `service` more switches, each with one cable to leaf 0. */
static inline void start_tree(site *x, uint32_t leaves, uint32_t spines, uint32_t service)
{
	start(x, leaves + spines + service);
	for (uint32_t l = 0; l < leaves; l++)
		add_hosts(x, l, 8);
	for (uint32_t i = 0; i < service; i++)
		connect(x, 0, leaves + spines + i);
}

#endif
