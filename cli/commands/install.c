/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata install: writes proved tables into a subnet without a running subnet manager. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/replace.h"
#include "cli/answers.h"
#include "cli/cells.h"
#include "cli/terminal/output.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "routing/verify/verify.h"

/* Maximum bytes of kept tables: those of 2,048 switches with 48 K LIDs take 0.6 GB. */
#define MOST_BYTES (UINT64_C(4) << 30)

typedef struct settings {
	bool yes, accept;
	const char *keep, *restore; /**< files, or NULL */
} settings;

static void check_install(cli_call *call)
{
	const settings *own = call->settings;
	if (!cli_is_live(call->arg[0]))
		cli_usage_error(call, "expected live, found %s", call->arg[0]);
	if (!own->keep == !own->restore)
		cli_usage_error(call, "expected --keep FILE or --restore FILE, found %s",
				own->keep ? "both" : "none");
	if (call->damage.wanted || call->miscable.wanted || call->shuffle || call->part ||
	    call->n_tables || call->lmc)
		cli_usage_error(call, "--damage, --miscable, --shuffle, --part, --lmc, --tables: "
				      "expected the subnet as it is, and tables that are proved");
}

typedef struct job {
	const cli_call *call;
	odo_install install;
	cli_step step;
	size_t n_written;
	odo_draft keep; /* for the old tables, while it is open */
	bool keeps;
} job;

/** Return true if the user has agreed. No answer means no. */
static bool reads_yes(void)
{
	char answer[8] = "";
	if (!fgets(answer, sizeof answer, stdin))
		return false;
	return !strcmp(answer, "y\n") || !strcmp(answer, "yes\n");
}

static int keep_old_tables(job *j, odo_error *err)
{
	if (!j->keeps)
		return 0;
	j->keeps = false;
	cli_cells_write(j->install.cells, j->install.n, j->keep.to);
	return odo_draft_close(&j->keep, 0, err);
}

static bool is_agreed(job *j)
{
	cli_step_pause(&j->step);
	fprintf(stderr, "odonata: install: %zu of %zu tables will change. Continue? [y/N] ",
		j->n_written, j->install.n);
	fflush(stderr);
	bool yes = reads_yes();
	cli_step_go_on(&j->step);
	return yes;
}

static int agree_to_write(void *context, size_t n_differ, odo_error *err)
{
	job *j = context;
	const settings *own = j->call->settings;
	j->n_written = n_differ;
	if (!n_differ)
		return 0;
	return own->yes || is_agreed(j) ? keep_old_tables(j, err)
					: odo_fail(err, ODO_EUNSAFE, "nothing was changed");
}

/** Compute tables that are proved for any SL and use only VLs that ports have at present. */
static int compute_for_install(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	odo_verdict verdict = {0};
	call->for_install = true;
	call->route.max_sls = 1;
	int status = cli_system_map(call, system, err);
	if (!status && !own->accept && odo_ledger_matters(system->fabric->repairs))
		status = odo_fail(
			err, ODO_EINPUT,
			"expected a subnet without contradictions, found one that was repaired "
			"(see the warning): repair the subnet, or use --accept-repairs");
	if (!status && system->installed.n_unread)
		status = odo_fail(err, ODO_EIO,
				  "%zu nodes do not answer. 'odonata verify live' names them",
				  system->installed.n_unread);
	if (!status)
		status = cli_system_compute(call, system, &system->tables, err);
	if (!status)
		status = cli_live_arbitrate(&system->installed, system->tables, err);
	if (!status)
		status = odo_verify(system->tables, &verdict, err);
	odo_verdict_clear(&verdict);
	if (!status && (system->tables->profile != ODO_PROFILE_IB || system->tables->n_sls != 1))
		status = odo_fail(
			err, ODO_EDECLINE,
			"%s needs more than standard switches with one SL: expected another "
			"--engine, because without a subnet manager nothing assigns SLs",
			system->tables->engine);
	return status;
}

/** List the tables of unknown state. */
static void name_not_restored(const job *j)
{
	for (size_t i = 0; i < j->install.n; i++) {
		const odo_cell *c = &j->install.cells[i];
		if (c->state == ODO_CELL_OLD)
			continue;
		char text[64];
		cli_cell_name(c, text, sizeof text);
		json_t *name = cli_json_text(cli_live_name(j->install.expected, c->guid));
		fprintf(stderr,
			"odonata: install: not restored: %s of \"%s\" (GUID 0x%016" PRIx64 ")\n",
			text, name ? json_string_value(name) : "", c->guid);
		json_decref(name);
	}
}

static int answer_install(cli_call *call, const cli_system *system, const job *j, odo_error *err)
{
	const settings *own = call->settings;
	json_t **r = &call->result;
	*r = json_object();
	cli_put_text(r, "done", own->restore ? "restored" : "installed");
	if (system->tables)
		cli_answer_tables(r, system->tables);
	cli_put_count(r, "tables_in_all", j->install.n);
	cli_put_count(r, "tables_written", j->n_written);
	if (own->keep && j->n_written)
		cli_put_text(r, "kept_in", own->keep);
	return cli_check_answer(*r, err);
}

/** Create the file of --keep before anything is read: nobody should agree to a change whose old
 * tables cannot be kept. The file must survive this command, so it is no stream. */
static int open_kept_tables(job *j, const char *path, odo_error *err)
{
	if (!strcmp(path, "-"))
		return odo_fail(err, ODO_EINPUT,
				"--keep: expected the name of a new file, found standard output");
	int status = odo_draft_open(&j->keep, path, 0644,
				    ODO_DRAFT_OUTPUT | ODO_DRAFT_SYNC | ODO_DRAFT_NEW, err);
	j->keeps = !status;
	return status;
}

/** Check that no other user decides what is written. A checksum is no protection against that. */
static int check_owner(const char *path, const struct stat *is, odo_error *err)
{
	bool ours = !is->st_uid || is->st_uid == geteuid();
	char found[64] = "one that every user can change";
	if (ours && !(is->st_mode & S_IWOTH))
		return 0;
	if (!ours)
		snprintf(found, sizeof found, "one of the user with number %u", is->st_uid);
	return odo_fail(err, ODO_EUNSAFE,
			"%s: expected a file that only you or root can change, found %s: copy it "
			"if you trust it; nothing was changed",
			path, found);
}

static int read_kept_tables(const char *path, odo_install *install, odo_error *err)
{
	bool checked = true;
	struct stat is;
	FILE *from;
	int status = odo_open_regular(path, true, MOST_BYTES, &from, &is, err);
	if (!status && !from)
		status = odo_fail(err, ODO_EINPUT, "%s: cannot open: %s", path, strerror(ENOENT));
	if (!status)
		status = check_owner(path, &is, err);
	if (!status)
		status = cli_cells_read(from, path, &install->cells, &install->n, &checked, err);
	if (from)
		fclose(from);
	if (!status && !checked)
		fprintf(stderr,
			"odonata: install: %s was written by an older version and has no checksum: "
			"it may be incomplete\n",
			path);
	return status;
}

static int run_install(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	char spec[CLI_SPEC];
	job j = {.call = call, .install = {.agree = agree_to_write}};
	int status = 0;
	if (own->keep)
		status = open_kept_tables(&j, own->keep, err);
	if (!status && own->restore)
		status = read_kept_tables(own->restore, &j.install, err);
	if (!status && !own->restore) {
		status = compute_for_install(call, system, err);
		j.install.expected = system->fabric;
		if (!status)
			status = cli_cells_make(system->tables, &j.install.cells, &j.install.n,
						err);
	}
	if (!status) {
		j.install.context = &j;
		cli_step_begin(&j.step, "discovering the subnet");
		status = cli_live_install(cli_live_spec(call, spec), call->key, &j.install, &j.step,
					  err);
		cli_step_end(&j.step, status);
		if (status == ODO_EIO)
			name_not_restored(&j);
	}
	if (!status)
		status = answer_install(call, system, &j, err);
	if (j.keeps)
		odo_draft_close(&j.keep, ODO_EUNSAFE, NULL);
	free(j.install.cells);
	return status;
}

static const cli_flag flags[] = {
	{"keep", 0, "FILE", "Save the installed tables to FILE first",
	 "Save the installed tables to FILE before anything is written", CLI_TEXT(settings, keep)},
	{"restore", 0, "FILE", "Install the tables that --keep saved in FILE instead", NULL,
	 CLI_TEXT(settings, restore)},
	{"yes", 'y', NULL, "Do not ask", NULL, CLI_BOOL(settings, yes)},
	{"accept-repairs", 0, NULL, NULL,
	 "Install although the subnet contradicts itself, by a LID that two ports have, for "
	 "example; the tables are for the repaired fabric",
	 CLI_BOOL(settings, accept)},
	{0}};

static const cli_example examples[] = {{"odonata install live --restore before.tables",
					"Put back what was there before", CLI_INPUT},
				       {0}};

const cli_command cli_install = {
	.name = "install",
	.arguments = "FABRIC",
	.summary = "Write tables into a subnet without a subnet manager",
	.about = "Compute and prove tables for a live subnet, and write them into its switches and "
		 "adapters: forwarding tables and SL2VL tables. A subnet manager must have "
		 "assigned LIDs, and none may run now, because it would write its own tables. "
		 "Every SL is safe with the new tables, because no manager assigns SLs.\n\n"
		 "The old tables are saved in a file first. If a table cannot be written, or a "
		 "signal arrives, all written tables are restored; tables that cannot be restored "
		 "are named. Exits with 1 if nothing was changed, for example because a subnet "
		 "manager runs.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE,
	.settings_size = sizeof(settings),
	.check = check_install,
	.run = run_install,
	.examples = examples,
};
