/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A manager that reads what another one saved comes to the same tables and SLs, byte for byte. */
#include <sys/mman.h>
#include <unistd.h>

#include "base/crc.h"
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
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i += test_stride()) {
		fixture whole = make(specs[i], 0);
		series x = {0};
		differences with = {0}, without = {0};
		uint64_t pairs = 0;
		series_start(&x, whole.f, 11, 8);
		for (unsigned step = 0; step < 12 / test_stride(); step++) {
			odo_saved known;
			series_change(&x);
			series_route(&x);
			for (unsigned more = MOST_STEPS; more && x.t->from.unfinished; more--)
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
	assert_true(unknown > 1000 / test_stride());
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
	assert_true(is_none(&sum) && known.tables->from.carried);
	odo_saved_clear(&known);
	odo_history_free(h);
	odo_tables_free(t);
	odo_fabric_free(now);
	series_end(&x);
	unmake(&whole);
}

/* A file that a test changes, and opens as a manager does. */
typedef struct victim {
	char path[32];
	int file;
	size_t size;
	uint8_t *text;
} victim;

static victim make_victim(const char *spec, unsigned steps)
{
	fixture whole = make(spec, 0);
	series x = {0};
	victim v = {.file = memfd_create("saved", 0)};
	assert_true(v.file >= 0);
	series_start(&x, whole.f, 4, 6);
	for (unsigned i = 0; i < steps; i++) {
		series_change(&x);
		series_route(&x);
	}
	FILE *file = saved(&x);
	fseek(file, 0, SEEK_END);
	v.size = (size_t)ftell(file);
	v.text = malloc(v.size + 1);
	rewind(file);
	assert_int_equal(fread(v.text, 1, v.size, file), v.size);
	v.text[v.size] = 0;
	fclose(file);
	snprintf(v.path, sizeof v.path, "/proc/self/fd/%d", v.file);
	assert_int_equal(pwrite(v.file, v.text, v.size, 0), (ssize_t)v.size);
	series_end(&x);
	unmake(&whole);
	return v;
}

static void end_victim(victim *v)
{
	close(v->file);
	free(v->text);
}

/* @return whether the first bytes are taken, or the switches alone; what is refused says why */
static bool is_taken(const victim *v, size_t size, bool whose)
{
	odo_saved out = {0};
	odo_saved_subnet subnet = {0};
	odo_error err = {0};
	assert_int_equal(ftruncate(v->file, (off_t)size), 0);
	FILE *from = fopen(v->path, "r");
	assert_non_null(from);
	int status = whose ? odo_saved_whose(from, "saved", &subnet, &err)
			   : odo_saved_read(from, "saved", &out, &err);
	assert_true(!status || (*err.text && err.status == ODO_EINPUT));
	odo_saved_clear(&out);
	free(subnet.guid);
	fclose(from);
	return !status;
}

static bool flipped_is_taken(const victim *v, size_t at, uint8_t bits, bool whose)
{
	uint8_t byte = v->text[at] ^ bits;
	assert_int_equal(pwrite(v->file, &byte, 1, (off_t)at), 1);
	bool taken = is_taken(v, v->size, whose);
	assert_int_equal(pwrite(v->file, &v->text[at], 1, (off_t)at), 1);
	return taken;
}

static void every_flipped_bit_is_refused(void **state)
{
	(void)state;
	victim v = make_victim("mesh:k=2x2,c=1", 0);
	assert_true(is_taken(&v, v.size, false));
	for (size_t bit = 0; bit < 8 * v.size; bit++)
		if (flipped_is_taken(&v, bit / 8, (uint8_t)(1u << bit % 8), false))
			fail_msg("bit %zu of byte %zu", bit % 8, bit / 8);
	print_message("%zu flipped bits, none taken\n", 8 * v.size);
	end_victim(&v);
}

static void a_flipped_bit_of_a_larger_file_is_refused(void **state)
{
	(void)state;
	victim v = make_victim("torus:k=5x5,c=1", 4);
	odo_rng rng = odo_rng_make(3, 0);
	unsigned taken = 0;
	assert_true(is_taken(&v, v.size, false));
	for (unsigned i = 0; i < 1500; i++) {
		size_t at = odo_rng_below(&rng, (uint32_t)(i % 2 ? v.size : 200));
		taken += flipped_is_taken(&v, at, (uint8_t)(1u << odo_rng_below(&rng, 8)), false);
	}
	assert_int_equal(taken, 0);
	end_victim(&v);
}

/* Whose a file is may be told of one whose rest is damaged. Its own list is checked. */
static void flipped_switches_are_of_no_subnet(void **state)
{
	(void)state;
	victim v = make_victim("mesh:k=2x2,c=1", 0);
	size_t front = 0;
	assert_true(is_taken(&v, v.size, true));
	while (!flipped_is_taken(&v, front, 1, true))
		front++;
	assert_int_equal(front, 32 + 4 * sizeof(uint64_t));
	for (size_t bit = 0; bit < 8 * front; bit++)
		assert_false(flipped_is_taken(&v, bit / 8, (uint8_t)(1u << bit % 8), true));
	end_victim(&v);
}

static void a_torn_file_is_refused(void **state)
{
	(void)state;
	victim v = make_victim("mesh:k=2x2,c=1", 0);
	for (size_t n = 0; n < v.size; n++) {
		assert_int_equal(pwrite(v.file, v.text, v.size, 0), (ssize_t)v.size);
		if (is_taken(&v, n, false))
			fail_msg("%zu of %zu bytes", n, v.size);
		/* A file system that had written the length and not the bytes. */
		if (n && is_taken(&v, v.size, false))
			fail_msg("%zu of %zu bytes, then zeroes", n, v.size);
	}
	assert_int_equal(pwrite(v.file, v.text, v.size, 0), (ssize_t)v.size);
	assert_true(is_taken(&v, v.size, false));
	assert_false(is_taken(&v, v.size + 1, false));
	end_victim(&v);
}

/* As version 0.2.0 left it. */
static void a_file_of_an_older_version_is_read(void **state)
{
	(void)state;
	odo_saved out;
	odo_error err;
	FILE *from = fopen(TEST_DATA "/corpus/saved/sealed", "r");
	assert_non_null(from);
	assert_int_equal(odo_saved_read(from, "saved", &out, &err), 0);
	assert_true(out.sealed);
	assert_int_equal(out.fabric->n_switches, 9);
	odo_saved_clear(&out);
	fclose(from);
}

/* With checksums as they should be: the front, which tells of whose subnet it is, stays readable.
 */
static void a_newer_version_is_refused_in_one_line(void **state)
{
	(void)state;
	victim v = make_victim("mesh:k=2x2,c=1", 0);
	enum { VERSION = 12, SUM = 24, FRONT = 32, GUIDS = 4 * sizeof(uint64_t) };
	uint64_t sum = 0;
	odo_saved out;
	odo_error err = {0};
	odo_crc crc;
	assert_int_equal(v.text[VERSION], 2);
	v.text[VERSION] = 3;
	memcpy(v.text + SUM, &sum, sizeof sum);
	odo_crc_begin(&crc);
	odo_crc_add(&crc, v.text, FRONT + GUIDS);
	sum = odo_crc_sum(&crc);
	memcpy(v.text + SUM, &sum, sizeof sum);
	odo_crc_begin(&crc);
	odo_crc_add(&crc, v.text, v.size - sizeof sum);
	sum = odo_crc_sum(&crc);
	memcpy(v.text + v.size - sizeof sum, &sum, sizeof sum);
	assert_int_equal(pwrite(v.file, v.text, v.size, 0), (ssize_t)v.size);
	assert_true(is_taken(&v, v.size, true));
	FILE *from = fopen(v.path, "r");
	assert_int_equal(odo_saved_read(from, "saved", &out, &err), ODO_EINPUT);
	assert_string_equal(err.text, "saved: it was written by another version of Odonata: "
				      "expected format 2, found 3");
	odo_saved_clear(&out);
	fclose(from);
	end_victim(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_manager_installs_the_same),
		cmocka_unit_test(carried_tables_stay_carried),
		cmocka_unit_test(every_flipped_bit_is_refused),
		cmocka_unit_test(a_flipped_bit_of_a_larger_file_is_refused),
		cmocka_unit_test(flipped_switches_are_of_no_subnet),
		cmocka_unit_test(a_torn_file_is_refused),
		cmocka_unit_test(a_file_of_an_older_version_is_read),
		cmocka_unit_test(a_newer_version_is_refused_in_one_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
