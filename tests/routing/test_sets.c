/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ways as sets of ports: the same as candidates, in every state of every engine that has them; and
 * on large fabrics the proof by sets comes to the dependencies that the proof by candidates finds,
 * and sees what is broken. */
#include "fixture.h"
#include "routing/adaptive.h"

static unsigned expand(const odo_port_set *set, unsigned n_sets, odo_candidate *way)
{
	unsigned n = 0;
	for (unsigned i = 0; i < n_sets; i++)
		for (uint64_t left = set[i].ports; left; left &= left - 1)
			way[n++] = (odo_candidate){.port = (uint8_t)(__builtin_ctzll(left) + 1),
						   .vl = set[i].vl,
						   .priority = set[i].priority,
						   .onward = set[i].onward};
	return n;
}

static void compare_state(const odo_tables *t, uint32_t s, unsigned input, unsigned vl,
			  uint32_t lid, const char *engine)
{
	odo_candidate way[ODO_MAX_CANDIDATES], other[ODO_MAX_CANDIDATES];
	odo_port_set set[ODO_MAX_PORT_SETS];
	unsigned n_sets = t->adaptive->sets(t, s, input, vl, lid, set);
	unsigned n = t->adaptive->candidates(t, s, input, vl, lid, way);
	assert_true(n_sets <= ODO_MAX_PORT_SETS);
	if (expand(set, n_sets, other) != n || memcmp(way, other, n * sizeof *way))
		fail_msg("%s: switch %u, input %u, VL %u, LID %u", engine, s, input, vl, lid);
}

/* @return whether the engine has sets */
static bool compare_all(const fixture *x, const odo_engine *row)
{
	odo_tables *t;
	odo_error err;
	if (!row->route || row->profile == ODO_PROFILE_IB || !(row->kinds & 1u << x->c->kind) ||
	    odo_route(x->f, x->c, row->name, NULL, &t, &err))
		return false;
	const odo_adaptive *a = t->adaptive;
	const uint32_t few = 2 * (uint32_t)test_stride() - 1;
	bool has = a->sets;
	for (uint32_t s = 0; has && s < x->f->n_switches; s++)
		for (uint32_t lid = 1 + s % few; lid < x->f->lid_count; lid += few)
			for (unsigned i = 0; i < a->n_inputs * t->n_vls; i++)
				if (x->f->lid_switch[lid] != s && x->f->lid_switch[lid] != ODO_NONE)
					compare_state(t, s, i / t->n_vls, i % t->n_vls, lid,
						      row->name);
	odo_tables_free(t);
	return has;
}

static void sets_are_the_candidates(void **state)
{
	(void)state;
	static const char *const specs[] = {"flatfly:k=4x3,c=2", "flatfly:k=3x3,l=2x1,c=3",
					    "dragonfly:p=1,a=4,h=2", "hypercube:n=4,c=1",
					    "slimfly:q=5,c=1"};
	unsigned found = 0;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = make(specs[i], 0), y = damaged(&x, 0, 0.06, i);
		for (const odo_engine *row = odo_engines; row->name; row++)
			found += compare_all(&x, row) + compare_all(&y, row);
		unmake(&x);
		unmake(&y);
	}
	assert_true(found > 60);
}

/* ---- The proof ---- */

enum { SOUND, NO_SWITCH, TOO_HIGH, ONE_VL, DEAD_END, BACK, UNLIKE };
static int mode;
static odo_adaptive sound; /* the engine's own */

static unsigned broken_sets(const odo_tables *t, uint32_t s, unsigned input, unsigned vl,
			    uint32_t lid, odo_port_set *set)
{
	unsigned n = sound.sets(t, s, input, vl, lid, set);
	bool here = s == 7;
	for (unsigned i = 0; i < n; i++) {
		if (mode == NO_SWITCH && here)
			set[i].ports |= 1ull << 40;
		if (mode == TOO_HIGH && here)
			set[i].vl = 9;
		if (mode == ONE_VL)
			set[i].vl = 0;
		if (mode == DEAD_END && here)
			set[i].ports = 0;
		if (mode == BACK && here) { /* by port 2, from where packets come */
			set[i].ports = i ? 0 : 2;
			set[i].onward = true;
		}
	}
	return n;
}

static unsigned broken_ways(const odo_tables *t, uint32_t s, unsigned input, unsigned vl,
			    uint32_t lid, odo_candidate *way)
{
	odo_port_set set[ODO_MAX_PORT_SETS];
	if (t->fabric->lid_switch[lid] == s || mode == SOUND || mode == UNLIKE) {
		unsigned n = sound.candidates(t, s, input, vl, lid, way);
		return n - (mode == UNLIKE && n > 1);
	}
	return expand(set, broken_sets(t, s, input, vl, lid, set), way);
}

/* @return the status of the proof */
static int prove(odo_tables *t, int how, bool by_sets, odo_verdict *verdict)
{
	odo_error err = {0};
	mode = how;
	sound = *t->adaptive;
	t->adaptive->candidates = broken_ways;
	t->adaptive->sets = by_sets ? broken_sets : NULL;
	int status = odo_verify(t, verdict, &err);
	*t->adaptive = sound;
	return status;
}

/* What a proof finds, by sets or by candidates. */
static odo_verdict find(odo_tables *t, int how, bool by_sets, int expected)
{
	odo_verdict verdict;
	int status = prove(t, how, by_sets, &verdict);
	if (status != expected)
		fail_msg("%s, broken %d, by %s: %d, %s", t->engine, how, by_sets ? "sets" : "ways",
			 status, verdict.text);
	return verdict;
}

static void both_ways(const char *spec, const char *engine, double damage)
{
	fixture x = make(spec, 0), y = damaged(&x, 0, damage, 1);
	odo_tables *t;
	odo_error err;
	if (odo_route(y.f, y.c, engine, NULL, &t, &err))
		fail_msg("%s on %s: %s", engine, spec, err.text);
	for (int how = SOUND; how < UNLIKE; how++) {
		bool settles = how == SOUND || how == ONE_VL ||
			       how == BACK; /* others are told at once */
		int expected = how == SOUND ? 0 : ODO_EUNSAFE;
		odo_verdict a = find(t, how, true, expected), b = find(t, how, !settles, expected);
		if (a.delivers != b.delivers || a.within_vls != b.within_vls ||
		    a.deadlock_free != b.deadlock_free || a.n_dependencies != b.n_dependencies)
			fail_msg("%s on %s, broken %d: by sets \"%s\", %llu dependencies, by ways "
				 "\"%s\", %llu",
				 engine, spec, how, a.text, (unsigned long long)a.n_dependencies,
				 b.text, (unsigned long long)b.n_dependencies);
		odo_verdict_clear(&a);
		odo_verdict_clear(&b);
	}
	odo_verdict unlike = find(t, UNLIKE, true, ODO_EUNSAFE);
	odo_verdict_clear(&unlike);
	odo_tables_free(t);
	unmake(&x);
	unmake(&y);
}

static void proofs_agree(void **state)
{
	(void)state;
	both_ways("random:n=520,d=6,c=1", "deflection+2", 0.01);
	both_ways("dragonfly:p=1,a=8,h=8", "dragonfly-gsid", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_are_the_candidates),
		cmocka_unit_test(proofs_agree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
