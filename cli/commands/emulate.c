/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata emulate: packets under a routing. */
#include <string.h>

#include "base/number.h"
#include "cli/answers.h"
#include "cli/commands/curve.h"
#include "cli/emulation/emulation.h"
#include "cli/terminal/output.h"
#include "cli/terminal/progress.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "experiment/search/bound.h"
#include "experiment/sweep/mpi.h"

typedef struct settings {
	cli_loads loads;
	cli_traffic traffic;
	cli_duration warmup, series;
	cli_duration cycles;   /**< 0: --cycles was not given */
	const char *at_a_load; /**< an option that was, and makes sense only at a load */
	cli_details details;
	odo_run_options run;
} settings;

enum {
	KEY_POLICY = 0x200,
	KEY_WARMUP,
	KEY_CYCLES,
	KEY_SEED,
	KEY_THREADS,
	KEY_CHANNELS,
	KEY_WORKLOAD,
	KEY_RANKS,
	KEY_PLACEMENT,
	KEY_BURST,
	KEY_STEADY,
	KEY_SERIES,
	KEY_HISTOGRAM,
	KEY_SWITCHES,
	KEY_VLARB,
};

/** Cycles and time that a workload gets to finish in, whichever is longer, where --cycles does not
 * say: those of a cable of 4xQDR, on which they are the same. */
#define PATIENCE 10000000
#define PATIENCE_NS 160e6
/** Cycles are counted in 32 bits, with room to wait in. */
#define MOST_CYCLES 2000000000

static void set_defaults(settings *own, struct argp_state *state)
{
	cli_parse_loads(state, "load", "0.5", &own->loads);
	own->traffic = (cli_traffic){.model = "", .placement = odo_rank_placements[0].name};
	own->run = (odo_run_options){.seed = 1, .threads = 1};
	own->warmup.cycles = 5000;
}

static bool is_given(const cli_duration *d)
{
	return d->cycles || d->ns > 0;
}

/** Refuse options that would be ignored. */
static void refuse_idle_traffic(const settings *own, const cli_call *call, struct argp_state *state)
{
	const cli_traffic *t = &own->traffic;
	const char *instead = t->workload ? "workload" : t->burst ? "burst" : NULL;
	if (t->workload && t->burst)
		argp_error(state, "--burst: expected a workload or a burst, found both");
	if (instead && own->at_a_load)
		argp_error(state, "--%s: expected traffic at a load, found --%s", own->at_a_load,
			   instead);
	if ((t->ranks || t->placement != odo_rank_placements[0].name) && !t->workload)
		argp_error(state, "--%s: expected --workload, found none",
			   t->ranks ? "ranks" : "placement");
	if (t->workload && t->pattern)
		argp_error(state, "--pattern: expected a pattern or a workload, found both");
	if (t->policy && (call->routing || call->n_tables))
		argp_error(state, "--policy: expected a policy or tables, found --%s, too",
			   call->routing ? call->routing : "tables");
}

/** Check combinations of options after all have been read. */
static void settle_options(settings *own, const cli_call *call, struct argp_state *state)
{
	refuse_idle_traffic(own, call, state);
	if (!own->traffic.pattern)
		own->traffic.pattern = "uniform";
	const char *one = own->details.channels    ? "channels"
			  : is_given(&own->series) ? "series"
			  : own->details.histogram ? "histogram"
			  : own->details.switches  ? "switches"
						   : NULL;
	own->run.channels = own->details.channels && is_given(&own->series);
	if (own->run.channels && own->run.steady)
		argp_error(state, "--channels: expected --series or --steady, whose warm-up has no "
				  "known length, found both");
	if (one && own->loads.n != 1)
		argp_error(state, "--%s: expected one load, found %s", one,
			   own->loads.saturation ? "a search for saturation" : "several");
	if (!own->traffic.workload && !own->traffic.burst)
		return;
	own->warmup = (cli_duration){0};
	own->run.steady = false;
	cli_parse_loads(state, "load", "1", &own->loads);
}

/** Parse "2000" packets, or "64KiB". */
static void parse_burst(struct argp_state *state, const char *arg, cli_traffic *traffic)
{
	const char *at = arg;
	traffic->burst_of_bytes = arg[strspn(arg, "0123456789")];
	if (!traffic->burst_of_bytes)
		traffic->burst = cli_parse_number(state, "--burst", arg, 1, UINT32_MAX);
	else if (!odo_take_bytes(&at, NULL, &traffic->burst) || *at || !traffic->burst ||
		 traffic->burst > INT64_MAX)
		argp_error(state, "--burst: expected packets or, as 64KiB, bytes, found '%s'", arg);
}

/** Parse options of traffic and model. */
static error_t parse_traffic(int key, char *arg, struct argp_state *state)
{
	cli_traffic *traffic = &((settings *)((cli_call *)state->input)->settings)->traffic;
	switch (key) {
	case 'p':
		traffic->pattern = arg;
		return 0;
	case 'm':
		traffic->model = arg;
		return 0;
	case KEY_POLICY:
		((cli_call *)state->input)->policy = true;
		traffic->policy = arg;
		return 0;
	case KEY_VLARB:
		traffic->vlarb = arg;
		return 0;
	case KEY_WORKLOAD:
		traffic->workload = arg;
		return 0;
	case KEY_PLACEMENT:
		traffic->placement = arg;
		return 0;
	case KEY_BURST:
		parse_burst(state, arg, traffic);
		return 0;
	case KEY_RANKS:
		traffic->ranks = (uint32_t)cli_parse_number(state, "--ranks", arg, 2,
							    UINT32_MAX - 1);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static error_t parse_emulate(int key, char *arg, struct argp_state *state)
{
	settings *own = ((cli_call *)state->input)->settings;
	switch (key) {
	case ARGP_KEY_INIT:
		set_defaults(own, state);
		return 0;
	case ARGP_KEY_END:
		settle_options(own, state->input, state);
		return 0;
	case 'l':
		cli_parse_loads(state, "load", arg, &own->loads);
		own->at_a_load = "load";
		return 0;
	case KEY_WARMUP:
		own->at_a_load = "warmup";
		cli_parse_duration(state, "warmup", arg, 0, MOST_CYCLES / 2, &own->warmup);
		return 0;
	case KEY_CYCLES:
		cli_parse_duration(state, "cycles", arg, 1, MOST_CYCLES, &own->cycles);
		return 0;
	case KEY_STEADY:
		own->run.steady = true;
		own->at_a_load = "steady";
		return 0;
	case KEY_SERIES:
		cli_parse_duration(state, "series", arg, 1, UINT32_MAX, &own->series);
		return 0;
	case KEY_HISTOGRAM:
		own->details.histogram = true;
		return 0;
	case KEY_SWITCHES:
		own->details.switches = true;
		return 0;
	case KEY_SEED:
		own->run.seed = cli_parse_number(state, "--seed", arg, 0, UINT64_MAX);
		return 0;
	case KEY_THREADS:
		own->run.threads = (unsigned)cli_parse_number(state, "--threads", arg, 1, 1024);
		return 0;
	case KEY_CHANNELS:
		own->details.channels = (uint32_t)cli_parse_number(state, "--channels", arg, 1,
								   100000);
		return 0;
	}
	return parse_traffic(key, arg, state);
}

/** Warm-up, cycles and series, now that it is known how long a cycle is. */
static int settle_durations(settings *own, const cli_emulation *made, odo_error *err)
{
	const odo_units *units = made->real ? &made->units : NULL;
	uint64_t series = 0;
	int status = cli_settle_duration(&own->warmup, "warmup", units, 0, MOST_CYCLES / 2,
					 &own->run.warmup, err);
	if (!status)
		status = cli_settle_duration(&own->cycles, "cycles", units, 1, MOST_CYCLES,
					     &own->run.measured, err);
	if (!status)
		status = cli_settle_duration(&own->series, "series", units, 1, UINT32_MAX, &series,
					     err);
	own->run.series = (uint32_t)series;
	if (!own->run.measured)
		own->run.measured = made->emulation.workload ? PATIENCE : 10000;
	if (!is_given(&own->cycles) && made->emulation.workload && units &&
	    PATIENCE_NS > PATIENCE * units->cycle_ns)
		own->run.measured = (uint64_t)(PATIENCE_NS / units->cycle_ns);
	return status;
}

static int answer_saturation(cli_call *call, const cli_emulation *made, odo_error *err)
{
	const odo_emulation *e = &made->emulation;
	odo_saturation s;
	cli_step step;
	const odo_watch watch = cli_step_watch(&step);
	odo_saturation_search how = {.steps = ODO_SATURATION_STEPS, .full = true, .watch = &watch};
	cli_step_begin(&step, "searching for saturation");
	odo_bound_search(e, &how);
	int status = cli_step_end(&step, odo_saturation_find(e, &how, &s, err));
	if (status)
		return status;
	if (made->n_active)
		s.accepted_at_full *= (double)e->fabric->n_senders / made->n_active;
	int failed = json_object_update_new(
		call->result,
		json_pack("{sf sf sf sI si si}", "sustained_load", (double)s.sustained / s.steps,
			  "accepted_at_full_offer", s.accepted_at_full, "latency_at_sustained",
			  s.latency, "cycles_at_sustained", (json_int_t)s.cycles, "runs", s.runs,
			  "deadlocks", s.deadlocks));
	if (made->real)
		failed |= json_object_set_new(
			call->result, "real",
			json_pack("{sf sf sf}", "sustained_GB_per_s",
				  odo_load_gb(&made->units, (double)s.sustained / s.steps),
				  "accepted_at_full_offer_GB_per_s",
				  odo_load_gb(&made->units, s.accepted_at_full),
				  "latency_at_sustained_us",
				  odo_cycles_us(&made->units, s.latency)));
	return failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : ODO_OK;
}

/** The loads as they were asked for: digits that the measures' rows do not have. */
static int answer_load(json_t *answer, const settings *own)
{
	if (own->traffic.workload || own->traffic.burst)
		return 0;
	return json_object_set_new(answer, "load_asked", cli_json_text(own->loads.text));
}

static int run_emulate(cli_call *call)
{
	settings *own = call->settings;
	odo_error err;
	cli_system system = {0};
	cli_emulation made = {0};
	bool stuck = false;
	odo_sweep_mpi_begin();
	int status = own->traffic.policy ? cli_system_map(call, &system, &err)
					 : cli_system_route(call, &system, &err);
	if (!status)
		status = cli_need_sls(call, &system, &err);
	if (!status)
		status = cli_emulation_create(&own->traffic, &system, own->run.seed, &made, &err);
	if (!status)
		status = settle_durations(own, &made, &err);
	status = odo_sweep_mpi_agree(status, &err);
	if (!status) {
		made.emulation.run = own->run;
		made.emulation.run.ranks = true;
		call->result = json_object();
		const odo_units *units = made.real ? &made.units : NULL;
		status = cli_settle_loads(&own->loads, "load", units, &err);
		if (cli_answer_origin(call->result, call) |
		    cli_answer_traffic(call->result, &own->traffic, &system) |
		    cli_answer_provenance(call->result, call, &own->traffic, &made) |
		    answer_load(call->result, own) |
		    (units ? cli_answer_units(call->result, system.fabric, &made.model, units) : 0))
			status = odo_fail(&err, ODO_ENOMEM, "out of memory");
	}
	if (!status)
		status = own->loads.saturation ? answer_saturation(call, &made, &err)
					       : cli_curve_answer(call, &made, &own->loads,
								  &own->details, &stuck, &err);
	cli_emulation_clear(&made);
	cli_system_clear(&system);
	call->elsewhere = odo_sweep_mpi_rank() > 0;
	odo_sweep_mpi_end();
	if (status && !call->elsewhere)
		return cli_fail(call, &err);
	return stuck ? CLI_NO : CLI_OK;
}

static const struct argp_option options[] = {
	{"pattern", 'p', "SPEC", 0,
	 "Traffic (see 'odonata list patterns'), such as advg:n=1, or flows:FILE; uniform by "
	 "default",
	 0},
	{"load", 'l', "LOAD", 0,
	 "Phits a host offers each cycle: 0.5 or 50%, a list 0.1,0.5, a range 0.1:1.0:0.1, the "
	 "same in GB/s (10GB/s, with --model infiniband), or "
	 "'saturation' to search for the highest load at which what every source offers arrives, "
	 "to "
	 "1/128, and measure the load accepted at full offer; 0.5 by default",
	 0},
	{"model", 'm', "SPEC", 0,
	 "Switches and links (see 'odonata list models'), such as ofar:packet=4", 0},
	{"policy", KEY_POLICY, "SPEC", 0,
	 "Route by a policy (see 'odonata list policies') instead of tables", 0},
	{"vlarb", KEY_VLARB, "FILE", 0,
	 "VL arbitration tables of the switches: OpenSM's options (qos_vlarb_high ...), or what "
	 "smpquery vlarb prints of each port",
	 0},
	{"warmup", KEY_WARMUP, "CYCLES", 0,
	 "Cycles before measuring, 5,000 by default, or with --model infiniband a time as 10us; of "
	 "a "
	 "search those of a load's first run",
	 0},
	{"steady", KEY_STEADY, 0, 0, "Lengthen the warm-up until the means hold still", 0},
	{"series", KEY_SERIES, "CYCLES", 0,
	 "Also print load and latency over time, in intervals of so many cycles, or as 10us", 0},
	{"cycles", KEY_CYCLES, "CYCLES", 0,
	 "Cycles of measuring, 10,000 by default, or as 10us; the most that a workload or burst "
	 "may take, "
	 "by default 10,000,000 or 160 ms, whichever is longer",
	 0},
	{"seed", KEY_SEED, "N", 0, "Seed of all random numbers; 1 by default", 0},
	{"threads", KEY_THREADS, "N", 0, "Threads; the results are the same for any number", 0},
	{"workload", KEY_WORKLOAD, "SPEC", 0,
	 "Messages that wait for each other (see 'odonata list workloads'), or trace:FILE, instead "
	 "of a pattern at a load",
	 0},
	{"burst", KEY_BURST, "SIZE", 0,
	 "Every host sends so much by the pattern as fast as it can: packets, or bytes as 64KiB",
	 0},
	{"ranks", KEY_RANKS, "N", 0, "Ranks of a workload; one on every host by default", 0},
	{"placement", KEY_PLACEMENT, "NAME", 0,
	 "How ranks are put on hosts (see 'odonata list placements'); linear by default", 0},
	{"channels", KEY_CHANNELS, "N", 0,
	 "Name the N busiest cables; with --series, also their load over time", 0},
	{"histogram", KEY_HISTOGRAM, 0, 0,
	 "How many packets had which latency: each up to 1,024 cycles, then 64 steps a doubling",
	 0},
	{"switches", KEY_SWITCHES, 0, 0,
	 "How many packets the hosts of each switch generated and injected", 0},
	{0}};

static const cli_example examples[] = {
	{"odonata emulate dragonfly.net --pattern advg:n=1 --load 0.1",
	 "Adversarial traffic through the routing that 'odonata route' finds", CLI_OK},
	{"odonata emulate dragonfly.net --load 0.1:0.9:0.4 --cycles 2000 --json",
	 "Three points of a curve, for a program", CLI_OK},
	{"odonata emulate demo-dragonfly --pattern advg:n=1 --load saturation --cycles 2000",
	 "The load at which the fabric saturates", CLI_OK},
	{"odonata emulate demo-dragonfly --model infiniband --load 80% --cycles 2000",
	 "Also in GB/s and microseconds", CLI_OK},
	{0}};

const cli_command cli_emulate = {
	.name = "emulate",
	.arguments = "FABRIC",
	.summary = "Send traffic through a fabric and measure",
	.about = "Map, route and prove a fabric, then send packets through the very tables that "
		 "would be installed: virtual cut-through with credits, in cycles. Prints offered "
		 "and accepted load, latency and hops. Loads are in phits per host and cycle, "
		 "latencies in cycles; with "
		 "--model infiniband in GB/s, microseconds and packets a second, too. Built with "
		 "ODONATA_MPI and started by mpirun or srun, the "
		 "ranks share each run between them, and the first one answers, with the same "
		 "bytes for any number of them.",
	.options = options,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.ranks = true,
	.min_args = 1,
	.max_args = 1,
	.settings_size = sizeof(settings),
	.parse = parse_emulate,
	.run = run_emulate,
	.examples = examples,
};
