/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Time of each step from a fabric to proved tables, on one core:
 *   bench_routing [-r repeats] [engine@]spec ...
 * Best of the repeats, in milliseconds of processor time, so that others on the machine disturb
 * little. "reroute" maps and routes again after one cable between switches died (its engine
 * alone, knowing the tables before, and the proof follows); "moved" is the share of all LFT entries
 * that this changes, "must" the share that led over the cable; "SLs" the LIDs to which some path
 * gets another SL, and "maps" the SL2VL maps of ports still cabled that change. "rows" are the
 * distinct maps, "MADs" what it takes to send them all, one for each cabled port and input.
 * "analyze" is the load of every channel under a permutation: each host sends half way round.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/clock.h"
#include "bench/must.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "base/memory.h"
#include "mapping/mapping.h"
#include "routing/analyze/analyze.h"
#include "routing/engine.h"
#include "routing/verify/verify.h"

typedef struct times {
	double map, route, verify;
} times;

static void keep_least(double *best, double value)
{
	if (value < *best)
		*best = value;
}

/* Routes without the proof that odo_route() adds, to time it apart. */
static odo_tables *route_only(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c,
			      const odo_tables *before)
{
	odo_error err;
	odo_tables *t;
	if (odo_tables_create(f, row->name, &t, &err) ||
	    row->route(row, f, c, &(odo_route_options){.before = before}, t, &err))
		bench_die(row->name, &err);
	return t;
}

static odo_tables *measure_steps(const odo_engine *row, const odo_fabric *f,
				 const odo_coordinates *truth, int repeats, times *best,
				 odo_verdict *verdict)
{
	odo_tables *t = NULL;
	odo_error err;
	*best = (times){1e30, 1e30, 1e30};
	for (int i = 0; i < repeats; i++) {
		odo_coordinates *c = NULL;
		odo_tables_free(t);
		double start = bench_ms();
		int mapped = odo_map(f, &c, &err);
		double done = bench_ms();
		keep_least(&best->map, done - start);
		bool usable = !mapped && c->kind == truth->kind;
		start = bench_ms();
		t = route_only(row, f, usable ? c : truth, NULL);
		done = bench_ms();
		keep_least(&best->route, done - start);
		start = bench_ms();
		if (odo_verify(t, verdict, &err))
			bench_die(row->name, &err);
		keep_least(&best->verify, bench_ms() - start);
		odo_verdict_clear(verdict);
		if (!mapped)
			odo_coordinates_free(c);
	}
	return t;
}

static const odo_engine *named_or_own_engine(const char *name, const odo_coordinates *c)
{
	if (*name)
		return odo_engine_find(name);
	for (const odo_engine *row = odo_engines; row->name; row++)
		if (row->profile == ODO_PROFILE_IB && row->kinds & 1u << c->kind)
			return row;
	return NULL;
}

typedef struct change {
	double reroute, moved, must; /* ms, shares of all entries */
	uint32_t sls, maps;
} change;

static uint64_t count_mads(const odo_fabric *f)
{
	uint64_t n = f->n_hosts;
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++)
		n += f->peer[i] == ODO_NONE ? 0 : odo_n_ports(f, f->owner[i]) + 1;
	return n;
}

static uint32_t count_sls(const odo_tables *a, const odo_tables *b)
{
	uint32_t n = 0, most = a->sl_of_pair || b->sl_of_pair ? a->fabric->n_switches : 1;
	for (uint32_t lid = 1; lid < a->fabric->lid_count; lid++) {
		uint32_t s = 0;
		while (s < most && odo_path_sl(a, s, lid) == odo_path_sl(b, s, lid))
			s++;
		n += s < most;
	}
	return n;
}

static uint32_t count_maps(const odo_tables *a, const odo_tables *b)
{
	const odo_fabric *f = b->fabric;
	uint32_t n = 0;
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++) {
		uint32_t s = f->owner[i];
		for (unsigned in = 0; f->peer[i] != ODO_NONE && in <= odo_n_ports(f, s); in++)
			n += memcmp(&a->rows[*odo_sl2vl_entry(a, s, in, odo_port(f, i))],
				    &b->rows[*odo_sl2vl_entry(b, s, in, odo_port(f, i))],
				    sizeof *a->rows) != 0;
	}
	return n;
}

/* True if the cable at this slot of the old fabric is gone in the new one. */
static bool is_dead(const odo_fabric *f, const odo_fabric *g, uint32_t slot)
{
	return f->peer[slot] != ODO_NONE && g->peer[slot] == ODO_NONE;
}

/* Compares the tables once a cable between switches is gone. Damage that takes no switch away
 * keeps all numbers. */
static change lose_a_cable(const odo_engine *row, const odo_fabric *f, const odo_tables *before)
{
	odo_error err;
	odo_fabric *g = NULL;
	odo_coordinates *c = NULL;
	change result = {0};
	uint32_t n_ends = 0;
	for (uint32_t i = 0; i < f->first_slot[f->n_switches]; i++)
		n_ends += odo_next_switch(f, i) != ODO_NONE;
	odo_damage one = {.links = 2.0 / n_ends, .seed = 1};
	if (odo_fabric_damage(f, &one, &g, NULL, &err) || odo_map(g, &c, &err))
		bench_die("one dead cable", &err);
	if (!(row->kinds & 1u << c->kind)) {
		fprintf(stderr, "%s once a cable is gone: %s\n", odo_kind_name(c->kind), c->reason);
		odo_coordinates_free(c);
		odo_fabric_free(g);
		return result;
	}
	double start = bench_ms();
	odo_tables *after = route_only(row, g, c, before);
	result.reroute = bench_ms() - start;
	odo_verdict verdict;
	if (odo_verify(after, &verdict, &err))
		bench_die("once a cable is gone", &err);
	odo_verdict_clear(&verdict);
	uint64_t moved = 0, must = 0, n = (uint64_t)f->n_switches * f->lid_count;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		for (uint32_t lid = 0; lid < f->lid_count; lid++) {
			uint8_t old = odo_next_port(before, s, lid);
			moved += old != odo_next_port(after, s, lid);
			must += old && old <= odo_n_ports(f, s) &&
				is_dead(f, g, odo_slot(f, s, old));
		}
	}
	result.moved = (double)moved / (double)n;
	result.must = (double)must / (double)n;
	result.sls = count_sls(before, after);
	result.maps = count_maps(before, after);
	odo_tables_free(after);
	odo_coordinates_free(c);
	odo_fabric_free(g);
	return result;
}

static double time_analysis(const odo_tables *t, const odo_coordinates *c, int repeats)
{
	const odo_fabric *f = t->fabric;
	odo_flow *flows = odo_new(f->n_hosts, sizeof *flows);
	odo_analysis a;
	odo_error err = {0};
	double best = 1e30;
	for (uint32_t h = 0; flows && h < f->n_hosts; h++)
		flows[h] = (odo_flow){h, (h + f->n_hosts / 2) % f->n_hosts, 1};
	for (int i = 0; i < repeats; i++) {
		double start = bench_ms();
		if (!flows || odo_analyze_flows(t, c, flows, f->n_hosts, &a, &err))
			bench_die("a permutation", &err);
		keep_least(&best, bench_ms() - start);
		odo_analysis_clear(&a);
	}
	free(flows);
	return best;
}

static void bench_spec(const char *arg, int repeats)
{
	char name[48] = "";
	const char *spec = strchr(arg, '@') ? strchr(arg, '@') + 1 : arg;
	snprintf(name, sizeof name, "%.*s", (int)(spec > arg ? spec - arg - 1 : 0), arg);
	odo_error err;
	odo_fabric *f;
	odo_coordinates *c;
	if (odo_topology_generate(spec, 0, &f, &c, &err))
		bench_die(spec, &err);
	const odo_engine *row = named_or_own_engine(name, c);
	if (!row) {
		fprintf(stderr, "%s: no engine\n", arg);
		exit(1);
	}
	times best;
	odo_verdict verdict;
	odo_tables *t = measure_steps(row, f, c, repeats, &best, &verdict);
	change lost = lose_a_cable(row, f, t);
	printf("%-26s %-10s %6u %6u %3u %8.1f %8.1f %8.1f %8.1f %8.1f %8.2g %8.2g %5u %6u %5u "
	       "%8llu %8.1f\n",
	       spec, row->name, f->n_switches, f->n_hosts, t->n_vls, best.map, best.route,
	       best.verify, best.map + best.route + best.verify, lost.reroute, lost.moved,
	       lost.must, lost.sls, lost.maps, t->n_rows,
	       (unsigned long long)(t->n_vls > 1 ? count_mads(f) : 0),
	       time_analysis(t, c, repeats));
	odo_tables_free(t);
	odo_coordinates_free(c);
	odo_fabric_free(f);
}

int main(int argc, char **argv)
{
	int repeats = 3, first = 1;
	if (argc > 2 && !strcmp(argv[1], "-r")) {
		repeats = atoi(argv[2]);
		first = 3;
	}
	static const char *const usual[] = {
		"flatfly:k=8x8x8,c=4",      "paper-flatfly",
		"dragonfly:p=10,a=20,h=10", "paper-torus-3d",
		"paper-slimfly-1",          "paper-hypercube",
		"mixed-dor@paper-flatfly",  "layered@flatfly:k=8x8x8,c=4",
		"paper-dragonfly",          "layered@random:n=256,d=8,c=4",
		"updown@paper-flatfly",     "layered@paper-flatfly",
		"layered@paper-slimfly-1"};
	printf("%-26s %-10s %6s %6s %3s %8s %8s %8s %8s %8s %8s %8s %5s %6s %5s %8s %8s\n",
	       "fabric", "engine", "sw", "hosts", "VLs", "map", "route", "verify", "sum", "reroute",
	       "moved", "must", "SLs", "maps", "rows", "MADs", "analyze");
	if (first == argc)
		for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
			bench_spec(usual[i], repeats);
	for (int i = first; i < argc; i++)
		bench_spec(argv[i], repeats);
	return 0;
}
