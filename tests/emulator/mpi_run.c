/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One run over MPI ranks: prints every figure it measured, from rank 0. test_ranks.sh compares.
 *
 *   mpi_run TOPOLOGY POLICY|tables|one-vl LOAD|WORKLOAD CYCLES [THREADS]
 *
 * "one-vl": tables whose VLs are all 0, buffers of one packet, and ADVG+2: a dragonfly deadlocks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/emulator.h"
#include "emulator/traffic/pattern.h"
#include "emulator/traffic/workload.h"
#include "fabric/topology/topology.h"
#include "routing/engine.h"

static int print(const odo_measures *m, const odo_fabric *f)
{
	fputs(m->report, stdout);
	printf("%d %llu %llu %.17g %.17g %.17g %.17g\n", m->outcome,
	       (unsigned long long)m->generated, (unsigned long long)m->delivered, m->offered,
	       m->accepted, m->accepted_error, m->latency_error);
	printf("%llu %llu %llu %.17g\n", (unsigned long long)m->latency.sum,
	       (unsigned long long)m->latency.max, (unsigned long long)m->network.sum, m->jain);
	for (unsigned i = 0; i < ODO_HISTOGRAM_BUCKETS; i++)
		printf("%llu\n", (unsigned long long)m->latency.bucket[i]);
	for (uint32_t s = 0; s < f->n_slots; s++)
		printf("%u\n", m->channel[s]);
	for (uint32_t s = 0; s < f->n_switches; s++)
		printf("%u %u\n", m->by_switch[s], m->born_by_switch[s]);
	for (uint32_t h = 0; h < m->n_hosts; h++)
		printf("%u %u\n", m->offered_by_host[h], m->arrived_by_host[h]);
	for (uint32_t i = 0; i < m->n_intervals; i++)
		printf("%llu %llu %llu\n", (unsigned long long)m->intervals[i].delivered,
		       (unsigned long long)m->intervals[i].latency_sum,
		       (unsigned long long)m->intervals[i].born_latency_sum);
	return 0;
}

int main(int argc, char **argv)
{
	odo_error err = {0};
	odo_fabric *f;
	odo_coordinates *c;
	odo_tables *t = NULL;
	odo_model model;
	odo_traffic *traffic;
	odo_workload work;
	odo_measures *m;
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc < 5 || argc > 6)
		return 2;
	bool one_vl = !strcmp(argv[2], "one-vl"), tables = one_vl || !strcmp(argv[2], "tables");
	int status = odo_topology_generate(argv[1], 0, &f, &c, &err);
	if (!status)
		status = odo_model_parse(one_vl ? "ofar:buffer-global=8,buffer-local=8" : "ofar",
					 NULL, &model, &err);
	if (!status)
		status = odo_traffic_create(one_vl ? "advg:n=2" : "uniform", f, c, 1, &traffic,
					    &err);
	if (!status && tables)
		status = odo_route(f, c, NULL, &(odo_route_options){0}, &t, &err);
	for (uint32_t i = 0; !status && one_vl && i < t->n_rows; i++)
		memset(&t->rows[i], 0, sizeof t->rows[i]);
	if (!status && one_vl)
		t->n_vls = 1;
	odo_emulation e = {.fabric = f,
			   .coordinates = c,
			   .tables = t,
			   .policy = tables ? NULL : argv[2],
			   .model = &model,
			   .traffic = traffic,
			   .run = {.seed = 1,
				   .sources = true,
				   .load = atof(argv[3]),
				   .warmup = 500,
				   .measured = strtoull(argv[4], NULL, 10),
				   .series = 300,
				   .threads = argc > 5 ? (unsigned)atoi(argv[5]) : 1,
				   .ranks = true}};
	if (!status && e.run.load <= 0) {
		uint32_t *host = calloc(f->n_hosts, sizeof *host);
		for (uint32_t i = 0; i < f->n_hosts; i++)
			host[i] = i;
		const odo_workload_setup setup = {.n_hosts = f->n_hosts,
						  .host = host,
						  .n_ranks = f->n_hosts,
						  .packet = model.packet,
						  .seed = 1};
		status = odo_workload_create(argv[3], &setup, &work, &err);
		e.traffic = NULL;
		e.workload = &work;
		e.run.load = 1;
		e.run.warmup = 0;
	}
	double start = MPI_Wtime();
	if (!status)
		status = odo_emulate(&e, &m, &err);
	if (status)
		fprintf(stderr, "%s\n", err.text);
	if (rank == 0)
		fprintf(stderr, "%.3f s\n", MPI_Wtime() - start);
	if (rank == 0 && !status)
		print(m, f);
	MPI_Finalize();
	return status != 0;
}
