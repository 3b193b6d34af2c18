/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <odonata/map.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "fabric/format/formats.h"
#include "mapping/mapping.h"

_Static_assert(ODONATA_MAX_DIMS == ODO_MAX_DIMS && ODONATA_NONE == ODO_NONE, "arrays agree");
_Static_assert(ODONATA_MISSING_SWITCH == (int)ODO_FAULT_MISSING_SWITCH &&
		       ODONATA_MISSING_CABLES == (int)ODO_FAULT_MISSING_LINK &&
		       ODONATA_WRONG_CABLE == (int)ODO_FAULT_WRONG_LINK &&
		       ODONATA_SLOW_CABLE == (int)ODO_FAULT_SLOW_LINK &&
		       ODONATA_PORT_WRONG == (int)ODO_PORT_WRONG &&
		       ODONATA_PORT_HOST == (int)ODO_PORT_HOST &&
		       ODONATA_PORT_FREE == (int)ODO_PORT_FREE &&
		       ODONATA_SWITCH == (int)ODO_SWITCH && ODONATA_ADAPTER == (int)ODO_CA &&
		       ODONATA_ROUTER == (int)ODO_ROUTER,
	       "enumerators go through as they are");

static int map_into_handle(const odonata_fabric *fabric, odonata_coordinates **out, odo_error *why)
{
	odonata_coordinates *made = calloc(1, sizeof *made);
	if (!made)
		return api_no_memory(why);
	int status = odo_map(fabric->core, &made->core, why);
	if (status) {
		free(made);
		return status;
	}
	made->fabric = api_keep_fabric(fabric);
	atomic_init(&made->users, 1);
	*out = made;
	return 0;
}

int odonata_map(const odonata_fabric *fabric, odonata_coordinates **out, odonata_error *err)
{
	odo_error why = {0};
	int status = out ? 0 : api_no("a place for the coordinates", &why);
	if (out)
		*out = NULL;
	if (!status)
		status = api_check_pair(fabric, NULL, &why);
	if (!status)
		status = map_into_handle(fabric, out, &why);
	return api_end(status, &why, err);
}

static int check_coordinates(const odonata_coordinates *coordinates, odo_error *why)
{
	return coordinates ? 0 : api_no("coordinates", why);
}

int odonata_coordinates_get(const odonata_coordinates *coordinates, odonata_coordinates_view *view,
			    odonata_error *err)
{
	odo_error why = {0};
	int status = check_coordinates(coordinates, &why);
	if (!status)
		status = api_expect(view, API_UP_TO(odonata_coordinates_view, unused),
				    "an odonata_coordinates_view", &why);
	if (!status) {
		const odo_coordinates *c = coordinates->core;
		odonata_coordinates_view ours = {.kind = odo_kind_name(c->kind),
						 .reason = c->reason,
						 .n_switches = c->n_switches,
						 .n_dims = c->n_dims,
						 .at = c->at,
						 .port_class = c->port_class,
						 .n_faults = c->n_faults};
		memcpy(ours.dim_size, c->size, sizeof ours.dim_size);
		memcpy(ours.dim_width, c->width, sizeof ours.dim_width);
		api_fill(view, &ours, sizeof ours);
	}
	return api_end(status, &why, err);
}

/* ---- Faults as texts ---- */

/** Print `"name" port 3`, or "nowhere known" for no slot. */
static void print_slot(const odo_fabric *f, uint32_t slot, FILE *to)
{
	if (slot == ODO_NONE)
		fputs("nowhere known", to);
	else
		fprintf(to, "\"%s\" port %u", odo_name(f, f->owner[slot]), odo_port(f, slot));
}

static void print_rate(const odo_fabric *f, uint32_t slot, FILE *to)
{
	fprintf(to, "%ux%s", f->width[slot], odo_speed_name((odo_speed)f->speed[slot]));
}

static void print_fault(const odo_coordinates *c, const odo_fabric *f, const odo_fault *x, FILE *to)
{
	switch (x->type) {
	case ODO_FAULT_MISSING_SWITCH:
		fputs("no switch at", to);
		for (unsigned d = 0; d < c->n_dims; d++)
			fprintf(to, " %u", x->at[d]);
		break;
	case ODO_FAULT_MISSING_LINK:
		fprintf(to, "%u cable%s missing between \"%s\" and \"%s\"", x->count,
			x->count == 1 ? "" : "s", odo_name(f, x->node[0]), odo_name(f, x->node[1]));
		break;
	case ODO_FAULT_WRONG_LINK:
		fputs("wrong cable from ", to);
		print_slot(f, x->slot[0], to);
		fputs(" to ", to);
		print_slot(f, x->slot[1], to);
		fputs("; they belong to ", to);
		print_slot(f, x->belongs[0], to);
		fputs(" and ", to);
		print_slot(f, x->belongs[1], to);
		break;
	case ODO_FAULT_SLOW_LINK:
		fputs("slow cable from ", to);
		print_slot(f, x->slot[0], to);
		fputs(" to ", to);
		print_slot(f, x->slot[1], to);
		fputs(": it runs at ", to);
		print_rate(f, x->slot[0], to);
		fputs(", usual is ", to);
		print_rate(f, x->usual, to);
		break;
	}
}

/** Write a fault as text.
 * @param text shortened to its size if names are long */
static int write_fault(const odonata_coordinates *coordinates, const odo_fault *x, char *text,
		       size_t size, odo_error *why)
{
	char *whole = NULL;
	size_t length;
	FILE *to = open_memstream(&whole, &length);
	if (!to)
		return api_no_memory(why);
	print_fault(coordinates->core, coordinates->fabric->core, x, to);
	bool failed = ferror(to);
	failed |= fclose(to) != 0;
	if (!failed)
		snprintf(text, size, "%s", whole);
	free(whole);
	return failed ? api_no_memory(why) : 0;
}

static int fault_of(const odonata_coordinates *coordinates, uint32_t number, odonata_fault *ours,
		    odo_error *why)
{
	const odo_coordinates *c = coordinates->core;
	if (number >= c->n_faults)
		return odo_fail(why, ODO_EINPUT, "expected a fault below %u, found %u", c->n_faults,
				number);
	const odo_fault *x = &c->faults[number];
	*ours = (odonata_fault){.type = x->type, .count = x->count};
	memcpy(ours->node, x->node, sizeof ours->node);
	memcpy(ours->slot, x->slot, sizeof ours->slot);
	memcpy(ours->belongs, x->belongs, sizeof ours->belongs);
	for (unsigned d = 0; d < ODO_MAX_DIMS; d++)
		ours->at[d] = x->type == ODO_FAULT_MISSING_SWITCH && d < c->n_dims ? x->at[d]
										   : ODO_NONE;
	return write_fault(coordinates, x, ours->text, sizeof ours->text, why);
}

int odonata_fault_get(const odonata_coordinates *coordinates, uint32_t number, odonata_fault *fault,
		      odonata_error *err)
{
	odo_error why = {0};
	odonata_fault ours;
	int status = check_coordinates(coordinates, &why);
	if (!status)
		status = api_expect(fault, API_UP_TO(odonata_fault, text), "an odonata_fault",
				    &why);
	if (!status)
		status = fault_of(coordinates, number, &ours, &why);
	if (!status)
		api_fill(fault, &ours, sizeof ours);
	return api_end(status, &why, err);
}
