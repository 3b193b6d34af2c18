/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata watch: reads a subnet repeatedly, and reports changes. */
#include <string.h>
#include <time.h>

#include "cli/answers.h"
#include "cli/parts/difference.h"
#include "cli/commands/parts.h"
#include "cli/terminal/output.h"
#include "cli/rows.h"
#include "cli/system.h"

typedef struct settings {
	uint32_t interval, count;
} settings;

enum { A_DAY = 86400 };

/** Results of one look at the subnet. */
typedef struct look {
	cli_system system;
	json_t *proof;
} look;

static void look_clear(look *x)
{
	cli_system_clear(&x->system);
	json_decref(x->proof);
	*x = (look){0};
}

/** Read the fabric, prove its tables, and map it. The tables do not need coordinates, but the
 * report does. */
static int take_look(cli_call *call, look *x, odo_error *err)
{
	int status = cli_system_route(call, &x->system, err);
	x->proof = json_object();
	if (!status)
		status = cli_verify_answer(call, &x->system, &x->proof, err);
	return status == ODO_EUNSAFE ? 0 : status;
}

static json_t *current_time(void)
{
	char text[64] = "";
	time_t at = time(NULL);
	struct tm parts;
	if (localtime_r(&at, &parts))
		strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
	return json_string(text);
}

/** Add the verdict, and the nodes that did not answer. */
static void add_verdict(json_t **row, const look *x)
{
	json_t *silent = json_object_get(x->proof, "not_read");
	cli_put(row, "safe", json_incref(json_object_get(x->proof, "safe")));
	if (silent)
		cli_put(row, "not_read", json_incref(silent));
}

static bool is_same_member(const look *a, const look *b, const char *key)
{
	const json_t *x = json_object_get(a->proof, key), *y = json_object_get(b->proof, key);
	return x == y || json_equal(x, y);
}

/** List the changes. Return NULL if they could not be determined; err has the reason. */
static json_t *compare_looks(const look *a, const look *b, bool *same, odo_error *err)
{
	json_t *difference;
	if (cli_difference(&a->system, &b->system, same, &difference, err))
		return NULL;
	json_t *row = json_pack("{so}", "time", current_time());
	cli_put_changes(&row, difference);
	cli_put_table_changes(&row, a->system.tables, b->system.tables, same);
	*same = *same && is_same_member(a, b, "safe") && is_same_member(a, b, "not_read");
	cli_put(&row, "was_safe", json_incref(json_object_get(a->proof, "safe")));
	add_verdict(&row, b);
	cli_check_answer(row, err);
	return row;
}

/** Summarise the first look. Return NULL without memory. */
static json_t *summarise_look(const look *x)
{
	const odo_tables *t = x->system.tables;
	json_t *row = json_pack("{so}", "time", current_time());
	cli_answer_fabric(&row, t->fabric, x->system.coordinates);
	cli_put_count(&row, "contradictions", x->system.coordinates->n_faults);
	cli_put_text(&row, "engine", t->engine);
	add_verdict(&row, x);
	return row;
}

/** Print a line of JSON, or a paragraph, immediately, because the next one may come much later. */
static int print_look(const cli_call *call, const json_t *row, odo_error *err)
{
	int status = 0;
	if (!call->json)
		status = cli_print_text(row, call->out, cli_colour(call->out), err);
	else if (json_dumpf(row, call->out, JSON_COMPACT))
		status = odo_fail(err, ODO_EIO, "cannot write");
	fputc('\n', call->out);
	if (!status && (fflush(call->out) || ferror(call->out)))
		status = odo_fail(err, ODO_EIO, "cannot write");
	return status;
}

typedef struct watching {
	look last;
	bool changed;
	/** Failure of the previous look; "" if it succeeded. */
	char complaint[sizeof((odo_error *)0)->text];
} watching;

/** Report a failed look once, and continue. */
static void report_failed_look(watching *w, const char *text)
{
	if (strcmp(w->complaint, text))
		fprintf(stderr, "odonata: watch: %s\n",
			*text ? text : "the fabric can be read again");
	snprintf(w->complaint, sizeof w->complaint, "%s", text);
}

/** Look again, and replace the previous look. */
static int look_again(cli_call *call, watching *w, odo_error *err)
{
	look next = {0};
	bool same = true;
	int status = take_look(call, &next, err);
	if (status && status != ODO_ENOMEM) {
		report_failed_look(w, err->text);
		look_clear(&next);
		return 0;
	}
	json_t *row = status ? NULL : compare_looks(&w->last, &next, &same, err);
	if (!status && !row)
		status = err->status;
	if (!status)
		report_failed_look(w, "");
	if (!status && !same)
		status = print_look(call, row, err);
	json_decref(row);
	w->changed |= !same;
	look_clear(status ? &next : &w->last);
	if (!status)
		w->last = next;
	return status;
}

static int run_watch(cli_call *call, cli_system *system, odo_error *err)
{
	(void)system;
	const settings *own = call->settings;
	watching w = {0};
	call->for_proof = true;
	int status = take_look(call, &w.last, err);
	if (!status) {
		json_t *row = summarise_look(&w.last);
		status = row ? print_look(call, row, err)
			     : odo_fail(err, ODO_ENOMEM, "out of memory");
		json_decref(row);
	}
	for (uint32_t n = 1; !status && (!own->count || n < own->count); n++) {
		nanosleep(&(struct timespec){.tv_sec = own->interval}, NULL);
		status = look_again(call, &w, err);
	}
	look_clear(&w.last);
	call->code = w.changed ? CLI_NO : CLI_OK;
	return status;
}

static const cli_flag flags[] = {{"interval", 0, "SECONDS", "Time between two looks [30]",
				  "Time between two looks",
				  CLI_NUMBER(settings, interval, 1, A_DAY), .usual = "30"},
				 {"count", 0, "N", "Look N times [without end]", NULL,
				  CLI_NUMBER(settings, count, 1, UINT32_MAX)},
				 {0}};

static const cli_example examples[] = {
	{"odonata watch dragonfly.net --count 2 --interval 1", "Look twice at a file", CLI_OK},
	{0}};

const cli_command cli_watch = {
	.name = "watch",
	.arguments = "FABRIC",
	.summary = "Watch a fabric, and report changes",
	.about = "Read the fabric at an interval, and print the changes since the previous look: "
		 "nodes and cables, rates of cables, entries of forwarding tables, and whether the "
		 "tables are still proved safe. Nothing is printed while nothing changes. On a "
		 "live subnet the tables are the installed ones. With --json, each change is one "
		 "line. Exits with 1 if something has changed.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE,
	.installed = true,
	.settings_size = sizeof(settings),
	.run = run_watch,
	.examples = examples,
};
