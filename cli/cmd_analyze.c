/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata analyze: what static tables make of a traffic, without emulating it. */
#include <stdlib.h>
#include <string.h>

#include "cli/answers.h"
#include "cli/output.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "experiment/bound.h"
#include "base/memory.h"

typedef struct settings {
	const char *pattern;
	uint64_t seed;
	unsigned bisections;
	uint32_t worst;
} settings;

enum { KEY_SEED = 0x200, KEY_BISECTIONS, KEY_WORST };

static error_t parse(int key, char *arg, struct argp_state *state)
{
	settings *own = ((cli_call *)state->input)->settings;
	switch (key) {
	case ARGP_KEY_INIT:
		*own = (settings){.pattern = "uniform", .seed = 1, .bisections = 10, .worst = 5};
		return 0;
	case 'p':
		own->pattern = arg;
		return 0;
	case KEY_SEED:
		own->seed = cli_parse_number(state, "--seed", arg, 0, UINT64_MAX);
		return 0;
	case KEY_BISECTIONS:
		own->bisections = (unsigned)cli_parse_number(state, "--bisections", arg, 0, 100000);
		return 0;
	case KEY_WORST:
		own->worst = (uint32_t)cli_parse_number(state, "--worst", arg, 0, 1000);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* A traffic, pair by pair. */
static int analyze_traffic(const cli_system *system, const odo_traffic *traffic, odo_analysis *a,
			   odo_error *err)
{
	odo_flow *flows = NULL;
	size_t n;
	int status = odo_traffic_flows(traffic, &flows, &n, err);
	if (!status)
		status = odo_analyze_flows(system->tables, system->coordinates, flows, n, a, err);
	free(flows);
	return status;
}

static int add_class(json_t *rows, const char *name, const odo_class_load *l)
{
	if (!l->n_channels)
		return 0;
	json_t *row = json_object();
	int lacks = json_object_set_new(row, "class", json_string(name));
	lacks |= json_object_set_new(row, "channels", json_integer(l->n_channels));
	lacks |= json_object_set_new(row, "mean_load", json_real(l->mean));
	lacks |= json_object_set_new(row, "max_load", json_real(l->max));
	return json_array_append_new(rows, cli_json_whole(row, lacks));
}

static json_t *classes(const odo_analysis *a, const odo_coordinates *c)
{
	json_t *rows = json_array();
	int failed = 0;
	char name[24];
	failed |= add_class(rows, "host to switch", &a->inject);
	for (unsigned i = 0; i < ODO_MAX_DIMS; i++) {
		if (c && c->kind == ODO_KIND_FATTREE)
			snprintf(name, sizeof name, "levels %u and %u", i, i + 1);
		else
			snprintf(name, sizeof name, "dimension %u", i);
		failed |= add_class(rows, odo_grouped(c) && i < 2 ? (i ? "local" : "global") : name,
				    &a->dim[i]);
	}
	failed |= add_class(rows, "between switches", &a->other);
	failed |= add_class(rows, "switch to host", &a->eject);
	return cli_json_whole(rows, failed);
}

static json_t *path_lengths(const odo_analysis *a)
{
	json_t *rows = json_array();
	int failed = 0;
	double total = 0;
	for (unsigned i = 0; i < ODO_MAX_HISTOGRAM; i++)
		total += a->hops[i];
	for (unsigned i = 0; i < ODO_MAX_HISTOGRAM; i++) {
		if (a->hops[i] <= 0)
			continue;
		json_t *row = json_object();
		int lacks = json_object_set_new(row, "hops", json_integer(i));
		lacks |= json_object_set_new(row, "share", json_real(a->hops[i] / total));
		failed |= json_array_append_new(rows, cli_json_whole(row, lacks));
	}
	return cli_json_whole(rows, failed);
}

static json_t *worst_channels(const odo_analysis *a, const odo_fabric *f, uint32_t n)
{
	json_t *rows = json_array();
	int failed = 0;
	uint32_t *slot = odo_new(n, sizeof *slot);
	failed |= !slot;
	uint32_t found = slot ? odo_analysis_worst(a, n, slot) : 0;
	for (uint32_t i = 0; i < found; i++) {
		json_t *row = json_object();
		int lacks = cli_answer_end(row, f, slot[i], "from", "from_guid", "from_port");
		lacks |= cli_answer_end(row, f, f->peer[slot[i]], "to", "to_guid", "to_port");
		lacks |= json_object_set_new(row, "load", json_real(a->use[slot[i]]));
		failed |= json_array_append_new(rows, cli_json_whole(row, lacks));
	}
	free(slot);
	return cli_json_whole(rows, failed);
}

static int answer(cli_call *call, const cli_system *system, const odo_analysis *a)
{
	const settings *own = call->settings;
	json_t *r = call->result;
	int failed = json_object_set_new(r, "traffic", cli_json_text(own->pattern));
	failed |= json_object_set_new(r, "saturation_at_most",
				      a->max_use > 0 ? json_real(a->saturation) : json_null());
	failed |= json_object_set_new(r, "max_load", json_real(a->max_use));
	failed |= json_object_set_new(r, "mean_hops", json_real(a->mean_hops));
	failed |= json_object_set_new(r, "lost", json_real(a->lost));
	failed |= json_object_set_new(r, "classes", classes(a, system->coordinates));
	failed |= json_object_set_new(r, "path_lengths", path_lengths(a));
	failed |= json_object_set_new(r, "worst", worst_channels(a, system->fabric, own->worst));
	return failed;
}

static int analyze(cli_call *call, const cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	odo_analysis a = {0};
	odo_traffic *traffic = NULL;
	double index = 0, mean = 0, least = 0;
	bool uniform = !strcmp(own->pattern, "uniform");
	int status = uniform ? odo_analyze_uniform(system->tables, system->coordinates, &a, &index,
						   err)
			     : odo_traffic_create(own->pattern, system->fabric, system->coordinates,
						  own->seed, &traffic, err);
	if (!status && !uniform)
		status = analyze_traffic(system, traffic, &a, err);
	if (!status && own->bisections)
		status = odo_analyze_bisection(system->tables, own->bisections, own->seed, &mean,
					       &least, err);
	if (!status) {
		json_t *r = call->result = json_object();
		int failed = cli_answer_origin(r, call);
		failed |= cli_answer_parts(r, system->fabric);
		failed |= cli_answer_tables(r, system->tables);
		failed |= answer(call, system, &a);
		if (uniform)
			failed |= json_object_set_new(r, "forwarding_index", json_real(index));
		if (own->bisections && system->fabric->n_hosts > 1) {
			failed |= json_object_set_new(r, "bisection", json_real(mean));
			failed |= json_object_set_new(r, "least_bisection", json_real(least));
		}
		if (failed)
			status = odo_fail(err, ODO_ENOMEM, "out of memory");
	}
	odo_traffic_free(traffic);
	odo_analysis_clear(&a);
	return status;
}

static int run(cli_call *call)
{
	odo_error err;
	cli_system system = {0};
	int status = cli_system_route(call, &system, &err);
	if (!status)
		status = analyze(call, &system, &err);
	cli_system_clear(&system);
	return status ? cli_fail(&err) : CLI_OK;
}

static const struct argp_option options[] = {
	{"pattern", 'p', "TRAFFIC", 0, "Who sends to whom ('odonata list patterns') [uniform]", 0},
	{"bisections", KEY_BISECTIONS, "N", 0,
	 "Random bisections to take the effective bandwidth of [10]", 0},
	{"worst", KEY_WORST, "N", 0, "Name the N channels with the highest load [5]", 0},
	{"seed", KEY_SEED, "N", 0, "Seed of permutations and bisections [1]", 0},
	{0}};

static const cli_example examples[] = {
	{"odonata analyze dragonfly.net", "Uniform traffic, the forwarding index, and bisections",
	 CLI_OK},
	{"odonata analyze dragonfly.net --pattern advg:n=1 --worst 3",
	 "Adversarial traffic: the bound on its saturation, and the cables that set it", CLI_OK},
	{0}};

const cli_command cli_analyze = {
	.name = "analyze",
	.arguments = "FABRIC",
	.summary = "Add up the load of every cable, without sending packets",
	.about = "Follow a traffic through static tables and add up what every cable carries, as "
		 "shares of the fastest host cable's rate. The fullest cable bounds the load that "
		 "the fabric can accept. With uniform traffic also the forwarding index: the most "
		 "pairs of hosts that share a cable between switches. The bisection bandwidth is "
		 "that of random halves sending to each other. Adaptive routings are declined.",
	.options = options,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.min_args = 1,
	.max_args = 1,
	.settings_size = sizeof(settings),
	.parse = parse,
	.run = run,
	.examples = examples,
};
