/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables that are mended after a loss, or become others step by step after a gain: they deliver
 * all, close no cycle with those of before, and lead nothing anew whose path still stands. And
 * where tables made anew would close one, they are taken. */
#include "routing/reroute/splice.h"

#include "routing/reroute/blend.h"

#include "base/random.h"
#include "fixture.h"
#include "mapping/mapping.h"
#include "routing/transition/transition.h"

enum { CABLES = 1, SWITCHES = 2 };

/* Less a random part, or so many. */
static fixture lose(const fixture *x, unsigned what, unsigned n, uint64_t seed)
{
	odo_rng rng = odo_rng_make(seed, what);
	uint8_t *gone = calloc(x->f->n_nodes, 1), *cut = calloc(x->f->n_slots, 1);
	odo_origin origin;
	odo_fabric *f;
	odo_error err;
	while (n) {
		uint32_t slot = odo_rng_below(&rng, x->f->first_slot[x->f->n_switches]);
		if (odo_next_switch(x->f, slot) == ODO_NONE)
			continue;
		if (what == SWITCHES)
			gone[x->f->owner[slot]] = 1;
		else
			cut[slot] = 1;
		n--;
	}
	assert_int_equal(odo_fabric_without(x->f, gone, cut, &f, &origin, &err), 0);
	free(gone);
	free(cut);
	return carry(x, f, &origin);
}

static odo_tables *route(const fixture *x, const char *engine, const odo_tables *before)
{
	odo_route_options options = {.before = before};
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, engine, &options, &t, &err))
		return NULL;
	return t;
}

static void check_spliced(const odo_tables *before, odo_tables *t)
{
	odo_verdict verdict = {0};
	odo_transition change;
	odo_error err;
	if (odo_verify(t, &verdict, &err))
		fail_msg("%s: %s", t->engine, err.text);
	assert_true(verdict.delivers && verdict.deadlock_free);
	odo_verdict_clear(&verdict);
	assert_int_equal(odo_transition_count(before, t, false, &change, &err), 0);
	assert_int_equal(change.n_cycle, 0);
	assert_int_equal(change.n_looping, 0);
	assert_int_equal(change.n_lost, 0);
	assert_true(change.n_changed <= change.n_cut); /* an entry, and the pair that it is of */
	assert_true(change.n_changed >= change.n_least);
}

/* @return whether it could be mended */
static bool try_loss(const fixture *x, const odo_tables *before, const char *engine, unsigned what,
		     unsigned n, uint64_t seed)
{
	fixture y = lose(x, what, n, seed);
	odo_tables *like = route(&y, engine, NULL), *t = NULL;
	odo_error err = {0};
	int status = like ? odo_splice(before, like, &t, &err) : ODO_EDECLINE;
	assert_true(!status || status == ODO_EDECLINE);
	if (!status)
		check_spliced(before, t);
	odo_tables_free(t);
	odo_tables_free(like);
	unmake(&y);
	return !status;
}

static void what_is_broken_is_mended_and_nothing_else(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
		unsigned least; /* mended of 16 losses */
	} rows[] = {
		{"dragonfly:p=2,a=4,h=2", "dragonfly", 14},
		{"flatfly:k=3x3,c=1", "dor", 10},
		{"torus:k=5x5,c=1", "torus", 4},
		{"fattree:k=4,levels=3", "fattree", 8},
		{"random:n=16,d=4,c=1", "updown", 8},
		{"random:n=16,d=4,c=1", "layered", 8},
	};
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		fixture x = make(rows[i].spec, 0);
		odo_tables *before = route(&x, rows[i].engine, NULL);
		unsigned mended = 0;
		assert_non_null(before);
		for (unsigned n = 0; n < 16; n++)
			mended += try_loss(&x, before, rows[i].engine, n % 4 ? CABLES : SWITCHES,
					   1 + n % 3, n);
		if (mended < rows[i].least)
			fail_msg("%s: %u of 16", rows[i].spec, mended);
		odo_tables_free(before);
		unmake(&x);
	}
}

static void what_has_come_is_not_passed_over(void **state)
{
	(void)state;
	fixture x = make("flatfly:k=3x3,c=1", 0), y = lose(&x, CABLES, 2, 1);
	odo_tables *whole = route(&x, "dor", NULL), *less = route(&y, "dor", NULL), *t;
	odo_error err;
	assert_true(whole && less);
	assert_int_equal(odo_splice(less, whole, &t, &err), ODO_EDECLINE);
	assert_int_equal(odo_splice(whole, less, &t, &err), 0);
	odo_tables_free(t);
	odo_tables_free(whole);
	odo_tables_free(less);
	unmake(&x);
	unmake(&y);
}

/* VLs that switches lead packets of SL 0 to, a bit each; those that differ from other tables'. */
static unsigned vls_of(const odo_tables *t, const odo_tables *other, unsigned *differ)
{
	const odo_fabric *f = t->fabric;
	unsigned vls = 0;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned in = 1; in <= odo_n_ports(f, s); in++)
			for (unsigned out = 1; out <= odo_n_ports(f, s); out++) {
				unsigned vl = odo_vl(t, s, in, out, 0);
				vls |= 1u << vl;
				*differ += other && vl != odo_vl(other, s, in, out, 0);
			}
	return vls;
}

/* What is there already stays, though it could not be made anew. */
static void check_restart(const fixture *x, const char *engine, const odo_tables *there)
{
	unsigned differ = 0;
	odo_tables *t = route(x, engine, there);
	assert_non_null(t);
	assert_memory_equal(t->lft, there->lft, (size_t)x->f->n_switches * x->f->lid_count);
	vls_of(t, there, &differ);
	assert_int_equal(differ, 0);
	assert_int_equal(t->from.spliced, there->from.spliced);
	odo_tables_free(t);
}

/* As a manager sees it, which knows of what is missing. */
static void map_anew(fixture *x)
{
	odo_error err;
	odo_coordinates_free(x->c);
	assert_int_equal(odo_map(x->f, &x->c, &err), 0);
}

typedef struct outcomes {
	unsigned cycles, mended, apart;
} outcomes;

static void lose_again(const fixture *x, const odo_tables *before, uint64_t seed, outcomes *sum)
{
	fixture y = lose(x, CABLES, 1, seed);
	map_anew(&y);
	odo_tables *t = route(&y, NULL, before);
	odo_transition change;
	odo_error err;
	assert_non_null(t);
	assert_int_equal(odo_transition_count(before, t, true, &change, &err), 0);
	assert_true(!change.n_cycle || !t->from.spliced);
	unsigned differ = 0, common = vls_of(before, NULL, &differ) & vls_of(t, NULL, &differ);
	sum->cycles += change.n_cycle != 0;
	sum->mended += t->from.spliced;
	sum->apart += !common;
	check_restart(&y, NULL, t);
	odo_tables_free(t);
	unmake(&y);
}

/* A manager that starts on a torus that lacks cables leads paths off the fullest ones. Made anew
 * after the next loss these were others, and nearly each change could deadlock. Where mending does
 * not help they take VLs of their own. */
static void a_second_loss_closes_no_cycle(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		unsigned mended, apart; /* at least, of 16 */
	} rows[] = {{"torus:k=4x5x6,c=1", 8, 0}, {"torus:k=5x5,c=1", 8, 2}};
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		fixture x = make(rows[i].spec, 0), y = damaged(&x, 0, 0.03, 1);
		map_anew(&y);
		odo_tables *before = route(&y, NULL, NULL);
		outcomes sum = {0};
		assert_non_null(before);
		for (uint64_t seed = 0; seed < 16; seed++)
			lose_again(&y, before, seed, &sum);
		if (sum.cycles || sum.mended < rows[i].mended || sum.apart < rows[i].apart)
			fail_msg("%s: %u mended, %u on other VLs, %u cycles", rows[i].spec,
				 sum.mended, sum.apart, sum.cycles);
		odo_tables_free(before);
		unmake(&y);
		unmake(&x);
	}
}

/* Up*\/down* paths are dealt out by load: made anew, all of them could be others. */
static void what_is_dealt_by_load_stays(void **state)
{
	(void)state;
	static const char *const specs[] = {"torus:k=5x5,c=1", "flatfly:k=4x4,c=1",
					    "random:n=24,d=5,c=1"};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = make(specs[i], 0);
		odo_tables *before = route(&x, "updown", NULL);
		uint64_t changed = 0, least = 0;
		for (uint64_t seed = 0; seed < 12; seed++) {
			fixture y = lose(&x, CABLES, 1, seed);
			odo_tables *t = route(&y, "updown", before);
			odo_transition change;
			odo_error err;
			assert_int_equal(odo_transition_count(before, t, true, &change, &err), 0);
			assert_int_equal(change.n_cycle + change.n_looping + change.n_lost, 0);
			changed += change.n_changed;
			least += change.n_least;
			check_restart(&y, "updown", t);
			odo_tables_free(t);
			unmake(&y);
		}
		if (changed > 3 * least)
			fail_msg("%s: %u entries for %u", specs[i], (unsigned)changed,
				 (unsigned)least);
		odo_tables_free(before);
		unmake(&x);
	}
}

/* Millions of entries are judged as well: made anew, these tables close a circle with the old ones,
 * and packets of tens of thousands of pairs that both connect are lost or go round. */
static void large_fabrics_change_safely(void **state)
{
	(void)state;
	fixture x = make(test_stride() > 1 ? "torus:k=8x8x4,c=8" : "torus:k=8x8x8,c=8", 0);
	odo_tables *before = route(&x, "torus", NULL);
	fixture y = lose(&x, SWITCHES, 1, 3);
	map_anew(&y);
	odo_tables *t = route(&y, "torus", before);
	odo_transition change;
	odo_error err;
	assert_int_equal(odo_transition_count(before, t, true, &change, &err), 0);
	assert_int_equal(change.n_cycle + change.n_looping + change.n_lost, 0);
	odo_tables_free(t);
	odo_tables_free(before);
	unmake(&y);
	unmake(&x);
}

/* Each step is proved, closes no cycle with the one before, and leads nothing round.
 * @return steps, until the tables are those wanted; 0 where no step leads there */
static unsigned take_steps(const odo_tables *first, const odo_tables *wanted)
{
	const odo_tables *before = first;
	odo_tables *t = NULL, *last = NULL;
	unsigned steps = 0;
	odo_error err;
	do {
		odo_transition change;
		int status = odo_blend(before, wanted, &t, &err);
		if (status == ODO_EDECLINE && before == first)
			return 0;
		assert_int_equal(status, 0);
		odo_verdict verdict = {0};
		assert_int_equal(odo_verify(t, &verdict, &err), 0);
		odo_verdict_clear(&verdict);
		assert_int_equal(odo_transition_count(before, t, false, &change, &err), 0);
		assert_int_equal(change.n_cycle, 0);
		assert_int_equal(change.n_looping + change.n_lost + change.n_cut_looping, 0);
		odo_tables_free(last);
		last = t;
		before = t;
		steps++;
		if (t->from.unfinished && !change.n_changed)
			steps = 0;
	} while (steps && last->from.unfinished);
	if (steps)
		assert_memory_equal(last->lft, wanted->lft,
				    (size_t)wanted->fabric->n_switches * wanted->fabric->lid_count);
	odo_tables_free(last);
	return steps;
}

static void what_has_come_is_taken_step_by_step(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *engine;
	} rows[] = {{"dragonfly:p=2,a=4,h=2", "dragonfly"}, {"flatfly:k=3x3,c=1", "dor"},
		    {"torus:k=5x5,c=1", "torus"},           {"fattree:k=4,levels=3", "fattree"},
		    {"random:n=16,d=4,c=1", "updown"},      {"random:n=16,d=4,c=1", "layered"}};
	unsigned finished = 0, several = 0;
	for (size_t i = 0; TEST_ROW(i, rows, rows[i].spec); i++) {
		fixture x = make(rows[i].spec, 0);
		odo_tables *wanted = route(&x, rows[i].engine, NULL);
		assert_non_null(wanted);
		for (unsigned n = 0; n < 16; n++) {
			fixture y = lose(&x, n % 4 ? CABLES : SWITCHES, 1 + n % 3, n);
			odo_tables *before = route(&y, rows[i].engine, NULL);
			unsigned steps = before ? take_steps(before, wanted) : 0;
			finished += steps > 0;
			several += steps > 1;
			odo_tables_free(before);
			unmake(&y);
		}
		odo_tables_free(wanted);
		unmake(&x);
	}
	if (finished < 20 || several < 4)
		fail_msg("%u finished, %u in several steps", finished, several);
}

/* What changes can do: at once, and step by step. */
typedef struct harm {
	unsigned cycles;
	uint64_t lossy, lossy_steps;
} harm;

static void repair(const fixture *x, const odo_tables *wanted, unsigned what, uint64_t seed,
		   harm *sum)
{
	fixture y = lose(x, what, 1, seed);
	odo_transition at_once, change;
	odo_error err;
	unsigned steps = 0;
	map_anew(&y);
	odo_tables *t = route(&y, NULL, NULL), *first = t;
	assert_non_null(t);
	assert_int_equal(odo_transition_count(t, wanted, true, &at_once, &err), 0);
	do {
		odo_tables *now = route(x, NULL, t);
		assert_non_null(now);
		assert_int_equal(odo_transition_count(t, now, true, &change, &err), 0);
		assert_int_equal(change.n_cycle, 0);
		if (t != first)
			odo_tables_free(t);
		t = now;
		sum->lossy_steps += change.n_looping + change.n_lost;
	} while (t->from.unfinished && (!steps++ || change.n_changed));
	assert_true(steps || !at_once.n_cycle);
	sum->cycles += at_once.n_cycle != 0;
	sum->lossy += at_once.n_looping + at_once.n_lost;
	odo_tables_free(t);
	odo_tables_free(first);
	unmake(&y);
}

/* A fabric that lacks cables gets one back, or a switch: at once, nearly each such change could
 * deadlock, and lose packets of pairs that are connected all the time. */
static void a_repair_does_no_harm(void **state)
{
	(void)state;
	static const char *const specs[] = {"dragonfly:p=2,a=4,h=2", "slimfly:q=5,c=1",
					    "torus:k=5x5,c=1"};
	harm sum = {0};
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		fixture x = make(specs[i], 0), less = damaged(&x, 0, 0.03, 1);
		map_anew(&less);
		odo_tables *wanted = route(&less, NULL, NULL);
		assert_non_null(wanted);
		for (uint64_t seed = 1; seed <= 8; seed++)
			repair(&less, wanted, seed % 2 ? CABLES : SWITCHES, seed, &sum);
		odo_tables_free(wanted);
		unmake(&less);
		unmake(&x);
	}
	if (sum.cycles < 4 || sum.lossy < 500 || sum.lossy_steps)
		fail_msg("%u cycles, %llu pairs lossy at once, %llu in steps", sum.cycles,
			 (unsigned long long)sum.lossy, (unsigned long long)sum.lossy_steps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_broken_is_mended_and_nothing_else),
		cmocka_unit_test(what_has_come_is_not_passed_over),
		cmocka_unit_test(a_second_loss_closes_no_cycle),
		cmocka_unit_test(what_is_dealt_by_load_stays),
		cmocka_unit_test(large_fabrics_change_safely),
		cmocka_unit_test(what_has_come_is_taken_step_by_step),
		cmocka_unit_test(a_repair_does_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
