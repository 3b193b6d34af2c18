/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shuffle and damage write a plan; odo_plan_carry_out() makes the new fabric. */
#include "fabric/transform/transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/transform/plan.h"
#include "base/random.h"

void odo_origin_free(odo_origin *origin)
{
	free(origin->node);
	free(origin->slot);
	*origin = (odo_origin){0};
}

static int no_memory_to_transform(odo_error *err)
{
	return odo_fail(err, ODO_ENOMEM, "no memory to transform a fabric");
}

static void shuffle_ports(const odo_fabric *f, uint64_t seed, uint8_t *port)
{
	odo_rng rng = odo_rng_make(seed, ODO_DRAW_PORTS);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		uint8_t *of = port + f->first_slot[v];
		for (uint32_t i = odo_n_ports(f, v); i > 1; i--) {
			uint32_t j = odo_rng_below(&rng, i);
			uint8_t held = of[i - 1];
			of[i - 1] = of[j];
			of[j] = held;
		}
	}
}

int odo_fabric_shuffle(const odo_fabric *in, uint64_t seed, odo_fabric **out, odo_origin *origin,
		       odo_error *err)
{
	odo_plan plan = {0};
	int status = odo_plan_make(in, &plan, err);
	plan.label = odo_arena_new(&plan.memory, in->n_nodes, sizeof *plan.label);
	if (!status && !plan.label)
		status = no_memory_to_transform(err);
	if (status)
		goto done;
	odo_rng rng = odo_rng_make(seed, ODO_DRAW_NODES),
		labels = odo_rng_make(seed, ODO_DRAW_LABELS);
	odo_rng_shuffle(&rng, plan.node, in->n_switches);
	odo_rng_shuffle(&rng, plan.node + in->n_switches, in->n_nodes - in->n_switches);
	for (uint32_t v = 0; v < in->n_nodes; v++)
		plan.label[v] = v;
	odo_rng_shuffle(&labels, plan.label, in->n_nodes);
	shuffle_ports(in, seed, plan.port);
	status = odo_plan_carry_out(in, &plan, out, origin, err);
done:
	odo_plan_clear(&plan);
	return status;
}

static int compare_guids_in(const void *a, const void *b, void *fabric)
{
	const odo_fabric *f = fabric;
	uint64_t x = f->node_guid[*(const uint32_t *)a], y = f->node_guid[*(const uint32_t *)b];
	return (x > y) - (x < y);
}

/* Copy the ledger, because the new fabric comes from the same input. */
static int keep_repairs(const odo_fabric *in, odo_fabric **out, odo_error *err)
{
	odo_fabric *f = *out;
	if (!in->repairs)
		return 0;
	if (!f->repairs)
		f->repairs = odo_arena_new(&f->memory, 1, sizeof *f->repairs);
	if (!f->repairs) {
		odo_fabric_free(f);
		*out = NULL;
		return no_memory_to_transform(err);
	}
	*f->repairs = *in->repairs;
	return 0;
}

int odo_fabric_sort(const odo_fabric *in, odo_fabric **out, odo_error *err)
{
	odo_plan plan = {0};
	uint32_t n = in->n_switches;
	int status = odo_plan_make(in, &plan, err);
	if (!status) {
		odo_fabric f = *in; /* qsort_r() wants it without const */
		qsort_r(plan.node, n, sizeof *plan.node, compare_guids_in, &f);
		qsort_r(plan.node + n, in->n_nodes - n, sizeof *plan.node, compare_guids_in, &f);
		status = odo_plan_carry_out(in, &plan, out, NULL, err);
	}
	odo_plan_clear(&plan);
	return status ? status : keep_repairs(in, out, err);
}

int odo_fabric_adapt(const odo_fabric *in, const char *const *name, const uint8_t *silent,
		     odo_fabric **out, odo_error *err)
{
	odo_plan plan = {0};
	int status = odo_plan_make(in, &plan, err);
	plan.name = name;
	for (uint32_t slot = 0; slot < in->n_slots && !status && silent; slot++)
		plan.silent[slot] |= silent[slot];
	if (!status)
		status = odo_plan_carry_out(in, &plan, out, NULL, err);
	odo_plan_clear(&plan);
	return status ? status : keep_repairs(in, out, err);
}

/* Set `gone` for exactly round(share * n) of the items, every subset with the same probability. */
static int draw_items(uint64_t seed, uint64_t stream, double share, const uint32_t *items,
		      uint32_t n, uint8_t *gone)
{
	uint32_t *order = odo_new(n, sizeof *order);
	if (!order)
		return ODO_ENOMEM;
	odo_rng rng = odo_rng_make(seed, stream);
	memcpy(order, items, n * sizeof *order);
	odo_rng_shuffle(&rng, order, n);
	for (uint32_t i = 0; i < (uint32_t)lround(share * n); i++)
		gone[order[i]] = 1;
	free(order);
	return 0;
}

/* Remove an adapter if all its cables are removed. An adapter without cables stays. */
static void remove_lone_hosts(const odo_fabric *f, uint8_t *gone)
{
	for (uint32_t v = f->n_switches; v < f->n_nodes; v++) {
		bool had = false, has = false;
		for (uint32_t s = f->first_slot[v]; s < f->first_slot[v + 1]; s++) {
			uint32_t to = odo_neighbour(f, s);
			had |= to != ODO_NONE;
			has |= to != ODO_NONE && !(odo_is_switch(f, to) && gone[to]);
		}
		gone[v] = had && !has;
	}
}

int odo_fabric_without(const odo_fabric *in, uint8_t *gone, const uint8_t *cut, odo_fabric **out,
		       odo_origin *origin, odo_error *err)
{
	odo_plan plan = {0};
	uint32_t kept = 0;
	int status = odo_plan_make(in, &plan, err);
	remove_lone_hosts(in, gone);
	for (uint32_t v = 0; v < in->n_nodes && !status; v++)
		if (!gone[v])
			plan.node[kept++] = v;
	plan.n_nodes = kept;
	for (uint32_t s = 0; s < in->n_slots && !status; s++)
		if (cut[s])
			plan.peer[s] = plan.peer[in->peer[s]] = ODO_NONE;
	if (!status)
		status = odo_plan_carry_out(in, &plan, out, origin, err);
	odo_plan_clear(&plan);
	return status;
}

/* Choose the switches and cables to remove.
 * @param gone, cut as for odo_fabric_without() */
static int draw_damage(const odo_fabric *f, const odo_damage *damage, uint8_t *gone, uint8_t *cut)
{
	uint32_t n = f->n_switches > f->n_links ? f->n_switches : f->n_links;
	uint32_t *items = odo_new(n, sizeof *items);
	int status = items ? 0 : ODO_ENOMEM;
	for (uint32_t s = 0; s < f->n_switches && !status; s++)
		items[s] = s;
	if (!status)
		status = draw_items(damage->seed, ODO_DRAW_SWITCHES, damage->switches, items,
				    f->n_switches, gone);
	if (!status)
		status = draw_items(damage->seed, ODO_DRAW_LINKS, damage->links, items,
				    odo_plan_links(f, gone, items), cut);
	free(items);
	return status;
}

int odo_fabric_damage(const odo_fabric *in, const odo_damage *damage, odo_fabric **out,
		      odo_origin *origin, odo_error *err)
{
	if (!odo_is_share(damage->switches) || !odo_is_share(damage->links))
		return odo_fail(err, ODO_EINPUT,
				"expected shares of damage from 0 to 1, found %g and %g",
				damage->switches, damage->links);
	odo_arena memory = {0};
	uint8_t *gone = odo_arena_new(&memory, in->n_nodes, 1);
	uint8_t *cut = odo_arena_new(&memory, in->n_slots, 1);
	int status = memory.failed ? ODO_ENOMEM : draw_damage(in, damage, gone, cut);
	status = status ? no_memory_to_transform(err)
			: odo_fabric_without(in, gone, cut, out, origin, err);
	odo_arena_free(&memory);
	return status;
}

int odo_coordinates_carry(const odo_coordinates *c, const odo_fabric *out, const odo_origin *origin,
			  odo_coordinates **carried, odo_error *err)
{
	odo_coordinates *made;
	int status = odo_coordinates_create(out, c->n_dims, &made, err);
	if (status)
		return status;
	made->kind = c->kind;
	made->q = c->q;
	memcpy(made->factor, c->factor, sizeof made->factor);
	memcpy(made->size, c->size, sizeof made->size);
	memcpy(made->width, c->width, sizeof made->width);
	memcpy(made->reason, c->reason, sizeof made->reason);
	for (uint32_t s = 0; s < out->n_switches; s++)
		memcpy(made->at + (size_t)s * c->n_dims, odo_at(c, origin ? origin->node[s] : s),
		       c->n_dims * sizeof *c->at);
	for (uint32_t slot = 0; slot < out->n_slots; slot++) {
		uint8_t class = c->port_class[origin ? origin->slot[slot] : slot];
		/* New classes distinguish host and free ports; classes of cables between switches
		 * are copied. */
		if (made->port_class[slot] == ODO_PORT_WRONG && class != ODO_PORT_FREE)
			made->port_class[slot] = class;
	}
	*carried = made;
	return 0;
}
