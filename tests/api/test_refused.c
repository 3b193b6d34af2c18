/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the public functions refuse: nothing where something is needed, structs of other sizes,
 * names that nobody knows, files that are none. And odd fabrics, which every call must survive. */
#include <dirent.h>
#include <string.h>

#include "rig.h"

#define DRAGONFLY "dragonfly:p=2,a=4,h=2"

static void null_is_refused(void **state)
{
	(void)state;
	odonata_error e = {0};
	struct rig r = rig_make("flatfly:k=2x2,c=2"), x = {0};
	const char *const none[] = {NULL};
	double mean;
	size_t n;
	odonata_fabric_view fabric = {.size = sizeof fabric};
	odonata_coordinates_view found = {.size = sizeof found};
	odonata_fault fault = {.size = sizeof fault};
	odonata_tables_view tables = {.size = sizeof tables};
	odonata_verdict verdict = {.size = sizeof verdict};
	odonata_analysis analysis = {.size = sizeof analysis};
	odonata_measures measures = {.size = sizeof measures};
	odonata_damage damaged = {.size = sizeof damaged};
#define REFUSED(call) expect_failure(call, ODONATA_EINPUT, &e, "expected")
	REFUSED(odonata_fabric_read(NULL, 0, &x.fabric, &e));
	REFUSED(odonata_fabric_read("a", 0, NULL, &e));
	REFUSED(odonata_fabric_generate(NULL, 0, &x.fabric, &e));
	REFUSED(odonata_fabric_generate("a", 0, NULL, &e));
	REFUSED(odonata_fabric_damage(NULL, &damaged, &x.fabric, &e));
	REFUSED(odonata_fabric_damage(r.fabric, NULL, &x.fabric, &e));
	REFUSED(odonata_fabric_damage(r.fabric, &damaged, NULL, &e));
	REFUSED(odonata_fabric_write(NULL, "ibsim", "/tmp/a", &e));
	REFUSED(odonata_fabric_write(r.fabric, NULL, "/tmp/a", &e));
	REFUSED(odonata_fabric_write(r.fabric, "ibsim", NULL, &e));
	REFUSED(odonata_fabric_get(NULL, &fabric, &e));
	REFUSED(odonata_fabric_get(r.fabric, NULL, &e));
	REFUSED(odonata_map(NULL, &x.found, &e));
	REFUSED(odonata_map(r.fabric, NULL, &e));
	REFUSED(odonata_coordinates_get(NULL, &found, &e));
	REFUSED(odonata_coordinates_get(r.found, NULL, &e));
	REFUSED(odonata_fault_get(NULL, 0, &fault, &e));
	REFUSED(odonata_fault_get(r.found, 0, NULL, &e));
	REFUSED(odonata_route(NULL, NULL, NULL, &x.tables, &e));
	REFUSED(odonata_route(r.fabric, r.found, NULL, NULL, &e));
	REFUSED(odonata_tables_read(NULL, NULL, none, 1, &x.tables, &e));
	REFUSED(odonata_tables_read(r.fabric, NULL, NULL, 1, &x.tables, &e));
	REFUSED(odonata_tables_read(r.fabric, NULL, none, 1, &x.tables, &e));
	REFUSED(odonata_tables_read(r.fabric, NULL, none, 0, &x.tables, &e));
	REFUSED(odonata_tables_read(r.fabric, NULL, none, 1, NULL, &e));
	REFUSED(odonata_tables_get(NULL, &tables, &e));
	REFUSED(odonata_tables_get(r.tables, NULL, &e));
	REFUSED(odonata_tables_path(NULL, 0, 1, NULL, 0, &n, &e));
	REFUSED(odonata_tables_path(r.tables, 0, 1, NULL, 1, &n, &e));
	REFUSED(odonata_tables_path(r.tables, 0, 1, NULL, 0, NULL, &e));
	REFUSED(odonata_verify(NULL, 0, &verdict, &e));
	REFUSED(odonata_verify(r.tables, 0, NULL, &e));
	REFUSED(odonata_verify(r.tables, 2, &verdict, &e));
	REFUSED(odonata_analyze(NULL, NULL, 1, NULL, &analysis, &e));
	REFUSED(odonata_analyze(r.tables, NULL, 1, NULL, NULL, &e));
	REFUSED(odonata_bisection(NULL, 1, 1, &mean, NULL, &e));
	REFUSED(odonata_bisection(r.tables, 1, 1, NULL, NULL, &e));
	REFUSED(odonata_emulate(NULL, &measures, &e));
	REFUSED(odonata_export(NULL, "lfts", "/tmp/a", &e));
	REFUSED(odonata_export(r.tables, NULL, "/tmp/a", &e));
	REFUSED(odonata_export(r.tables, "lfts", NULL, &e));
	assert_true(!x.fabric && !x.found && !x.tables);
	assert_int_equal(odonata_fabric_read(NULL, 0, &x.fabric, NULL), ODONATA_EINPUT);
	assert_null(odonata_fabric_name(NULL, 0));
	odonata_fabric_free(NULL);
	odonata_coordinates_free(NULL);
	odonata_tables_free(NULL);
	rig_free(&r);
}

static void coordinates_of_another_fabric_are_refused(void **state)
{
	(void)state;
	odonata_error e = {0};
	struct rig a = rig_make("flatfly:k=2x2,c=2"), b = rig_make("flatfly:k=2x2,c=2");
	odonata_tables *t;
	const char *const path[] = {"/dev/null"};
	odonata_measures m = {.size = sizeof m};
	odonata_emulation how = {.size = sizeof how,
				 .fabric = a.fabric,
				 .coordinates = b.found,
				 .policy = "dor",
				 .load = 0.1};
	REFUSED(odonata_route(a.fabric, b.found, NULL, &t, &e));
	REFUSED(odonata_tables_read(a.fabric, b.found, path, 1, &t, &e));
	REFUSED(odonata_emulate(&how, &m, &e));
	rig_free(&a);
	rig_free(&b);
}

/* A program of an earlier or later version has structs of another size. */
static void structs_tell_their_size(void **state)
{
	(void)state;
	odonata_error e = {0};
	struct rig r = rig_make("flatfly:k=2x2,c=2");
	struct {
		odonata_verdict v;
		uint64_t more[2];
	} later = {.v = {.size = sizeof later}, .more = {5, 5}};
	struct {
		odonata_route_options o;
		uint32_t more[2];
	} asks = {.o = {.size = sizeof asks}};
	odonata_tables *t;
	odonata_verdict none = {0};
	expect_failure(odonata_verify(r.tables, 0, &none, &e), ODONATA_EINPUT, &e, "size");
	none.size = offsetof(odonata_verdict, n_unheard) - 1;
	expect_failure(odonata_verify(r.tables, 0, &none, &e), ODONATA_EINPUT, &e, "size");
	expect_ok(odonata_verify(r.tables, 0, &later.v, &e), &e);
	assert_true(later.v.size == sizeof later && later.v.delivers);
	assert_true(later.more[0] == 0 && later.more[1] == 0); /* what we do not answer */
	expect_ok(odonata_route(r.fabric, r.found, &asks.o, &t, &e), &e);
	odonata_tables_free(t);
	asks.more[1] = 1;
	expect_failure(odonata_route(r.fabric, r.found, &asks.o, &t, &e), ODONATA_EINPUT, &e,
		       "asks for more");
	assert_null(t);
	rig_free(&r);
}

/* As when the struct has grown since the program was built: what it did not set is 0, what it has
 * no room for is not written. */
static void programs_of_an_earlier_version_are_served(void **state)
{
	(void)state;
	odo_error why;
	struct {
		size_t size;
		uint32_t a, b, guard;
	} theirs = {.size = 16, .a = 1, .b = 2, .guard = 3};
	struct {
		size_t size;
		uint32_t a, b, c, d;
	} ours;
	memset(&ours, 0xff, sizeof ours);
	assert_int_equal(api_take(&ours, sizeof ours, 16, &theirs, "a struct", &why), 0);
	assert_true(ours.a == 1 && ours.b == 2 && ours.c == 0 && ours.d == 0);
	ours.a = ours.c = 7;
	assert_int_equal(api_expect(&theirs, 16, "a struct", &why), 0);
	api_fill(&theirs, &ours, sizeof ours);
	assert_true(theirs.size == 16 && theirs.a == 7 && theirs.b == 2 && theirs.guard == 3);
}

static void wrong_values_are_refused(void **state)
{
	(void)state;
	odonata_error e = {0};
	struct rig r = rig_make("flatfly:k=2x2,c=2");
	odonata_fabric *f;
	odonata_tables *t;
	odonata_analysis a = {.size = sizeof a};
	odonata_damage d = {.size = sizeof d, .cables = 1.5};
	odonata_route_options o = {.size = sizeof o, .engine = "no-such"};
	REFUSED(odonata_fabric_generate(DRAGONFLY, 8, &f, &e));
	REFUSED(odonata_fabric_generate("dragonfly:p=2,b=4", 0, &f, &e));
	REFUSED(odonata_fabric_generate("no-such:n=2", 0, &f, &e));
	REFUSED(odonata_fabric_damage(r.fabric, &d, &f, &e));
	d.cables = 0.0 / 0.0;
	REFUSED(odonata_fabric_damage(r.fabric, &d, &f, &e));
	d = (odonata_damage){.size = sizeof d, .unused = 1};
	REFUSED(odonata_fabric_damage(r.fabric, &d, &f, &e));
	expect_failure(odonata_route(r.fabric, r.found, &o, &t, &e), ODONATA_EINPUT, &e, "no-such");
	o = (odonata_route_options){.size = sizeof o, .n_roots = 1};
	REFUSED(odonata_route(r.fabric, r.found, &o, &t, &e));
	REFUSED(odonata_analyze(r.tables, "no-such", 1, NULL, &a, &e));
	REFUSED(odonata_analyze(r.tables, "uniform/500/reverse", 1, NULL, &a, &e));
	REFUSED(odonata_export(r.tables, "no-such", "/tmp/a", &e));
	REFUSED(odonata_fabric_write(r.fabric, "lst", "/tmp/a", &e)); /* it is only read */
	assert_true(!f && !t);
	rig_free(&r);
}

static void emulations_that_cannot_be_are_refused(void **state)
{
	(void)state;
	odonata_error e = {0};
	struct rig r = rig_make("flatfly:k=2x2,c=2");
	odonata_measures m = {.size = sizeof m};
	const odonata_emulation good = {.size = sizeof good, .tables = r.tables, .load = 0.5};
	odonata_emulation x = good;
#define CHANGED(change)                                                                            \
	do {                                                                                       \
		x = good;                                                                          \
		x.change;                                                                          \
		REFUSED(odonata_emulate(&x, &m, &e));                                              \
	} while (0)
	CHANGED(size = 8);
	CHANGED(tables = NULL);
	CHANGED(policy = "dor");
	CHANGED(fabric = r.fabric);
	CHANGED(coordinates = r.found);
	CHANGED(load = 0);
	CHANGED(load = 1.01);
	CHANGED(load = 0.0 / 0.0);
	CHANGED(cycles = 1ull << 40);
	CHANGED(warmup = 1ull << 40);
	CHANGED(threads = 5000);
	CHANGED(pattern = "no-such");
	CHANGED(model = "no-such");
	x = (odonata_emulation){.size = sizeof x, .policy = "dor", .load = 0.5};
	REFUSED(odonata_emulate(&x, &m, &e));
	x.fabric = r.fabric;
	expect_failure(odonata_emulate(&x, &m, &e), ODONATA_EDECLINE, &e, ""); /* coordinates */
	x.policy = "no-such";
	REFUSED(odonata_emulate(&x, &m, &e));
	rig_free(&r);
}

static void files_that_cannot_be_are_refused(void **state)
{
	(void)state;
	odonata_error e = {0};
	struct rig r = rig_make("flatfly:k=2x2,c=2");
	struct folder d = folder_make();
	odonata_fabric *f;
	odonata_tables *t;
	const char *const none[] = {"/no/such/file"}, *const wrong[] = {"/dev/null"};
	expect_failure(odonata_fabric_read("/no/such/file", 0, &f, &e), ODONATA_EINPUT, &e,
		       "/no/such");
	expect_failure(odonata_fabric_read(d.name, 0, &f, &e), ODONATA_EINPUT, &e, d.name);
	REFUSED(odonata_fabric_read("/dev/null", 0, &f, &e));
	expect_failure(odonata_tables_read(r.fabric, NULL, none, 1, &t, &e), ODONATA_EINPUT, &e,
		       "/no/such");
	REFUSED(odonata_tables_read(r.fabric, NULL, wrong, 1, &t, &e));
	expect_failure(odonata_export(r.tables, "lfts", "/no/such/file", &e), ODONATA_EIO, &e,
		       "/no/such/file: cannot write");
	expect_failure(odonata_export(r.tables, "lfts", "/dev/full", &e), ODONATA_EIO, &e,
		       "/dev/full");
	expect_failure(odonata_export(r.tables, "lfts", d.name, &e), ODONATA_EIO, &e, d.name);
	expect_ok(odonata_export(r.tables, "lfts", "/dev/null", &e), &e);
	assert_int_equal(rmdir(d.name), 0); /* nothing was left */
	rig_free(&r);
}

/* All that can be asked of a fabric. Each call gives an answer or says why not. */
static void ask_everything(odonata_fabric *f)
{
	odonata_error e = {0};
	odonata_coordinates *found = map(f);
	odonata_tables *t = NULL;
	odonata_verdict v = {.size = sizeof v};
	odonata_analysis a = {.size = sizeof a};
	odonata_measures m = {.size = sizeof m};
	double mean;
	int status = odonata_route(f, found, NULL, &t, &e);
	assert_int_equal(!status, t != NULL);
	if (!t)
		assert_int_equal(e.status, status);
	odonata_emulation how = {
		.size = sizeof how, .tables = t, .load = 1, .warmup = 100, .cycles = 200};
	if (t) {
		expect_ok(odonata_verify(t, 0, &v, &e), &e);
		status = odonata_analyze(t, "uniform", 1, NULL, &a, &e);
		assert_true(!status || e.status == status);
		status = odonata_bisection(t, 2, 1, &mean, NULL, &e);
		assert_true(!status || e.status == status);
		status = odonata_emulate(&how, &m, &e);
		assert_true(!status || e.status == status);
		for (unsigned i = 0; odonata_list_name(ODONATA_TABLE_FORMATS, i); i++) {
			status = odonata_export(t, odonata_list_name(ODONATA_TABLE_FORMATS, i),
						"/dev/null", &e);
			assert_true(!status || status == ODONATA_EDECLINE);
		}
	}
	odonata_tables_free(t);
	odonata_coordinates_free(found);
	odonata_fabric_free(f);
}

static void try_files(const char *folder, unsigned *read, unsigned *refused)
{
	DIR *d = opendir(folder);
	assert_non_null(d);
	for (struct dirent *x = readdir(d); x; x = readdir(d)) {
		char path[512];
		odonata_error e = {0};
		odonata_fabric *f;
		snprintf(path, sizeof path, "%s/%s", folder, x->d_name);
		if (x->d_name[0] == '.')
			continue;
		int status = odonata_fabric_read(path, 0, &f, &e);
		if (status) {
			expect_failure(status, ODONATA_EINPUT, &e, x->d_name);
			assert_null(f);
			++*refused;
		} else {
			ask_everything(f);
			++*read;
		}
	}
	closedir(d);
}

/* Broken files, and files of halves, of one switch, without hosts on a switch, of no kind. */
static void odd_files_end_with_a_status(void **state)
{
	(void)state;
	unsigned read = 0, refused = 0;
	try_files(TEST_DATA "/../cli/bad", &read, &refused);
	try_files(TEST_DATA "/bad", &read, &refused);
	try_files(TEST_DATA "/repaired", &read, &refused);
	try_files(TEST_DATA "/corpus/fabric", &read, &refused);
	assert_true(read >= 25 && refused >= 15);
}

static odonata_fabric *read_text(const char *text)
{
	struct folder d = folder_make();
	odonata_error e = {0};
	odonata_fabric *f = NULL;
	FILE *to = fopen(file_in(&d, "fabric.net"), "w");
	fputs(text, to);
	fclose(to);
	expect_ok(odonata_fabric_read(d.path, 0, &f, &e), &e);
	unlink(d.path);
	rmdir(d.name);
	return f;
}

static void odd_fabrics_end_with_a_status(void **state)
{
	(void)state;
	odonata_fabric *whole = generate("flatfly:k=2x2,c=2");
	ask_everything(damage(whole, (odonata_damage){.switches = 1})); /* empty */
	ask_everything(damage(whole, (odonata_damage){.switches = 0.75}));
	ask_everything(damage(whole, (odonata_damage){.cables = 1}));
	odonata_fabric_free(whole);
	ask_everything(read_text("Switch 4 \"S\"\n")); /* without a host, */
	ask_everything(read_text("Switch 4 \"S\"\n[1] \"H\"[1]\n\nHca 1 \"H\"\n[1] \"S\"[1]\n"));
	ask_everything(read_text("Hca 1 \"A\"\n[1] \"B\"[1]\n\nHca 1 \"B\"\n[1] \"A\"[1]\n"));
	ask_everything(generate("torus:k=3,c=0"));
}

static void lists_end(void **state)
{
	(void)state;
	for (int list = ODONATA_TOPOLOGIES; list <= ODONATA_MODELS; list++) {
		unsigned n = 0;
		for (; odonata_list_name(list, n); n++)
			assert_true(odonata_list_name(list, n)[0] &&
				    odonata_list_summary(list, n)[0]);
		assert_in_range(n, 2, 200);
		assert_null(odonata_list_summary(list, n));
	}
	assert_null(odonata_list_name((odonata_list)99, 0));
	assert_string_equal(odonata_list_name(ODONATA_FABRIC_FORMATS, 1), "ibsim");
	assert_string_equal(odonata_list_name(ODONATA_POLICIES, 0), "min");
}

static void versions_and_statuses_are_told(void **state)
{
	(void)state;
	assert_string_equal(odonata_version(), ODONATA_VERSION);
	assert_memory_equal(odonata_build(), ODONATA_VERSION, strlen(ODONATA_VERSION));
	assert_int_equal(odonata_abi_version(), ODONATA_ABI);
	for (int status = ODONATA_OK; status >= ODONATA_EDECLINE; status--)
		assert_string_not_equal(odonata_status_text(status), "unknown status");
	assert_string_equal(odonata_status_text(ODONATA_ENOMEM), "out of memory");
	assert_string_equal(odonata_status_text(-1000), "unknown status");
	assert_string_equal(odonata_status_text(1), "unknown status");
	assert_string_equal(odonata_status_text(INT32_MIN), "unknown status");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_is_refused),
		cmocka_unit_test(coordinates_of_another_fabric_are_refused),
		cmocka_unit_test(structs_tell_their_size),
		cmocka_unit_test(programs_of_an_earlier_version_are_served),
		cmocka_unit_test(wrong_values_are_refused),
		cmocka_unit_test(emulations_that_cannot_be_are_refused),
		cmocka_unit_test(files_that_cannot_be_are_refused),
		cmocka_unit_test(odd_files_end_with_a_status),
		cmocka_unit_test(odd_fabrics_end_with_a_status),
		cmocka_unit_test(lists_end),
		cmocka_unit_test(versions_and_statuses_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
