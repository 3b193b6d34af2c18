/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata plan: fabrics that could be built, and the parts that they need. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
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
	bool bisection_given;
} settings;

enum {
	KEY_EXACT = 0x200,
	KEY_PER_SWITCH,
	KEY_BISECTION,
	KEY_OVERSUBSCRIPTION,
	KEY_SATURATION,
	KEY_PRICES,
	KEY_EACH,
	KEY_TABLES,
	KEY_CABLING,
	KEY_OF,
	KEY_FIGURES,
};

/** Default bisection, a reasonable value that several kinds reach (paper 004, section 1). */
#define USUAL_BISECTION 0.5
/** Candidates up to this many hosts are routed by default: each takes less than a second, the worst
 * permutation included. */
#define USUALLY_RATED 1100

static double parse_real(struct argp_state *state, const char *what, const char *text, double min,
			 double max)
{
	odo_error err;
	double number = 0;
	if (odo_read_real(text, min, max, &number, &err))
		argp_error(state, "%s: %s", what, err.text);
	return number;
}

/** Parse "0.8" or "80%". */
static double parse_load(struct argp_state *state, const char *what, const char *text)
{
	const char *at = text;
	double load = 0;
	bool gb;
	if (!odo_take_load(&at, &load, &gb) || *at || gb || load > 1)
		argp_error(state, "%s: expected a load from 0 to 1, as 0.8 or 80%%, found '%s'",
			   what, text);
	return load;
}

static uint32_t parse_whole(struct argp_state *state, const char *what, const char *text,
			    uint32_t min, uint32_t max)
{
	return (uint32_t)cli_parse_number(state, what, text, min, max);
}

static void show_candidate(void *context, const char *spec, unsigned done, unsigned n)
{
	cli_step_at(context, (double)done / n, "%.200s, %u of %u", spec, done + 1, n);
}

static void set_bisection(struct argp_state *state, settings *own, double bisection)
{
	if (own->bisection_given)
		argp_error(state, "expected --bisection or --oversubscription once, found twice");
	own->bisection_given = true;
	own->wish.bisection = bisection;
}

static void check_plan_options(struct argp_state *state, settings *own)
{
	if (own->figures && (own->wish.hosts || own->wish.radix || own->cabling))
		argp_error(state, "--figures: expected no --hosts, --radix or --cabling beside it");
	if (!own->figures && (!own->wish.hosts || !own->wish.radix))
		argp_error(state, "expected --hosts and --radix");
	if (own->wish.per_switch && own->wish.per_switch >= own->wish.radix)
		argp_error(state, "--per-switch: expected less than --radix, found %u",
			   own->wish.per_switch);
	if (own->of && !own->cabling)
		argp_error(state, "--candidate: expected --cabling beside it");
	if (!own->bisection_given && own->wish.saturation <= 0)
		own->wish.bisection = USUAL_BISECTION;
}

static error_t parse_wish(int key, char *arg, struct argp_state *state)
{
	settings *own = ((cli_call *)state->input)->settings;
	switch (key) {
	case 'n':
		own->wish.hosts = parse_whole(state, "--hosts", arg, 2, ODO_PLAN_MOST_HOSTS);
		return 0;
	case 'r':
		own->wish.radix = parse_whole(state, "--radix", arg, 3, ODO_MAX_PORTS);
		return 0;
	case KEY_EXACT:
		own->wish.exact = true;
		return 0;
	case KEY_PER_SWITCH:
		own->wish.per_switch = parse_whole(state, "--per-switch", arg, 1, ODO_MAX_PORTS);
		return 0;
	case KEY_BISECTION:
		set_bisection(state, own, parse_real(state, "--bisection", arg, 0, 100));
		return 0;
	case KEY_OVERSUBSCRIPTION:
		set_bisection(state, own,
			      1 / parse_real(state, "--oversubscription", arg, 0.01, 1000));
		return 0;
	case KEY_SATURATION:
		own->wish.saturation = parse_load(state, "--saturation", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_plan(int key, char *arg, struct argp_state *state)
{
	settings *own = ((cli_call *)state->input)->settings;
	switch (key) {
	case ARGP_KEY_INIT:
		*own = (settings){.options = {.per_kind = 1, .rated_hosts = USUALLY_RATED}};
		return 0;
	case KEY_PRICES:
		own->prices = arg;
		return 0;
	case KEY_EACH:
		own->options.per_kind = parse_whole(state, "--each", arg, 1, ODO_PLAN_KEPT);
		return 0;
	case KEY_TABLES:
		own->options.rated_hosts = parse_whole(state, "--tables", arg, 0,
						       ODO_PLAN_MOST_HOSTS);
		return 0;
	case KEY_CABLING:
		own->cabling = arg;
		return 0;
	case KEY_OF:
		own->of = parse_whole(state, "--candidate", arg, 1, 1000);
		return 0;
	case KEY_FIGURES:
		own->figures = arg;
		return 0;
	case ARGP_KEY_END:
		check_plan_options(state, own);
		return 0;
	default:
		return parse_wish(key, arg, state);
	}
}

static json_t *candidate_row(unsigned number, const odo_plan_choice *x)
{
	const odo_plan_candidate *c = &x->candidate;
	json_t *row = json_object();
	int lacks = json_object_set_new(row, "n", json_integer(number));
	lacks |= json_object_set_new(row, "kind", json_string(c->kind->name));
	lacks |= json_object_set_new(row, "enough", json_boolean(x->enough));
	lacks |= json_object_set_new(row, "hosts", json_integer(c->hosts));
	lacks |= json_object_set_new(row, "switches", json_integer(c->switches));
	lacks |= json_object_set_new(row, "ports", json_integer(c->ports));
	lacks |= json_object_set_new(row, "cables", json_integer((json_int_t)c->cables));
	lacks |= json_object_set_new(row, "diameter", json_integer(c->diameter));
	lacks |= json_object_set_new(row, "mean_hops", json_real(c->mean_hops));
	lacks |= json_object_set_new(row, "bisection", json_real(c->bisection));
	lacks |= json_object_set_new(row, "uniform", json_real(c->uniform));
	lacks |= json_object_set_new(row, "worst", json_real(c->worst));
	lacks |= json_object_set_new(row, "vls", json_integer(c->vls));
	return cli_json_whole(row, lacks);
}

/* Convert an amount to an integer, limited because a sum of prices may exceed its range. */
static json_t *dollars(double amount)
{
	return json_integer((json_int_t)fmin(amount + 0.5, 9e18));
}

static json_t *bill_row(unsigned number, const odo_plan_choice *x)
{
	const odo_plan_bill *b = &x->bill;
	json_t *row = json_object();
	int lacks = json_object_set_new(row, "n", json_integer(number));
	lacks |= json_object_set_new(row, "racks", json_integer(b->racks));
	lacks |= json_object_set_new(row, "inside", json_integer((json_int_t)b->inside));
	lacks |= json_object_set_new(row, "electrical", json_integer((json_int_t)b->electrical));
	lacks |= json_object_set_new(row, "optical", json_integer((json_int_t)b->optical));
	lacks |= json_object_set_new(row, "mean_metres", json_real(b->metres));
	lacks |= json_object_set_new(row, "longest", json_real(b->longest));
	lacks |= json_object_set_new(row, "switch_cost", dollars(b->switches));
	lacks |= json_object_set_new(row, "cable_cost", dollars(b->cables));
	lacks |= json_object_set_new(row, "cost_per_host",
				     json_real(odo_plan_cost(b) / x->candidate.hosts));
	return cli_json_whole(row, lacks);
}

static json_t *rating_row(unsigned number, const odo_plan_choice *x)
{
	const odo_plan_rating *r = &x->rating;
	json_t *row = json_object();
	int lacks = json_object_set_new(row, "n", json_integer(number));
	lacks |= json_object_set_new(row, "engine", json_string(r->engine));
	lacks |= json_object_set_new(row, "vls", json_integer(r->vls));
	lacks |= json_object_set_new(row, "uniform", json_real(r->uniform));
	lacks |= json_object_set_new(row, "worst", json_real(r->worst));
	lacks |= json_object_set_new(row, "worst_known", json_boolean(!r->cut));
	return cli_json_whole(row, lacks);
}

static json_t *spec_row(unsigned number, const odo_plan_choice *x)
{
	json_t *row = json_object();
	int lacks = json_object_set_new(row, "n", json_integer(number));
	lacks |= json_object_set_new(row, "spec", json_string(x->candidate.spec));
	return cli_json_whole(row, lacks);
}

static int answer_candidates(cli_call *call, const odo_plan_choice *choice, unsigned n)
{
	json_t *candidates = json_array(), *bills = json_array(), *ratings = json_array();
	json_t *specs = json_array();
	unsigned enough = 0;
	int failed = 0;
	for (unsigned i = 0; i < n; i++) {
		enough += choice[i].enough;
		failed |= json_array_append_new(candidates, candidate_row(i + 1, &choice[i]));
		failed |= json_array_append_new(bills, bill_row(i + 1, &choice[i]));
		failed |= json_array_append_new(specs, spec_row(i + 1, &choice[i]));
		if (*choice[i].rating.engine)
			failed |= json_array_append_new(ratings, rating_row(i + 1, &choice[i]));
	}
	json_t *r = call->result = json_object();
	failed |= json_object_set_new(r, "enough", json_integer(enough));
	failed |= json_object_set_new(r, "not_enough", json_integer(n - enough));
	failed |= json_object_set_new(r, "candidates", candidates);
	failed |= json_object_set_new(r, "racks_and_cost", bills);
	failed |= json_object_set_new(r, "tables", ratings);
	failed |= json_object_set_new(r, "specs", specs);
	return failed;
}

static int write_cabling(const settings *own, const odo_plan_prices *prices,
			 const odo_plan_choice *choice, unsigned n, odo_error *err)
{
	unsigned of = own->of ? own->of : 1;
	cli_file file;
	if (of > n)
		return odo_fail(err, ODO_EINPUT,
				"--candidate: expected one of the %u candidates, found %u", n, of);
	int status = cli_file_open(own->cabling, &file, err);
	if (status)
		return status;
	status = odo_plan_cabling(choice[of - 1].candidate.spec, prices, file.to, err);
	cli_name_output(own->cabling, status, err);
	int closed = cli_file_close(&file, !status, status ? NULL : err);
	return status ? status : closed;
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
	int closed = cli_file_close(&file, !status, status ? NULL : err);
	return status ? status : closed;
}

static int write_figures(cli_call *call, const odo_plan_prices *prices, cli_step *step,
			 odo_error *err)
{
	const settings *own = call->settings;
	size_t n = 0;
	while (odo_plan_figures[n].name)
		n++;
	json_t *rows = json_array();
	int status = 0, failed = 0;
	for (const odo_plan_figure *x = odo_plan_figures; x->name && !status; x++) {
		size_t done = (size_t)(x - odo_plan_figures);
		cli_step_at(step, (double)done / (double)n, "%s, %zu of %zu", x->title, done + 1,
			    n);
		status = write_plan_figure(own->figures, x, false, prices, err);
		if (!status && x->plot)
			status = write_plan_figure(own->figures, x, true, prices, err);
		json_t *row = json_object();
		int lacks = json_object_set_new(row, "file", json_sprintf("%s.csv", x->name));
		lacks |= json_object_set_new(row, "figure", json_string(x->title));
		failed |= json_array_append_new(rows, cli_json_whole(row, lacks));
	}
	call->result = json_object();
	failed |= json_object_set_new(call->result, "figures", rows);
	if (!status && failed)
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	return status;
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
	if (!status && answer_candidates(call, choice, n))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	*any = n && choice && choice[0].enough;
	free(choice);
	return status;
}

static int run_plan(cli_call *call)
{
	const settings *own = call->settings;
	odo_plan_prices prices = odo_plan_default_prices;
	odo_error err;
	bool any = true;
	cli_step step;
	int status = own->prices ? odo_plan_prices_read(own->prices, &prices, &err) : 0;
	cli_step_begin(&step, "planning");
	if (!status)
		status = own->figures ? write_figures(call, &prices, &step, &err)
				      : write_candidates(call, &prices, &step, &any, &err);
	cli_step_end(&step, status);
	return status ? cli_fail(call, &err) : any ? CLI_OK : CLI_NO;
}

static const struct argp_option options[] = {
	{"hosts", 'n', "N", 0, "Hosts that the fabric must have at least", 0},
	{"radix", 'r', "PORTS", 0, "Ports of each switch", 0},
	{"bisection", KEY_BISECTION, "SHARE", 0,
	 "Relative bisection that it must have: cables across the worst half over half of the "
	 "hosts, 1 for all of them [0.5; any, with --saturation]",
	 0},
	{"oversubscription", KEY_OVERSUBSCRIPTION, "N", 0, "The same as --bisection 1/N", 0},
	{"saturation", KEY_SATURATION, "SHARE", 0,
	 "Load of uniform traffic that minimal routing must carry, as a share of a host's cable",
	 0},
	{"exact", KEY_EXACT, NULL, 0, "Not more hosts than asked for", 0},
	{"per-switch", KEY_PER_SWITCH, "N", 0,
	 "Hosts on each switch that has any; by default as many as suit", 0},
	{"each", KEY_EACH, "N", 0, "Show the N best candidates of each kind [1], 8 at most", 0},
	{"tables", KEY_TABLES, "HOSTS", 0,
	 "Route the candidates where up to so many hosts are wanted, and find what their tables "
	 "carry [1100]",
	 0},
	{"prices", KEY_PRICES, "FILE", 0,
	 "YAML file of prices and of what racks hold; by default those of paper 001", 0},
	{"cabling", KEY_CABLING, "FILE", 0,
	 "Write a list of all cables of a candidate as CSV: both ends with row, rack, position and "
	 "port, length in metres, kind",
	 0},
	{"candidate", KEY_OF, "N", 0, "With --cabling: the candidate of this number [1]", 0},
	{"figures", KEY_FIGURES, "FOLDER", 0,
	 "Write Figures 1, 2, 4 and 19 and Table 2 of paper 001 as CSV, with gnuplot scripts", 0},
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
	.about =
		"Search the fabrics of every kind that so many hosts and switches of so many ports "
		"allow: dragonfly, Dragonfly+, FlatFly, hypercube, torus, Slim Fly, fat tree. Show "
		"the cheapest of each kind that has the bisection or saturation that is wanted; of "
		"other kinds the one that comes nearest, marked as not enough.\n\n"
		"Columns: ports used, most of any switch; cables between switches; diameter and "
		"mean_hops in cables between switches; uniform and worst are loads, as shares of a "
		"host's cable, at which minimal routing saturates at the latest under uniform "
		"traffic "
		"and under the worst permutation. Under \"tables\" stands what Odonata's tables "
		"carry. Every spec can be given to generate, map, route, analyze and emulate. The "
		"exit "
		"code is 1 where no candidate is enough.",
	.options = options,
	.groups = CLI_OUTPUT,
	.settings_size = sizeof(settings),
	.parse = parse_plan,
	.run = run_plan,
	.examples = examples,
};
