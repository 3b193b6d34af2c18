/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/subnets.h"
#include "export/import.h"
#include "cli/terminal/progress.h"
#include "fabric/format/guids.h"
#include "fabric/format/slurp.h"
#include "mapping/mapping.h"
#include "mapping/labels/pins.h"

/* Most files of one import. */
enum { MOST_FILES = 8 };

static int apply_pins(const char *path, cli_system *system, odo_error *err)
{
	char *text;
	size_t size;
	odo_pins pins = {0};
	int status = odo_slurp(path, &text, &size, err);
	if (!status)
		status = odo_pins_read(system->fabric, text, odo_origin_name(path), &pins, err);
	if (!status)
		status = odo_pins_apply(&pins, system->fabric, system->coordinates, err);
	odo_pins_clear(&pins);
	free(text);
	return status;
}

static int map_fabric(cli_system *system, odo_error *err)
{
	cli_step step;
	const odo_watch watch = cli_step_watch(&step);
	odo_budget budget = odo_map_budget(system->fabric);
	budget.watch = &watch;
	cli_step_begin(&step, "mapping");
	return cli_step_end(&step,
			    odo_map_within(system->fabric, &budget, &system->coordinates, err));
}

static int map_opened(cli_call *call, cli_system *system, odo_error *err)
{
	int status = map_fabric(system, err);
	if (!status)
		status = cli_subnets_split(call, system, system->coordinates, err);
	if (!status && !system->coordinates) /* it was split */
		status = map_fabric(system, err);
	return !status && call->pins ? apply_pins(call->pins, system, err) : status;
}

int cli_system_map(cli_call *call, cli_system *system, odo_error *err)
{
	int status = cli_system_open(call, system, err);
	return status ? status : map_opened(call, system, err);
}

/** Warn before much memory is allocated. An entry takes 1.5 to 3.5 bytes, with SLs of pairs and its
 * proof. */
static void warn_of_size(const odo_fabric *f)
{
	static const double worth_saying = 0.5e9, most_bytes = 3.5;
	double entries = (double)f->n_switches * f->lid_count;
	if (entries > worth_saying)
		fprintf(stderr,
			"odonata: note: %u switches and %u LIDs may need %.0f GB of memory, and "
			"minutes\n",
			f->n_switches, f->lid_count, ceil(1e-9 * most_bytes * entries));
}

/** Refuse a fabric with too many LIDs for any table before it is mapped, which may take long. */
static int open_routable(cli_call *call, cli_system *system, odo_error *err)
{
	odo_tables *none = NULL;
	int status = cli_system_open(call, system, err);
	if (!status && !system->fabric->lid_count)
		status = odo_tables_create(system->fabric, "", &none, err);
	odo_tables_free(none);
	if (!status)
		warn_of_size(system->fabric);
	return status;
}

/** Refuse a list that names no switch, because Odonata would then choose the root silently. */
static int read_roots(const char *path, const odo_fabric *f, uint64_t **roots, uint32_t *n,
		      odo_error *err)
{
	int status = odo_guids_read(path, roots, n, err);
	if (status || odo_guids_of_switches(f, *roots, *n))
		return status;
	if (!*n)
		return odo_fail(err, ODO_EINPUT, "%s:1: expected GUIDs, a line each, found none",
				odo_origin_name(path));
	return odo_fail(err, ODO_EINPUT,
			"%s: expected the GUID of a switch of the fabric, found none among %u",
			odo_origin_name(path), *n);
}

static int read_route_lists(const cli_call *call, cli_system *system, odo_error *err)
{
	odo_route_options *o = &system->options;
	int status = 0;
	*o = call->route;
	if (call->roots)
		status = read_roots(call->roots, system->fabric, &system->roots, &o->n_roots, err);
	if (!status && call->compute)
		status = odo_guids_read(call->compute, &system->compute, &o->n_compute, err);
	if (!status && call->io)
		status = odo_guids_read(call->io, &system->io, &o->n_io, err);
	o->roots = system->roots;
	o->compute = system->compute;
	o->io = system->io;
	return status;
}

int cli_system_compute(const cli_call *call, cli_system *system, odo_tables **out, odo_error *err)
{
	int status = read_route_lists(call, system, err);
	cli_step step;
	const odo_watch watch = cli_step_watch(&step);
	if (status)
		return status;
	system->options.watch = &watch;
	cli_step_begin(&step, "routing and proving");
	status = odo_route(system->fabric, system->coordinates, call->engine, &system->options, out,
			   err);
	system->options.watch = NULL;
	return cli_step_end(&step, status);
}

static int import_tables(const cli_call *call, cli_system *system, odo_ledger *ledger,
			 const odo_watch *watch, odo_error *err)
{
	if (cli_wants_installed(call))
		return cli_live_import(&system->installed, system->fabric, call->for_proof,
				       &system->tables, err);
	return odo_import_files(system->fabric, call->tables, call->n_tables, call->for_proof,
				cli_is_of_part(call), ledger, watch, &system->tables, err);
}

int cli_system_route(cli_call *call, cli_system *system, odo_error *err)
{
	int status = open_routable(call, system, err);
	if (!status)
		status = map_opened(call, system, err);
	if (status)
		return status;
	if (!cli_wants_installed(call) && !call->n_tables)
		return cli_system_compute(call, system, &system->tables, err);
	cli_step step;
	const odo_watch watch = cli_step_watch(&step);
	cli_step_begin(&step, "reading tables");
	odo_ledger ledger = {0};
	status = cli_step_end(&step, import_tables(call, system, &ledger, &watch, err));
	return status || odo_ledger_is_empty(&ledger)
		       ? status
		       : cli_report_repairs(call,
					    call->n_tables == 1 ? call->tables[0] : "--tables",
					    &ledger, err);
}

int cli_system_route_static(cli_call *call, cli_system *system, odo_error *err)
{
	int status = cli_system_route(call, system, err);
	if (status || !system->tables->adaptive)
		return status;
	return odo_fail(err, ODO_EDECLINE,
			"adaptive switches choose a path packet by packet: expected tables of an "
			"engine for common switches");
}

int cli_need_sls(const cli_call *call, const cli_system *system, odo_error *err)
{
	if (!system->tables || !system->tables->from.assumes_sls)
		return 0;
	if (system->installed.no_manager)
		return odo_fail(
			err, ODO_EIO,
			"no subnet manager answers: expected the SL of each path, because the "
			"installed SL2VL maps depend on the SL. Start the manager, or name an "
			"--engine; 'odonata verify live' proves the tables that can be read");
	fprintf(stderr,
		"odonata: %s: warning: no file gives the SLs of paths, and the SL2VL maps depend "
		"on the SL: SL 0 is assumed for all paths\n",
		call->command->name);
	return 0;
}

int cli_import_list(const odo_fabric *f, const char *files, bool of_part, odo_tables **out,
		    odo_error *err)
{
	const char *path[MOST_FILES];
	char *name = odo_new(strlen(files) + 1, 1), *rest = name;
	size_t n = 0;
	if (!name)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	strcpy(name, files);
	for (char *one; n < MOST_FILES && (one = strsep(&rest, ","));)
		path[n++] = one;
	int status = rest ? odo_fail(err, ODO_EINPUT, "%.64s...: expected up to %d files of tables",
				     files, MOST_FILES)
			  : odo_import_files(f, path, n, true, of_part, NULL, NULL, out, err);
	free(name);
	return status;
}
