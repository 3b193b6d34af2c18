/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/adaptive/ext.h"

#include <stdlib.h>

#include "base/lists.h"
#include "base/memory.h"
#include "routing/graph/distance.h"

unsigned odo_ext_vls(const odo_fabric *f, const odo_route_options *options)
{
	unsigned vls = ODO_MAX_VLS;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		if (f->peer[slot] != ODO_NONE && f->n_vls[slot] < vls)
			vls = f->n_vls[slot];
	if (options && options->max_vls && options->max_vls < vls)
		vls = options->max_vls;
	return vls;
}

int odo_ext_check_ports(const odo_fabric *f, odo_error *err)
{
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (odo_n_ports(f, s) > ODO_EXT_MAX_PORTS)
			return odo_fail(
				err, ODO_EDECLINE,
				"expected switches of up to %d ports, found \"%.64s\" with %u",
				ODO_EXT_MAX_PORTS, odo_name(f, s), odo_n_ports(f, s));
	return 0;
}

uint16_t *odo_ext_host_index(const odo_fabric *f, odo_arena *memory)
{
	uint16_t *index = odo_arena_new(memory, f->lid_count, sizeof *index);
	for (uint32_t s = 0; index && s < f->n_switches; s++) {
		uint16_t next = 0;
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			uint32_t host = f->slot_host[slot];
			if (host == ODO_NONE)
				continue;
			uint32_t own = f->host_slot[host], lid = f->port_lid[own];
			for (uint32_t k = 0; lid && k < 1u << f->port_lmc[own]; k++)
				index[lid + k] = next;
			next++;
		}
	}
	return index;
}

/* A switch's cables, with the distances from the far end of each to all switches. Distances are the
 * same in both directions, so each is a row that is read in order. */
struct cables {
	uint8_t port[ODO_MAX_PORTS];
	const uint8_t *from[ODO_MAX_PORTS];
	unsigned n;
};

static void list_cable_distances(const odo_fabric *f, const uint8_t *dist, uint32_t s,
				 struct cables *c)
{
	c->n = 0;
	for (unsigned p = 1; p <= odo_n_ports(f, s); p++) {
		uint32_t v = odo_next_switch(f, odo_slot(f, s, p));
		if (v == ODO_NONE)
			continue;
		c->port[c->n] = (uint8_t)p;
		c->from[c->n++] = dist + (size_t)v * f->n_switches;
	}
}

/* List ports that lead nearer to `d`, whose distance is `far`. @return their number */
static unsigned list_nearer_ports(const struct cables *c, uint32_t d, unsigned far, uint8_t *port)
{
	unsigned n = 0;
	for (unsigned i = 0; i < c->n; i++) {
		port[n] = c->port[i];
		n += c->from[i][d] < far;
	}
	return n;
}

/* Fill in LFTs. The LIDs of one switch are spread over its ways. */
static int fill_lfts(odo_tables *t, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	uint32_t n = f->n_switches;
	uint8_t *dist, port[ODO_MAX_PORTS + 1];
	odo_arena scratch = {0};
	odo_lists lids;
	struct cables cables;
	int status = odo_lists_make(f->lid_switch, f->lid_count, n, &lids)
			     ? odo_fail(err, ODO_ENOMEM, "no memory for LFTs")
			     : odo_distances(f, &scratch, &dist, err);
	for (uint32_t s = 0; !status && s < n; s++) {
		uint8_t *lft = t->lft + (size_t)s * f->lid_count;
		const uint8_t *own = dist + (size_t)s * n;
		list_cable_distances(f, dist, s, &cables);
		for (uint32_t d = 0; d < n; d++) {
			unsigned ways = s == d ? 0 : list_nearer_ports(&cables, d, own[d], port);
			for (uint32_t i = lids.first[d]; i < lids.first[d + 1]; i++)
				lft[lids.item[i]] = s == d ? f->lid_port[lids.item[i]]
						    : ways ? port[(lids.item[i] + s) % ways]
							   : ODO_NO_PORT;
		}
	}
	odo_lists_clear(&lids);
	odo_arena_free(&scratch);
	return status;
}

static void free_state(void *state)
{
	odo_arena_free(state);
	free(state);
}

int odo_ext_adopt(const odo_engine *row, odo_tables *t, int vls, odo_adaptive adaptive,
		  odo_error *err)
{
	if (vls >= 0)
		t->adaptive = odo_new(1, sizeof *t->adaptive);
	if (vls < 0 || !t->adaptive) {
		free_state(adaptive.state);
		return vls < 0 ? vls : odo_fail(err, ODO_ENOMEM, "no memory for a routing");
	}
	*t->adaptive = adaptive;
	t->adaptive->free_state = free_state;
	t->profile = row->profile;
	t->n_vls = (uint8_t)vls;
	return 0;
}

int odo_ext_finish(const odo_engine *row, odo_tables *t, int vls, odo_adaptive adaptive,
		   odo_error *err)
{
	int status = odo_ext_adopt(row, t, vls, adaptive, err);
	return status ? status : fill_lfts(t, err);
}

uint8_t odo_ext_inject(const odo_tables *t, uint32_t host, uint32_t lid)
{
	(void)t;
	(void)host;
	(void)lid;
	return 0;
}

unsigned odo_ext_alike(const odo_tables *t, uint32_t lid)
{
	(void)t;
	(void)lid;
	return 0;
}
