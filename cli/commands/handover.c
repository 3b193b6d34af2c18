/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata handover: returns to earlier tables, or leaves the routing to another engine. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "base/replace.h"
#include "cli/parts/connections.h"
#include "cli/parts/manager.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "cli/terminal/answer.h"
#include "cli/terminal/output.h"
#include "routing/reroute/orders.h"

/* Room for the path of a file, and the maximum bytes of saved tables, as in the plugin. */
enum { PATH_ROOM = 1280 };
#define MOST_BYTES (UINT64_C(4) << 30)

/* Tries per second while waiting for the manager. */
enum { TRIES = 5 };

typedef struct settings {
	const char *to;
	char *tables; /**< "FILE,FILE", or NULL */
	uint32_t wait;
	bool yes, judge_only;
} settings;

typedef struct job {
	const settings *own;
	const char *state_path;
	json_t *state;
	char past_path[PATH_ROOM], good_path[PATH_ROOM], order_path[PATH_ROOM];
	odo_order now, wanted;
	odo_saved past, saved; /**< the manager's; of the wanted order */
	odo_tables *tables;    /**< of --tables */
} job;

static const char *state_text(const job *j, const char *key)
{
	const char *text = json_string_value(json_object_get(j->state, key));
	return text ? text : "";
}

/* ---- Files ---- */

/* Derive the names from that of the handover file, FOLDER/ENGINE-ID.past. */
static int name_files(job *j, odo_error *err)
{
	const char *past = state_text(j, "past_file"), *slash = strrchr(past, '/');
	const char *subnet = state_text(j, "subnet");
	size_t n = strlen(past), end = sizeof ODO_ENDING_PAST - 1;
	bool named = strlen(subnet) == 16 && strspn(subnet, "0123456789abcdef") == 16;
	if (!named || !slash || n <= end || n + end >= PATH_ROOM ||
	    strcmp(past + n - end, ODO_ENDING_PAST))
		return odo_fail(err, ODO_EINPUT,
				"%s: expected a plugin that can hand over, found an older one: "
				"upgrade it",
				j->state_path);
	snprintf(j->past_path, PATH_ROOM, "%s", past);
	snprintf(j->good_path, PATH_ROOM, "%.*s" ODO_ENDING_GOOD, (int)(n - end), past);
	snprintf(j->order_path, PATH_ROOM, "%.*s/odonata-%s" ODO_ENDING_ORDER, (int)(slash - past),
		 past, subnet);
	return odo_order_read(j->order_path, &j->now, err);
}

/* @return ODO_EINPUT if there is no file */
static int open_saved(const char *path, odo_saved *out, odo_error *err)
{
	struct stat is;
	FILE *from;
	int status = odo_open_regular(path, false, MOST_BYTES, &from, &is, err);
	if (!status && !from)
		status = odo_fail(err, ODO_EINPUT, "%s: expected saved tables, found no file",
				  path);
	if (!status)
		status = odo_saved_read(from, path, out, err);
	if (from)
		fclose(from);
	return status;
}

static json_t *saved_part(const char *path, const odo_saved *x)
{
	char text[64] = "";
	struct stat is;
	struct tm parts;
	if (!x->tables)
		return json_null();
	if (!stat(path, &is) && localtime_r(&is.st_mtime, &parts))
		strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
	return json_pack("{so ss ss sI sI}", "file", cli_json_text(path), "installed", text,
			 "engine", x->tables->engine, "switches", (json_int_t)x->fabric->n_switches,
			 "hosts", (json_int_t)x->fabric->n_senders);
}

/* ---- The wanted order ---- */

/* Find the engine that OpenSM takes once ours decline, except `name`.
 * @return its name in `list`, which is changed; "minhop"; or NULL: none */
static const char *find_follower(char *list, const char *name)
{
	bool fallback = true;
	char *rest = NULL;
	const char *follower = NULL;
	for (char *word = strtok_r(list, ", \t\n", &rest); word;
	     word = strtok_r(NULL, ", \t\n", &rest)) {
		bool ours = !strncmp(word, "odonata", 7);
		if (!strcmp(word, "no_fallback"))
			fallback = false;
		else if (!follower && (!ours || !strcmp(word, name)))
			follower = word;
	}
	return follower ? follower : fallback ? "minhop" : NULL;
}

static int want_engine(job *j, odo_error *err)
{
	char list[512];
	const char *name = j->own->to, *given = state_text(j, "routing_engines");
	snprintf(list, sizeof list, "%s", given);
	const char *follower = find_follower(list, name);
	if (follower && !strcmp(follower, name)) {
		j->wanted.kind = ODO_ORDER_ENGINE;
		snprintf(j->wanted.what, sizeof j->wanted.what, "%s", name);
		return 0;
	}
	return odo_fail(err, ODO_EINPUT,
			"--to %.60s: expected the engine that OpenSM takes after ours, %s%s, "
			"found another one: put %.60s behind Odonata's engines in routing_engine "
			"(now \"%.200s\") and restart opensm; packets go on meanwhile",
			name, follower ? follower : "none", follower ? "" : " (no_fallback)", name,
			given);
}

static int want_tables(job *j, const char *path, odo_error *err)
{
	char *real = realpath(path, NULL);
	bool fits = real && strlen(real) < sizeof j->wanted.what && !strchr(real, '\n');
	j->wanted.kind = ODO_ORDER_TABLES;
	if (fits)
		strcpy(j->wanted.what, real);
	free(real);
	return fits ? open_saved(j->wanted.what, &j->saved, err)
		    : odo_fail(err, ODO_EINPUT, "%s: expected saved tables, found no file", path);
}

static int read_wanted(job *j, odo_error *err)
{
	const char *to = j->own->to;
	if (!strcmp(to, "odonata"))
		return 0;
	if (strcmp(to, "last-good"))
		return strchr(to, '/') ? want_tables(j, to, err) : want_engine(j, err);
	if (!access(j->good_path, F_OK))
		return want_tables(j, j->good_path, err);
	return odo_fail(err, ODO_EINPUT,
			"--to last-good: expected %s, found no file: no tables that were read back "
			"have been replaced by other ones yet",
			j->good_path);
}

/* ---- Verdict ---- */

/* Odonata's tables are in the switches only while no other engine routes. */
static bool is_routed_by_us(const job *j)
{
	const char *outcome = state_text(j, "outcome");
	return !strcmp(outcome, "installed") || !strcmp(outcome, "unconfirmed") ||
	       !strcmp(outcome, "kept");
}

/* Answers of OpenSM's engines have SL 0, or SLs that the plugin does not see. */
static void add_foreign_sls(const job *j)
{
	bool known = strcmp(state_text(j, "routed_with_sls"), "unknown") != 0;
	odo_history_add(j->past.history, known ? 1 : (1u << ODO_N_SLS) - 1);
}

static int judge_change(job *j, json_t **answer, odo_error *err)
{
	json_t *part = json_object();
	bool ours = is_routed_by_us(j), to_engine = j->wanted.kind == ODO_ORDER_ENGINE;
	if (!ours)
		add_foreign_sls(j);
	cli_connections change = {.past = &j->past,
				  .before = ours ? j->past.tables : j->tables,
				  .saved = j->saved.tables     ? &j->saved
					   : ours || to_engine ? NULL
							       : &j->past,
				  .tables = to_engine ? j->tables : NULL};
	int status = cli_judge_connections(&change, &part, err);
	cli_put(answer, "connections", part);
	return status;
}

static int read_foreign_tables(job *j, odo_error *err)
{
	return j->own->tables
		       ? cli_import_list(j->past.fabric, j->own->tables, false, &j->tables, err)
		       : 0;
}

/* ---- The order is given, and obeyed ---- */

static bool is_agreed_to(const job *j, const json_t *answer)
{
	char answered[8] = "";
	json_t *said = json_object_get(answer, "connections");
	odo_error err;
	if (j->own->yes)
		return true;
	cli_print_text(said, stderr, false, &err);
	fprintf(stderr, "odonata: handover to %s. Continue? [y/N] ", j->own->to);
	fflush(stderr);
	return fgets(answered, sizeof answered, stdin) &&
	       (!strcmp(answered, "y\n") || !strcmp(answered, "yes\n"));
}

static int write_order(const job *j, odo_error *err)
{
	odo_draft draft;
	if (!j->wanted.kind)
		return !unlink(j->order_path) || errno == ENOENT
			       ? 0
			       : odo_fail(err, ODO_EIO, "%s: cannot remove: %s", j->order_path,
					  strerror(errno));
	int status = odo_draft_open(&draft, j->order_path, 0644, ODO_DRAFT_SYNC, err);
	if (status)
		return status;
	odo_order_write(&j->wanted, draft.to);
	return odo_draft_close(&draft, 0, err);
}

static json_int_t sweep_of(const json_t *state)
{
	return json_integer_value(json_object_get(state, "sweep"));
}

/* @return true if the state shows the end of a sweep after the order */
static bool has_ended_sweep(const job *j, json_int_t sweep)
{
	char text[ODO_ORDER_TEXT];
	bool same = !strcmp(state_text(j, "order"), odo_order_text(&j->wanted, text));
	return sweep_of(j->state) > sweep && strcmp(state_text(j, "outcome"), "unconfirmed") &&
	       *state_text(j, "routed_by") && (same || *state_text(j, "order_reason"));
}

/* @return true if the order was carried out: what OpenSM has installed is what was asked for */
static bool is_obeyed(const job *j)
{
	char text[ODO_ORDER_TEXT];
	const char *wanted = j->wanted.kind == ODO_ORDER_ENGINE ? j->wanted.what : NULL;
	return !strcmp(state_text(j, "order"), odo_order_text(&j->wanted, text)) &&
	       (wanted ? !strcmp(state_text(j, "routed_by"), wanted)
		       : !strcmp(state_text(j, "outcome"), "installed"));
}

/* Make the manager sweep, and wait for the state file. */
static int wait_for_manager(job *j, bool *ended, odo_error *err)
{
	json_int_t sweep = sweep_of(j->state);
	pid_t process = (pid_t)json_integer_value(json_object_get(j->state, "process"));
	int status = 0;
	if (kill(process, SIGHUP))
		return odo_fail(err, ODO_EIO, "cannot signal opensm, process %ld: %s",
				(long)process, strerror(errno));
	for (uint32_t i = 0; i < j->own->wait * TRIES && !status && !*ended; i++) {
		nanosleep(&(struct timespec){.tv_nsec = 1000000000 / TRIES}, NULL);
		json_decref(j->state);
		j->state = NULL;
		status = cli_state_load(j->state_path, &j->state, err);
		*ended = !status && has_ended_sweep(j, sweep);
	}
	return status;
}

static int give_order(job *j, json_t **answer, bool *done, odo_error *err)
{
	bool swept = false;
	int status = write_order(j, err);
	if (!status)
		status = wait_for_manager(j, &swept, err);
	if (status)
		return status;
	const char *outcome = state_text(j, "outcome"), *refused = state_text(j, "order_reason");
	*done = swept && is_obeyed(j);
	cli_put_text(answer, "outcome", swept ? outcome : "no answer");
	cli_put_text(answer, "outcome_reason",
		     !swept               ? "the manager has not ended a sweep in time: see its log"
		     : !*done && *refused ? refused
					  : state_text(j, "reason"));
	cli_put_text(answer, "routed_by", state_text(j, "routed_by"));
	cli_put_bool(answer, "handed_over", *done);
	if (j->wanted.kind)
		cli_put_text(answer, "order_file", j->order_path);
	return 0;
}

static int find_manager(job *j, const char *path, odo_error *err)
{
	int status = cli_state_find(path, &j->state_path, err);
	if (!status)
		status = cli_state_load(j->state_path, &j->state, err);
	if (!status)
		status = name_files(j, err);
	if (!status && j->own->to && !cli_manager_runs_here(j->state))
		status = odo_fail(err, ODO_EINPUT,
				  "%s: expected the file of a manager that runs on this machine, "
				  "found one of another: run this command where opensm runs",
				  j->state_path);
	return status;
}

static int run_steps(cli_call *call, job *j, odo_error *err)
{
	char text[ODO_ORDER_TEXT];
	bool done = false;
	json_t **r = &call->result;
	*r = json_object();
	int status = open_saved(j->past_path, &j->past, err);
	cli_put_text(r, "order", j->now.kind ? odo_order_text(&j->now, text) : "none");
	if (status)
		return status;
	if (!j->own->to) {
		odo_error none;
		open_saved(j->good_path, &j->saved, &none);
		cli_put(r, "last_tables", saved_part(j->past_path, &j->past));
		cli_put(r, "last_good", saved_part(j->good_path, &j->saved));
		cli_put_text(r, "routing_engines", state_text(j, "routing_engines"));
		return 0;
	}
	status = read_wanted(j, err);
	if (!status)
		status = read_foreign_tables(j, err);
	if (!status) {
		cli_put_text(r, "new_order",
			     j->wanted.kind ? odo_order_text(&j->wanted, text) : "none");
		if (j->saved.tables)
			cli_put(r, "saved", saved_part(j->wanted.what, &j->saved));
		status = judge_change(j, r, err);
	}
	if (status || j->own->judge_only)
		return status;
	if (is_agreed_to(j, *r))
		status = give_order(j, r, &done, err);
	else
		cli_put_text(r, "outcome", "nothing was changed");
	call->code = done ? CLI_OK : CLI_NO;
	return status;
}

static int run_handover(cli_call *call, cli_system *system, odo_error *err)
{
	(void)system;
	job j = {.own = call->settings};
	int status = find_manager(&j, call->n_args ? call->arg[0] : CLI_STATE_FOLDER, err);
	if (!status)
		status = run_steps(call, &j, err);
	if (!status)
		status = cli_check_answer(call->result, err);
	odo_tables_free(j.tables);
	odo_saved_clear(&j.past);
	odo_saved_clear(&j.saved);
	json_decref(j.state);
	free((char *)j.state_path);
	return status;
}

static const cli_flag flags[] = {
	{"to", 0, "WHAT", "last-good, a FILE, an engine, or odonata",
	 "last-good: the tables before the last large change; a FILE with a slash: a copy of a "
	 ".past "
	 "file; the engine that follows Odonata's in routing_engine; odonata: compute routes again",
	 CLI_TEXT(settings, to)},
	{"tables", 0, "FILE[,FILE...]", NULL,
	 "Tables of the other engine, to judge the change: LFTs, and their SL2VL maps, if any",
	 CLI_TEXT(settings, tables), .needs = "to"},
	{"judge-only", 0, NULL, "Change nothing", NULL, CLI_BOOL(settings, judge_only),
	 .needs = "to"},
	{"wait", 0, "SECONDS", NULL, "Wait so long for the manager's sweep",
	 CLI_NUMBER(settings, wait, 1, 86400), .usual = "300"},
	{"yes", 'y', NULL, "Do not ask", NULL, CLI_BOOL(settings, yes)},
	{0}};

static const cli_example examples[] = {
	{"odonata handover states --to last-good", "Return to the tables before the last change",
	 CLI_INPUT},
	{"odonata handover states --to minhop", "Let a stock engine route", CLI_INPUT},
	{0}};

const cli_command cli_handover = {
	.name = "handover",
	.arguments = "[FILE|FOLDER]",
	.summary = "Return to earlier tables, or let another engine route",
	.about = "Give the running plugin an order, after judging what it does to existing "
		 "connections: install the last good tables, those of a file, or leave the routing "
		 "to the engine that follows in OpenSM's routing_engine. The plugin proves tables "
		 "on the present fabric with all SLs that connections may use before it installs "
		 "them. The order stays in force, also for the next manager, until --to odonata "
		 "ends it. Without --to, show the order in force and the tables that there are.\n\n"
		 "FILE is the plugin's state file, odonata-SUBNET.json, in the FOLDER "
		 "[" CLI_STATE_FOLDER "] of the manager on this machine; opensm gets a SIGHUP.\n\n"
		 "\"connections\" judges pairs of a switch with hosts and a LID: \"cut_off\" lose "
		 "their path; of \"must_reconnect\" an SL in use may deadlock; \"lossy_meanwhile\" "
		 "can "
		 "lose packets until all switches have changed. \"safe\" is \"unknown\" if the "
		 "tables "
		 "of the other engine are not given. Exits with 1 if the order was not carried "
		 "out.",
	.flags = flags,
	.groups = CLI_OUTPUT,
	.settings_size = sizeof(settings),
	.run = run_handover,
	.examples = examples,
};
