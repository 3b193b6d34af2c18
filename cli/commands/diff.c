/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata diff: the differences between two routings, of two fabrics or of one. */
#include "cli/answers.h"
#include "cli/parts/difference.h"
#include "cli/commands/parts.h"
#include "cli/terminal/progress.h"
#include "cli/rows.h"
#include "cli/system.h"

enum { PERMUTATIONS = 20 };

static void check_diff(cli_call *call)
{
	if (call->n_args == 1 && !call->n_tables && !cli_is_live(call->arg[0]))
		cli_usage_error(call,
				"%s: expected a second FABRIC, or --tables, or live, found no "
				"other tables to compare with those that Odonata computes",
				call->arg[0]);
	if (call->n_args == 2 && call->n_tables)
		cli_usage_error(call, "--tables: expected one FABRIC, found two");
}

typedef struct side {
	cli_system system; /**< its tables are those of this side */
	const char *name;
} side;

/** Open a side. For a live subnet take the installed tables, even if an engine is named. */
static int open_side(cli_call *call, unsigned i, side *x, odo_error *err)
{
	cli_call own = *call;
	own.arg[0] = call->arg[i];
	own.for_proof = false;
	bool live = cli_is_live(own.arg[0]) && !own.n_tables;
	if (live)
		own.engine = NULL;
	x->name = live ? "installed" : own.n_tables ? "imported" : "computed by Odonata";
	if (call->n_args == 2)
		x->name = own.arg[0];
	own.for_proof = live || own.n_tables;
	int status = cli_system_route(&own, &x->system, err);
	call->repairs = own.repairs;
	return status;
}

static json_t *side_row(const side *x, const odo_coordinates *c, odo_error *err)
{
	cli_step step;
	const odo_watch watch = cli_step_watch(&step);
	const cli_compare_settings usual = {
		.permutations = PERMUTATIONS, .seed = 1, .watch = &watch};
	odo_tables *t = x->system.tables;
	json_t *row = NULL;
	cli_step_begin(&step, x->name);
	cli_step_end(&step, cli_compare_row(&row, x->name, t, c,
					    cli_live_is_partial(&x->system.installed, t), -1,
					    &usual, err));
	return row;
}

/** Add the non-empty lists of differences between two fabrics. */
static int add_fabrics(json_t **answer, const cli_system *a, const cli_system *b, bool *same,
		       odo_error *err)
{
	json_t *difference;
	int status = cli_difference(a, b, same, &difference, err);
	if (!status)
		cli_put_changes(answer, difference);
	return status;
}

/** Compare two sides.
 * @param c coordinates of the second side, whose fabric may be that of the first */
static int answer_difference(json_t **answer, const side *a, const side *b,
			     const odo_coordinates *c, bool *same, odo_error *err)
{
	json_t *first = side_row(a, a->system.coordinates, err);
	json_t *second = first ? side_row(b, c, err) : NULL;
	if (!second) {
		json_decref(first);
		return err->status;
	}
	*answer = json_pack("{s[oo]}", "routings", first, second);
	cli_put_table_changes(answer, a->system.tables, b->system.tables, same);
	int status = b->system.fabric ? add_fabrics(answer, &a->system, &b->system, same, err) : 0;
	return status ? status : cli_check_answer(*answer, err);
}

static int run_diff(cli_call *call, cli_system *system, odo_error *err)
{
	(void)system;
	side a = {0}, b = {.name = "computed by Odonata"};
	bool same = true, second = call->n_args == 2;
	int status = open_side(call, 0, &a, err);
	if (!status)
		status = second ? open_side(call, 1, &b, err)
				: cli_system_compute(call, &a.system, &b.system.tables, err);
	if (!status)
		status = answer_difference(&call->result, &a, &b,
					   second ? b.system.coordinates : a.system.coordinates,
					   &same, err);
	cli_system_clear(&b.system); /* its tables may refer to the first side's fabric */
	cli_system_clear(&a.system);
	call->code = same ? CLI_OK : CLI_NO;
	return status;
}

static const cli_example examples[] = {
	{"odonata diff dragonfly.net --tables dragonfly.lfts",
	 "What Odonata would install beside tables that are there", CLI_NO},
	{"odonata diff dragonfly.net damaged.net", "Two fabrics, or two states of one", CLI_NO},
	{0}};

const cli_command cli_diff = {
	.name = "diff",
	.arguments = "FABRIC [FABRIC]",
	.summary = "Show the differences between two routings",
	.about = "On a live subnet, or with --tables, compare the installed routing with the one "
		 "that Odonata would install at a first start. With two fabrics, compare their "
		 "routings: the installed one of a live subnet, else the one that Odonata "
		 "computes.\n\n"
		 "Print for both routings whether they are safe, the VLs and SLs that they need, "
		 "pairs that no cables connect, and the bounds on load of 'odonata compare'. Then "
		 "list the differences: entries of forwarding tables, switches with other SL2VL "
		 "maps or path SLs, and between two fabrics nodes, cables and coordinates, as "
		 "'odonata map --diff' lists them. Exits with 1 if anything differs.",
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.check = check_diff,
	.run = run_diff,
	.examples = examples,
};
