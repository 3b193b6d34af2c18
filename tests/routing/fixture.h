/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics with their coordinates, whole and damaged, for the tests of routing. */
#ifndef ODONATA_TESTS_ROUTING_FIXTURE_H
#define ODONATA_TESTS_ROUTING_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "routing/engine.h"
#include "routing/verify/verify.h"
#include "tests/unit.h"

typedef struct fixture {
	odo_fabric *f;
	odo_coordinates *c;
} fixture;

static inline fixture make(const char *spec, uint8_t lmc)
{
	fixture x = {0};
	odo_error err;
	if (odo_topology_generate(spec, lmc, &x.f, &x.c, &err))
		fail_msg("%s: %s", spec, err.text);
	return x;
}

static inline void unmake(fixture *x)
{
	odo_fabric_free(x->f);
	odo_coordinates_free(x->c);
	*x = (fixture){0};
}

/* The same with nodes and ports in another order, or with parts missing. */
static inline fixture carry(const fixture *x, odo_fabric *f, odo_origin *origin)
{
	fixture y = {.f = f};
	odo_error err;
	assert_int_equal(odo_coordinates_carry(x->c, f, origin, &y.c, &err), 0);
	odo_origin_free(origin);
	return y;
}

static inline fixture damaged(const fixture *x, double switches, double links, uint64_t seed)
{
	odo_damage damage = {.switches = switches, .links = links, .seed = seed};
	odo_origin origin;
	odo_fabric *f;
	odo_error err;
	assert_int_equal(odo_fabric_damage(x->f, &damage, &f, &origin, &err), 0);
	return carry(x, f, &origin);
}

static inline fixture shuffled(const fixture *x, uint64_t seed)
{
	odo_origin origin;
	odo_fabric *f;
	odo_error err;
	assert_int_equal(odo_fabric_shuffle(x->f, seed, &f, &origin, &err), 0);
	return carry(x, f, &origin);
}

#endif
