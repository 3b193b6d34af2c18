/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A run whose memory runs out says so: no workload loses messages and is called a deadlock,
 * and no policy goes by ways that it could not make. */
#include "emulator/emulator.h"
#include "emulator/traffic/workload.h"
#include "fabric/topology/topology.h"
#include "tests/exhaust.h"

struct world {
	odo_fabric *f;
	odo_coordinates *c;
	odo_model model;
	uint32_t host[64];
	const char *workload, *policy;
};

static struct world make(const char *spec, const char *workload)
{
	struct world w = {.workload = workload, .policy = "min"};
	odo_error err;
	assert_int_equal(odo_topology_generate(spec, 0, &w.f, &w.c, &err), 0);
	assert_int_equal(odo_model_parse("ofar", NULL, &w.model, &err), 0);
	for (uint32_t h = 0; h < w.f->n_hosts; h++)
		w.host[h] = h;
	return w;
}

static int emulate(const struct world *w, const odo_workload *work, char *said, size_t room)
{
	odo_measures *m;
	odo_error err;
	const odo_emulation e = {.fabric = w->f,
				 .coordinates = w->c,
				 .policy = w->policy,
				 .model = &w->model,
				 .workload = work,
				 .run = {.seed = 1, .measured = 20000, .threads = 1}};
	int status = odo_emulate(&e, &m, &err);
	if (status)
		return status;
	snprintf(said, room, "outcome %d after %llu cycles, %llu of %llu packets arrived",
		 (int)m->outcome, (unsigned long long)m->cycles, (unsigned long long)m->delivered,
		 (unsigned long long)m->generated);
	odo_measures_free(m);
	return 0;
}

static int run(void *world, char *said, size_t room)
{
	const struct world *w = world;
	const odo_workload_setup setup = {.n_hosts = w->f->n_hosts,
					  .host = w->host,
					  .n_ranks = w->f->n_hosts,
					  .packet = w->model.packet,
					  .seed = 1};
	odo_workload work;
	odo_error err;
	int status = odo_workload_create(w->workload, &setup, &work, &err);
	if (status)
		return status;
	status = emulate(w, &work, said, room);
	odo_workload_free(&work);
	return status;
}

static void workloads(void **state)
{
	static const char *const specs[] = {"alltoall:bytes=64", "ring:bytes=256"};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i]); i++) {
		struct world w = make("dragonfly:p=1,a=4,h=1", specs[i]);
		fault_each(run, &w, specs[i], ODO_ENOMEM);
		odo_coordinates_free(w.c);
		odo_fabric_free(w.f);
	}
}

/* What a policy is made of. */
static void ways(void **state)
{
	static const char *const specs[][2] = {
		{"fattree:k=4,levels=3", "fattree-adaptive"},
		{"dragonfly-plus:p=1,leaves=2,spines=2,h=1", "dragonfly-plus-par"},
		{"dragonfly:p=1,a=2,h=1", "ofar:escape=tree"},
		{"dragonfly:p=1,a=2,h=1", "ofar:escape=a"},
	};
	(void)state;
	for (size_t i = 0; TEST_ROW(i, specs, specs[i][0]); i++) {
		struct world w = make(specs[i][0], "ring:bytes=8");
		w.policy = specs[i][1];
		fault_each(run, &w, w.policy, ODO_ENOMEM);
		odo_coordinates_free(w.c);
		odo_fabric_free(w.f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workloads),
		cmocka_unit_test(ways),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
