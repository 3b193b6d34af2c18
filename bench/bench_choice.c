/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Engine chosen on damaged fabrics, as the plugin sees them, a row of CSV each:
 *   bench_choice SPEC SWITCHES LINKS FIRST_SEED N_SEEDS
 * Shares of switches and links missing. Figures are those that decide (choose/floor.h); "other" is
 * the strongest that was not taken; milliseconds of processor time of all of it, the proof
 * included.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/clock.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "routing/choose/floor.h"
#include "routing/engine.h"

static int print_choice(const odo_fabric *f, odo_error *err)
{
	odo_coordinates *c = NULL;
	odo_tables *t = NULL;
	odo_rating r;
	int status = odo_map(f, &c, err);
	double start = bench_seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (!status)
		status = odo_route(f, c, NULL, NULL, &t, err);
	double took = bench_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
	if (!status)
		status = odo_floor_rate(t, &r, err);
	if (!status)
		printf("%s,%s,%s,%s,%u,%.4f,%.4f,\"%s\",%.4f,%.4f,%.1f\n", odo_kind_name(c->kind),
		       t->engine, t->from.detours_anew ? "yes" : "no",
		       t->from.relieved ? "yes" : "no", t->n_vls, r.uniform, r.shifts,
		       t->from.compared, t->from.other.uniform, t->from.other.shifts, took * 1e3);
	odo_tables_free(t);
	odo_coordinates_free(c);
	return status;
}

int main(int argc, char **argv)
{
	odo_fabric *whole = NULL;
	odo_error err = {0};
	if (argc != 6) {
		fprintf(stderr, "expected SPEC SWITCHES LINKS FIRST_SEED N_SEEDS\n");
		return 2;
	}
	odo_damage damage = {.switches = atof(argv[2]), .links = atof(argv[3])};
	uint64_t first = strtoull(argv[4], NULL, 10), n = strtoull(argv[5], NULL, 10);
	int status = odo_topology_generate(argv[1], 0, &whole, NULL, &err);
	for (damage.seed = first; damage.seed < first + n && !status; damage.seed++) {
		odo_fabric *f = NULL;
		status = odo_fabric_damage(whole, &damage, &f, NULL, &err);
		printf("\"%s\",%s,%s,%llu,", argv[1], argv[2], argv[3],
		       (unsigned long long)damage.seed);
		status = status ? status : print_choice(f, &err);
		fflush(stdout);
		odo_fabric_free(f);
	}
	if (status)
		fprintf(stderr, "%s\n", err.text);
	odo_fabric_free(whole);
	return status != 0;
}
