/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is exported comes back by import as it was; what is not a dump comes back as an error. */
#include <stdio.h>
#include <string.h>

#include "export/export.h"
#include "export/import.h"
#include "fabric/transform/transform.h"
#include "tests/export/filler.h"
#include "tests/unit.h"

static const odo_export_format *find(const char *name)
{
	for (const odo_export_format *row = odo_export_formats; row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	fail_msg("no export format %s", name);
	return NULL;
}

static char *written(const odo_tables *t, const char *format, size_t *size)
{
	char *text = NULL;
	odo_error err;
	FILE *to = open_memstream(&text, size);
	assert_non_null(to);
	assert_int_equal(find(format)->write(t, NULL, to, &err), 0);
	fclose(to);
	return text;
}

static odo_tables *back(const odo_tables *t, const char *const *formats)
{
	odo_error err = {0};
	odo_import *in;
	odo_tables *out = NULL;
	assert_int_equal(odo_import_create(t->fabric, &in, &err), 0);
	for (; *formats; formats++) {
		size_t size;
		char *text = written(t, *formats, &size);
		if (odo_import_text(in, text, size, *formats, &err))
			fail_msg("%s", err.text);
		free(text);
	}
	if (odo_import_finish(in, &out, &err))
		fail_msg("%s", err.text);
	return out;
}

static void assert_same_lfts(const odo_tables *a, const odo_tables *b)
{
	assert_memory_equal(a->lft, b->lft, (size_t)a->fabric->n_switches * a->fabric->lid_count);
}

static void assert_same_vls(const odo_tables *a, const odo_tables *b)
{
	const odo_fabric *f = a->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
			for (unsigned out = 0; out <= odo_n_ports(f, s); out++)
				for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
					assert_int_equal(odo_vl(a, s, in, out, sl),
							 odo_vl(b, s, in, out, sl));
	for (uint32_t h = 0; h < f->n_hosts; h++)
		assert_memory_equal(&a->rows[a->host_row[h]], &b->rows[b->host_row[h]],
				    sizeof *a->rows);
}

static void tables_survive_a_round_trip(void **state)
{
	(void)state;
	static const char *const specs[] = {"dragonfly:p=2,a=4,h=2", "flatfly:k=3x4,c=3"};
	for (unsigned i = 0; i < 2; i++) {
		for (uint8_t lmc = 0; lmc < 2; lmc++) {
			odo_fabric *in_order = make_fabric(specs[i], lmc), *f;
			odo_error err;
			assert_int_equal(odo_fabric_shuffle(in_order, 1, &f, NULL, &err), 0);
			odo_fabric_free(in_order);
			odo_tables *t = make_tables(f, 4, 7);
			const char *const dumps[] = {"lfts", "slvl", "psl", NULL};
			const char *const opensm[] = {"fdbs", "sl2vl", NULL};
			odo_tables *u = back(t, dumps), *v = back(t, opensm);
			assert_same_lfts(t, u);
			assert_same_lfts(t, v);
			assert_same_vls(t, u);
			assert_same_vls(t, v);
			assert_memory_equal(t->sl_of_pair, u->sl_of_pair,
					    (size_t)f->n_switches * f->lid_count);
			assert_int_equal(u->n_vls, 7);
			assert_int_equal(u->n_sls, 4);
			assert_int_equal(v->n_sls, 1);
			odo_tables_free(t);
			odo_tables_free(u);
			odo_tables_free(v);
			odo_fabric_free(f);
		}
	}
}

/* Whatever a file is cut to, reading it ends, within the file, with tables or one line. */
static void truncated_files_are_read_or_refused(void **state)
{
	(void)state;
	static const char *const formats[] = {"lfts", "fdbs", "slvl", "sl2vl", "psl"};
	odo_fabric *f = make_fabric("flatfly:k=3,c=1", 0);
	odo_tables *t = make_tables(f, 2, 2);
	for (unsigned i = 0; i < 5; i++) {
		size_t size;
		char *text = written(t, formats[i], &size);
		for (size_t cut = 0; cut <= size; cut++) {
			odo_error err = {0};
			odo_import *in;
			char *copy = malloc(cut + 1); /* so that ASan sees a read beyond it */
			memcpy(copy, text, cut);
			copy[cut] = 0;
			assert_int_equal(odo_import_create(f, &in, &err), 0);
			if (odo_import_text(in, copy, cut, formats[i], &err)) {
				assert_int_equal(err.status, ODO_EINPUT);
				assert_non_null(strstr(err.text, "expected"));
				assert_null(strchr(err.text, '\n'));
			}
			odo_import_free(in);
			free(copy);
		}
		free(text);
	}
	odo_tables_free(t);
	odo_fabric_free(f);
}

typedef struct bad {
	const char *text, *message;
} bad;

#define LFT_HEAD "Unicast lids [0-6] of switch Lid 1 guid 0x0d0a000000200000 ('x'):\n"
#define FDB_HEAD "dump_ucast_routes: Switch 0x0d0a000000200000\n"
#define MAP_HEAD "Switch 0x0d0a000000200000, base LID 1, \"\"\n"

static const bad bad_files[] = {
	{"", "known format"},
	{"nonsense\n", "known format"},
	{"Unicast lids of switch 7\n", ":1: expected the GUID of a switch"},
	{"Unicast lids [0-6] guid 0x1 ('x'):\n", ":1: expected a switch of the fabric"},
	{LFT_HEAD LFT_HEAD, ":2: expected each switch once"},
	{LFT_HEAD "0x0001 9\n", ":2: expected a port up to"},
	{LFT_HEAD "0x0001 256\n", ":2: expected a port from 0 to 255"},
	{LFT_HEAD "0x10001 1\n", ":2: expected a LID"},
	{LFT_HEAD "0x0001 0 # Switch portguid 0x12: 'x'\n", ":2: expected LID 1 to be port"},
	{LFT_HEAD "0x0009 1 # Ca portguid 0x0d0a000000400004: 'x'\n",
	 ":2: expected a LID of the fabric"},
	{LFT_HEAD "Multicast\n", ":2: expected a LID and its port"},
	{FDB_HEAD FDB_HEAD, ":2: expected each switch once"},
	{FDB_HEAD "0x0001 009\n", ":2: expected a LID and a colon"},
	{FDB_HEAD "0x0001 : 009\n", ":2: expected a port up to"},
	{FDB_HEAD "0x0001 : x\n", ":2: expected a port from 0 to 255"},
	{FDB_HEAD "what\n", ":2: expected \"dump_ucast_routes:\""},
	{MAP_HEAD "0 1 : 0 1 2 3\n", ":2: expected 16 VLs"},
	{MAP_HEAD "0 1 : 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 16\n", ":2: expected 16 VLs"},
	{MAP_HEAD "9 1 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", ":2: expected ports up to"},
	{MAP_HEAD "0 1 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nSwitch 0x5\n",
	 ":3: expected a switch of the fabric"},
	{"0x0d0a000000400003 1 16\n", "known format"},
	{"0x5 1 1\n", ":1: expected a node of the fabric"},
	{"0x0d0a000000400003 4 1\n0x0d0a000000400003 4 2\n", ":2: expected hosts of one switch"},
	{"0x0d0a000000400003 4 1\n0x0d0a000000400003 4 1 x\n", ":2: expected the port of the source"},
	{"0x0d0a000000400003 4 1\n0x0d0a000000400003 4 1 1 1\n", ":2: expected the port of the source"},
	{"0x0d0a000000400003 4 1\n0x0d0a000000400003 49152 1\n", ":2: expected a unicast LID"},
	{"0x0d0a000000400003 49151 15\n?\n", ":2: expected the GUID"},
	{"0x0d0a000000200000 0 1 0x00 0x00\n", ":1: expected 8 pairs"},
	{"0x0d0a000000200000 0 9 0x00 0x00 0x00 0x00 0x00 0x00 0x00 0x00\n",
	 ":1: expected ports up to"},
};

static void bad_files_are_refused_with_their_line(void **state)
{
	(void)state;
	odo_fabric *f = make_fabric("flatfly:k=3,c=1", 0);
	for (unsigned i = 0; TEST_ROW(i, bad_files, bad_files[i].text); i++) {
		odo_error err = {0};
		odo_import *in;
		const char *text = bad_files[i].text;
		assert_int_equal(odo_import_create(f, &in, &err), 0);
		assert_int_not_equal(odo_import_text(in, text, strlen(text), "file", &err), 0);
		if (!strstr(err.text, bad_files[i].message))
			fail_msg("expected \"%s\", found \"%s\"", bad_files[i].message, err.text);
		odo_import_free(in);
	}
	odo_fabric_free(f);
}

static void switches_without_an_lft_are_refused(void **state)
{
	(void)state;
	odo_fabric *f = make_fabric("flatfly:k=3,c=1", 0);
	odo_error err = {0};
	odo_import *in;
	odo_tables *t;
	assert_int_equal(odo_import_create(f, &in, &err), 0);
	assert_int_equal(odo_import_text(in, FDB_HEAD, strlen(FDB_HEAD), "file", &err), 0);
	assert_int_equal(odo_import_finish(in, &t, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "none of 2"));
	odo_fabric_free(f);
}

static void forms_of_other_tools_are_read(void **state)
{
	(void)state;
	static const char *const files[] = {
		"Unicast lids [0x0-0x5] of switch DR path slid 0; dlid 0; 0,1 guid "
		"0x0d0a000000200000 (S1):\n  Lid  Out   Destination\n       Port     Info \n"
		"0x0002 002 : (Switch portguid 0x0d0a000000200001: 'S0')\n0x0003 255 \n"
		"5 valid lids dumped \n",
		"osm_ucast_mgr_dump_ucast_routes: Switch 0xd0a000000200001\n"
		"LID    : Port : Hops : Optimal\n0x0001 : 002  : 01   : yes\n"
		"0x0003 : UNREACHABLE\n\n"
		"dump_ucast_routes: Switch 0x0d0a000000200002\n",
		"0x0d0a000000200000 1 2 0x01 0x23 0x45 0x67 0x00 0x00 0x00 0x0f\n",
	};
	odo_fabric *f = make_fabric("flatfly:k=3,c=1", 0);
	odo_error err = {0};
	odo_import *in;
	odo_tables *t;
	assert_int_equal(odo_import_create(f, &in, &err), 0);
	for (unsigned i = 0; i < 3; i++)
		if (odo_import_text(in, files[i], strlen(files[i]), "file", &err))
			fail_msg("%s", err.text);
	assert_int_equal(odo_import_finish(in, &t, &err), 0);
	assert_int_equal(odo_next_port(t, 0, 2), 2);
	assert_int_equal(odo_next_port(t, 0, 3), ODO_NO_PORT);
	assert_int_equal(odo_next_port(t, 1, 1), 2);
	assert_int_equal(odo_vl(t, 0, 1, 2, 7), 7);
	assert_int_equal(odo_vl(t, 0, 1, 2, 15), ODO_VL_DROP);
	assert_int_equal(t->n_vls, 1);
	odo_tables_free(t);
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_survive_a_round_trip),
		cmocka_unit_test(truncated_files_are_read_or_refused),
		cmocka_unit_test(bad_files_are_refused_with_their_line),
		cmocka_unit_test(switches_without_an_lft_are_refused),
		cmocka_unit_test(forms_of_other_tools_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
