/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tool_prove SPEC SWITCHES LINKS SEED [ENGINE...]: takes these shares of switches and cables
 * away, maps what is left, routes it with every engine for its kind, or those named, and proves
 * the tables. A line each; times are processor time. Fails where an engine's tables are unsafe;
 * that it declines for want of VLs is an answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "routing/engine.h"
#include "routing/verify/verify.h"

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* @return 0, or 1 where the proof fails */
static int prove(const odo_engine *row, const odo_fabric *f, const odo_coordinates *c)
{
	odo_error err = {0};
	odo_verdict verdict = {0};
	odo_tables *t = NULL;
	char hops[16] = "any";
	double start = now();
	int status = odo_tables_create(f, row->name, &t, &err);
	if (!status)
		status = row->route(row, f, c, &(odo_route_options){0}, t, &err);
	double made = now();
	if (status) {
		printf("%-20s declines: %s\n", row->name, err.text);
		odo_tables_free(t);
		return status != ODO_EDECLINE;
	}
	status = odo_verify(t, &verdict, &err);
	if (verdict.max_hops != ODO_NONE)
		snprintf(hops, sizeof hops, "%u", verdict.max_hops);
	printf("%-20s %3u %5s %12llu %8.2f %8.2f  %s\n", row->name, t->n_vls, hops,
	       (unsigned long long)verdict.n_dependencies, made - start, now() - made,
	       status ? err.text : "proved");
	odo_verdict_clear(&verdict);
	odo_tables_free(t);
	return status != 0;
}

static bool is_wanted(const odo_engine *row, const odo_coordinates *c, int n, char **names)
{
	bool named = n == 0;
	for (int i = 0; i < n; i++)
		named |= !strcmp(names[i], row->name);
	return named && row->route && row->kinds & 1u << c->kind;
}

static int fail(const odo_error *err)
{
	fprintf(stderr, "%s\n", err->text);
	return 2;
}

int main(int argc, char **argv)
{
	odo_fabric *whole, *f;
	odo_coordinates *c;
	odo_error err;
	int failed = 0;
	if (argc < 5) {
		fprintf(stderr, "tool_prove SPEC SWITCHES LINKS SEED [ENGINE...]\n");
		return 2;
	}
	odo_damage damage = {.switches = atof(argv[2]),
			     .links = atof(argv[3]),
			     .seed = strtoull(argv[4], NULL, 10)};
	if (odo_topology_generate(argv[1], 0, &whole, &c, &err))
		return fail(&err);
	odo_coordinates_free(c);
	if (odo_fabric_damage(whole, &damage, &f, NULL, &err) || odo_map(f, &c, &err))
		return fail(&err);
	printf("%s less %g %% of switches and %g %% of cables: %u switches, %u hosts, %s\n"
	       "%-20s VLs  hops dependencies   made s verify s\n",
	       argv[1], 100 * damage.switches, 100 * damage.links, f->n_switches, f->n_hosts,
	       odo_kind_name(c->kind), "engine");
	for (const odo_engine *row = odo_engines; row->name; row++)
		if (is_wanted(row, c, argc - 5, argv + 5))
			failed |= prove(row, f, c);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	odo_fabric_free(whole);
	return failed;
}
