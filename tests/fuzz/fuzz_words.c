/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the readers of specs: of models, policies, patterns and workloads. The first
 * letter says of which. */
#include "emulator/model.h"
#include "emulator/policy.h"
#include "emulator/traffic/pattern.h"
#include "emulator/traffic/workload.h"
#include "fabric/topology/topology.h"
#include "fuzz.h"
#include "routing/engine.h"

static void try_model(const char *spec, odo_error *err)
{
	odo_model model;
	if (!fuzz_refused(odo_model_parse(spec, NULL, &model, err), err))
		fuzz_refused(odo_model_check(&model, err), err);
}

static void try_policy(const char *spec, odo_error *err)
{
	const odo_policy *row = NULL;
	odo_value value[ODO_MAX_OPTIONS];
	if (!fuzz_refused(odo_policy_parse(spec, &row, value, err), err))
		hold(row && !strncmp(row->name, spec, strlen(row->name)), "the policy named");
}

static void try_pattern(const char *spec, odo_error *err)
{
	static odo_fabric *f;
	static odo_coordinates *c;
	odo_traffic *traffic = NULL;
	if (!f)
		hold(!odo_topology_generate("dragonfly:p=1,a=2,h=1", 0, &f, &c, err), "a fabric");
	if (fuzz_refused(odo_traffic_create(spec, f, c, 1, &traffic, err), err))
		return;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		odo_rng rng = odo_rng_make(1, h);
		uint32_t to = odo_traffic_destination(traffic, h, &rng, h);
		hold(to == ODO_NONE || (to < f->n_hosts && to != h), "sent to another host");
	}
	odo_traffic_free(traffic);
}

static void try_workload(const char *spec, bool timed, odo_error *err)
{
	static const uint32_t host[] = {0, 1, 2, 3};
	const odo_workload_setup setup = {4, host, 4, 8, 4, 1, timed ? 1.28 : 0};
	odo_workload w = {0};
	fuzz_refused(odo_workload_check(spec, err), err);
	if (!fuzz_refused(odo_workload_create(spec, &setup, &w, err), err))
		odo_workload_free(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	odo_error err = {0};
	char *text = fuzz_text(data, size);
	if (strstr(text, ":/") || strstr(text, "-") == text + 1) /* files are other targets' */
		text[0] = 'm';
	switch (text[0]) {
	case 'm':
		try_model(text + 1, &err);
		break;
	case 'p':
		try_policy(text + 1, &err);
		break;
	case 't':
		try_pattern(text + 1, &err);
		break;
	case 'w':
		try_workload(text + 1, size % 2, &err);
		break;
	}
	free(text);
	return 0;
}
