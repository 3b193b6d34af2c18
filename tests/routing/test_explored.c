/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The verifier follows an adaptive routing by sets of channels (routing/verify/adaptive.c). Here
 * every channel is followed for itself, for every LID, by the plainest means: both must come to the
 * same dependencies. */
#include "fixture.h"
#include "routing/adaptive.h"
#include "routing/graph/dependency.h"

typedef struct walker {
	const odo_tables *t;
	odo_dependencies deps;
	uint8_t *seen;   /* [slots * n_vls] 1 reached, 2 as an escape channel */
	uint32_t *stack; /* slot * n_vls + vl */
	uint32_t n_stack;
} walker;

static void enter(walker *w, uint32_t slot, unsigned vl, uint8_t how)
{
	uint32_t state = slot * w->t->n_vls + vl;
	if (!w->seen[state])
		w->stack[w->n_stack++] = state;
	if (w->seen[state] < how)
		w->seen[state] = how;
}

static unsigned ways_of(const walker *w, uint32_t state, uint32_t lid, odo_candidate *way)
{
	const odo_fabric *f = w->t->fabric;
	uint32_t far = f->peer[state / w->t->n_vls];
	if (f->owner[far] == f->lid_switch[lid])
		return 0;
	return odo_candidates(w->t, f->owner[far], odo_port(f, far), state % w->t->n_vls, lid, way);
}

static void reach(walker *w, uint32_t lid)
{
	const odo_fabric *f = w->t->fabric;
	odo_candidate way[ODO_MAX_CANDIDATES];
	for (uint32_t h = 0; h < f->n_hosts; h++)
		enter(w, f->host_slot[h], w->t->adaptive->inject(w->t, h, lid), 1);
	while (w->n_stack) {
		uint32_t state = w->stack[--w->n_stack];
		uint32_t s = f->owner[f->peer[state / w->t->n_vls]];
		unsigned n = ways_of(w, state, lid, way);
		for (unsigned i = 0; i < n; i++)
			enter(w, odo_slot(f, s, way[i].port), way[i].vl, 1 + way[i].escape);
	}
}

static void depend(walker *w, uint32_t lid)
{
	const odo_fabric *f = w->t->fabric;
	odo_candidate way[ODO_MAX_CANDIDATES];
	bool escape = w->t->adaptive->has_escape;
	for (uint32_t state = 0; state < f->first_slot[f->n_switches] * w->t->n_vls; state++) {
		if (w->seen[state] < 1 + escape)
			continue;
		unsigned n = ways_of(w, state, lid, way);
		for (unsigned i = 0; i < n; i++)
			if (way[i].escape || !escape)
				odo_depend(&w->deps, state / w->t->n_vls, state % w->t->n_vls,
					   way[i].port, way[i].vl);
	}
}

static uint64_t follow_all(const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	odo_error err;
	walker w = {.t = t};
	size_t n = (size_t)f->n_slots * t->n_vls;
	assert_int_equal(odo_dependencies_init(&w.deps, f, t->n_vls, &err), 0);
	w.seen = calloc(n, 1);
	w.stack = calloc(n, sizeof *w.stack);
	for (uint32_t lid = 1; lid < f->lid_count; lid++) {
		if (f->lid_switch[lid] == ODO_NONE)
			continue;
		memset(w.seen, 0, n);
		reach(&w, lid);
		depend(&w, lid);
	}
	uint64_t found = odo_dependencies_count(&w.deps);
	odo_dependencies_clear(&w.deps);
	free(w.seen);
	free(w.stack);
	return found;
}

static void compare(const fixture *x, const char *spec)
{
	for (const odo_engine *row = odo_engines; row->name; row++) {
		odo_tables *t;
		odo_verdict verdict;
		odo_error err;
		if (!row->route || row->profile == ODO_PROFILE_IB ||
		    !(row->kinds & 1u << x->c->kind))
			continue;
		int status = odo_route(x->f, x->c, row->name, NULL, &t, &err);
		if (status == ODO_EDECLINE)
			continue;
		assert_int_equal(status, 0);
		assert_int_equal(odo_verify(t, &verdict, &err), 0);
		uint64_t expected = follow_all(t);
		if (verdict.n_dependencies != expected)
			fail_msg("%s on %s: %llu dependencies, the plain way %llu", row->name, spec,
				 (unsigned long long)verdict.n_dependencies,
				 (unsigned long long)expected);
		odo_verdict_clear(&verdict);
		odo_tables_free(t);
	}
}

static void dependencies_are_those_found_the_plain_way(void **state)
{
	(void)state;
	/* The last has a cable at port 63, the last of a word of ports. */
	static const char *const specs[] = {"flatfly:k=4x3,c=2",     "flatfly:k=3x3,l=2x1,c=3",
					    "dragonfly:p=1,a=4,h=2", "hypercube:n=4,c=1",
					    "slimfly:q=5,c=1",       "random:n=16,d=4,c=1",
					    "flatfly:k=3,l=31,c=1"};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = make(specs[i], 0), y = damaged(&x, 0, 0.06, i),
			z = damaged(&x, 0.1, 0.1, i);
		compare(&x, specs[i]);
		compare(&y, specs[i]);
		compare(&z, specs[i]);
		unmake(&x);
		unmake(&y);
		unmake(&z);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dependencies_are_those_found_the_plain_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
