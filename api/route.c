/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <odonata/route.h>

#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "export/import.h"
#include "export/profile.h"
#include "routing/engine.h"

_Static_assert(ODONATA_NO_PORT == ODO_NO_PORT && ODONATA_VL_DROP == ODO_VL_DROP, "tables agree");

static int take_options(const odonata_route_options *theirs, odonata_route_options *ours,
			odo_route_options *options, odo_error *why)
{
	int status = api_take(ours, sizeof *ours, API_UP_TO(odonata_route_options, roots), theirs,
			      "odonata_route_options", why);
	if (status)
		return status;
	if (ours->n_roots && !ours->roots)
		return odo_fail(why, ODO_EINPUT, "expected %u roots, found none at NULL",
				ours->n_roots);
	*options = (odo_route_options){.max_vls = ours->max_vls,
				       .max_sls = ours->max_sls,
				       .strict = ours->strict,
				       .no_fallback = ours->no_fallback,
				       .spread_lids = ours->spread_lids,
				       .roots = ours->roots,
				       .n_roots = ours->n_roots};
	return 0;
}

static int check_route_call(const odonata_fabric *fabric, const odonata_coordinates *coordinates,
			    odonata_tables **out, odo_error *why)
{
	if (!out)
		return api_no("a place for the tables", why);
	*out = NULL;
	return api_check_pair(fabric, coordinates, why);
}

/** Make a handle of tables.
 * @param core consumed, also on failure */
static int give_tables(const odonata_fabric *fabric, const odonata_coordinates *coordinates,
		       odo_tables *core, bool proved, odonata_tables **out, odo_error *why)
{
	odonata_tables *tables = calloc(1, sizeof *tables);
	if (!tables) {
		odo_tables_free(core);
		return api_no_memory(why);
	}
	*tables = (odonata_tables){.core = core,
				   .fabric = api_keep_fabric(fabric),
				   .coordinates = api_keep_coordinates(coordinates),
				   .proved = proved};
	*out = tables;
	return 0;
}

int odonata_route(const odonata_fabric *fabric, const odonata_coordinates *coordinates,
		  const odonata_route_options *options, odonata_tables **out, odonata_error *err)
{
	odo_error why = {0};
	odonata_route_options ours = {0};
	odo_route_options core_options = {0};
	odo_tables *core = NULL;
	int status = check_route_call(fabric, coordinates, out, &why);
	if (!status && options)
		status = take_options(options, &ours, &core_options, &why);
	if (!status)
		status = odo_route(fabric->core, coordinates ? coordinates->core : NULL,
				   ours.engine, &core_options, &core, &why);
	if (!status)
		status = give_tables(fabric, coordinates, core, true, out, &why);
	return api_end(status, &why, err);
}

static int check_paths(const char *const *paths, size_t n, odo_error *why)
{
	if (!n || !paths)
		return odo_fail(why, ODO_EINPUT, "expected files of tables, found none");
	for (size_t i = 0; i < n; i++)
		if (!paths[i])
			return api_no("the name of a file", why);
	return 0;
}

int odonata_tables_read(const odonata_fabric *fabric, const odonata_coordinates *coordinates,
			const char *const *paths, size_t n_paths, odonata_tables **out,
			odonata_error *err)
{
	odo_error why = {0};
	odo_tables *core = NULL;
	int status = check_route_call(fabric, coordinates, out, &why);
	if (!status)
		status = check_paths(paths, n_paths, &why);
	if (!status)
		status = odo_import_files(fabric->core, paths, n_paths, false, false, NULL, NULL, &core, &why);
	if (!status)
		status = give_tables(fabric, coordinates, core, false, out, &why);
	return api_end(status, &why, err);
}

int odonata_tables_get(const odonata_tables *tables, odonata_tables_view *view, odonata_error *err)
{
	odo_error why = {0};
	int status = tables ? 0 : api_no("tables", &why);
	if (!status)
		status = api_expect(view, API_UP_TO(odonata_tables_view, sl_of_pair),
				    "an odonata_tables_view", &why);
	if (!status) {
		const odo_tables *t = tables->core;
		odonata_tables_view ours = {.engine = t->engine,
					    .profile = odo_write_profile(t->profile),
					    .proved = tables->proved,
					    .n_vls = t->n_vls,
					    .n_sls = t->n_sls,
					    .n_maps = t->n_rows,
					    .n_switches = t->fabric->n_switches,
					    .n_lids = t->fabric->lid_count,
					    .lft = t->lft,
					    .sl_of_lid = t->sl_of_lid,
					    .sl_of_pair = t->sl_of_pair};
		api_fill(view, &ours, sizeof ours);
	}
	return api_end(status, &why, err);
}

unsigned odonata_tables_sl(const odonata_tables *tables, uint32_t from_switch, uint32_t lid)
{
	if (!tables || from_switch >= tables->core->fabric->n_switches ||
	    lid >= tables->core->fabric->lid_count)
		return ODONATA_NO_VL;
	return odo_path_sl(tables->core, from_switch, lid);
}

unsigned odonata_tables_vl(const odonata_tables *tables, uint32_t at_switch, unsigned in_port,
			   unsigned out_port, unsigned sl)
{
	if (!tables || at_switch >= tables->core->fabric->n_switches || sl >= ODO_N_SLS)
		return ODONATA_NO_VL;
	unsigned n_ports = odo_n_ports(tables->core->fabric, at_switch);
	if (in_port > n_ports || out_port > n_ports)
		return ODONATA_NO_VL;
	return odo_vl(tables->core, at_switch, in_port, out_port, sl);
}

unsigned odonata_tables_host_vl(const odonata_tables *tables, uint32_t host, unsigned sl)
{
	if (!tables || host >= tables->core->fabric->n_hosts || sl >= ODO_N_SLS)
		return ODONATA_NO_VL;
	return tables->core->rows[tables->core->host_row[host]].vl[sl];
}

/** A list that also counts entries for which it has no room. */
struct path {
	uint32_t *slots;
	size_t room, n;
};

static void add_slot(struct path *p, uint32_t slot)
{
	if (p->n < p->room)
		p->slots[p->n] = slot;
	p->n++;
}

/** Follow a LID from a host. If it does not arrive, the path has no slots. */
static void list_path_slots(const odo_tables *t, uint32_t host, uint32_t lid, struct path *p)
{
	const odo_fabric *f = t->fabric;
	uint32_t s = odo_host_switch(f, host);
	add_slot(p, f->host_slot[host]);
	for (uint32_t hops = 0; s != ODO_NONE && hops <= f->n_switches; hops++) {
		unsigned port = odo_next_port(t, s, lid);
		bool here = f->lid_switch[lid] == s && f->lid_port[lid] == port;
		if (port > odo_n_ports(f, s) || (!port && !here))
			break;
		if (port)
			add_slot(p, odo_slot(f, s, port));
		if (here)
			return;
		s = odo_next_switch(f, odo_slot(f, s, port));
	}
	p->n = 0;
}

static int check_path(const odonata_tables *tables, uint32_t host, uint32_t lid,
		      const struct path *p, odo_error *why)
{
	if (!tables)
		return api_no("tables", why);
	if (p->room && !p->slots)
		return api_no("room for slots", why);
	const odo_fabric *f = tables->core->fabric;
	if (host >= f->n_hosts)
		return odo_fail(why, ODO_EINPUT, "expected a host below %u, found %u", f->n_hosts,
				host);
	if (lid >= f->lid_count || f->lid_switch[lid] == ODO_NONE)
		return odo_fail(why, ODO_EINPUT, "expected a LID of the fabric, found %u", lid);
	if (tables->core->adaptive)
		return odo_fail(why, ODO_EDECLINE, "routing %s is adaptive: paths are not fixed",
				tables->core->engine);
	return 0;
}

int odonata_tables_path(const odonata_tables *tables, uint32_t from_host, uint32_t lid,
			uint32_t *slots, size_t room, size_t *n, odonata_error *err)
{
	odo_error why = {0};
	struct path p = {slots, room, 0};
	int status = n ? check_path(tables, from_host, lid, &p, &why)
		       : api_no("a place for the number of slots", &why);
	if (!status)
		list_path_slots(tables->core, from_host, lid, &p);
	if (n)
		*n = p.n;
	return api_end(status, &why, err);
}
