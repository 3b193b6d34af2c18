/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics by the public functions are the core's: generated, read, written, damaged, mapped. */
#include <sys/stat.h>

#include "fabric/format/format.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "rig.h"

#define DRAGONFLY "dragonfly:p=2,a=4,h=2"

static void expect_same(const odonata_fabric *handle, const odo_fabric *f)
{
	odonata_fabric_view v = view_of(handle);
	assert_int_equal(v.n_switches, f->n_switches);
	assert_int_equal(v.n_nodes, f->n_nodes);
	assert_int_equal(v.n_slots, f->n_slots);
	assert_int_equal(v.n_hosts, f->n_hosts);
	assert_int_equal(v.n_cables, f->n_links);
	assert_int_equal(v.n_lids, f->lid_count);
	assert_memory_equal(v.node_guid, f->node_guid, f->n_nodes * sizeof *f->node_guid);
	assert_memory_equal(v.node_type, f->node_type, f->n_nodes);
	assert_memory_equal(v.first_slot, f->first_slot, (f->n_nodes + 1) * sizeof(uint32_t));
	assert_memory_equal(v.peer, f->peer, f->n_slots * sizeof *f->peer);
	assert_memory_equal(v.owner, f->owner, f->n_slots * sizeof *f->owner);
	assert_memory_equal(v.width, f->width, f->n_slots);
	assert_memory_equal(v.n_vls, f->n_vls, f->n_slots);
	assert_memory_equal(v.host_slot, f->host_slot, f->n_hosts * sizeof *f->host_slot);
	assert_memory_equal(v.slot_lid, f->port_lid, f->n_slots * sizeof *f->port_lid);
	assert_memory_equal(v.slot_lmc, f->port_lmc, f->n_slots);
	assert_memory_equal(v.switch_lid, f->switch_lid, f->n_switches * sizeof *f->switch_lid);
	assert_memory_equal(v.lid_switch, f->lid_switch, f->lid_count * sizeof *f->lid_switch);
	assert_memory_equal(v.lid_port, f->lid_port, f->lid_count);
	assert_memory_equal(v.lid_host, f->lid_host, f->lid_count * sizeof *f->lid_host);
	for (uint32_t node = 0; node < f->n_nodes; node++)
		assert_string_equal(odonata_fabric_name(handle, node), odo_name(f, node));
	assert_null(odonata_fabric_name(handle, f->n_nodes));
}

static void generated_fabrics_are_the_cores(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		odonata_error err = {0};
		odo_error why;
		odonata_fabric *handle = NULL;
		odo_fabric *f;
		expect_ok(odonata_fabric_generate(DRAGONFLY, 2 * i, &handle, &err), &err);
		assert_int_equal(odo_topology_generate(DRAGONFLY, (uint8_t)(2 * i), &f, NULL, &why),
				 0);
		expect_same(handle, f);
		odo_fabric_free(f);
		odonata_fabric_free(handle);
	}
}

static void written_fabrics_are_read_again(void **state)
{
	(void)state;
	struct folder d = folder_make();
	odonata_error err = {0};
	odo_error why;
	odonata_fabric *f = generate(DRAGONFLY), *again = NULL;
	for (unsigned i = 0; odo_fabric_formats[i].name; i++) {
		const char *format = odo_fabric_formats[i].name, *path = file_in(&d, "fabric.net");
		odo_fabric *core;
		if (!odo_fabric_formats[i].write)
			continue;
		expect_ok(odonata_fabric_write(f, format, path, &err), &err);
		expect_ok(odonata_fabric_read(path, 0, &again, &err), &err);
		assert_int_equal(odo_fabric_read(path, 0, &core, &why), 0);
		expect_same(again, core);
		assert_int_equal(core->n_links, view_of(f).n_cables);
		odo_fabric_free(core);
		odonata_fabric_free(again);
		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(rmdir(d.name), 0); /* nothing but the file was left */
	odonata_fabric_free(f);
}

static void a_link_stays_and_what_it_leads_to_is_written(void **state)
{
	(void)state;
	struct folder d = folder_make();
	odonata_error err = {0};
	odonata_fabric *f = generate(DRAGONFLY), *again = NULL;
	char *link = strdup(file_in(&d, "link")), *file = strdup(file_in(&d, "fabric.net"));
	struct stat found;
	assert_int_equal(symlink("fabric.net", link), 0);
	for (unsigned i = 0; i < 2; i++) { /* what is not there yet, and what is */
		expect_ok(odonata_fabric_write(f, "ibsim", link, &err), &err);
		assert_true(!lstat(link, &found) && S_ISLNK(found.st_mode));
		expect_ok(odonata_fabric_read(file, 0, &again, &err), &err);
		odonata_fabric_free(again);
	}
	assert_int_equal(unlink(link) | unlink(file), 0);
	assert_int_equal(rmdir(d.name), 0);
	free(link);
	free(file);
	odonata_fabric_free(f);
}

static void damage_is_the_cores(void **state)
{
	(void)state;
	odo_error why;
	odonata_fabric *whole = generate("flatfly:k=4x4,c=4");
	odonata_fabric *handle = damage(
		whole, (odonata_damage){.switches = 0.1, .cables = 0.05, .seed = 3, .shuffled = 1});
	odo_fabric *gone, *shuffled;
	assert_int_equal(
		odo_fabric_damage(whole->core, &(odo_damage){0.1, 0.05, 3}, &gone, NULL, &why), 0);
	assert_int_equal(odo_fabric_shuffle(gone, 3, &shuffled, NULL, &why), 0);
	expect_same(handle, shuffled);
	assert_int_equal(view_of(handle).n_switches, 14);
	odo_fabric_free(gone);
	odo_fabric_free(shuffled);
	odonata_fabric_free(handle);
	odonata_fabric_free(whole);
}

static void parts_are_counted(void **state)
{
	(void)state;
	odonata_fabric *whole = generate("torus:k=8,c=1");
	odonata_fabric *cut = damage(whole, (odonata_damage){.cables = 0.5, .seed = 1});
	assert_int_equal(view_of(whole).n_parts, 1);
	assert_int_equal(view_of(cut).n_parts, 4); /* a ring that lost four cables */
	odonata_fabric_free(whole);
	odonata_fabric_free(cut);
}

static void oddities_of_a_file_are_told(void **state)
{
	(void)state;
	odonata_error err = {0};
	odonata_fabric *f;
	expect_ok(odonata_fabric_read(TEST_DATA "/corpus/fabric/one-end.net", 0, &f, &err), &err);
	odonata_fabric_view v = view_of(f);
	assert_non_null(v.notes);
	assert_non_null(strstr(v.notes, "one-end.net:4: took a cable"));
	assert_int_equal(v.n_senders, v.n_hosts);
	odonata_fabric_free(f);
	f = generate(DRAGONFLY);
	v = view_of(f);
	assert_null(v.notes);
	assert_int_equal(v.n_senders, v.n_hosts);
	odonata_fabric_free(f);
}

static void coordinates_are_the_cores(void **state)
{
	(void)state;
	odonata_error err = {0};
	odo_error why;
	odonata_fabric *whole = generate(DRAGONFLY);
	odonata_fabric *f = damage(whole, (odonata_damage){.cables = 0.02, .shuffled = 1});
	odonata_coordinates *found = map(f);
	odonata_coordinates_view v = {.size = sizeof v};
	odo_coordinates *c;
	assert_int_equal(odo_map(f->core, &c, &why), 0);
	expect_ok(odonata_coordinates_get(found, &v, &err), &err);
	assert_string_equal(v.kind, "dragonfly");
	assert_string_equal(v.reason, "");
	assert_int_equal(v.n_switches, c->n_switches);
	assert_int_equal(v.n_dims, c->n_dims);
	assert_memory_equal(v.dim_size, c->size, sizeof v.dim_size);
	assert_memory_equal(v.dim_width, c->width, sizeof v.dim_width);
	assert_memory_equal(v.at, c->at, (size_t)c->n_switches * c->n_dims * sizeof *c->at);
	assert_memory_equal(v.port_class, c->port_class, f->core->n_slots);
	assert_int_equal(v.n_faults, c->n_faults);
	assert_int_equal(v.dim_size[0], 9);
	odo_coordinates_free(c);
	odonata_coordinates_free(found);
	odonata_fabric_free(f);
	odonata_fabric_free(whole);
}

/* Texts that a fault of a type must have; behind them, what its numbers say. */
static const char *const said[] = {"no switch at", "missing between", "wrong cable from",
				   "slow cable from"};

static void expect_fault(const odonata_fabric *f, const odonata_fault *x, uint32_t n_dims)
{
	odonata_fabric_view v = view_of(f);
	bool missing = x->type == ODONATA_MISSING_SWITCH;
	bool cable = x->type == ODONATA_WRONG_CABLE || x->type == ODONATA_SLOW_CABLE;
	assert_non_null(strstr(x->text, said[x->type]));
	for (unsigned i = 0; i < 2; i++) {
		assert_true(cable ? x->slot[i] < v.n_slots : x->slot[i] == ODONATA_NONE);
		if (x->type == ODONATA_MISSING_CABLES)
			assert_non_null(strstr(x->text, odonata_fabric_name(f, x->node[i])));
		if (cable)
			assert_non_null(
				strstr(x->text, odonata_fabric_name(f, v.owner[x->slot[i]])));
	}
	assert_true(x->count >= 1);
	for (uint32_t d = 0; d < ODONATA_MAX_DIMS; d++)
		assert_int_equal(missing && d < n_dims, x->at[d] != ODONATA_NONE);
}

static void faults_say_what_they_are(void **state)
{
	(void)state;
	odonata_error err = {0};
	odonata_fabric *whole = generate("flatfly:k=4x4x4,c=4");
	odonata_fabric *f = damage(
		whole,
		(odonata_damage){.switches = 0.03, .cables = 0.01, .miscabled = 0.01, .seed = 1});
	f->core->width[0] = f->core->width[f->core->peer[0]] = 1;
	odonata_coordinates *found = map(f);
	odonata_coordinates_view v = {.size = sizeof v};
	unsigned seen[4] = {0};
	expect_ok(odonata_coordinates_get(found, &v, &err), &err);
	for (uint32_t i = 0; i < v.n_faults; i++) {
		odonata_fault x = {.size = sizeof x};
		expect_ok(odonata_fault_get(found, i, &x, &err), &err);
		expect_fault(f, &x, v.n_dims);
		seen[x.type]++;
	}
	assert_true(seen[0] && seen[1] && seen[2]);
	assert_int_equal(seen[ODONATA_SLOW_CABLE], 1);
	odonata_fault x = {.size = sizeof x};
	expect_failure(odonata_fault_get(found, v.n_faults, &x, &err), ODONATA_EINPUT, &err,
		       "expected a fault below");
	odonata_coordinates_free(found);
	odonata_fabric_free(f);
	odonata_fabric_free(whole);
}

static void unknown_kinds_have_a_reason(void **state)
{
	(void)state;
	odonata_error err = {0};
	odonata_fabric *f = generate("random:n=20,d=4,c=1");
	odonata_coordinates *found = map(f);
	odonata_coordinates_view v = {.size = sizeof v};
	expect_ok(odonata_coordinates_get(found, &v, &err), &err);
	assert_string_equal(v.kind, "unknown");
	assert_true(v.reason[0]);
	odonata_coordinates_free(found);
	odonata_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generated_fabrics_are_the_cores),
		cmocka_unit_test(written_fabrics_are_read_again),
		cmocka_unit_test(a_link_stays_and_what_it_leads_to_is_written),
		cmocka_unit_test(damage_is_the_cores),
		cmocka_unit_test(parts_are_counted),
		cmocka_unit_test(oddities_of_a_file_are_told),
		cmocka_unit_test(coordinates_are_the_cores),
		cmocka_unit_test(faults_say_what_they_are),
		cmocka_unit_test(unknown_kinds_have_a_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
