/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is written is read back the same; what infiniband-diags and ibsim write is understood;
 * and each file in data/bad is refused with the line it names itself. */
#include <dirent.h>

#include "fabric/format/format.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "same_fabric.h"
#include "tests/fabric_check.h"
#include "tests/unit.h"

static odo_error err;

static odo_fabric *freeze(odo_builder *b)
{
	odo_fabric *f;
	if (odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &f, &err))
		fail_msg("%s", err.text);
	assert_int_equal(odo_fabric_check(f, &err), 0);
	return f;
}

static odo_fabric *read_text(const odo_fabric_format *row, const char *text)
{
	odo_builder *b;
	assert_int_equal(odo_builder_create(&b, &err), 0);
	assert_true(row->recognise(text, strlen(text)));
	if (row->read(text, strlen(text), "text", b, &err))
		fail_msg("%s", err.text);
	char *notes = odo_ledger_notes(odo_builder_ledger(b), "text");
	if (notes)
		fail_msg("%s", notes);
	return freeze(b);
}

static void check_round_trip(const odo_fabric *f)
{
	for (const odo_fabric_format *row = odo_fabric_formats; row->name; row++) {
		char *text = NULL;
		size_t size = 0;
		if (!row->read || !row->write)
			continue;
		FILE *to = open_memstream(&text, &size);
		assert_int_equal(row->write(f, to, &err), 0);
		fclose(to);
		odo_fabric *back = read_text(row, text);
		assert_true(same_fabric(f, back, true));
		free(text);
		odo_fabric_free(back);
	}
}

static void every_format_reads_what_it_writes(void **state)
{
	(void)state;
	for (const odo_topology *const *row = odo_topologies; *row; row++) {
		odo_fabric *f, *shuffled, *damaged;
		odo_damage damage = {0.1, 0.2, 5};
		assert_int_equal(odo_topology_generate((*row)->example, 2, &f, NULL, &err), 0);
		check_round_trip(f);
		assert_int_equal(odo_fabric_shuffle(f, 1, &shuffled, NULL, &err), 0);
		check_round_trip(shuffled);
		assert_int_equal(odo_fabric_damage(shuffled, &damage, &damaged, NULL, &err), 0);
		check_round_trip(damaged);
		odo_fabric_free(damaged);
		odo_fabric_free(shuffled);
		odo_fabric_free(f);
	}
}

/* All that a fabric can hold: routers, dual ports, an enhanced port 0, odd widths and speeds,
 * names that are not unique and hold what quotes, options and lines end with. */
static void odd_fabrics_are_written_too(void **state)
{
	(void)state;
	odo_builder *b;
	uint32_t id[4];
	odo_node_info info[] = {
		{.type = ODO_SWITCH, .n_ports = 254, .guid = 1, .name = "S", .lid = 8, .lmc = 3},
		{.type = ODO_SWITCH, .n_ports = 1, .guid = 0xfedcba9876543210, .name = "S"},
		{.type = ODO_ROUTER, .n_ports = 3, .guid = 0x30, .name = "a # b [1] 'c' 4xSDR"},
		{.type = ODO_CA, .n_ports = 2, .guid = 0x40, .name = ""},
	};
	assert_int_equal(odo_builder_create(&b, &err), 0);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(odo_builder_add(b, &info[i], &id[i], &err), 0);
	odo_link_info links[] = {{12, ODO_XDR, 8}, {1, ODO_FDR10, 8}, {2, ODO_SDR, 8}};
	assert_int_equal(odo_builder_link(b, id[0], 254, id[1], 1, links[0], &err), 0);
	assert_int_equal(odo_builder_link(b, id[2], 3, id[0], 1, links[1], &err), 0);
	assert_int_equal(odo_builder_link(b, id[3], 1, id[0], 2, links[2], &err), 0);
	assert_int_equal(odo_builder_link(b, id[3], 2, id[0], 3, (odo_link_info){0}, &err), 0);
	assert_int_equal(odo_builder_port(b, id[3], 2, 0xabc, 100, 2, &err), 0);
	odo_fabric *f = freeze(b);
	/* An empty name is written as the id, as ibsim understands it: not compared here. */
	assert_string_equal(odo_name(f, 3), "");
	for (const odo_fabric_format *row = odo_fabric_formats; row->name; row++) {
		char *text = NULL;
		size_t size = 0;
		if (!row->read || !row->write)
			continue;
		FILE *to = open_memstream(&text, &size);
		assert_int_equal(row->write(f, to, &err), 0);
		fclose(to);
		odo_fabric *back = read_text(row, text);
		assert_true(same_fabric(f, back, true));
		free(text);
		odo_fabric_free(back);
	}
	odo_fabric_free(f);
}

static const odo_fabric_format *format_named(const char *name)
{
	const odo_fabric_format *row = odo_fabric_formats;
	while (row->name && strcmp(row->name, name))
		row++;
	return row;
}

static void minimal_net_files_get_the_guids_of_ibsim(void **state)
{
	(void)state;
	odo_fabric *f = read_text(format_named("ibsim"), "Switch 8 \"S0\"\n"
							 "[1] \"H0\"\n"
							 "[2] \"H1\"[2] w=2 # no more\n"
							 "[3] \"S1\"[8]\n\n"
							 "Hca\t2 \"H0\"\n[1] \"S0\"[1]\n\n"
							 "Ca 2 \"H1\" # \"a \"host\"\"\r\n"
							 "[2] \"S0\"[2] # lid 10 lmc 1\n"
							 "# a comment\n"
							 "switchguid=0xff\n"
							 "Switch 8 \"S1\"\n[8] \"S0\"[3]\n");
	assert_int_equal(f->n_switches, 2);
	assert_int_equal(f->n_hosts, 2);
	assert_int_equal(f->node_guid[0], 0x200000);
	assert_int_equal(f->node_guid[1], 0xff);
	assert_int_equal(f->node_guid[2], 0x100000);
	assert_int_equal(f->node_guid[3], 0x100003);
	assert_int_equal(f->port_guid[odo_slot(f, 3, 2)], 0x100005);
	assert_string_equal(odo_name(f, 3), "a \"host\"");
	assert_int_equal(f->port_lid[odo_slot(f, 3, 2)], 10);
	odo_fabric_free(f);
}

/* "v=" is the code of the standard's VLCap. */
static void vls_of_a_cable_are_read_by_code(void **state)
{
	(void)state;
	static const unsigned vls[] = {0, 1, 2, 4, 8, 15};
	for (unsigned code = 1; code < sizeof vls / sizeof *vls; code++) {
		char text[200];
		snprintf(text, sizeof text,
			 "Switch 8 \"S0\" # \"S0\" base port 0 lid 5\n"
			 "[1] \"S1\"[1] # \"S1\" lid 4 4xSDR s=1 w=2 v=%u\n"
			 "Switch 8 \"S1\" # \"S1\" base port 0 lid 4\n"
			 "[1] \"S0\"[1] # \"S0\" lid 5 4xSDR s=1 w=2 v=%u\n",
			 code, code);
		odo_fabric *f = read_text(format_named("ibsim"), text);
		assert_int_equal(f->n_vls[odo_slot(f, 0, 1)], vls[code]);
		odo_fabric_free(f);
	}
}

/* Written by hand after what ibnetdiscover prints of a chassis: chassis, extended ports, full port
 * info. */
static void ibnetdiscover_of_a_chassis_is_understood(void **state)
{
	(void)state;
	odo_fabric *f;
	if (odo_fabric_read(TEST_DATA "/corpus/fabric/chassis.topo", 0, &f, &err))
		fail_msg("%s", err.text);
	assert_int_equal(f->n_switches, 2);
	assert_int_equal(f->n_nodes, 5);
	assert_int_equal(f->n_links, 5);
	assert_int_equal(f->n_hosts, 4);
	uint32_t link = odo_slot(f, 0, 19);
	assert_int_equal(f->width[link], 4);
	assert_int_equal(f->speed[link], ODO_FDR10);
	assert_int_equal(f->n_vls[link], 4); /* 8 at one end, 4 at the other */
	assert_int_equal(f->node_type[3], ODO_ROUTER);
	assert_string_equal(odo_name(f, 1), "leaf 2 \"spare\"");
	assert_int_equal(f->switch_lid[1], 8);
	assert_int_equal(f->switch_lmc[1], 1);
	assert_int_equal(f->speed[odo_slot(f, 1, 2)], ODO_SPEED_UNKNOWN);
	assert_int_equal(f->lid_host[12], 0);
	odo_fabric_free(f);
}

/* "# expects 12: expected ...": what stands behind the word in a file's first line. */
static const char *first_line(const char *path, const char *word)
{
	static char line[600];
	FILE *from = fopen(path, "r");
	assert_non_null(from);
	assert_non_null(fgets(line, sizeof line, from));
	fclose(from);
	line[strcspn(line, "\n")] = '\0';
	assert_int_equal(strncmp(line, word, strlen(word)), 0);
	return line + strlen(word);
}

static void check_refused(const char *path)
{
	const char *says = first_line(path, "# expects ");
	odo_fabric *f;
	err = (odo_error){0};
	if (odo_fabric_read(path, 0, &f, &err) != ODO_EINPUT)
		fail_msg("%s is not refused", path);
	const char *found = strrchr(path, '/') + 1;
	found = strstr(err.text, found) + strlen(found) + 1;
	if (strcmp(found, says))
		fail_msg("%s\ngave:   %s\nwanted: %s", path, found, says);
}

static void check_repaired(const char *path)
{
	const char *says = first_line(path, "# repairs ");
	odo_fabric *f;
	if (odo_fabric_read(path, 0, &f, &err))
		fail_msg("%s is refused: %s", path, err.text);
	assert_int_equal(odo_fabric_check(f, &err), 0);
	char *warning = f->repairs ? odo_ledger_warning(f->repairs, "") : NULL;
	if (!warning || warning[0] != ':' || strcmp(warning + 1, says))
		fail_msg("%s\ngave:   %s\nwanted: %s", path, warning ? warning : "nothing", says);
	free(warning);
	odo_fabric_free(f);
}

static void check_folder(const char *name, void (*check)(const char *path))
{
	unsigned n = 0;
	char path[600];
	snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
	DIR *folder = opendir(path);
	assert_non_null(folder);
	for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s/%s", TEST_DATA, name, entry->d_name);
		check(path);
		n++;
	}
	closedir(folder);
	assert_in_range(n, 15, 1000);
}

static void every_bad_file_is_refused_as_it_says(void **state)
{
	(void)state;
	check_folder("bad", check_refused);
}

/* Contradictions are repaired, and named: "# repairs 12: took ..." is the first line of each. */
static void every_odd_file_is_repaired_as_it_says(void **state)
{
	(void)state;
	check_folder("repaired", check_repaired);
}

static void files_that_are_none_are_errors(void **state)
{
	(void)state;
	odo_fabric *f;
	assert_int_equal(odo_fabric_read("/no/such/file", 0, &f, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "/no/such/file: cannot open"));
	assert_int_equal(odo_fabric_read("/", 0, &f, &err), ODO_EINPUT);
	assert_int_equal(odo_fabric_read("/dev/null", 0, &f, &err), ODO_EINPUT);
	assert_non_null(strstr(err.text, "found an empty file"));
}

static void a_full_disk_is_an_error(void **state)
{
	(void)state;
	odo_fabric *f;
	assert_int_equal(odo_topology_generate("flatfly:k=4x4", 0, &f, NULL, &err), 0);
	for (const odo_fabric_format *row = odo_fabric_formats; row->name; row++) {
		FILE *to = fopen("/dev/full", "w");
		if (row->write)
			assert_int_equal(row->write(f, to, &err), ODO_EIO);
		fclose(to);
	}
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bad_file_is_refused_as_it_says),
		cmocka_unit_test(every_odd_file_is_repaired_as_it_says),
		cmocka_unit_test(files_that_are_none_are_errors),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(every_format_reads_what_it_writes),
		cmocka_unit_test(odd_fabrics_are_written_too),
		cmocka_unit_test(minimal_net_files_get_the_guids_of_ibsim),
		cmocka_unit_test(vls_of_a_cable_are_read_by_code),
		cmocka_unit_test(ibnetdiscover_of_a_chassis_is_understood),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
