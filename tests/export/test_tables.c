/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What no reader of ours reads back says what the tables say: port groups and tables by VL of
 * adaptive routings, in JSON and for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "export/export.h"
#include "export/groups.h"
#include "export/write.h"
#include "fabric/topology/topology.h"
#include "routing/engine.h"
#include "tests/unit.h"

static const struct {
	const char *spec, *engine;
} cases[] = {
	{"dragonfly:p=1,a=4,h=2", "ofar-ar"},
	{"fattree:k=4,levels=3", "fattree-ar"},
	{"dragonfly:p=1,a=2,h=1", "ofar-tree"},
	{"dragonfly:p=1,a=4,h=1", "ofar-ring"},
	{"dragonfly:p=2,a=3,h=1", "dragonfly-gsid"},
	{"flatfly:k=3x3,c=2", "mixed-ador"},
	{"hypercube:n=3,c=1", "negative-first"},
	{"random:n=8,d=3,c=1", "deflection+2"},
	{"flatfly:k=3x3,c=2", "mixed-dor"},
	{"torus:k=5,c=1", "torus"},
	{"mesh:k=5x3,c=1", "dor"},
};
#define N_CASES (sizeof cases / sizeof *cases)

typedef struct routed {
	odo_fabric *f;
	odo_coordinates *c;
	odo_tables *t;
	odo_reach reach; /* of adaptive tables */
} routed;

static routed make(size_t i)
{
	routed x = {0};
	odo_error err;
	if (odo_topology_generate(cases[i].spec, 1, &x.f, &x.c, &err) ||
	    odo_route(x.f, x.c, cases[i].engine, NULL, &x.t, &err))
		fail_msg("%s", err.text);
	if (x.t->adaptive)
		assert_int_equal(odo_reach_find(x.t, &x.reach, &err), 0);
	return x;
}

static void unmake(routed *x)
{
	odo_reach_clear(&x->reach);
	odo_tables_free(x->t);
	odo_coordinates_free(x->c);
	odo_fabric_free(x->f);
}

static bool is_reached(const odo_reach *reach, uint32_t slot, unsigned vl, uint32_t lid)
{
	size_t word = ((size_t)slot * reach->t->n_vls + vl) * reach->lid_words + lid / 64;
	return reach->bits[word] >> lid % 64 & 1;
}

/* Every state that packets come to is in one table, with the engine's ways. */
static void expect_ways(const odo_reach *reach, const odo_switch_tables *st, uint32_t slot,
			unsigned vl, uint32_t lid)
{
	const odo_fabric *f = reach->t->fabric;
	unsigned port = odo_port(f, slot), found = 0;
	odo_candidate way[ODO_MAX_CANDIDATES];
	unsigned n = odo_candidates(reach->t, f->owner[slot], port, vl, lid, way);
	for (size_t i = 0; i < st->n_tables; i++) {
		const odo_vl_table *t = &st->tables[i];
		if (t->vl != vl || !(t->inputs[port / 8] >> port % 8 & 1))
			continue;
		found++;
		assert_in_range(t->group[lid], 0, st->n_groups - 1);
		const odo_port_group *g = &st->groups[t->group[lid]];
		assert_int_equal(g->n, n);
		assert_memory_equal(st->ways + g->first, way, n * sizeof *way);
	}
	assert_int_equal(found, 1);
}

static void tables_by_vl_are_what_the_engine_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_CASES; i++) {
		routed x = make(i);
		odo_error err;
		for (uint32_t s = 0; s < x.f->n_switches && x.t->adaptive; s++) {
			odo_switch_tables st;
			assert_int_equal(odo_switch_tables_make(&x.reach, s, &st, &err), 0);
			for (uint32_t slot = x.f->first_slot[s]; slot < x.f->first_slot[s + 1];
			     slot++)
				for (unsigned vl = 0; vl < x.t->n_vls; vl++)
					for (uint32_t lid = 0; lid < x.f->lid_count; lid++)
						if (is_reached(&x.reach, slot, vl, lid))
							expect_ways(&x.reach, &st, slot, vl, lid);
			odo_switch_tables_clear(&st);
		}
		unmake(&x);
	}
}

/* Not inlined: gcc 12 takes what is written for the address of the variable. */
__attribute__((noinline)) static char *written(const routed *x, const char *format)
{
	char *text = NULL;
	size_t size;
	odo_error err;
	FILE *to = open_memstream(&text, &size);
	const odo_export_format *row = odo_export_formats;
	while (strcmp(row->name, format))
		row++;
	assert_int_equal(row->write(x->t, x->c, to, &err), 0);
	fclose(to);
	return text;
}

static json_int_t number(const json_t *list, size_t i)
{
	const json_t *value = json_array_get(list, i);
	assert_true(json_is_integer(value) || json_is_null(value));
	return json_is_null(value) ? -1 : json_integer_value(value);
}

static json_int_t entry(const uint8_t *bytes, size_t i)
{
	return bytes[i] == ODO_NO_PORT ? -1 : bytes[i];
}

static void expect_groups(const json_t *groups, const odo_switch_tables *st)
{
	assert_int_equal(json_array_size(groups), st->n_groups);
	for (size_t i = 0; i < st->n_groups; i++) {
		const json_t *ways = json_array_get(groups, i);
		assert_int_equal(json_array_size(ways), st->groups[i].n);
		for (size_t k = 0; k < st->groups[i].n; k++) {
			const odo_candidate *w = &st->ways[st->groups[i].first + k];
			int port, vl, priority, escape;
			assert_int_equal(json_unpack(json_array_get(ways, k), "{si si si sb}",
						     "port", &port, "vl", &vl, "priority",
						     &priority, "escape", &escape),
					 0);
			assert_true(port == w->port && vl == w->vl && priority == w->priority &&
				    escape == w->escape);
		}
	}
}

static void expect_vl_tables(const json_t *tables, const odo_switch_tables *st, uint32_t n_lids)
{
	assert_int_equal(json_array_size(tables), st->n_tables);
	for (size_t i = 0; i < st->n_tables; i++) {
		const json_t *t = json_array_get(tables, i), *group = json_object_get(t, "group");
		const json_t *inputs = json_object_get(t, "inputs");
		uint8_t bits[32] = {0};
		for (size_t k = 0; k < json_array_size(inputs); k++)
			bits[number(inputs, k) / 8] |= (uint8_t)(1u << number(inputs, k) % 8);
		assert_memory_equal(bits, st->tables[i].inputs, sizeof bits);
		assert_int_equal(json_integer_value(json_object_get(t, "vl")), st->tables[i].vl);
		assert_int_equal(json_array_size(group), n_lids);
		for (uint32_t lid = 0; lid < n_lids; lid++)
			assert_int_equal(number(group, lid),
					 st->tables[i].group[lid] == ODO_NO_GROUP
						 ? -1
						 : st->tables[i].group[lid]);
	}
}

static void expect_switch(const routed *x, const json_t *json, uint32_t s)
{
	const odo_fabric *f = x->f;
	size_t row = (size_t)s * f->lid_count;
	const json_t *lft = json_object_get(json, "lft"), *sl = json_object_get(json, "sl");
	const json_t *at = json_object_get(json, "at"), *sl2vl = json_object_get(json, "sl2vl");
	assert_int_equal(json_array_size(lft), f->lid_count);
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		assert_int_equal(number(lft, lid), entry(x->t->lft + row, lid));
		if (x->t->sl_of_pair)
			assert_int_equal(number(sl, lid), entry(x->t->sl_of_pair + row, lid));
	}
	for (unsigned i = 0; i < x->c->n_dims && x->c->kind != ODO_KIND_UNKNOWN; i++)
		assert_int_equal(number(at, i), odo_at(x->c, s)[i]);
	for (unsigned in = 0; in <= odo_n_ports(f, s); in++)
		for (unsigned out = 0; out <= odo_n_ports(f, s); out++)
			assert_int_equal(number(json_array_get(sl2vl, in), out),
					 *odo_sl2vl_entry(x->t, s, in, out));
	if (!x->t->adaptive)
		return;
	odo_switch_tables st;
	odo_error err;
	assert_int_equal(odo_switch_tables_make(&x->reach, s, &st, &err), 0);
	expect_groups(json_object_get(json, "groups"), &st);
	expect_vl_tables(json_object_get(json, "vl_tables"), &st, f->lid_count);
	odo_switch_tables_clear(&st);
}

static void expect_host(const routed *x, const json_t *json, uint32_t h)
{
	const odo_fabric *f = x->f;
	const json_t *inject = json_object_get(json, "inject");
	assert_int_equal(json_integer_value(json_object_get(json, "switch")),
			 odo_host_switch(f, h));
	assert_int_equal(json_integer_value(json_object_get(json, "sl2vl")), x->t->host_row[h]);
	for (uint32_t lid = 0; x->t->adaptive && lid < f->lid_count; lid++)
		assert_int_equal(
			number(inject, lid),
			f->lid_switch[lid] == ODO_NONE ? -1 : x->t->adaptive->inject(x->t, h, lid));
}

static void json_says_what_the_tables_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_CASES; i++) {
		routed x = make(i);
		char *text = written(&x, "json");
		json_t *json = json_loads(text, 0, NULL);
		assert_non_null(json);
		const json_t *rows = json_object_get(json, "sl2vl_rows");
		assert_int_equal(json_array_size(rows), x.t->n_rows);
		for (uint32_t row = 0; row < x.t->n_rows; row++)
			for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
				assert_int_equal(number(json_array_get(rows, row), sl),
						 x.t->rows[row].vl[sl]);
		for (uint32_t s = 0; s < x.f->n_switches; s++)
			expect_switch(&x, json_array_get(json_object_get(json, "switches"), s), s);
		for (uint32_t h = 0; h < x.f->n_hosts; h++)
			expect_host(&x, json_array_get(json_object_get(json, "hosts"), h), h);
		json_decref(json);
		free(text);
		unmake(&x);
	}
}

/* Where the ways of a group begin to have a priority, the word that says so. */
static void expect_text_group(const char *text, const odo_switch_tables *st, size_t i)
{
	static const char *const words[] = {"first", "then", "last"};
	const odo_port_group *g = &st->groups[i];
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);
	fprintf(to, "  group %zu: ", i);
	for (unsigned k = 0; k < g->n; k++) {
		const odo_candidate *w = &st->ways[g->first + k];
		if (!k || w->priority != w[-1].priority)
			fprintf(to, "%s%s", k ? "; " : "",
				w->escape ? "escape" : words[w->priority]);
		fprintf(to, " %u/%u", w->port, w->vl);
	}
	fputc('\n', to);
	fclose(to);
	if (!strstr(text, line))
		fail_msg("expected \"%s\"", line);
	free(line);
}

static void expect_text(const odo_reach *reach, const char *text, uint32_t s)
{
	char head[40];
	odo_switch_tables st;
	odo_error err;
	snprintf(head, sizeof head, "switch 0x%016llx ",
		 (unsigned long long)reach->t->fabric->node_guid[s]);
	const char *at = strstr(text, head);
	assert_non_null(at);
	assert_int_equal(odo_switch_tables_make(reach, s, &st, &err), 0);
	for (size_t k = 0; k < st.n_groups; k++)
		expect_text_group(at, &st, k);
	odo_switch_tables_clear(&st);
}

static void text_names_the_ways_by_priority(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_CASES; i++) {
		routed x = make(i);
		char *text = written(&x, "text");
		for (uint32_t s = 0; s < x.f->n_switches && x.t->adaptive; s++)
			expect_text(&x.reach, text, s);
		free(text);
		unmake(&x);
	}
}

/* A node description has 64 bytes, whatever a file says. */
/* Cables between two switches that the text draws: labels say how many lie side by side. */
static uint32_t count_drawn(const char *text)
{
	uint32_t n = 0;
	for (const char *at = text; (at = strstr(at, " -- s")) != NULL; at++) {
		const char *end = strchr(at, '\n'), *label = strstr(at, "label=\"");
		n += label && label < end ? (uint32_t)strtoul(label + 7, NULL, 10) : 1;
	}
	return n;
}

/* @param group of the cluster that the switch is to stand in; ODO_NONE: in none */
static void expect_drawn(const char *text, uint32_t s, uint32_t group)
{
	char node[32], cluster[32];
	snprintf(node, sizeof node, "  s%u [", s);
	const char *at = strstr(text, node), *in = NULL;
	assert_non_null(at);
	assert_null(strstr(at + 1, node));
	for (const char *next = text; (next = strstr(next, "subgraph ")) != NULL && next < at;
	     next++)
		in = next;
	if (group == ODO_NONE) {
		assert_null(in);
		return;
	}
	snprintf(cluster, sizeof cluster, "subgraph cluster_%u {", group);
	assert_int_equal(strncmp(in, cluster, strlen(cluster)), 0);
	assert_true(strstr(in, "\n }\n") > at);
}

/* Every switch once, in its group, and every cable once. */
static void dot_draws_every_switch_and_cable(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		bool grouped;
	} drawn[] = {{"dragonfly:p=1,a=4,h=2", true},
		     {"flatfly:k=3x3,c=2", false},
		     {"torus:k=2x4,c=1", false}};
	for (size_t i = 0; TEST_ROW(i, drawn, drawn[i].spec); i++) {
		odo_fabric *f;
		odo_coordinates *c;
		odo_tables *t;
		odo_error err;
		uint32_t cables = 0;
		assert_int_equal(odo_topology_generate(drawn[i].spec, 0, &f, &c, &err), 0);
		assert_int_equal(odo_route(f, c, "updown", NULL, &t, &err), 0);
		routed x = {.f = f, .c = c, .t = t};
		char *text = written(&x, "dot");
		for (uint32_t s = 0; s < f->n_switches; s++)
			expect_drawn(text, s, drawn[i].grouped ? odo_at(c, s)[0] : ODO_NONE);
		for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
			cables += odo_next_switch(f, slot) != ODO_NONE;
		assert_int_equal(count_drawn(text), cables / 2);
		free(text);
		odo_tables_free(t);
		odo_coordinates_free(c);
		odo_fabric_free(f);
	}
}

static void long_names_are_cut(void **state)
{
	(void)state;
	odo_builder *b;
	odo_fabric *f;
	odo_error err;
	uint32_t id;
	char name[100], to[ODO_NAME_SIZE + 1];
	memset(name, 'x', sizeof name);
	name[3] = '"';
	name[sizeof name - 1] = '\0';
	assert_int_equal(odo_builder_create(&b, &err), 0);
	odo_node_info sw = {.type = ODO_SWITCH, .n_ports = 1, .name = name};
	assert_int_equal(odo_builder_add(b, &sw, &id, &err), 0);
	assert_int_equal(odo_builder_freeze(b, ODO_LIDS_FILL, 0, &f, &err), 0);
	memset(to, '!', sizeof to);
	odo_write_name(f, 0, "\"", to);
	assert_int_equal(strlen(to), ODO_NAME_SIZE - 1);
	assert_int_equal(to[3], '_');
	assert_int_equal(to[ODO_NAME_SIZE], '!');
	odo_fabric_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_by_vl_are_what_the_engine_says),
		cmocka_unit_test(json_says_what_the_tables_say),
		cmocka_unit_test(text_names_the_ways_by_priority),
		cmocka_unit_test(dot_draws_every_switch_and_cable),
		cmocka_unit_test(long_names_are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
