/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is lost with each part of a fabric, against counts that are made here. */
#include <stdlib.h>
#include <string.h>

#include "experiment/loss/loss.h"
#include "fabric/topology/topology.h"
#include "mapping/mapping.h"
#include "tests/unit.h"

typedef struct rig {
	odo_fabric *f;
	odo_coordinates *c;
	odo_tables *t;
	odo_lost_part *part;
	odo_loss *loss;
	uint32_t n;
} rig;

static rig make(const char *spec)
{
	rig r = {0};
	odo_error err;
	assert_int_equal(odo_topology_generate(spec, 0, &r.f, NULL, &err), 0);
	assert_int_equal(odo_map(r.f, &r.c, &err), 0);
	assert_int_equal(odo_route(r.f, r.c, NULL, NULL, &r.t, &err), 0);
	return r;
}

static void unmake(rig *r)
{
	free(r->part);
	free(r->loss);
	odo_tables_free(r->t);
	odo_coordinates_free(r->c);
	odo_fabric_free(r->f);
}

static void run(const rig *r, unsigned threads, odo_loss_effect *effect)
{
	odo_error err;
	odo_losses losses = {.before = r->t, .loss = r->loss, .n = r->n, .threads = threads};
	assert_int_equal(odo_losses_run(&losses, effect, &err), 0);
}

static bool is_lost(const rig *r, const odo_loss *loss, uint32_t s, uint32_t slot)
{
	for (uint32_t i = 0; i < loss->n; i++)
		if (loss->part[i].node == s ||
		    (slot != ODO_NONE &&
		     (loss->part[i].slot == slot || loss->part[i].slot == r->f->peer[slot])))
			return true;
	return false;
}

/* Switches that a walk from s reaches without what is lost. */
static void walk(const rig *r, const odo_loss *loss, uint32_t s, bool *reached)
{
	reached[s] = true;
	for (uint32_t slot = r->f->first_slot[s]; slot < r->f->first_slot[s + 1]; slot++) {
		uint32_t next = odo_next_switch(r->f, slot);
		if (next != ODO_NONE && !reached[next] && !is_lost(r, loss, s, slot) &&
		    !is_lost(r, loss, next, ODO_NONE))
			walk(r, loss, next, reached);
	}
}

static uint64_t count_cut(const rig *r, const odo_loss *loss)
{
	uint64_t cut = 0;
	bool *reached = malloc(r->f->n_switches);
	for (uint32_t h = 0; h < r->f->n_hosts; h++) {
		uint32_t s = odo_host_switch(r->f, h);
		if (is_lost(r, loss, s, ODO_NONE))
			continue;
		memset(reached, 0, r->f->n_switches);
		walk(r, loss, s, reached);
		for (uint32_t to = 0; to < r->f->n_hosts; to++)
			cut += !is_lost(r, loss, odo_host_switch(r->f, to), ODO_NONE) &&
			       !reached[odo_host_switch(r->f, to)];
	}
	free(reached);
	return cut;
}

/* LFT entries that send into a cable have to change when it is lost. */
static uint64_t count_users(const rig *r, uint32_t slot)
{
	uint64_t n = 0;
	for (int end = 0; end < 2; end++, slot = r->f->peer[slot])
		for (uint32_t lid = 1; lid < r->f->lid_count; lid++)
			n += odo_next_port(r->t, r->f->owner[slot], lid) == odo_port(r->f, slot);
	return n;
}

static const char *const specs[] = {"dragonfly:p=1,a=2,h=1", "fattree:k=4,levels=2",
				    "torus:k=5,c=2", "mesh:k=3x4,c=1"};

static void each_part_is_lost_once(void **state)
{
	(void)state;
	for (size_t k = 0; TEST_ROW(k, specs, specs[k]); k++) {
		odo_error err;
		rig r = make(specs[k]);
		assert_int_equal(odo_losses_single(r.f, &r.part, &r.loss, &r.n, &err), 0);
		assert_int_equal(r.n, r.f->n_switches + r.f->n_links - r.f->n_hosts);
		odo_loss_effect *effect = calloc(r.n, sizeof *effect);
		run(&r, 1, effect);
		for (uint32_t i = 0; i < r.n; i++) {
			const odo_loss_effect *e = &effect[i];
			uint32_t s = r.part[i].node;
			assert_int_equal(e->pairs_cut, count_cut(&r, &r.loss[i]));
			assert_int_equal(e->hosts_off, s == ODO_NONE ? 0 : odo_hosts_of(r.f, s));
			assert_false(e->declined);
			assert_true(e->n_vls >= 1 && e->engine[0]);
			if (s == ODO_NONE)
				assert_true(e->n_changed >= count_users(&r, r.part[i].slot));
		}
		free(effect);
		unmake(&r);
	}
}

static void threads_change_nothing(void **state)
{
	(void)state;
	odo_error err;
	rig r = make("dragonfly:p=1,a=4,h=2");
	r.n = 20;
	assert_int_equal(odo_losses_random(r.f, r.n, 3, 7, &r.part, &r.loss, &err), 0);
	odo_loss_effect *one = calloc(r.n, sizeof *one), *many = calloc(r.n, sizeof *many);
	run(&r, 1, one);
	run(&r, 5, many);
	for (uint32_t i = 0; i < r.n; i++) {
		assert_int_equal(one[i].n_changed, many[i].n_changed);
		assert_int_equal(one[i].sl_changed, many[i].sl_changed);
		assert_int_equal(one[i].pairs_cut, count_cut(&r, &r.loss[i]));
		assert_int_equal(one[i].pairs_cut, many[i].pairs_cut);
		assert_true(one[i].rating.uniform == many[i].rating.uniform);
		assert_string_equal(one[i].engine, many[i].engine);
	}
	free(one);
	free(many);
	unmake(&r);
}

/* Parts of a random loss are different ones, and any may be drawn. */
static void random_losses_are_of_different_parts(void **state)
{
	(void)state;
	enum { N = 400, TOGETHER = 4 };
	odo_error err;
	rig r = make("fattree:k=4,levels=2");
	uint32_t n_parts = r.f->n_switches + r.f->n_links - r.f->n_hosts, seen = 0;
	assert_int_equal(odo_losses_random(r.f, N, TOGETHER, 1, &r.part, &r.loss, &err), 0);
	bool *drawn = calloc(r.f->n_nodes + r.f->n_slots, 1);
	for (uint32_t i = 0; i < N; i++)
		for (uint32_t a = 0; a < TOGETHER; a++) {
			const odo_lost_part *p = &r.loss[i].part[a];
			uint32_t at = p->node != ODO_NONE ? p->node : r.f->n_nodes + p->slot;
			seen += !drawn[at];
			drawn[at] = true;
			for (uint32_t b = 0; b < a; b++)
				assert_true(memcmp(p, &r.loss[i].part[b], sizeof *p));
		}
	assert_int_equal(seen, n_parts);
	free(drawn);
	free(r.part);
	free(r.loss);
	assert_int_equal(odo_losses_random(r.f, 1, n_parts + 1, 1, &r.part, &r.loss, &err),
			 ODO_EINPUT);
	unmake(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_is_lost_once),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(random_losses_are_of_different_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
