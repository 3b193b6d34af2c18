/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Processor time of whole reroutes: what the plugin computes when a cable between switches has
 * died, nothing left out, beside the first routing of the same fabric.
 *
 *   bench_reroute [-l LOSSES] [-v VLS] [engine@]spec ...    cables lost one after another [3], VLs
 *                                                           allowed [all]
 *
 * Row 0 is the first routing: mapping, and odo_route() with its comparisons and its proof. Each
 * further row lost one more cable. "map" and "route" happen before OpenSM sends an LFT: odo_route()
 * with the tables and the SLs of the row before, which weighs the transition and proves the tables.
 * "judge" counts that transition in full afterwards, as the log tells it. "ratio" is the whole over
 * the first routing, "changed" the LFT entries that differ.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "bench/clock.h"
#include "bench/lose.h"
#include "bench/must.h"
#include "fabric/topology/topology.h"
#include "mapping/mapping.h"
#include "routing/engine.h"
#include "routing/reroute/connections.h"
#include "routing/transition/transition.h"

typedef struct state {
	odo_fabric *f;
	odo_tables *t;
	odo_history *history;
	double map, route, judge;
	odo_transition change;
} state;

/* Route s->f as the plugin does. @param before NULL at first */
static void route_state(state *s, const char *engine, unsigned max_vls, const state *before)
{
	odo_route_options options = {.max_vls = max_vls, .compare = true};
	odo_coordinates *c;
	odo_error err;
	double start = bench_ms();
	bench_must(odo_map(s->f, &c, &err), &err);
	s->map = bench_ms() - start;
	start = bench_ms();
	if (before) {
		options.before = before->t;
		options.history = before->history;
	}
	bench_must(odo_route(s->f, c, engine, &options, &s->t, &err), &err);
	bench_must(odo_history_note(options.history, s->t, &s->history, &err), &err);
	s->route = bench_ms() - start;
	start = bench_ms();
	if (before)
		bench_must(odo_transition_count(before->t, s->t, true, &s->change, &err), &err);
	s->judge = bench_ms() - start;
	odo_coordinates_free(c);
}

static void clear_state(state *s)
{
	odo_history_free(s->history);
	odo_tables_free(s->t);
	odo_fabric_free(s->f);
}

static void print_reroute(const char *spec, unsigned lost, const state *s, double first)
{
	double whole = s->map + s->route + s->judge;
	printf("%-24s %-12.12s%s %4u %3u %8.1f %8.1f %8.1f %9.1f %7.3f %8llu %12llu\n", spec,
	       s->t->engine, s->t->from.spliced ? "*" : " ", lost, s->t->n_vls, s->map, s->route,
	       s->judge, whole, whole / first, (unsigned long long)s->change.n_changed,
	       (unsigned long long)s->t->fabric->n_switches * s->t->fabric->lid_count);
	fflush(stdout);
}

static void bench_losses(const char *arg, unsigned losses, unsigned max_vls)
{
	const char *at = strchr(arg, '@'), *spec = at ? at + 1 : arg;
	char engine[48];
	odo_rng rng = odo_rng_make(1, 7);
	odo_error err;
	state before = {0};
	snprintf(engine, sizeof engine, "%.*s", at ? (int)(at - arg) : 0, arg);
	bench_must(odo_topology_generate(spec, 0, &before.f, NULL, &err), &err);
	route_state(&before, at ? engine : NULL, max_vls, NULL);
	double first = before.map + before.route;
	print_reroute(spec, 0, &before, first);
	for (unsigned i = 1; i <= losses; i++) {
		state now = {.f = bench_lose(before.f, false, &rng)};
		route_state(&now, at ? engine : NULL, max_vls, &before);
		print_reroute(spec, i, &now, first);
		clear_state(&before);
		before = now;
	}
	clear_state(&before);
}

int main(int argc, char **argv)
{
	unsigned losses = 3, max_vls = 0;
	int first = 1;
	for (; first + 1 < argc && argv[first][0] == '-'; first += 2)
		*(argv[first][1] == 'l' ? &losses : &max_vls) = (unsigned)atoi(argv[first + 1]);
	if (first == argc)
		return 2;
	printf("%-24s %-13s %4s %3s %8s %8s %8s %9s %7s %8s %12s\n", "fabric", "engine", "lost",
	       "VLs", "map", "route", "judge", "whole", "ratio", "changed", "entries");
	for (int i = first; i < argc; i++)
		bench_losses(argv[i], losses, max_vls);
	return 0;
}
