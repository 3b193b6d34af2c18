/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <odonata/fabric.h>

#include <stdio.h>
#include <string.h>

#include "api/handles.h"
#include "fabric/format/format.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"

#define MOST_LMC 7

static int check_open(const char *what, unsigned lmc, odonata_fabric **out, odo_error *why)
{
	if (!out)
		return api_no("a place for the fabric", why);
	*out = NULL;
	if (!what)
		return api_no("the name of a fabric", why);
	if (lmc > MOST_LMC)
		return odo_fail(why, ODO_EINPUT, "expected an LMC from 0 to %u, found %u", MOST_LMC,
				lmc);
	return 0;
}

int odonata_fabric_read(const char *path, unsigned lmc, odonata_fabric **out, odonata_error *err)
{
	odo_error why = {0};
	odo_fabric *core;
	int status = check_open(path, lmc, out, &why);
	if (!status)
		status = odo_fabric_read(path, (uint8_t)lmc, &core, &why);
	if (!status)
		status = api_give_fabric(core, out, &why);
	return api_end(status, &why, err);
}

int odonata_fabric_generate(const char *spec, unsigned lmc, odonata_fabric **out,
			    odonata_error *err)
{
	odo_error why = {0};
	odo_fabric *core;
	int status = check_open(spec, lmc, out, &why);
	if (!status)
		status = odo_topology_generate(spec, (uint8_t)lmc, &core, NULL, &why);
	if (!status)
		status = api_give_fabric(core, out, &why);
	return api_end(status, &why, err);
}

static bool is_share(double x)
{
	return x >= 0 && x <= 1;
}

static int take_damage(const odonata_damage *theirs, odonata_damage *d, odo_error *why)
{
	int status = api_take(d, sizeof *d, API_UP_TO(odonata_damage, seed), theirs,
			      "an odonata_damage", why);
	if (!status && d->unused)
		return odo_fail(why, ODO_EINPUT, "expected 0 in what is unused, found %u",
				d->unused);
	if (!status && !(is_share(d->switches) && is_share(d->cables) && is_share(d->miscabled)))
		return odo_fail(why, ODO_EINPUT, "expected shares from 0 to 1, found %g, %g, %g",
				d->switches, d->cables, d->miscabled);
	return status;
}

/** Replace a fabric by the one that was made from it. */
static void replace_core_fabric(odo_fabric **f, odo_fabric *next)
{
	odo_fabric_free(*f);
	*f = next;
}

/** @param f the damaged fabric, NULL after a failure */
static int damage_and_shuffle(const odo_fabric *in, const odonata_damage *d, odo_fabric **f,
			      odo_error *why)
{
	const odo_damage gone = {.switches = d->switches, .links = d->cables, .seed = d->seed};
	odo_fabric *next = NULL;
	*f = NULL;
	int status = odo_fabric_damage(in, &gone, f, NULL, why);
	if (!status && d->miscabled > 0) {
		status = odo_fabric_miscable(*f, d->miscabled, d->seed, &next, NULL, why);
		replace_core_fabric(f, status ? NULL : next);
	}
	if (!status && d->shuffled) {
		status = odo_fabric_shuffle(*f, d->seed, &next, NULL, why);
		replace_core_fabric(f, status ? NULL : next);
	}
	return status;
}

int odonata_fabric_damage(const odonata_fabric *fabric, const odonata_damage *damage,
			  odonata_fabric **out, odonata_error *err)
{
	odo_error why = {0};
	odonata_damage d;
	odo_fabric *core;
	int status = check_open(fabric ? "" : NULL, 0, out, &why);
	if (!status)
		status = take_damage(damage, &d, &why);
	if (!status)
		status = damage_and_shuffle(fabric->core, &d, &core, &why);
	if (!status)
		status = api_give_fabric(core, out, &why);
	return api_end(status, &why, err);
}

static int find_fabric_format(const char *name, const odo_fabric_format **format, odo_error *why)
{
	if (!name)
		return api_no("the name of a format", why);
	for (const odo_fabric_format *f = odo_fabric_formats; f->name; f++)
		if (f->write && !strcmp(f->name, name)) {
			*format = f;
			return 0;
		}
	return odo_fail(why, ODO_EINPUT,
			"expected a format of fabrics that is written, found \"%s\"", name);
}

int odonata_fabric_write(const odonata_fabric *fabric, const char *format, const char *path,
			 odonata_error *err)
{
	odo_error why = {0};
	const odo_fabric_format *to = NULL;
	odo_draft file;
	int status = api_check_pair(fabric, NULL, &why);
	if (!status)
		status = find_fabric_format(format, &to, &why);
	if (!status)
		status = api_draft_open(path, &file, &why);
	if (!status)
		status = odo_draft_close(&file, to->write(fabric->core, file.to, &why), &why);
	return api_end(status, &why, err);
}

static odonata_fabric_view view_of(const odo_fabric *f, uint32_t n_parts)
{
	return (odonata_fabric_view){.n_switches = f->n_switches,
				     .n_nodes = f->n_nodes,
				     .n_slots = f->n_slots,
				     .n_hosts = f->n_hosts,
				     .n_cables = f->n_links,
				     .n_parts = n_parts,
				     .n_lids = f->lid_count,
				     .node_guid = f->node_guid,
				     .node_type = f->node_type,
				     .first_slot = f->first_slot,
				     .peer = f->peer,
				     .owner = f->owner,
				     .width = f->width,
				     .n_vls = f->n_vls,
				     .host_slot = f->host_slot,
				     .slot_lid = f->port_lid,
				     .slot_lmc = f->port_lmc,
				     .switch_lid = f->switch_lid,
				     .lid_switch = f->lid_switch,
				     .lid_port = f->lid_port,
				     .lid_host = f->lid_host,
				     .notes = f->notes,
				     .n_senders = f->n_senders};
}

int odonata_fabric_get(const odonata_fabric *fabric, odonata_fabric_view *view, odonata_error *err)
{
	odo_error why = {0};
	int status = api_check_pair(fabric, NULL, &why);
	if (!status)
		status = api_expect(view, API_UP_TO(odonata_fabric_view, lid_host),
				    "an odonata_fabric_view", &why);
	int n_parts = status ? status : odo_fabric_parts(fabric->core, NULL, &why);
	if (n_parts >= 0) {
		odonata_fabric_view ours = view_of(fabric->core, (uint32_t)n_parts);
		api_fill(view, &ours, sizeof ours);
	}
	return api_end(n_parts < 0 ? n_parts : 0, &why, err);
}

const char *odonata_fabric_name(const odonata_fabric *fabric, uint32_t node)
{
	return fabric && node < fabric->core->n_nodes ? odo_name(fabric->core, node) : NULL;
}
