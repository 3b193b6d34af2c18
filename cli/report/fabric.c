/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Switches, hosts and cables as columns, which are compact: a fabric of 4,000 switches has 100,000
 * cables. */
#include <math.h>
#include <stdlib.h>

#include "cli/answers.h"
#include "cli/drawing/layout.h"
#include "cli/report/parts.h"

/** Columns of one table: arrays of the same length. */
typedef struct column {
	const char *name;
	json_t *values;
} column;

static int append_value(column *c, json_t *value)
{
	return json_array_append_new(c->values, value);
}

static int start_columns(column *columns, const char *const *names, unsigned n)
{
	int failed = 0;
	for (unsigned i = 0; i < n; i++) {
		columns[i] = (column){names[i], json_array()};
		failed |= !columns[i].values;
	}
	return failed;
}

/** @return the table; NULL out of memory */
static json_t *finish_columns(column *columns, unsigned n, int failed)
{
	json_t *table = json_object();
	for (unsigned i = 0; i < n; i++)
		cli_put(&table, columns[i].name, failed ? NULL : json_incref(columns[i].values));
	for (unsigned i = 0; i < n; i++)
		json_decref(columns[i].values);
	return table;
}

static json_t *list_switch_columns(const odo_fabric *f, const odo_coordinates *c,
				   const cli_layout *l)
{
	enum { NAME, GUID, LID, PORTS, AT, X, Y, N };
	static const char *const names[N] = {"name", "guid", "lid", "ports", "at", "x", "y"};
	column col[N];
	int failed = start_columns(col, names, N);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		failed |= append_value(&col[NAME], cli_json_text(odo_name(f, s)));
		failed |= append_value(&col[GUID], cli_json_guid(f->node_guid[s]));
		failed |= append_value(&col[LID], json_integer(f->switch_lid[s]));
		failed |= append_value(&col[PORTS], json_integer(odo_n_ports(f, s)));
		failed |= append_value(&col[AT], cli_json_place(odo_at(c, s), c->n_dims));
		failed |= append_value(&col[X], json_integer(lround(l->at[s].x - l->corner.x)));
		failed |= append_value(&col[Y], json_integer(lround(l->at[s].y - l->corner.y)));
	}
	return finish_columns(col, N, failed);
}

static json_t *list_host_columns(const odo_fabric *f)
{
	enum { NAME, GUID, LID, LMC, SWITCH, PORT, N };
	static const char *const names[N] = {"name", "guid", "lid", "lmc", "switch", "port"};
	column col[N];
	int failed = start_columns(col, names, N);
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t slot = f->host_slot[h];
		failed |= append_value(&col[NAME], cli_json_text(odo_name(f, f->owner[slot])));
		failed |= append_value(&col[GUID], cli_json_guid(f->port_guid[slot]));
		failed |= append_value(&col[LID], json_integer(f->port_lid[slot]));
		failed |= append_value(&col[LMC], json_integer(f->port_lmc[slot]));
		failed |= append_value(&col[SWITCH], json_integer(odo_host_switch(f, h)));
		failed |= append_value(&col[PORT], json_integer(odo_port(f, f->peer[slot])));
	}
	return finish_columns(col, N, failed);
}

static json_t *json_cable_class(const odo_coordinates *c, uint32_t slot)
{
	uint8_t port_class = c->port_class[slot];
	return port_class < c->n_dims ? json_integer(port_class) : json_null();
}

static json_t *list_cable_columns(const odo_fabric *f, const odo_coordinates *c)
{
	enum { FROM, FROM_PORT, TO, TO_PORT, CLASS, MBITS, N };
	static const char *const names[N] = {"from",    "from_port", "to",
					     "to_port", "class",     "mbits"};
	column col[N];
	int failed = start_columns(col, names, N);
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++) {
		uint32_t to = f->peer[slot];
		if (odo_next_switch(f, slot) == ODO_NONE || to < slot)
			continue;
		failed |= append_value(&col[FROM], json_integer(f->owner[slot]));
		failed |= append_value(&col[FROM_PORT], json_integer(odo_port(f, slot)));
		failed |= append_value(&col[TO], json_integer(f->owner[to]));
		failed |= append_value(&col[TO_PORT], json_integer(odo_port(f, to)));
		failed |= append_value(&col[CLASS], json_cable_class(c, slot));
		failed |= append_value(&col[MBITS], json_integer(odo_cable_rate(f, slot)));
	}
	return finish_columns(col, N, failed);
}

/** Return the positions of missing switches, in the order of "missing_switches". */
static json_t *list_gap_columns(const odo_coordinates *c, const cli_layout *l)
{
	enum { X, Y, N };
	static const char *const names[N] = {"x", "y"};
	column col[N];
	int failed = start_columns(col, names, N);
	for (uint32_t i = 0; i < c->n_faults; i++) {
		if (c->faults[i].type != ODO_FAULT_MISSING_SWITCH)
			continue;
		cli_point p = cli_place(l, c->faults[i].at);
		failed |= append_value(&col[X], json_integer(lround(p.x - l->corner.x)));
		failed |= append_value(&col[Y], json_integer(lround(p.y - l->corner.y)));
	}
	return finish_columns(col, N, failed);
}

int report_add_fabric(report *r, odo_error *err)
{
	const odo_fabric *f = r->system.fabric;
	const odo_coordinates *c = r->system.coordinates;
	cli_layout l;
	int status = cli_lay_out(f, c, &l, err);
	if (status)
		return status;
	int failed = json_object_set_new(r->document, "switches", list_switch_columns(f, c, &l));
	failed |= json_object_set_new(r->document, "gaps", list_gap_columns(c, &l));
	failed |= json_object_set_new(r->document, "hosts", list_host_columns(f));
	failed |= json_object_set_new(r->document, "cables", list_cable_columns(f, c));
	free(l.at);
	return failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : 0;
}
