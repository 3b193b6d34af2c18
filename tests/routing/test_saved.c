/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A manager that reads what another one saved comes to the same tables and SLs, byte for byte. */
#include "fixture.h"
#include "routing/reroute/carry.h"
#include "routing/reroute/saved.h"
#include "series.h"

static const char *const specs[] = {
	"dragonfly:p=2,a=4,h=2", "torus:k=5x5,c=1",     "random:n=24,d=5,c=1",
	"flatfly:k=4x4,c=2",     "hypercube:n=5,c=1",   "torus:k=4x4,c=1",
	"fattree:k=6,levels=3",  "slimfly:q=5,c=2",     "mesh:k=4x4,c=1",
	"torus:k=5x5x3,c=1",     "random:n=24,d=6,c=2", "dragonfly:p=1,a=4,h=2",
};

enum { CHOICE = 77 };

static FILE *saved(const series *x)
{
	FILE *file = tmpfile();
	odo_error err;
	assert_non_null(file);
	assert_int_equal(odo_saved_write(x->t, x->history, CHOICE, file, &err), 0);
	assert_int_equal(fflush(file), 0);
	rewind(file);
	return file;
}

static void load(FILE *file, odo_saved *out)
{
	odo_error err;
	if (odo_saved_read(file, "saved", out, &err))
		fail_msg("%s", err.text);
	assert_int_equal(out->choice, CHOICE);
	fclose(file);
}

/* What the next manager installs on the same fabric. */
static odo_tables *taken_over(const series *x, const odo_saved *known)
{
	odo_route_options options = {.before = known->tables, .history = known->history};
	odo_tables *t;
	odo_error err;
	if (odo_route(x->f, x->c, NULL, &options, &t, &err))
		fail_msg("%s", err.text);
	return t;
}

typedef struct differences {
	uint64_t engine, lft, sl, held, map;
} differences;

static void add_differences(const odo_tables *a, const odo_tables *b, differences *sum)
{
	const odo_fabric *f = a->fabric;
	sum->engine += strcmp(a->engine, b->engine) != 0;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (uint32_t lid = 1; lid < f->lid_count; lid++) {
			sum->lft += odo_next_port(a, s, lid) != odo_next_port(b, s, lid);
			sum->sl += odo_path_sl(a, s, lid) != odo_path_sl(b, s, lid);
			sum->held += odo_held_sls(a, s, lid) != odo_held_sls(b, s, lid);
		}
		for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
			for (unsigned out = 0; out <= odo_n_ports(f, s); out++)
				sum->map += memcmp(&a->rows[*odo_sl2vl_entry(a, s, in, out)],
						   &b->rows[*odo_sl2vl_entry(b, s, in, out)],
						   sizeof *a->rows) != 0;
	}
}

/* How the next manager's tables differ. */
static void take_over(const series *x, const odo_saved *known, differences *sum)
{
	odo_tables *t = taken_over(x, known);
	add_differences(x->t, t, sum);
	odo_tables_free(t);
}

static bool is_none(const differences *x)
{
	return !(x->engine + x->lft + x->sl + x->held + x->map);
}

/* In which all comes back that may be used again. */
enum { MOST_STEPS = 8 };

/* The same without the file shows that the test would notice. */
static void the_next_manager_installs_the_same(void **state)
{
	uint64_t unknown = 0;
	(void)state;
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i += test_stride()) {
		fixture whole = make(specs[i], 0);
		series x = {0};
		differences with = {0}, without = {0};
		uint64_t pairs = 0;
		series_start(&x, whole.f, 11, 8);
		for (unsigned step = 0; step < 12; step++) {
			odo_saved known;
			series_change(&x);
			series_route(&x);
			for (unsigned more = MOST_STEPS; more && x.t->unfinished; more--)
				series_route(&x);
			load(saved(&x), &known);
			add_differences(x.t, known.tables, &with);
			take_over(&x, &known, &with);
			take_over(&x, &(odo_saved){0}, &without);
			odo_saved_clear(&known);
			pairs += (uint64_t)x.f->n_switches * (x.f->lid_count - 1);
		}
		assert_true(is_none(&with));
		print_message("%s: of %llu pairs (switch, LID) a manager that is told nothing "
			      "gives %llu another "
			      "port and %llu another SL\n",
			      specs[i], (unsigned long long)pairs, (unsigned long long)without.lft,
			      (unsigned long long)without.sl);
		unknown += without.lft + without.sl;
		series_end(&x);
		unmake(&whole);
	}
	assert_true(unknown > 1000);
}

/* Tables that were kept leave pairs out, and are proved without these. */
static void carried_tables_stay_carried(void **state)
{
	(void)state;
	fixture whole = make("dragonfly:p=1,a=4,h=2", 1);
	series x = {0};
	odo_carried carried;
	odo_saved known;
	odo_tables *t;
	odo_error err;
	differences sum = {0};
	series_start(&x, whole.f, 3, 8);
	for (unsigned i = 0; i < 5; i++)
		series_change(&x);
	odo_fabric *now = series_fabric(&x);
	assert_int_equal(odo_carry(x.t, x.history, now, &t, &carried, &err), 0);
	assert_true(carried.n_missing > 0);
	odo_history *h;
	assert_int_equal(odo_history_note(x.history, t, &h, &err), 0);
	series after = {.t = t, .history = h};
	load(saved(&after), &known);
	add_differences(t, known.tables, &sum);
	assert_true(is_none(&sum) && known.tables->carried);
	odo_saved_clear(&known);
	odo_history_free(h);
	odo_tables_free(t);
	odo_fabric_free(now);
	series_end(&x);
	unmake(&whole);
}

/* Reads what is left of a file when something has happened to it. @return whether it is taken */
static bool is_taken(const char *text, size_t size)
{
	FILE *file = tmpfile();
	odo_saved out;
	odo_error err = {0};
	assert_int_equal(fwrite(text, 1, size, file), size);
	fflush(file);
	rewind(file);
	int status = odo_saved_read(file, "saved", &out, &err);
	assert_true(!status || *err.text);
	odo_saved_clear(&out);
	fclose(file);
	return !status;
}

static void what_is_broken_is_refused(void **state)
{
	(void)state;
	fixture whole = make("torus:k=5x5,c=1", 0);
	series x = {0};
	series_start(&x, whole.f, 4, 6);
	for (unsigned i = 0; i < 4; i++) {
		series_change(&x);
		series_route(&x);
	}
	FILE *file = saved(&x);
	fseek(file, 0, SEEK_END);
	size_t size = (size_t)ftell(file);
	char *text = malloc(size + 1);
	rewind(file);
	assert_int_equal(fread(text, 1, size, file), size);
	fclose(file);
	assert_true(is_taken(text, size));
	text[size] = 0;
	assert_false(is_taken(text, size + 1));
	for (size_t n = 0; n < size; n += 1 + size / 200)
		assert_false(is_taken(text, n));
	odo_rng rng = odo_rng_make(3, 0);
	unsigned refused = 0;
	for (unsigned i = 0; i < 400; i++) {
		size_t at = odo_rng_below(&rng, (uint32_t)(i % 2 ? size : 200));
		char was = text[at];
		text[at] = (char)odo_rng_next(&rng);
		refused += !is_taken(text, size);
		text[at] = was;
	}
	assert_true(refused > 100);
	free(text);
	series_end(&x);
	unmake(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_manager_installs_the_same),
		cmocka_unit_test(carried_tables_stay_carried),
		cmocka_unit_test(what_is_broken_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
