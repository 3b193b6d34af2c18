/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables by the public functions: only proved ones are given; arrays, SLs, VLs and paths are the
 * core's; files of them are read again, and what is wrong with those is found. */
#include "rig.h"
#include "routing/engine.h"
#include "routing/verify/verify.h"

#define DRAGONFLY "dragonfly:p=2,a=4,h=2"

/* A verifier that refuses everything while a test says so (tests/CMakeLists.txt wraps it). */
static bool refusing;
int __real_odo_verify(const odo_tables *t, odo_verdict *verdict, odo_error *err);
int __wrap_odo_verify(const odo_tables *t, odo_verdict *verdict, odo_error *err);
int __real_odo_verify_keep(odo_tables *t, const odo_watch *watch, odo_error *err);
int __wrap_odo_verify_keep(odo_tables *t, const odo_watch *watch, odo_error *err);

int __wrap_odo_verify(const odo_tables *t, odo_verdict *verdict, odo_error *err)
{
	if (!refusing)
		return __real_odo_verify(t, verdict, err);
	*verdict = (odo_verdict){0};
	return odo_fail(err, ODO_EUNSAFE, "refused by the test");
}

int __wrap_odo_verify_keep(odo_tables *t, const odo_watch *watch, odo_error *err)
{
	return refusing ? odo_fail(err, ODO_EUNSAFE, "refused by the test")
			: __real_odo_verify_keep(t, watch, err);
}

static odonata_tables_view look(const odonata_tables *t)
{
	odonata_error err = {0};
	odonata_tables_view v = {.size = sizeof v};
	expect_ok(odonata_tables_get(t, &v, &err), &err);
	return v;
}

static void without_a_proof_there_are_no_tables(void **state)
{
	(void)state;
	odonata_error err = {0};
	odonata_fabric *f = generate(DRAGONFLY);
	odonata_coordinates *found = map(f);
	refusing = true;
	for (const odo_engine *row = odo_engines; row->name; row++) {
		odonata_tables *t = (odonata_tables *)&err;
		odonata_route_options o = {.size = sizeof o, .engine = row->name};
		int status = odonata_route(f, found, &o, &t, &err);
		assert_true(status == ODONATA_EUNSAFE || status == ODONATA_EDECLINE);
		assert_null(t);
	}
	odonata_tables *t;
	expect_failure(odonata_route(f, found, NULL, &t, &err), ODONATA_EUNSAFE, &err,
		       "refused by the test");
	assert_null(t);
	refusing = false;
	odonata_coordinates_free(found);
	odonata_fabric_free(f);
}

/* Each engine either declines, or what it gives is proved, asked by ourselves. */
static unsigned count_proved(const odonata_fabric *f, const odonata_coordinates *found)
{
	unsigned n = 0;
	for (unsigned i = 0; odonata_list_name(ODONATA_ENGINES, i); i++) {
		odonata_error err = {0};
		odonata_tables *t;
		odonata_verdict v = {.size = sizeof v};
		odonata_route_options o = {.size = sizeof o,
					   .engine = odonata_list_name(ODONATA_ENGINES, i)};
		int status = odonata_route(f, found, &o, &t, &err);
		if (status) {
			expect_failure(status, ODONATA_EDECLINE, &err, o.engine);
			continue;
		}
		expect_ok(odonata_verify(t, 0, &v, &err), &err);
		assert_true(v.delivers && v.deadlock_free && v.within_vls);
		assert_int_equal(v.n_cycle, 0);
		assert_string_equal(v.text, "");
		assert_true(look(t).proved);
		assert_string_equal(look(t).engine, o.engine);
		odonata_tables_free(t);
		n++;
	}
	return n;
}

static void every_engine_gives_proved_tables_or_declines(void **state)
{
	(void)state;
	const char *const specs[] = {
		DRAGONFLY,        "flatfly:k=3x3,c=2", "hypercube:n=3,c=2",  "torus:k=4x3,c=2",
		"mesh:k=4x3,c=2", "slimfly:q=5,c=1",   "random:n=20,d=4,c=1"};
	for (unsigned i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		odonata_fabric *whole = generate(specs[i]);
		odonata_fabric *f = damage(
			whole, (odonata_damage){.cables = 0.02, .seed = i, .shuffled = 1});
		odonata_coordinates *found = map(f);
		assert_true(count_proved(f, found) >= 3);
		assert_true(count_proved(f, NULL) >= 3); /* coordinates not known */
		odonata_coordinates_free(found);
		odonata_fabric_free(f);
		odonata_fabric_free(whole);
	}
}

static void sls_that_are_safe_beside_the_paths_own_are_told(void **state)
{
	(void)state;
	struct rig dragonfly = rig_make(DRAGONFLY), torus = rig_make("torus:k=5x5,c=1");
	odonata_verdict v = {.size = sizeof v};
	odonata_error err = {0};
	expect_ok(odonata_verify(dragonfly.tables, 0, &v, &err), &err);
	assert_int_equal(v.sls_safe_for_all, 0xFFFF);
	assert_int_equal(v.sls_safe_beside_path_sls, 0xFFFF);
	expect_ok(odonata_verify(torus.tables, 0, &v, &err), &err);
	assert_int_equal(v.sls_safe_for_all, 0);
	assert_int_equal(v.sls_safe_beside_path_sls, 0);
	rig_free(&dragonfly);
	rig_free(&torus);
}

static void arrays_are_the_cores(void **state)
{
	(void)state;
	struct rig r = rig_make("torus:k=5x4,c=2"); /* SLs of pairs, SL2VL maps by port */
	const odo_tables *t = r.tables->core;
	odonata_tables_view v = look(r.tables);
	size_t n = (size_t)v.n_switches * v.n_lids;
	assert_int_equal(v.n_vls, t->n_vls);
	assert_int_equal(v.n_sls, t->n_sls);
	assert_int_equal(v.n_maps, t->n_rows);
	assert_string_equal(v.profile, "ib");
	assert_memory_equal(v.lft, t->lft, n);
	assert_memory_equal(v.sl_of_lid, t->sl_of_lid, v.n_lids);
	assert_int_equal(!v.sl_of_pair, !t->sl_of_pair);
	for (uint32_t s = 0; s < v.n_switches; s++)
		for (uint32_t lid = 0; lid < v.n_lids; lid++)
			assert_int_equal(odonata_tables_sl(r.tables, s, lid),
					 odo_path_sl(t, s, lid));
	for (uint32_t s = 0; s < v.n_switches; s++)
		for (unsigned in = 0; in <= odo_n_ports(t->fabric, s); in++)
			for (unsigned sl = 0; sl < 16; sl++)
				assert_int_equal(odonata_tables_vl(r.tables, s, in, 1, sl),
						 odo_vl(t, s, in, 1, sl));
	rig_free(&r);
}

static void what_is_not_there_has_no_vl(void **state)
{
	(void)state;
	struct rig r = rig_make("flatfly:k=2x2,c=2");
	odonata_tables_view v = look(r.tables);
	unsigned beyond = odo_n_ports(r.fabric->core, 0) + 1;
	assert_int_equal(odonata_tables_sl(NULL, 0, 1), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_sl(r.tables, v.n_switches, 1), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_sl(r.tables, 0, v.n_lids), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_vl(NULL, 0, 1, 1, 0), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_vl(r.tables, v.n_switches, 1, 1, 0), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_vl(r.tables, 0, beyond, 1, 0), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_vl(r.tables, 0, 1, beyond, 0), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_vl(r.tables, 0, 1, 1, 16), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_host_vl(NULL, 0, 0), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_host_vl(r.tables, 8, 0), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_host_vl(r.tables, 0, 16), ODONATA_NO_VL);
	assert_int_equal(odonata_tables_host_vl(r.tables, 7, 0), 0);
	rig_free(&r);
}

/* Slot by slot: each is cabled to the owner of the next, and the last to the LID's own end. */
static void expect_path(const struct rig *r, uint32_t host, uint32_t lid, uint32_t longest)
{
	odonata_error err = {0};
	odonata_fabric_view v = view_of(r->fabric);
	uint32_t slot[16];
	size_t n = 0;
	expect_ok(odonata_tables_path(r->tables, host, lid, slot, 16, &n, &err), &err);
	assert_true(n >= 1 && n <= longest + 2);
	assert_int_equal(slot[0], v.host_slot[host]);
	for (size_t i = 1; i < n; i++)
		assert_int_equal(v.owner[v.peer[slot[i - 1]]], v.owner[slot[i]]);
	uint32_t end = v.peer[slot[n - 1]];
	if (v.lid_host[lid] == ODONATA_NONE)
		assert_int_equal(v.owner[end], v.lid_switch[lid]);
	else
		assert_int_equal(end, v.host_slot[v.lid_host[lid]]);
}

static void paths_lead_from_host_to_lid(void **state)
{
	(void)state;
	struct rig r = rig_make(DRAGONFLY);
	odonata_fabric_view v = view_of(r.fabric);
	odonata_error err = {0};
	size_t n = 0;
	for (uint32_t host = 0; host < v.n_hosts; host += 5)
		for (uint32_t lid = 1; lid < v.n_lids; lid++)
			expect_path(&r, host, lid, 3);
	uint32_t two[2] = {77, 77};
	size_t whole;
	expect_ok(odonata_tables_path(r.tables, 0, v.n_lids - 1, NULL, 0, &whole, &err), &err);
	expect_ok(odonata_tables_path(r.tables, 0, v.n_lids - 1, two, 1, &n, &err), &err);
	assert_true(n == whole && n > 1); /* more than there was room for */
	assert_true(two[0] == v.host_slot[0] && two[1] == 77);
	expect_failure(odonata_tables_path(r.tables, v.n_hosts, 1, NULL, 0, &n, &err),
		       ODONATA_EINPUT, &err, "expected a host below 72");
	expect_failure(odonata_tables_path(r.tables, 0, 0, NULL, 0, &n, &err), ODONATA_EINPUT, &err,
		       "expected a LID");
	assert_int_equal(n, 0);
	rig_free(&r);
}

static void paths_into_another_part_have_no_slots(void **state)
{
	(void)state;
	odonata_error err = {0};
	odonata_fabric *whole = generate("torus:k=8,c=1");
	struct rig r = rig_of(damage(whole, (odonata_damage){.cables = 0.5, .seed = 1}));
	odonata_fabric_view v = view_of(r.fabric);
	odonata_verdict verdict = {.size = sizeof verdict};
	unsigned arrive = 0, lost = 0;
	for (uint32_t lid = 1; lid < v.n_lids; lid++) {
		size_t n = 99;
		expect_ok(odonata_tables_path(r.tables, 0, lid, NULL, 0, &n, &err), &err);
		arrive += n > 0;
		lost += n == 0;
	}
	expect_ok(odonata_verify(r.tables, 0, &verdict, &err), &err);
	assert_true(arrive && lost && verdict.n_cut);
	rig_free(&r);
	odonata_fabric_free(whole);
}

static void adaptive_tables_have_no_fixed_paths(void **state)
{
	(void)state;
	odonata_error err = {0};
	odonata_fabric *f = generate(DRAGONFLY);
	odonata_coordinates *found = map(f);
	odonata_tables *t;
	size_t n;
	odonata_route_options o = {.size = sizeof o, .engine = "dragonfly-g"};
	expect_ok(odonata_route(f, found, &o, &t, &err), &err);
	assert_string_equal(look(t).profile, "ib-ext");
	expect_failure(odonata_tables_path(t, 0, 1, NULL, 0, &n, &err), ODONATA_EDECLINE, &err,
		       "adaptive");
	odonata_tables_free(t);
	odonata_coordinates_free(found);
	odonata_fabric_free(f);
}

/* LFTs, SL2VL maps and SLs are the same tables; LFTs alone would let a dragonfly deadlock. */
static void exported_tables_are_read_again(void **state)
{
	(void)state;
	struct rig r = rig_make(DRAGONFLY);
	struct folder d = folder_make();
	const char *const formats[] = {"lfts", "slvl", "psl"};
	char paths[3][128];
	const char *const read[] = {paths[0], paths[1], paths[2]};
	odonata_error err = {0};
	odonata_tables *again;
	odonata_verdict v = {.size = sizeof v};
	for (unsigned i = 0; i < 3; i++) {
		strcpy(paths[i], file_in(&d, formats[i]));
		expect_ok(odonata_export(r.tables, formats[i], paths[i], &err), &err);
	}
	expect_ok(odonata_tables_read(r.fabric, r.found, read, 3, &again, &err), &err);
	assert_false(look(again).proved);
	assert_memory_equal(look(again).lft, look(r.tables).lft,
			    (size_t)look(again).n_switches * look(again).n_lids);
	expect_ok(odonata_verify(again, ODONATA_HOSTS_ONLY, &v, &err), &err);
	odonata_tables_free(again);

	expect_ok(odonata_tables_read(r.fabric, NULL, read, 1, &again, &err), &err);
	expect_failure(odonata_verify(again, 0, &v, &err), ODONATA_EUNSAFE, &err, "deadlock");
	assert_true(v.delivers && !v.deadlock_free);
	assert_string_equal(v.text, err.text);
	assert_in_range(v.n_cycle, 3, ODONATA_MAX_CYCLE);
	odonata_fabric_view f = view_of(r.fabric);
	for (uint32_t i = 0; i < v.n_cycle; i++) {
		uint32_t next = v.cycle_slot[(i + 1) % v.n_cycle];
		assert_int_equal(f.owner[f.peer[v.cycle_slot[i]]], f.owner[next]);
		assert_int_equal(v.cycle_vl[i], 0);
	}
	odonata_tables_free(again);
	for (unsigned i = 0; i < 3; i++)
		unlink(paths[i]);
	assert_int_equal(rmdir(d.name), 0);
	rig_free(&r);
}

static odonata_verdict verdict_on_files(const struct rig *r, const char *const *paths, unsigned n)
{
	odonata_error err = {0};
	odonata_tables *t;
	odonata_verdict v = {.size = sizeof v};
	expect_ok(odonata_tables_read(r->fabric, r->found, paths, n, &t, &err), &err);
	odonata_verify(t, 0, &v, &err);
	odonata_tables_free(t);
	return v;
}

static void guesses_of_a_verdict_are_told(void **state)
{
	(void)state;
	struct rig r = rig_make("torus:k=5x5,c=1");
	struct folder d = folder_make();
	const char *const formats[] = {"lfts", "slvl", "psl"};
	char paths[3][128];
	const char *const read[] = {paths[0], paths[1], paths[2]};
	odonata_error err = {0};
	for (unsigned i = 0; i < 3; i++) {
		strcpy(paths[i], file_in(&d, formats[i]));
		expect_ok(odonata_export(r.tables, formats[i], paths[i], &err), &err);
	}
	odonata_verdict v = verdict_on_files(&r, read, 3);
	assert_true(v.deadlock_free && !v.assumes_sls && !v.n_strays);
	assert_true(verdict_on_files(&r, read, 2).assumes_sls);
	FILE *lfts = fopen(paths[0], "a"); /* a host of the last switch has one more LID */
	fputs("0x1000 001\n", lfts);
	fclose(lfts);
	v = verdict_on_files(&r, read, 3);
	assert_int_equal(v.n_strays, 1);
	assert_int_equal(v.n_stray_arrivals, 1);
	assert_int_equal(v.n_stray_guesses, 0);
	for (unsigned i = 0; i < 3; i++)
		unlink(paths[i]);
	assert_int_equal(rmdir(d.name), 0);
	rig_free(&r);
}

static void every_format_is_written(void **state)
{
	(void)state;
	struct rig r = rig_make("flatfly:k=3x3,c=2");
	struct folder d = folder_make();
	odonata_error err = {0};
	for (unsigned i = 0; odonata_list_name(ODONATA_TABLE_FORMATS, i); i++) {
		const char *path = file_in(&d, "tables");
		expect_ok(odonata_export(r.tables, odonata_list_name(ODONATA_TABLE_FORMATS, i),
					 path, &err),
			  &err);
		char *text = contents(path);
		assert_true(text[0]);
		free(text);
		unlink(path);
	}
	assert_int_equal(rmdir(d.name), 0);
	rig_free(&r);
}

static void options_are_heeded(void **state)
{
	(void)state;
	odonata_error err = {0};
	odonata_fabric *f = generate(DRAGONFLY),
		       *hurt = damage(f, (odonata_damage){.cables = 0.02});
	odonata_coordinates *found = map(f), *of_hurt = map(hurt);
	odonata_tables *t;
	odonata_route_options o = {.size = sizeof o, .engine = "dragonfly", .max_vls = 1};
	expect_failure(odonata_route(f, found, &o, &t, &err), ODONATA_EDECLINE, &err, "VL");
	o = (odonata_route_options){.size = sizeof o, .strict = 1, .no_fallback = 1};
	expect_failure(odonata_route(hurt, of_hurt, &o, &t, &err), ODONATA_EDECLINE, &err,
		       "contradictions");
	uint64_t root = view_of(f).node_guid[7];
	o = (odonata_route_options){
		.size = sizeof o, .engine = "updown", .roots = &root, .n_roots = 1};
	expect_ok(odonata_route(f, found, &o, &t, &err), &err);
	assert_int_equal(look(t).n_vls, 1);
	odonata_tables_free(t);
	odonata_coordinates_free(found);
	odonata_coordinates_free(of_hurt);
	odonata_fabric_free(hurt);
	odonata_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_proof_there_are_no_tables),
		cmocka_unit_test(every_engine_gives_proved_tables_or_declines),
		cmocka_unit_test(sls_that_are_safe_beside_the_paths_own_are_told),
		cmocka_unit_test(arrays_are_the_cores),
		cmocka_unit_test(what_is_not_there_has_no_vl),
		cmocka_unit_test(paths_lead_from_host_to_lid),
		cmocka_unit_test(paths_into_another_part_have_no_slots),
		cmocka_unit_test(adaptive_tables_have_no_fixed_paths),
		cmocka_unit_test(exported_tables_are_read_again),
		cmocka_unit_test(guesses_of_a_verdict_are_told),
		cmocka_unit_test(every_format_is_written),
		cmocka_unit_test(options_are_heeded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
