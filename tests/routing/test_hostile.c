/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Random fabrics that nobody would build: in several parts, switches cabled to themselves or
 * without hosts, adapters with several ports, LIDs anywhere, any LMC, cables of few VLs. Whatever
 * an engine takes passes a walk of every packet and can be exported; damaged, it does so only where
 * the verifier says so. */
#include <jansson.h>

#include "tests/fabric_check.h"
#include "export/export.h"
#include "damage.h"
#include "mapping/mapping.h"
#include "routing/analyze/analyze.h"
#include "routing/multicast/multicast.h"

static unsigned pick(odo_rng *rng, const unsigned *of, unsigned n)
{
	return of[odo_rng_below(rng, n)];
}
#define PICK(r, ...)                                                                               \
	pick(r, (const unsigned[]){__VA_ARGS__}, sizeof(unsigned[]){__VA_ARGS__} / sizeof(unsigned))

/* Nodes, switches first. */
static uint32_t add_nodes(odo_builder *b, odo_rng *rng, uint32_t n_switches, uint32_t n_others,
			  unsigned *ports)
{
	uint32_t id = 0, lid = 0;
	odo_error err;
	bool lids = odo_rng_below(rng, 2);
	for (uint32_t i = 0; i < n_switches + n_others; i++) {
		odo_node_info info = {.type = i < n_switches ? ODO_SWITCH : ODO_CA};
		info.n_ports = i < n_switches ? PICK(rng, 1, 2, 4, 8, 20)
					      : PICK(rng, 1, 1, 1, 2, 3);
		if (i >= n_switches && !odo_rng_below(rng, 8))
			info.type = ODO_ROUTER;
		if (odo_rng_below(rng, 2))
			info.guid = (uint64_t)(odo_rng_next(rng) | 1u) << 8 | i;
		if (i < n_switches && lids && odo_rng_below(rng, 8)) {
			info.lmc = (uint8_t)PICK(rng, 0, 0, 0, 1);
			lid = (lid + 2 + PICK(rng, 0, 0, 0, 100)) & ~1u;
			info.lid = (uint16_t)lid;
		}
		ports[i] = info.n_ports;
		assert_int_equal(odo_builder_add(b, &info, &id, &err), 0);
		for (unsigned p = 1; i >= n_switches && lids && p <= info.n_ports; p++) {
			unsigned lmc = PICK(rng, 0, 0, 1, 3, 7);
			lid = ((lid + 2 + (PICK(rng, 0, 0, 0, 300))) | ((1u << lmc) - 1)) + 1;
			if (odo_rng_below(rng, 8))
				odo_builder_port(b, id, p, 0, (uint16_t)lid, (uint8_t)lmc, &err);
			lid += 1u << lmc;
		}
	}
	return n_switches + n_others;
}

static odo_fabric *make_hostile(odo_rng *rng)
{
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	unsigned ports[64];
	uint32_t n_switches = PICK(rng, 0, 1, 2, 3, 4, 6, 9), n_others = odo_rng_below(rng, 12);
	assert_int_equal(odo_builder_create(&b, &err), 0);
	uint32_t n = add_nodes(b, rng, n_switches, n_others, ports);
	unsigned vls = PICK(rng, 1, 2, 4, 8, 15);
	for (unsigned i = n ? PICK(rng, 0, n, 3 * n, 10 * n) : 0; i; i--) {
		uint32_t x = odo_rng_below(rng, n), y = odo_rng_below(rng, n);
		odo_link_info info = {.n_vls = (uint8_t)vls};
		if (!odo_rng_below(rng, 20))
			info.n_vls = (uint8_t)PICK(rng, 1, 2, 4, 8, 15);
		odo_builder_link(b, x, 1 + odo_rng_below(rng, ports[x]), y,
				 1 + odo_rng_below(rng, ports[y]), info, &err);
	}
	odo_lid_policy policy = odo_rng_below(rng, 3) ? ODO_LIDS_FILL : ODO_LIDS_AS_GIVEN;
	if (odo_builder_freeze(b, policy, (uint8_t)PICK(rng, 0, 0, 1, 2), &f, &err))
		fail_msg("%s", err.text);
	assert_int_equal(odo_fabric_check(f, &err), 0);
	return f;
}

/* @param roots [2] that the options lend */
static odo_route_options make_options(const odo_fabric *f, odo_rng *rng, uint64_t *roots)
{
	odo_route_options o = {0};
	o.max_vls = PICK(rng, 0, 0, 0, 1, 2, 3, 15);
	o.max_sls = PICK(rng, 0, 0, 0, 1, 2, 16);
	o.strict = !odo_rng_below(rng, 8);
	o.no_fallback = !odo_rng_below(rng, 8);
	o.spread_lids = odo_rng_below(rng, 2);
	o.roots = roots;
	o.n_roots = odo_rng_below(rng, 3);
	for (uint32_t i = 0; i < o.n_roots; i++)
		roots[i] = f->n_nodes ? f->node_guid[odo_rng_below(rng, f->n_nodes)] : 7;
	return o;
}

static void try_multicast(const odo_tables *t, odo_rng *rng)
{
	const odo_fabric *f = t->fabric;
	odo_mcast *mcast;
	odo_error err;
	int status = odo_mcast_create(t, 1u << odo_rng_below(rng, ODO_N_SLS), &mcast, &err);
	if (status) {
		assert_int_equal(status, ODO_EDECLINE);
		return;
	}
	uint32_t *member = calloc(f->n_hosts + 1, sizeof *member), n = 0;
	uint8_t *on = calloc(f->first_slot[f->n_switches] + 1, 1);
	for (uint32_t h = 0; h < f->n_hosts; h++)
		if (odo_rng_below(rng, 2))
			member[n++] = f->peer[f->host_slot[h]];
	assert_int_equal(odo_mcast_ports(mcast, member, n, NULL, 0, on, &err), 0);
	for (uint32_t i = 0; i < n; i++)
		assert_true(on[member[i]]);
	free(member);
	free(on);
	odo_mcast_free(mcast);
}

/* What is written is text in whole lines; in these formats every switch is in it, by its GUID or
 * its name. */
static void expect_written(const odo_export_format *row, const odo_fabric *f, const char *text,
			   size_t size)
{
	if (size && (text[size - 1] != '\n' || strlen(text) != size))
		fail_msg("%s: %zu bytes", row->name, size);
	bool all = !strcmp(row->name, "lfts") || !strcmp(row->name, "fdbs") ||
		   !strcmp(row->name, "json");
	for (uint32_t s = 0; s < f->n_switches && all; s++) {
		char guid[20];
		snprintf(guid, sizeof guid, "%016llx", (unsigned long long)f->node_guid[s]);
		if (!strstr(text, guid) && !strstr(text, odo_name(f, s)))
			fail_msg("%s: no switch %s", row->name, guid);
	}
	if (strcmp(row->name, "json"))
		return;
	json_t *json = json_loads(text, 0, NULL);
	assert_non_null(json);
	json_decref(json);
}

static void try_exports(const odo_tables *t, const odo_coordinates *c)
{
	for (const odo_export_format *row = odo_export_formats; row->name; row++) {
		char *text = NULL;
		size_t size = 0;
		odo_error err = {0};
		FILE *to = open_memstream(&text, &size);
		int status = row->write(t, c, to, &err);
		fclose(to);
		assert_true(!status || status == ODO_EDECLINE || status == ODO_EINPUT);
		if (status)
			assert_true(err.text[0]);
		else
			expect_written(row, t->fabric, text, size);
		free(text);
	}
}

static void try_tables(odo_tables *t, const odo_coordinates *c, odo_rng *rng, damage_tally *all)
{
	odo_analysis a = {0};
	odo_error err;
	try_exports(t, c);
	if (t->adaptive)
		return;
	naive x = naive_check(t);
	assert_true(x.delivers && x.deadlock_free && x.within_vls);
	assert_int_equal(odo_analyze_uniform(t, c, &a, NULL, &err), 0);
	odo_analysis_clear(&a);
	try_multicast(t, rng);
	for (unsigned n = odo_rng_below(rng, 4); n && t->fabric->n_hosts; n--) {
		damage(t, odo_rng_below(rng, N_DAMAGES), rng);
		damage_compare(t, all);
	}
}

static void try_fabric(odo_rng *rng, damage_tally *all)
{
	odo_fabric *f = make_hostile(rng);
	odo_coordinates *c = NULL;
	odo_error err;
	assert_int_equal(odo_map(f, &c, &err), 0);
	uint64_t roots[2];
	odo_route_options options = make_options(f, rng, roots);
	for (const odo_engine *row = odo_engines; row->name; row++) {
		odo_tables *t = NULL;
		int status = odo_route(f, c, row == odo_engines ? NULL : row->name, &options, &t,
				       &err);
		if (status && status != ODO_EDECLINE)
			fail_msg("%d: %s", status, err.text);
		if (status)
			continue;
		try_tables(t, c, rng, all);
		odo_tables_free(t);
	}
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

static void what_is_routed_is_sound(void **state)
{
	(void)state;
	damage_tally all = {0};
	const unsigned seeds = test_seeds(1500);
	for (uint64_t seed = 0; seed < seeds; seed++) {
		odo_rng rng = odo_rng_make(seed, 0);
		try_fabric(&rng, &all);
	}
	assert_true(all.sound > seeds && 10 * all.lost > seeds && 10 * all.beyond > seeds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_routed_is_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
