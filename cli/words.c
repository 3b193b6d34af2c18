/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/words.h"

#include <stdio.h>

#include "emulator/model.h"
#include "emulator/traffic/pattern.h"
#include "emulator/policy.h"
#include "emulator/traffic/workload.h"
#include "export/export.h"
#include "fabric/format/format.h"
#include "fabric/topology/topology.h"
#include "routing/engine.h"

void cli_words_fabrics(const char *separator)
{
	for (const odo_topology *const *t = odo_topologies; *t; t++)
		printf("%s:%s", (*t)->name, separator);
	for (const odo_preset *p = odo_presets; p->name; p++)
		printf("%s%s", p->name, separator);
}

static void print_engine_names(const char *separator)
{
	for (const odo_engine *row = odo_engines; row->name; row++)
		printf("%s%s", row->name, separator);
}

static void print_format_names(const char *separator)
{
	for (const odo_fabric_format *f = odo_fabric_formats; f->name; f++)
		printf("%s%s", f->name, separator);
	for (const odo_export_format *f = odo_export_formats; f->name; f++)
		printf("%s%s", f->name, separator);
}

static void print_pattern_names(const char *separator)
{
	for (const odo_pattern *p = odo_patterns; p->name; p++)
		printf("%s%s", p->name, separator);
	for (const odo_traffic_name *t = odo_traffic_names; t->name; t++)
		printf("%s%s", t->name, separator);
	printf(ODO_FLOWS_PREFIX "%s", separator);
}

static void print_workload_names(const char *separator)
{
	for (const odo_step_workload *w = odo_step_workloads; w->name; w++)
		printf("%s%s", w->name, separator);
	printf("trace:%s", separator);
}

static void print_placement_names(const char *separator)
{
	for (const odo_rank_placement *p = odo_rank_placements; p->name; p++)
		printf("%s%s", p->name, separator);
}

static void print_model_names(const char *separator)
{
	for (const odo_model_preset *m = odo_model_presets; m->name; m++)
		printf("%s%s", m->name, separator);
}

static void print_policy_names(const char *separator)
{
	for (const odo_policy *const *p = odo_policies; *p; p++)
		printf("%s%s", (*p)->name, separator);
}

const cli_words cli_words_of_options[] = {
	{"engine", print_engine_names},       {"format", print_format_names},
	{"pattern", print_pattern_names},     {"model", print_model_names},
	{"policy", print_policy_names},       {"workload", print_workload_names},
	{"placement", print_placement_names}, {0}};
