/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata watch: reads a subnet repeatedly, and reports changes. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/answers.h"
#include "cli/commands/difference.h"
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
		status = cli_verify_answer(call, &x->system, x->proof, err);
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

/** Add the verdict, and the nodes that did not answer.
 * @return 0, or -1 without memory */
static int add_verdict(json_t *row, const look *x)
{
	json_t *silent = json_object_get(x->proof, "not_read");
	int failed = json_object_set(row, "safe", json_object_get(x->proof, "safe"));
	return silent ? failed | json_object_set(row, "not_read", silent) : failed;
}

/** List the changes. Return NULL if they could not be determined; err has the reason. */
static json_t *compare_looks(const look *a, const look *b, bool *same, odo_error *err)
{
	uint64_t entries, vls;
	json_t *difference, *row = json_object();
	json_t *was = json_object_get(a->proof, "safe"), *is = json_object_get(b->proof, "safe");
	const json_t *mute = json_object_get(a->proof, "not_read");
	int failed = json_object_set_new(row, "time", current_time());
	int status = cli_difference(&a->system, &b->system, same, &difference, err);
	if (!status && (failed || cli_difference_of_tables(a->system.tables, b->system.tables,
							   &entries, &vls)))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	failed |= status;
	if (!failed) {
		const char *key;
		json_t *value;
		json_object_foreach(difference, key, value) if (json_array_size(value))
			failed |= json_object_set(row, key, value);
		*same = *same && !entries && !vls && json_equal(was, is) &&
			(mute == json_object_get(b->proof, "not_read") ||
			 json_equal(mute, json_object_get(b->proof, "not_read")));
		failed |= json_object_set_new(row, "entries_changed",
					      json_integer((json_int_t)entries));
		failed |= json_object_set_new(row, "switches_with_other_vls",
					      json_integer((json_int_t)vls));
		failed |= json_object_set(row, "was_safe", was);
		failed |= add_verdict(row, b);
	}
	json_decref(difference);
	if (failed && !status)
		odo_fail(err, ODO_ENOMEM, "out of memory");
	return cli_json_whole(row, failed);
}

/** Summarise the first look. Return NULL without memory. */
static json_t *summarise_look(const look *x)
{
	const odo_tables *t = x->system.tables;
	json_t *row = json_object();
	int failed = json_object_set_new(row, "time", current_time());
	failed |= cli_answer_fabric(row, t->fabric, x->system.coordinates);
	failed |= json_object_set_new(row, "contradictions",
				      json_integer(x->system.coordinates->n_faults));
	failed |= json_object_set_new(row, "engine", cli_json_text(t->engine));
	failed |= add_verdict(row, x);
	return cli_json_whole(row, failed);
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
		fprintf(stderr, "odonata: watch: %s\n", *text ? text : "it can be read again");
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

static int run_watch(cli_call *call)
{
	const settings *own = call->settings;
	odo_error err = {0};
	watching w = {0};
	call->for_proof = true;
	int status = take_look(call, &w.last, &err);
	if (!status) {
		json_t *row = summarise_look(&w.last);
		status = row ? print_look(call, row, &err)
			     : odo_fail(&err, ODO_ENOMEM, "out of memory");
		json_decref(row);
	}
	for (uint32_t n = 1; !status && (!own->count || n < own->count); n++) {
		nanosleep(&(struct timespec){.tv_sec = own->interval}, NULL);
		status = look_again(call, &w, &err);
	}
	look_clear(&w.last);
	return status ? cli_fail(call, &err) : w.changed ? CLI_NO : CLI_OK;
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
	.summary = "Look again and again, and tell what has changed",
	.about =
		"Read the fabric again at an interval, and print what is not as it was at the look "
		"before: nodes and cables that came or went, cables that run faster or slower, "
		"entries of forwarding tables, and whether these are still proved safe. Nothing is "
		"printed while nothing changes. Of a live subnet the tables are those installed "
		"there. With --json, each change is one line. Exits with 1 if something has "
		"changed.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE,
	.installed = true,
	.min_args = 1,
	.max_args = 1,
	.settings_size = sizeof(settings),
	.run = run_watch,
	.examples = examples,
};
