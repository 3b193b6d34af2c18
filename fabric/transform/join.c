/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "fabric/transform/transform.h"

/* A node of the first fabric, sorted by GUID. */
typedef struct known_node {
	uint64_t guid; /* first, for odo_by_u64() */
	uint32_t node;
} known_node;

typedef struct joiner {
	odo_arena memory;
	odo_builder *b;
	known_node *known;
	uint32_t n_known;
	uint32_t *id; /* node in the builder of each node of the second fabric */
} joiner;

static int add_joined_node(joiner *x, const odo_fabric *f, uint32_t v, uint32_t *id, odo_error *err)
{
	bool is_switch = odo_is_switch(f, v);
	odo_node_info info = {.type = (odo_node_type)f->node_type[v],
			      .n_ports = odo_n_ports(f, v),
			      .guid = f->node_guid[v],
			      .name = odo_name(f, v),
			      .lid = is_switch ? f->switch_lid[v] : 0,
			      .lmc = is_switch ? f->switch_lmc[v] : 0};
	return odo_builder_add(x->b, &info, id, err);
}

/* Set the ports of an adapter that have cables, so that another subnet's ports stay as they are. */
static int set_joined_ports(joiner *x, const odo_fabric *f, uint32_t v, uint32_t id, odo_error *err)
{
	int status = 0;
	for (uint32_t s = f->first_slot[v]; s < f->first_slot[v + 1] && !status; s++)
		if (!odo_is_switch(f, v) && f->peer[s] != ODO_NONE)
			status = odo_builder_port(x->b, id, odo_port(f, s), f->port_guid[s],
						  f->port_lid[s], f->port_lmc[s], err);
	return status;
}

static int add_joined_links(joiner *x, const odo_fabric *f, const uint32_t *id, odo_error *err)
{
	int status = 0;
	for (uint32_t s = 0; s < f->n_slots && !status; s++) {
		uint32_t t = f->peer[s];
		odo_link_info info = {f->width[s], f->speed[s], f->n_vls[s]};
		if (t != ODO_NONE && t > s)
			status = odo_builder_link(x->b, id[f->owner[s]], odo_port(f, s),
						  id[f->owner[t]], odo_port(f, t), info, err);
	}
	return status;
}

/* Find the builder's node for a node of the second fabric: an adapter may be in both, each with
 * other ports. */
static int place_joined_node(joiner *x, const odo_fabric *f, uint32_t v, odo_error *err)
{
	const known_node *same = bsearch(&(known_node){.guid = f->node_guid[v]}, x->known,
					 x->n_known, sizeof *x->known, odo_by_u64);
	if (!same)
		return add_joined_node(x, f, v, &x->id[v], err);
	x->id[v] = same->node;
	return odo_is_switch(f, v)
		       ? odo_fail(err, ODO_EINPUT,
				  "expected inputs of different subnets, found switch \"%.64s\" "
				  "(GUID 0x%016" PRIx64 ") in two of them",
				  odo_name(f, v), f->node_guid[v])
		       : 0;
}

static int add_first_fabric(joiner *x, const odo_fabric *f, odo_error *err)
{
	uint32_t *id = odo_arena_new(&x->memory, f->n_nodes, sizeof *id);
	x->known = odo_arena_new(&x->memory, f->n_nodes, sizeof *x->known);
	int status = x->memory.failed ? ODO_ENOMEM : 0;
	for (uint32_t v = 0; v < f->n_nodes && !status; v++) {
		status = add_joined_node(x, f, v, &id[v], err);
		x->known[v] = (known_node){f->node_guid[v], id[v]};
	}
	x->n_known = status ? 0 : f->n_nodes;
	if (x->n_known)
		qsort(x->known, x->n_known, sizeof *x->known, odo_by_u64);
	for (uint32_t v = 0; v < f->n_nodes && !status; v++)
		status = set_joined_ports(x, f, v, id[v], err);
	return status ? status : add_joined_links(x, f, id, err);
}

static int add_second_fabric(joiner *x, const odo_fabric *f, odo_error *err)
{
	x->id = odo_arena_new(&x->memory, f->n_nodes, sizeof *x->id);
	int status = x->memory.failed ? ODO_ENOMEM : 0;
	for (uint32_t v = 0; v < f->n_nodes && !status; v++) {
		status = place_joined_node(x, f, v, err);
		if (!status)
			status = set_joined_ports(x, f, v, x->id[v], err);
	}
	return status ? status : add_joined_links(x, f, x->id, err);
}

int odo_fabric_join(const odo_fabric *first, const odo_fabric *second, odo_fabric **out,
		    odo_error *err)
{
	joiner x = {0};
	int status = odo_builder_create(&x.b, err);
	if (status)
		return status;
	status = add_first_fabric(&x, first, err);
	if (!status)
		status = add_second_fabric(&x, second, err);
	if (status == ODO_ENOMEM)
		odo_fail(err, ODO_ENOMEM, "no memory to join fabrics");
	if (status)
		odo_builder_free(x.b);
	else
		status = odo_builder_freeze(x.b, ODO_LIDS_FILL, 0, out, err);
	odo_arena_free(&x.memory);
	return status;
}
