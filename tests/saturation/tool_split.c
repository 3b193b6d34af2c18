/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tool_split SPEC ENGINE PATTERN...: what tables allow each pattern, adaptive or not. A line each,
 * as CSV: fabric, engine, pattern, what no split exceeds, what one carries, what the even split
 * carries. Tables are not proved, which would take longer than the rest. */
#include <stdio.h>
#include <stdlib.h>

#include "fabric/topology/topology.h"
#include "routing/engine.h"
#include "saturation/bound.h"

int main(int argc, char **argv)
{
	odo_fabric *f = NULL;
	odo_coordinates *c = NULL;
	odo_tables *t = NULL;
	odo_error err = {0};
	const odo_engine *row = argc > 3 ? odo_engine_find(argv[2]) : NULL;
	int status = row ? 0 : odo_fail(&err, ODO_EINPUT, "expected SPEC ENGINE PATTERN...");
	if (!status)
		status = odo_topology_generate(argv[1], 0, &f, &c, &err);
	if (!status)
		status = odo_tables_create(f, row->name, &t, &err);
	if (!status)
		status = row->route(row, f, c, &(odo_route_options){0}, t, &err);
	for (int i = 3; i < argc && !status; i++) {
		odo_split split;
		odo_traffic *traffic = NULL;
		status = odo_traffic_create(argv[i], f, c, 1, &traffic, &err);
		if (!status)
			status = odo_bound_split(t, c, traffic, NULL, &split, &err);
		odo_traffic_free(traffic);
		if (!status)
			printf("\"%s\",%s,\"%s\",%.5f,%.5f,%.5f\n", argv[1], argv[2], argv[i],
			       split.at_most, split.not_below, split.even);
		fflush(stdout);
	}
	if (status)
		fprintf(stderr, "%s\n", err.text);
	odo_tables_free(t);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	return status != 0;
}
