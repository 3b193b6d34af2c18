/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata emulate: packets under a routing. */
#include <string.h>

#include "base/number.h"
#include "cli/answers.h"
#include "cli/parts/curve.h"
#include "cli/emulation/emulation.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "cli/terminal/progress.h"
#include "experiment/sweep/mpi.h"
#include "saturation/bound.h"

typedef struct settings {
	cli_loads loads;
	cli_traffic traffic;
	cli_duration warmup, series;
	cli_duration cycles; /**< 0: --cycles was not given */
	cli_details details;
	odo_run_options run;
} settings;

/** Cycles and time that a workload gets to finish in, whichever is longer, where --cycles does not
 * say: those of a cable of 4xQDR, on which they are the same. */
#define PATIENCE 10000000
#define PATIENCE_NS 160e6
/** Cycles are counted in 32 bits, with room to wait in. */
#define MOST_CYCLES 2000000000

static bool is_given(const cli_duration *d)
{
	return d->cycles || d->ns > 0;
}

static void check_emulate(cli_call *call)
{
	settings *own = call->settings;
	static const char *const at_one_load[] = {"channels", "series", "histogram", "switches"};
	own->run.channels = own->details.channels && is_given(&own->series);
	if (own->run.channels && own->run.steady)
		cli_usage_error(call, "--channels: expected --series or --steady, whose warm-up "
				      "has no known length, found both");
	for (size_t i = 0; i < sizeof at_one_load / sizeof *at_one_load; i++)
		if (cli_is_given(call, at_one_load[i]) && own->loads.n != 1)
			cli_usage_error(call, "--%s: expected one load, found %s", at_one_load[i],
					own->loads.saturation ? "a search for saturation"
							      : "several");
	if (!own->traffic.workload && !own->traffic.burst)
		return;
	own->warmup = (cli_duration){0};
	cli_parse_loads(call, "load", "1", &own->loads);
}

/** Set "2000" packets, or "64KiB". */
static void set_burst(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	const char *at = text;
	cli_traffic *traffic = &((settings *)call->settings)->traffic;
	traffic->burst_of_bytes = text[strspn(text, "0123456789")];
	if (!traffic->burst_of_bytes)
		cli_set_number(call, flag, text, to);
	else if (!odo_take_bytes(&at, NULL, &traffic->burst) || *at || !traffic->burst ||
		 traffic->burst > INT64_MAX)
		cli_usage_error(call, "--burst: expected packets or, as 64KiB, bytes, found '%s'",
				text);
}

static void set_policy(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	call->policy = true;
	cli_set_text(call, flag, text, to);
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
	cli_put_all(&call->result,
		    json_pack("{sf sf sf sI si si}", "sustained_load",
			      (double)s.sustained / s.steps, "accepted_at_full_offer",
			      s.accepted_at_full, "latency_at_sustained", s.latency,
			      "cycles_at_sustained", (json_int_t)s.cycles, "runs", s.runs,
			      "deadlocks", s.deadlocks));
	if (made->real)
		cli_put(&call->result, "real",
			json_pack("{sf sf sf}", "sustained_GB_per_s",
				  odo_load_gb(&made->units, (double)s.sustained / s.steps),
				  "accepted_at_full_offer_GB_per_s",
				  odo_load_gb(&made->units, s.accepted_at_full),
				  "latency_at_sustained_us",
				  odo_cycles_us(&made->units, s.latency)));
	return cli_check_answer(call->result, err);
}

/** Answer with the settings of the run. Loads are repeated as given, because the measures' rows do
 * not have all their digits. */
static int answer_settings(cli_call *call, const cli_system *system, const cli_emulation *made,
			   odo_error *err)
{
	const settings *own = call->settings;
	json_t **r = &call->result;
	*r = json_object();
	cli_answer_origin(r, call);
	cli_answer_traffic(r, &own->traffic, system);
	cli_answer_provenance(r, call, &own->traffic, made);
	if (!own->traffic.workload && !own->traffic.burst)
		cli_put_text(r, "load_asked", own->loads.text);
	if (made->real)
		cli_answer_units(r, system->fabric, &made->model, &made->units);
	return cli_check_answer(*r, err);
}

static int run_emulate(cli_call *call, cli_system *system, odo_error *err)
{
	settings *own = call->settings;
	cli_emulation made = {0};
	bool stuck = false;
	odo_sweep_mpi_begin();
	int status = own->traffic.policy ? cli_system_map(call, system, err)
					 : cli_system_route(call, system, err);
	if (!status)
		status = cli_need_sls(call, system, err);
	if (!status)
		status = cli_emulation_create(&own->traffic, system, own->run.seed, &made, err);
	if (!status)
		status = settle_durations(own, &made, err);
	status = odo_sweep_mpi_agree(status, err);
	if (!status) {
		made.emulation.run = own->run;
		made.emulation.run.ranks = true;
		status = cli_settle_loads(&own->loads, "load", made.real ? &made.units : NULL, err);
		if (!status)
			status = answer_settings(call, system, &made, err);
	}
	if (!status)
		status = own->loads.saturation ? answer_saturation(call, &made, err)
					       : cli_curve_answer(call, &made, &own->loads,
								  &own->details, &stuck, err);
	cli_emulation_clear(&made);
	call->elsewhere = odo_sweep_mpi_rank() > 0;
	call->code = stuck ? CLI_NO : CLI_OK;
	return status;
}

static const cli_flag flags[] = {
	{"pattern", 'p', "SPEC", "Traffic ('odonata list patterns') [uniform]",
	 "Traffic ('odonata list patterns'), such as advg:n=1, or flows:FILE",
	 CLI_TEXT(settings, traffic.pattern), .usual = "uniform", .not_with = "workload"},
	{"load", 'l', "LOAD", "Load: 0.5, 50%, 0.1,0.5, 0.1:1.0:0.1 or saturation",
	 "Phits that a host offers each cycle: 0.5 or 50%, a list 0.1,0.5, a range 0.1:1.0:0.1, "
	 "the same in GB/s (10GB/s, with --model infiniband), or 'saturation' to search, to 1/128, "
	 "for the highest load at which all that every source offers arrives, and to measure the "
	 "load accepted at full offer",
	 CLI_OWN(cli_set_loads, settings, loads), .usual = "0.5", .not_with = "workload,burst"},
	{"model", 'm', "SPEC", "Switches and links ('odonata list models')",
	 "Switches and links ('odonata list models'), such as ofar:packet=4",
	 CLI_TEXT(settings, traffic.model), .usual = ""},
	{"policy", 0, "SPEC", NULL, "Route by a policy ('odonata list policies') instead of tables",
	 CLI_OWN(set_policy, settings, traffic.policy),
	 .not_with = "engine,vls,sls,spread-lids,strict,roots,compute,io,tables"},
	{"vlarb", 0, "FILE", NULL,
	 "VL arbitration tables of the switches: OpenSM's options (qos_vlarb_high ...), or the "
	 "output of smpquery vlarb for each port",
	 CLI_TEXT(settings, traffic.vlarb)},
	{"warmup", 0, "CYCLES", NULL,
	 "Cycles before measuring, or with --model infiniband a time as 10us; of a search those of "
	 "a load's first run",
	 CLI_OWN(cli_set_duration, settings, warmup), .max = MOST_CYCLES / 2, .usual = "5000",
	 .not_with = "workload,burst"},
	{"steady", 0, NULL, NULL, "Lengthen the warm-up until the means are steady",
	 CLI_BOOL(settings, run.steady), .not_with = "workload,burst"},
	{"series", 0, "CYCLES", NULL,
	 "Also print load and latency over time, in intervals of so many cycles, or as 10us",
	 CLI_OWN(cli_set_duration, settings, series), .min = 1, .max = UINT32_MAX},
	{"cycles", 0, "CYCLES", "Cycles of measuring [10000]",
	 "Cycles of measuring [10000], or a time as 10us; the most that a workload or burst may "
	 "take [10000000 or 160 ms, whichever is longer]",
	 CLI_OWN(cli_set_duration, settings, cycles), .min = 1, .max = MOST_CYCLES},
	{"seed", 0, "N", NULL, "Seed of all random numbers",
	 CLI_NUMBER(settings, run.seed, 0, UINT64_MAX), .usual = "1"},
	{"threads", 0, "N", "Threads [1]", "Threads; the results are the same for any number",
	 CLI_NUMBER(settings, run.threads, 1, 1024), .usual = "1"},
	{"workload", 0, "SPEC", "Messages ('odonata list workloads')",
	 "Messages that wait for each other ('odonata list workloads'), or trace:FILE, instead of "
	 "a pattern at a load",
	 CLI_TEXT(settings, traffic.workload)},
	{"burst", 0, "SIZE", NULL,
	 "Every host sends so much by the pattern as fast as it can: packets, or bytes as 64KiB",
	 CLI_OWN(set_burst, settings, traffic.burst), .min = 1, .max = UINT32_MAX,
	 .not_with = "workload"},
	{"ranks", 0, "N", NULL, "Ranks of a workload [one on every host]",
	 CLI_NUMBER(settings, traffic.ranks, 2, UINT32_MAX - 1), .needs = "workload"},
	{"placement", 0, "NAME", NULL, "Placement of ranks on hosts ('odonata list placements')",
	 CLI_TEXT(settings, traffic.placement), .usual = "linear", .needs = "workload"},
	{"channels", 0, "N", NULL,
	 "Name the N busiest cables; with --series, also their load over time",
	 CLI_NUMBER(settings, details.channels, 1, 100000)},
	{"histogram", 0, NULL, NULL,
	 "Count packets by latency: each up to 1,024 cycles, then in 64 steps a doubling",
	 CLI_BOOL(settings, details.histogram)},
	{"switches", 0, NULL, NULL,
	 "Count the packets that the hosts of each switch generated and injected",
	 CLI_BOOL(settings, details.switches)},
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
	.arguments = "FABRIC...",
	.summary = "Send traffic through a fabric and measure",
	.about = "Map, route and prove a fabric, then send packets through the tables that would "
		 "be installed: virtual cut-through with credits, in cycles. Print offered and "
		 "accepted load, latency and hops. Loads are in phits per host and cycle, "
		 "latencies in cycles; with --model infiniband also in GB/s, microseconds and "
		 "packets per second.\n\n"
		 "If Odonata was built with ODONATA_MPI and is started by mpirun or srun, the "
		 "ranks share each run, and the first rank answers. The bytes are the same for any "
		 "number of ranks.",
	.flags = flags,
	.each = true,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.ranks = true,
	.settings_size = sizeof(settings),
	.check = check_emulate,
	.run = run_emulate,
	.examples = examples,
};
