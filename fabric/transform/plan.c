/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/transform/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* GUIDs of a shuffled fabric are `base + (label << 8)`, which leaves room for an adapter's
 * ports. */
#define SHUFFLED_GUID 0x0d0a800000000000ull

void odo_plan_clear(odo_plan *plan)
{
	odo_arena_free(&plan->memory);
}

/* Make a plan that changes nothing. */
int odo_plan_make(const odo_fabric *f, odo_plan *plan, odo_error *err)
{
	plan->n_nodes = f->n_nodes;
	plan->node = odo_arena_new(&plan->memory, f->n_nodes, sizeof *plan->node);
	plan->peer = odo_arena_new(&plan->memory, f->n_slots, sizeof *plan->peer);
	plan->port = odo_arena_new(&plan->memory, f->n_slots, sizeof *plan->port);
	plan->silent = odo_arena_new(&plan->memory, f->n_slots, sizeof *plan->silent);
	if (plan->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory to transform a fabric");
	for (uint32_t v = 0; v < f->n_nodes; v++)
		plan->node[v] = v;
	memcpy(plan->peer, f->peer, f->n_slots * sizeof *plan->peer);
	for (uint32_t slot = 0; slot < f->n_slots; slot++)
		plan->port[slot] = (uint8_t)odo_port(f, slot);
	for (uint32_t h = f->n_senders; h < f->n_hosts; h++)
		plan->silent[f->host_slot[h]] = odo_sends_by_itself(f, f->owner[f->host_slot[h]]);
	return 0;
}

static int add_planned_labels(const odo_fabric *f, const odo_plan *plan, uint32_t v, uint32_t id,
			      odo_builder *b, odo_error *err)
{
	const char *place = odo_location(f, v);
	int status = *place ? odo_builder_label(b, id, 0, place, strlen(place), err) : 0;
	for (uint32_t s = f->first_slot[v]; s < f->first_slot[v + 1] && !status; s++) {
		const char *label = odo_label(f, s);
		if (*label)
			status = odo_builder_label(b, id, plan->port[s], label, strlen(label), err);
	}
	return status;
}

static int add_planned_node(const odo_fabric *f, const odo_plan *plan, uint32_t at, odo_builder *b,
			    odo_error *err)
{
	uint32_t v = plan->node[at], id;
	char name[20];
	odo_node_info info = {
		.type = (odo_node_type)f->node_type[v],
		.n_ports = odo_n_ports(f, v),
		.guid = f->node_guid[v],
		.name = plan->name && plan->name[v] ? plan->name[v] : odo_name(f, v),
	};
	if (odo_is_switch(f, v)) {
		info.lid = plan->label ? 0 : f->switch_lid[v];
		info.lmc = f->switch_lmc[v];
	}
	if (plan->label) {
		snprintf(name, sizeof name, "N%u", plan->label[at]);
		/* names of aggregation nodes stay, because they tell the type of the node */
		info.name = odo_is_aggregation(info.name) ? info.name : name;
		info.guid = SHUFFLED_GUID + ((uint64_t)plan->label[at] << 8);
	}
	int status = odo_builder_add(b, &info, &id, err);
	if (!status && !plan->label)
		status = add_planned_labels(f, plan, v, id, b, err);
	for (uint32_t s = f->first_slot[v]; !plan->label && s < f->first_slot[v + 1] && !status;
	     s++)
		if (!odo_is_switch(f, v))
			status = odo_builder_port(b, id, plan->port[s], f->port_guid[s],
						  f->port_lid[s], f->port_lmc[s], err);
	for (uint32_t s = f->first_slot[v]; s < f->first_slot[v + 1] && !status; s++)
		if (plan->silent[s])
			odo_builder_silence(b, id, plan->port[s]);
	return status;
}

/* @param id [n_nodes of the old fabric] place in the new order, or ODO_NONE */
static int add_planned_links(const odo_fabric *f, const odo_plan *plan, const uint32_t *id,
			     odo_builder *b, odo_error *err)
{
	int status = 0;
	for (uint32_t s = 0; s < f->n_slots && !status; s++) {
		uint32_t t = plan->peer[s];
		if (t == ODO_NONE || t < s || id[f->owner[s]] == ODO_NONE ||
		    id[f->owner[t]] == ODO_NONE)
			continue;
		odo_link_info info = {f->width[s], f->speed[s], f->n_vls[s]};
		status = odo_builder_link(b, id[f->owner[s]], plan->port[s], id[f->owner[t]],
					  plan->port[t], info, err);
	}
	return status;
}

static int trace_origin(const odo_fabric *f, const odo_plan *plan, const odo_fabric *out,
			odo_origin *origin)
{
	origin->node = odo_new(out->n_nodes, sizeof *origin->node);
	origin->slot = odo_new(out->n_slots, sizeof *origin->slot);
	if (!origin->node || !origin->slot) {
		odo_origin_free(origin);
		return ODO_ENOMEM;
	}
	for (uint32_t v = 0; v < out->n_nodes; v++) {
		uint32_t old = origin->node[v] = plan->node[v];
		for (uint32_t s = f->first_slot[old]; s < f->first_slot[old + 1]; s++)
			origin->slot[odo_slot(out, v, plan->port[s])] = s;
	}
	return 0;
}

static uint8_t host_lmc(const odo_fabric *f)
{
	return f->n_hosts ? f->port_lmc[f->host_slot[0]] : 0;
}

static int build_planned(const odo_fabric *f, const odo_plan *plan, odo_builder *b, odo_error *err)
{
	uint32_t *id = odo_new(f->n_nodes, sizeof *id);
	int status = id ? 0 : odo_fail(err, ODO_ENOMEM, "no memory to transform a fabric");
	for (uint32_t v = 0; v < f->n_nodes && id; v++)
		id[v] = ODO_NONE;
	for (uint32_t at = 0; at < plan->n_nodes && !status; at++) {
		id[plan->node[at]] = at;
		status = add_planned_node(f, plan, at, b, err);
	}
	if (!status)
		status = add_planned_links(f, plan, id, b, err);
	free(id);
	return status;
}

/* Switches come first in every plan, so a place in its order is a node id of the new fabric. */
int odo_plan_carry_out(const odo_fabric *f, const odo_plan *plan, odo_fabric **out,
		       odo_origin *origin, odo_error *err)
{
	odo_builder *b;
	odo_fabric *made;
	int status = odo_builder_create(&b, err);
	if (status)
		return status;
	status = build_planned(f, plan, b, err);
	if (status) {
		odo_builder_free(b);
		return status;
	}
	odo_lid_policy policy = plan->label || !f->lid_count ? ODO_LIDS_FILL : ODO_LIDS_AS_GIVEN;
	status = odo_builder_freeze(b, policy, host_lmc(f), &made, err);
	if (!status && origin && trace_origin(f, plan, made, origin)) {
		odo_fabric_free(made);
		status = odo_fail(err, ODO_ENOMEM, "no memory to trace a fabric's origin");
	}
	if (!status) {
		made->no_guids = f->no_guids;
		*out = made;
	}
	return status;
}

uint32_t odo_plan_links(const odo_fabric *f, const uint8_t *gone, uint32_t *links)
{
	uint32_t n = 0;
	for (uint32_t s = 0; s < f->first_slot[f->n_switches]; s++) {
		uint32_t to = odo_next_switch(f, s);
		if (to != ODO_NONE && f->peer[s] > s && !(gone && (gone[f->owner[s]] || gone[to])))
			links[n++] = s;
	}
	return n;
}

bool odo_is_share(double share)
{
	return share >= 0 && share <= 1; /* false for a NaN too */
}
