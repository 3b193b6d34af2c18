/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/system.h"

#include "export/import.h"
#include "mapping/mapping.h"

int cli_system_map(const cli_call *call, cli_system *system, odo_error *err)
{
	int status = cli_system_open(call, system, err);
	return status ? status : odo_map(system->fabric, &system->coordinates, err);
}

int cli_system_route(const cli_call *call, cli_system *system, odo_error *err)
{
	int status = cli_system_map(call, system, err);
	if (status)
		return status;
	if (call->n_tables)
		return odo_import_files(system->fabric, call->tables, call->n_tables,
					&system->tables, err);
	return odo_route(system->fabric, system->coordinates, call->engine, &call->route,
			 &system->tables, err);
}
