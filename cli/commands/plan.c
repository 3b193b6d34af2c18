/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata plan: fabrics that could be built, and the parts that they need. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/output.h"
#include "cli/terminal/progress.h"
#include "cli/rows.h"
#include "emulator/units.h"
#include "plan/choose.h"
#include "plan/figures.h"

typedef struct settings {
	odo_plan_wish wish;
	odo_plan_options options;
	const char *prices, *cabling, *figures;
	unsigned of; /**< candidate to cable, counted from 1 */
} settings;

/** Default bisection, a reasonable value that several kinds reach (paper 004, section 1). */
#define USUAL_BISECTION 0.5
/** Candidates up to this many hosts are routed by default: each takes less than a second, the worst
 * permutation included. */
#define USUALLY_RATED "1100"

static double parse_real(const cli_call *call, const cli_flag *flag, const char *text, double min,
			 double max)
{
	odo_error err;
	double number = 0;
	if (odo_read_real(text, min, max, &number, &err))
		cli_usage_error(call, "--%s: %s", flag->name, err.text);
	return number;
}

static void set_bisection(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	*(double *)to = parse_real(call, flag, text, 0, 100);
}

static void set_oversubscription(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	*(double *)to = 1 / parse_real(call, flag, text, 0.01, 1000);
}

/** Set a load such as "0.8" or "80%". */
static void set_load(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	const char *at = text;
	bool gb;
	if (!odo_take_load(&at, to, &gb) || *at || gb || *(double *)to > 1)
		cli_usage_error(call,
				"--%s: expected a load from 0 to 1, as 0.8 or 80%%, found '%s'",
				flag->name, text);
}

static void show_candidate(void *context, const char *spec, unsigned done, unsigned n)
{
	cli_step_at(context, (double)done / n, "%.200s, %u of %u", spec, done + 1, n);
}

static void check_plan(cli_call *call)
{
	settings *own = call->settings;
	if (!own->figures && (!own->wish.hosts || !own->wish.radix))
		cli_usage_error(call, "expected --hosts and --radix");
	if (own->wish.per_switch && own->wish.per_switch >= own->wish.radix)
		cli_usage_error(call, "--per-switch: expected less than --radix, found %u",
				own->wish.per_switch);
	if (!cli_is_given(call, "bisection") && !cli_is_given(call, "oversubscription") &&
	    own->wish.saturation <= 0)
		own->wish.bisection = USUAL_BISECTION;
}

static json_t *candidate_row(unsigned number, const odo_plan_choice *x)
{
	const odo_plan_candidate *c = &x->candidate;
	return json_pack("{si ss sb si si si sI si sf sf sf sf si}", "n", number, "kind",
			 c->kind->name, "enough", x->enough, "hosts", c->hosts, "switches",
			 c->switches, "ports", c->ports, "cables", (json_int_t)c->cables,
			 "diameter", c->diameter, "mean_hops", c->mean_hops, "bisection",
			 c->bisection, "uniform", c->uniform, "worst", c->worst, "vls", c->vls);
}

/* Convert an amount to an integer, limited because a sum of prices may exceed its range. */
static json_int_t dollars(double amount)
{
	return (json_int_t)fmin(amount + 0.5, 9e18);
}

static json_t *bill_row(unsigned number, const odo_plan_choice *x)
{
	const odo_plan_bill *b = &x->bill;
	return json_pack("{si si sI sI sI sf sf sI sI sf}", "n", number, "racks", b->racks,
			 "inside", (json_int_t)b->inside, "electrical", (json_int_t)b->electrical,
			 "optical", (json_int_t)b->optical, "mean_metres", b->metres, "longest",
			 b->longest, "switch_cost", dollars(b->switches), "cable_cost",
			 dollars(b->cables), "cost_per_host",
			 odo_plan_cost(b) / x->candidate.hosts);
}

static json_t *rating_row(unsigned number, const odo_plan_choice *x)
{
	const odo_plan_rating *r = &x->rating;
	return json_pack("{si ss si sf sf sb}", "n", number, "engine", r->engine, "vls", r->vls,
			 "uniform", r->uniform, "worst", r->worst, "worst_known", !r->cut);
}

static int answer_candidates(cli_call *call, const odo_plan_choice *choice, unsigned n,
			     odo_error *err)
{
	json_t *candidates = json_array(), *bills = json_array(), *ratings = json_array();
	json_t *specs = json_array();
	unsigned enough = 0;
	for (unsigned i = 0; i < n; i++) {
		enough += choice[i].enough;
		cli_append(&candidates, candidate_row(i + 1, &choice[i]));
		cli_append(&bills, bill_row(i + 1, &choice[i]));
		cli_append(&specs,
			   json_pack("{si ss}", "n", i + 1, "spec", choice[i].candidate.spec));
		if (*choice[i].rating.engine)
			cli_append(&ratings, rating_row(i + 1, &choice[i]));
	}
	call->result = json_pack("{si si so so so so}", "enough", enough, "not_enough", n - enough,
				 "candidates", candidates, "racks_and_cost", bills, "tables",
				 ratings, "specs", specs);
	return cli_check_answer(call->result, err);
}

static int write_cabling(const settings *own, const odo_plan_prices *prices,
			 const odo_plan_choice *choice, unsigned n, odo_error *err)
{
	unsigned of = own->of;
	cli_file file;
	if (of > n)
		return odo_fail(err, ODO_EINPUT,
				"--candidate: expected one of the %u candidates, found %u", n, of);
	int status = cli_file_open(own->cabling, &file, err);
	if (status)
		return status;
	status = odo_plan_cabling(choice[of - 1].candidate.spec, prices, file.to, err);
	return cli_file_close(&file, status, err);
}

/* Write a file of a figure: its CSV, or its script. */
static int write_plan_figure(const char *folder, const odo_plan_figure *figure, bool script,
			     const odo_plan_prices *prices, odo_error *err)
{
	char path[PATH_MAX];
	cli_file file;
	int n = snprintf(path, sizeof path, "%s/%s.%s", folder, figure->name,
			 script ? "gp" : "csv");
	if (n < 0 || (size_t)n >= sizeof path)
		return odo_fail(err, ODO_EINPUT, "--figures: expected a shorter path");
	int status = cli_file_open(path, &file, err);
	if (status)
		return status;
	if (script)
		odo_plan_figure_script(figure, file.to);
	else
		status = figure->write(prices, file.to, err);
	return cli_file_close(&file, status, err);
}

static int write_figures(cli_call *call, const odo_plan_prices *prices, cli_step *step,
			 odo_error *err)
{
	const settings *own = call->settings;
	size_t n = 0;
	while (odo_plan_figures[n].name)
		n++;
	json_t *rows = json_array();
	int status = 0;
	for (const odo_plan_figure *x = odo_plan_figures; x->name && !status; x++) {
		size_t done = (size_t)(x - odo_plan_figures);
		cli_step_at(step, (double)done / (double)n, "%s, %zu of %zu", x->title, done + 1,
			    n);
		status = write_plan_figure(own->figures, x, false, prices, err);
		if (!status && x->plot)
			status = write_plan_figure(own->figures, x, true, prices, err);
		cli_append(&rows, json_pack("{so ss}", "file", json_sprintf("%s.csv", x->name),
					    "figure", x->title));
	}
	call->result = json_pack("{so}", "figures", rows);
	return status ? status : cli_check_answer(call->result, err);
}

/* Write the candidates.
 * @param any true if one of them suffices */
static int write_candidates(cli_call *call, const odo_plan_prices *prices, cli_step *step,
			    bool *any, odo_error *err)
{
	settings *own = call->settings;
	own->options.progress = show_candidate;
	own->options.context = step;
	odo_plan_choice *choice = NULL;
	unsigned n = 0;
	int status = odo_plan_choose(&own->wish, prices, &own->options, &choice, &n, err);
	if (!status && own->cabling)
		status = write_cabling(own, prices, choice, n, err);
	if (!status)
		status = answer_candidates(call, choice, n, err);
	*any = n && choice && choice[0].enough;
	free(choice);
	return status;
}

static int run_plan(cli_call *call, cli_system *system, odo_error *err)
{
	(void)system;
	const settings *own = call->settings;
	odo_plan_prices prices = odo_plan_default_prices;
	bool any = true;
	cli_step step;
	int status = own->prices ? odo_plan_prices_read(own->prices, &prices, err) : 0;
	cli_step_begin(&step, "planning");
	if (!status)
		status = own->figures ? write_figures(call, &prices, &step, err)
				      : write_candidates(call, &prices, &step, &any, err);
	cli_step_end(&step, status);
	call->code = any ? CLI_OK : CLI_NO;
	return status;
}

static const cli_flag flags[] = {
	{"hosts", 'n', "N", "Least number of hosts", NULL,
	 CLI_NUMBER(settings, wish.hosts, 2, ODO_PLAN_MOST_HOSTS)},
	{"radix", 'r', "PORTS", "Ports of each switch", NULL,
	 CLI_NUMBER(settings, wish.radix, 3, ODO_MAX_PORTS)},
	{"bisection", 0, "SHARE", "Least relative bisection [0.5]",
	 "Least relative bisection: cables across the worst half over half of the hosts, 1 for all "
	 "of them [0.5; any, with --saturation]",
	 CLI_OWN(set_bisection, settings, wish.bisection)},
	{"oversubscription", 0, "N", NULL, "The same as --bisection 1/N",
	 CLI_OWN(set_oversubscription, settings, wish.bisection), .not_with = "bisection"},
	{"saturation", 0, "SHARE", NULL,
	 "Load of uniform traffic that minimal routing must carry, as a share of a host's cable",
	 CLI_OWN(set_load, settings, wish.saturation)},
	{"exact", 0, NULL, NULL, "Exactly as many hosts as asked for",
	 CLI_BOOL(settings, wish.exact)},
	{"per-switch", 0, "N", NULL, "Hosts on each switch that has any [as many as suit]",
	 CLI_NUMBER(settings, wish.per_switch, 1, ODO_MAX_PORTS)},
	{"each", 0, "N", "Show the N best candidates of each kind [1]",
	 "Show the N best candidates of each kind, 8 at most",
	 CLI_NUMBER(settings, options.per_kind, 1, ODO_PLAN_KEPT), .usual = "1"},
	{"tables", 0, "HOSTS", NULL,
	 "Route the candidates if up to so many hosts are wanted, and find the load that their "
	 "tables carry",
	 CLI_NUMBER(settings, options.rated_hosts, 0, ODO_PLAN_MOST_HOSTS), .usual = USUALLY_RATED},
	{"prices", 0, "FILE", "YAML file of prices and of racks",
	 "YAML file of prices and of the contents of racks [those of paper 001]",
	 CLI_TEXT(settings, prices)},
	{"cabling", 0, "FILE", "Write a list of a candidate's cables as CSV",
	 "Write a list of all cables of a candidate as CSV: both ends with row, rack, position and "
	 "port, length in metres, kind",
	 CLI_TEXT(settings, cabling)},
	{"candidate", 0, "N", NULL, "With --cabling: the candidate of this number",
	 CLI_NUMBER(settings, of, 1, 1000), .usual = "1", .needs = "cabling"},
	{"figures", 0, "FOLDER", NULL,
	 "Write Figures 1, 2, 4 and 19 and Table 2 of paper 001 as CSV, with gnuplot scripts",
	 CLI_TEXT(settings, figures), .not_with = "hosts,radix,cabling"},
	{0}};

static const cli_example examples[] = {
	{"odonata plan --hosts 1000 --radix 36",
	 "What could be built for 1,000 hosts out of switches with 36 ports", CLI_OK},
	{"odonata plan --hosts 500 --radix 40 --oversubscription 1 --each 2 --json",
	 "With full bisection, two of each kind, for a script", CLI_OK},
	{"odonata plan --hosts 128 --radix 24 --cabling cables.csv --candidate 2",
	 "The cabling list of the second candidate", CLI_OK},
	{"odonata plan --hosts 16384 --exact --per-switch 8 --radix 36 --each 2",
	 "The search that led paper 004 to its reference systems", CLI_OK},
	{"odonata plan --figures .", "Figures of paper 001 by these prices", CLI_OK},
	{0}};

const cli_command cli_plan = {
	.name = "plan",
	.arguments = "",
	.summary = "List the fabrics that could be built for a number of hosts",
	.about = "Search the fabrics of every kind that so many hosts and switches of so many "
		 "ports allow: dragonfly, Dragonfly+, FlatFly, hypercube, torus, Slim Fly, fat "
		 "tree. Print the cheapest of each kind that has the wanted bisection or "
		 "saturation; of other kinds the nearest one, marked as not enough. Exits with 1 "
		 "if no candidate is enough.\n\n"
		 "Columns: the most ports that a switch uses; cables between switches; diameter "
		 "and mean_hops in cables between switches; uniform and worst, the loads as shares "
		 "of a host's cable at which minimal routing saturates at the latest under uniform "
		 "traffic and under the worst permutation. \"tables\" has the loads that Odonata's "
		 "tables carry. generate, map, route, analyze and emulate accept every spec of the "
		 "answer.",
	.flags = flags,
	.groups = CLI_OUTPUT,
	.settings_size = sizeof(settings),
	.check = check_plan,
	.run = run_plan,
	.examples = examples,
};
