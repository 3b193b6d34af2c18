/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* OpenSM's records of nodes and ports, and the discovery that keeps them. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/inside.h"

/* OpenSM's record of a node, and its number in the blueprint. The record ends in an array. */
typedef struct sim_node {
	uint32_t number;
	osm_node_t node;
} sim_node;

static sim_node *sim_node_of(osm_node_t *node)
{
	return (sim_node *)(void *)((char *)node - offsetof(sim_node, node));
}

uint32_t sim_number_of(osm_node_t *node)
{
	return sim_node_of(node)->number;
}

static void set_up_port(osm_node_t *node, unsigned p, uint64_t guid)
{
	osm_physp_t *port = &node->physp_table[p];
	unsigned inputs = node->node_info.node_type == IB_NODE_TYPE_SWITCH ? node->physp_tbl_size
									   : 1;
	port->port_guid = cl_hton64(guid);
	port->port_num = (uint8_t)p;
	port->p_node = node;
	port->healthy = TRUE;
	port->port_info.capability_mask = IB_PORT_CAP_HAS_SL_MAP;
	port->port_info.vl_cap = SIM_VL_CODE << 4;
	ib_port_info_set_op_vls(&port->port_info, SIM_VL_CODE);
	port->port_info.link_width_active = 2; /* 4x QDR */
	port->port_info.link_speed = 4 << 4 | 7;
	cl_ptr_vector_construct(&port->slvl_by_port);
	cl_ptr_vector_init(&port->slvl_by_port, inputs, 1);
	for (unsigned in = 0; in < inputs; in++)
		cl_ptr_vector_set(&port->slvl_by_port, in, sim_new(1, sizeof(ib_slvl_table_t)));
}

void sim_prepare_switch(osm_switch_t *sw)
{
	const odo_fabric *f = sim_now->hw.f;
	if (!sw->lft) {
		sw->lft_size = (uint16_t)((f->lid_count + SIM_BLOCK - 1) / SIM_BLOCK * SIM_BLOCK);
		sw->max_lid_ho = (uint16_t)(f->lid_count - 1);
		sw->num_hops = (uint16_t)f->lid_count;
		sw->hops = sim_new(sw->num_hops, sizeof(uint8_t *));
		sw->lft = memset(sim_new(sw->lft_size, 1), OSM_NO_PATH, sw->lft_size);
		sw->new_lft = sim_new(sw->lft_size, 1);
	}
	osm_switch_clear_hops(sw);
	memset(sw->new_lft, OSM_NO_PATH, sw->lft_size);
}

static void set_up_switch(osm_node_t *node, uint32_t s)
{
	const odo_fabric *f = sim_now->hw.f;
	osm_switch_t *sw = sim_new(1, sizeof *sw);
	node->sw = sw;
	sw->p_node = node;
	sw->num_ports = (uint8_t)(odo_n_ports(f, s) + 1);
	sw->switch_info.lin_cap = cl_hton16(0xC000);
	sw->mcast_tbl.p_mask_tbl = sim_new(1, 1); /* not NULL */
	sw->mcast_tbl.max_mlid_ho = IB_LID_MCAST_START_HO + SIM_GROUPS - 1;
}

static void set_up_node(sim_manager *m, uint32_t v)
{
	const odo_fabric *f = sim_now->hw.f;
	bool is_switch = v < f->n_switches;
	unsigned n = odo_n_ports(f, v);
	sim_node *record = sim_new(1, sizeof *record + n * sizeof record->node.physp_table[0]);
	osm_node_t *node = &record->node;
	record->number = v;
	node->node_info.node_type = is_switch ? IB_NODE_TYPE_SWITCH : IB_NODE_TYPE_CA;
	node->node_info.num_ports = (uint8_t)n;
	node->node_info.node_guid = cl_hton64(f->node_guid[v]);
	node->physp_tbl_size = n + 1;
	node->print_desc = (char *)(uintptr_t)odo_name(f, v);
	node->discovery_count = 1;
	for (unsigned p = is_switch ? 0 : 1; p <= n; p++)
		set_up_port(node, p,
			    is_switch ? f->node_guid[v] : f->port_guid[f->first_slot[v] + p - 1]);
	if (is_switch)
		set_up_switch(node, v);
	osm_physp_t *own = &node->physp_table[is_switch ? 0 : 1];
	own->port_info.mkey_lmc = (uint8_t)(is_switch ? 0 : sim_now->hw.lmc);
	m->node[v] = node;
	m->port[v] = (osm_port_t){
		.p_node = node, .guid = own->port_guid, .p_physp = own, .discovery_count = 1};
}

void sim_free_node(osm_node_t *node)
{
	for (unsigned p = 0; node && p < node->physp_tbl_size; p++) {
		osm_physp_t *port = &node->physp_table[p];
		for (size_t in = 0; in < cl_ptr_vector_get_size(&port->slvl_by_port); in++)
			free(cl_ptr_vector_get(&port->slvl_by_port, in));
		cl_ptr_vector_destroy(&port->slvl_by_port);
	}
	if (node && node->sw) {
		for (unsigned lid = 0; lid < node->sw->num_hops; lid++)
			free(node->sw->hops[lid]);
		free(node->sw->hops);
		free(node->sw->lft);
		free(node->sw->new_lft);
		free(node->sw->mcast_tbl.p_mask_tbl);
		free(node->sw);
	}
	if (node)
		free(sim_node_of(node));
}

/* ---- Discovery ---- */

/* Mark the nodes that cables connect with the manager's adapter. */
static void find_part(bool *is_there)
{
	const sim_hardware *hw = &sim_now->hw;
	const odo_fabric *f = hw->f;
	uint32_t *queue = sim_new(f->n_nodes, sizeof *queue), n = 0;
	memset(is_there, 0, f->n_nodes);
	queue[n++] = sim_now->at;
	is_there[sim_now->at] = true;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t slot = f->first_slot[queue[i]]; slot < f->first_slot[queue[i] + 1];
		     slot++) {
			uint32_t next = sim_is_up(hw, slot) ? f->owner[hw->peer[slot]] : ODO_NONE;
			if (next == ODO_NONE || is_there[next])
				continue;
			is_there[next] = true;
			queue[n++] = next;
		}
	free(queue);
}

/* A node that has come (back): OpenSM reads its maps, but no LFT. */
static void read_tables(osm_node_t *node, uint32_t v)
{
	const sim_hardware *hw = &sim_now->hw;
	for (unsigned p = node->sw ? 0 : 1; p < node->physp_tbl_size; p++)
		for (unsigned in = 0; in < (node->sw ? node->physp_tbl_size : 1); in++) {
			const uint8_t *map = node->sw ? sim_map_of(hw, v, in, p) : hw->host_map[v];
			ib_slvl_table_t *copy = osm_physp_get_slvl_tbl(&node->physp_table[p],
								       (uint8_t)in);
			for (uint8_t sl = 0; sl < SIM_SLS; sl++)
				ib_slvl_table_set(copy, sl, map[sl]);
		}
}

/* OpenSM writes all tables of what is new to it. */
static void look_at_ports(sim_manager *m, uint32_t v, bool is_new)
{
	sim_hardware *hw = &sim_now->hw;
	const odo_fabric *f = hw->f;
	osm_node_t *node = m->node[v];
	m->port[v].lid = m->port[v].p_physp->port_info.base_lid = cl_hton16(hw->lid[v]);
	if (node->sw)
		node->sw->need_update = is_new;
	for (unsigned p = 1; p < node->physp_tbl_size; p++) {
		uint32_t slot = odo_slot(f, v, p);
		osm_physp_t *port = &node->physp_table[p];
		bool up = sim_is_up(hw, slot);
		uint32_t far = up ? hw->peer[slot] : ODO_NONE;
		port->p_remote_physp = up ? &m->node[f->owner[far]]->physp_table[odo_port(f, far)]
					  : NULL;
		ib_port_info_set_port_state(&port->port_info, up ? IB_LINK_ACTIVE : IB_LINK_DOWN);
		port->need_update = up && (is_new || hw->changed[slot]);
		if (port->need_update && node->sw)
			node->sw->need_update = 1;
		hw->changed[slot] &= !up;
	}
}

void sim_discover(sim_manager *m)
{
	const odo_fabric *f = sim_now->hw.f;
	osm_subn_t *subn = &m->osm->subn;
	bool *is_there = sim_new(f->n_nodes, sizeof *is_there);
	bool *is_new = sim_new(f->n_nodes, sizeof *is_new);
	find_part(is_there);
	cl_qmap_remove_all(&subn->node_guid_tbl);
	cl_qmap_remove_all(&subn->sw_guid_tbl);
	cl_qmap_remove_all(&subn->port_guid_tbl);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		is_new[v] = is_there[v] && !m->is_known[v];
		m->is_known[v] = is_there[v];
		if (!is_there[v]) {
			sim_free_node(m->node[v]);
			m->node[v] = NULL;
			if (v < f->n_switches)
				m->has_mft[v] = false;
			continue;
		}
		if (is_new[v]) {
			set_up_node(m, v);
			read_tables(m->node[v], v);
		}
		osm_node_t *node = m->node[v];
		cl_qmap_insert(&subn->node_guid_tbl, node->node_info.node_guid, &node->map_item);
		if (node->sw)
			cl_qmap_insert(&subn->sw_guid_tbl, node->node_info.node_guid,
				       &node->sw->map_item);
		cl_qmap_insert(&subn->port_guid_tbl, m->port[v].guid, &m->port[v].map_item);
	}
	for (uint32_t v = 0; v < f->n_nodes; v++)
		if (is_there[v])
			look_at_ports(m, v, is_new[v]);
	free(is_there);
	free(is_new);
}
