/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tests/sim/manager.h"

#include <opensm/osm_config.h>

#include <opensm/osm_event_plugin.h>
#include <opensm/osm_log.h>
#include <opensm/osm_multicast.h>
#include <opensm/osm_node.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_port.h>
#include <opensm/osm_sm.h>
#include <opensm/osm_subnet.h>
#include <opensm/osm_switch.h>
#include <opensm/osm_version.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = IB_SMP_DATA_SIZE, MOST_SWEEPS = 40, MOST_LOSSY = 3, VL_CAP_8 = 4 };

struct sim_manager {
	osm_opensm_t *osm;
	void *plugin;
	struct osm_routing_engine slot;
	osm_node_t **node; /* [n_nodes] NULL until it was discovered */
	osm_port_t *port;  /* [n_nodes] adapters and switches' port 0 */
	bool *is_known;    /* [n_nodes] discovered in the last sweep */
	bool sweep_again;
};

extern osm_event_plugin_t osm_event_plugin;
volatile unsigned int osm_exit_flag;
static sim_world *world; /* functions of OpenSM get no context */

void sim_digest(sim_world *of, const void *bytes, size_t n)
{
	const char *at = bytes;
	for (; n; n -= n < 8 ? n : 8, at += 8) {
		uint64_t word = n;
		memcpy(&word, at, n < 8 ? n : 8);
		of->digest = (of->digest ^ word) * 0x9E3779B97F4A7C15u;
		of->digest ^= of->digest >> 32;
	}
}

/* ---- Functions that OpenSM offers to plugins ---- */

/* Tell the judge what a line of the log says to applications. */
static void hear(const char *line)
{
	const odo_fabric *f = world->hw.f;
	const char *at = strstr(line, "must reconnect: hosts of switch");
	uint64_t guid;
	if (!at) {
		if (strstr(line, "must reconnect: ") && strstr(line, " more pairs"))
			sim_judge_told(&world->judge, ODO_NONE, 0);
		return;
	}
	const char *lids = strstr(at, ") with LIDs");
	while (lids && strstr(lids + 1, ") with LIDs")) /* a name may look like it */
		lids = strstr(lids + 1, ") with LIDs");
	for (uint32_t s = 0; lids && s < f->n_switches; s++) {
		if (sscanf(lids - 18, "0x%" SCNx64, &guid) != 1 || f->node_guid[s] != guid)
			continue;
		world->n_told++;
		if (strstr(lids, " more"))
			sim_judge_told(&world->judge, s, 0);
		char *end;
		for (const char *lid = lids + strlen(") with LIDs");; lid = end) {
			unsigned long number = strtoul(lid, &end, 10);
			if (end == lid || !number || number >= f->lid_count)
				break;
			sim_judge_told(&world->judge, s, (uint32_t)number);
		}
	}
}

void osm_log(osm_log_t *log, osm_log_level_t level, const char *format, ...)
{
	char line[4096];
	va_list args;
	(void)log;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	hear(line);
	sim_digest(world, line, strlen(line));
	if (world->log)
		fprintf(world->log, "%02x %s", level, line);
}

cl_status_t osm_register_external_routing_engine(osm_opensm_t *osm,
						 const external_routing_engine_module_t *module,
						 void *context)
{
	struct osm_routing_engine *slot = &world->manager->slot;
	if (strcmp(module->name, "odonata"))
		return CL_SUCCESS;
	*slot = (struct osm_routing_engine){.name = module->name, .context = context};
	return module->setup(slot, osm) ? CL_ERROR : CL_SUCCESS;
}

osm_node_t *osm_get_node_by_guid(osm_subn_t const *subn, ib_net64_t guid)
{
	cl_map_item_t *item = cl_qmap_get(&subn->node_guid_tbl, guid);
	return item == cl_qmap_end(&subn->node_guid_tbl) ? NULL : (osm_node_t *)item;
}

osm_port_t *osm_get_port_by_lid_ho(const osm_subn_t *subn, uint16_t lid)
{
	(void)subn;
	const odo_fabric *f = world->hw.f;
	if (lid >= f->lid_count)
		return NULL;
	uint32_t s = f->lid_switch[lid], host = f->lid_host[lid];
	if (s == ODO_NONE)
		return NULL;
	uint32_t node = host == ODO_NONE ? s : f->owner[f->host_slot[host]];
	return world->manager->is_known[node] ? &world->manager->port[node] : NULL;
}

boolean_t osm_link_is_healthy(const osm_physp_t *port)
{
	return port->healthy && port->p_remote_physp && port->p_remote_physp->healthy;
}

void osm_port_get_lid_range_ho(const osm_port_t *port, uint16_t *least, uint16_t *most)
{
	*least = *most = cl_ntoh16(port->lid);
}

void osm_sm_signal(osm_sm_t *sm, osm_signal_t signal)
{
	(void)sm;
	(void)signal;
	world->manager->sweep_again = true;
}

void osm_sm_reroute_mlid(osm_sm_t *sm, ib_net16_t mlid)
{
	(void)sm;
	(void)mlid;
}

void osm_mcast_tbl_set(osm_mcast_tbl_t *table, uint16_t mlid, uint8_t port)
{
	(void)table;
	(void)mlid;
	(void)port;
}

void osm_mcast_tbl_clear_mlid(osm_mcast_tbl_t *table, uint16_t mlid)
{
	(void)table;
	(void)mlid;
}

void osm_purge_mtree(struct osm_sm *sm, osm_mgrp_box_t *group)
{
	(void)sm;
	(void)group;
}

cl_status_t osm_switch_set_hops(osm_switch_t *sw, uint16_t lid, uint8_t port, uint8_t hops)
{
	if (!sw->hops[lid])
		sw->hops[lid] = memset(sim_new(sw->num_ports, 1), OSM_NO_PATH, sw->num_ports);
	sw->hops[lid][port] = hops;
	return CL_SUCCESS;
}

void osm_switch_clear_hops(osm_switch_t *sw)
{
	for (unsigned lid = 0; lid < sw->num_hops; lid++)
		if (sw->hops[lid])
			memset(sw->hops[lid], OSM_NO_PATH, sw->num_ports);
}

/* OpenSM's record of a node, and its number in the blueprint. The record ends in an array. */
typedef struct sim_node {
	uint32_t number;
	osm_node_t node;
} sim_node;

static sim_node *sim_node_of(osm_node_t *node)
{
	return (sim_node *)(void *)((char *)node - offsetof(sim_node, node));
}

static uint32_t node_of(osm_node_t *node)
{
	return sim_node_of(node)->number;
}

static void report(osm_epi_event_id_t event, void *data)
{
	osm_event_plugin.report(world->manager->plugin, event, data);
}

/* A query is answered at once, into the manager's own copy of the table, as OpenSM does. */
ib_api_status_t osm_req_get(osm_sm_t *sm, const osm_dr_path_t *path, ib_net16_t what,
			    ib_net32_t modifier, boolean_t find_key, ib_net64_t key,
			    uint32_t timeout, cl_disp_msgid_t message,
			    const osm_madw_context_t *context)
{
	const sim_hardware *hw = &world->hw;
	uint32_t number = cl_ntoh32(modifier);
	osm_opensm_t *osm = world->manager->osm;
	(void)sm, (void)path, (void)find_key, (void)key, (void)timeout, (void)message;
	if (what == IB_MAD_ATTR_LIN_FWD_TBL) {
		osm_node_t *node = osm_get_node_by_guid(&osm->subn, context->lft_context.node_guid);
		uint32_t s = node_of(node), from = number * BLOCK;
		if (!hw->on[s])
			return IB_SUCCESS; /* no answer */
		for (uint32_t i = from; i < from + BLOCK && i < hw->f->lid_count; i++)
			node->sw->lft[i] = hw->lft[(size_t)s * hw->f->lid_count + i];
		report(OSM_EVENT_ID_LFT_CHANGE, NULL);
	} else if (what == IB_MAD_ATTR_SLVL_TABLE) {
		osm_node_t *node = osm_get_node_by_guid(&osm->subn,
							context->slvl_context.node_guid);
		uint32_t v = node_of(node);
		unsigned in = number >> 8 & 255, out = node->sw ? number & 255 : 1;
		ib_slvl_table_t *copy = osm_physp_get_slvl_tbl(&node->physp_table[out],
							       (uint8_t)(node->sw ? in : 0));
		const uint8_t *map = node->sw ? sim_map_of(hw, v, in, out) : hw->host_map[v];
		for (uint8_t sl = 0; sl < SIM_SLS && hw->on[v]; sl++)
			ib_slvl_table_set(copy, sl, map[sl]);
	} else if (what == IB_MAD_ATTR_VL_ARBITRATION) {
		osm_node_t *node = osm_get_node_by_guid(&osm->subn, context->vla_context.node_guid);
		osm_physp_t *port = &node->physp_table[node->sw ? number & 255 : 1];
		memset(&port->vl_arb[0], 0, sizeof port->vl_arb[0]); /* nobody writes any */
	}
	return IB_SUCCESS;
}

/* ---- The manager's own records ---- */

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
	port->port_info.vl_cap = VL_CAP_8 << 4;
	ib_port_info_set_op_vls(&port->port_info, VL_CAP_8);
	port->port_info.link_width_active = 2; /* 4x QDR */
	port->port_info.link_speed = 4 << 4 | 7;
	cl_ptr_vector_construct(&port->slvl_by_port);
	cl_ptr_vector_init(&port->slvl_by_port, inputs, 1);
	for (unsigned in = 0; in < inputs; in++)
		cl_ptr_vector_set(&port->slvl_by_port, in, sim_new(1, sizeof(ib_slvl_table_t)));
}

static void set_up_switch(osm_node_t *node, uint32_t s)
{
	const odo_fabric *f = world->hw.f;
	osm_switch_t *sw = sim_new(1, sizeof *sw);
	node->sw = sw;
	sw->p_node = node;
	sw->num_ports = (uint8_t)(odo_n_ports(f, s) + 1);
	sw->switch_info.lin_cap = cl_hton16(0xC000);
	sw->lft_size = (uint16_t)((f->lid_count + BLOCK - 1) / BLOCK * BLOCK);
	sw->max_lid_ho = (uint16_t)(f->lid_count - 1);
	sw->num_hops = (uint16_t)f->lid_count;
	sw->hops = sim_new(sw->num_hops, sizeof(uint8_t *));
	sw->lft = sim_new(sw->lft_size, 1);
	sw->new_lft = sim_new(sw->lft_size, 1);
	memset(sw->lft, OSM_NO_PATH, sw->lft_size);
}

static void set_up_node(sim_manager *m, uint32_t v)
{
	const odo_fabric *f = world->hw.f;
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
	uint16_t lid = is_switch ? f->switch_lid[v] : f->port_lid[f->first_slot[v]];
	own->port_info.base_lid = cl_hton16(lid);
	m->node[v] = node;
	m->port[v] = (osm_port_t){.p_node = node,
				  .guid = own->port_guid,
				  .p_physp = own,
				  .lid = cl_hton16(lid),
				  .discovery_count = 1};
}

static void free_node(osm_node_t *node)
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
		free(node->sw);
	}
	if (node)
		free(sim_node_of(node));
}

/* ---- Discovery ---- */

/* Mark the nodes that cables connect with the manager's adapter. */
static void find_part(bool *is_there)
{
	const sim_hardware *hw = &world->hw;
	const odo_fabric *f = hw->f;
	uint32_t *queue = sim_new(f->n_nodes, sizeof *queue), n = 0;
	memset(is_there, 0, f->n_nodes);
	queue[n++] = world->at;
	is_there[world->at] = true;
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

/* A node that has come (back): OpenSM reads its tables. */
static void read_tables(osm_node_t *node, uint32_t v)
{
	const sim_hardware *hw = &world->hw;
	if (node->sw)
		memcpy(node->sw->lft, hw->lft + (size_t)v * hw->f->lid_count, hw->f->lid_count);
	for (unsigned p = node->sw ? 0 : 1; p < node->physp_tbl_size; p++)
		for (unsigned in = 0; in < (node->sw ? node->physp_tbl_size : 1); in++) {
			const uint8_t *map = node->sw ? sim_map_of(hw, v, in, p) : hw->host_map[v];
			ib_slvl_table_t *copy = osm_physp_get_slvl_tbl(&node->physp_table[p],
								       (uint8_t)in);
			for (uint8_t sl = 0; sl < SIM_SLS; sl++)
				ib_slvl_table_set(copy, sl, map[sl]);
		}
}

static void look_at_ports(sim_manager *m, uint32_t v)
{
	sim_hardware *hw = &world->hw;
	const odo_fabric *f = hw->f;
	osm_node_t *node = m->node[v];
	for (unsigned p = 1; p < node->physp_tbl_size; p++) {
		uint32_t slot = odo_slot(f, v, p);
		osm_physp_t *port = &node->physp_table[p];
		bool up = sim_is_up(hw, slot);
		uint32_t far = up ? hw->peer[slot] : ODO_NONE;
		port->p_remote_physp = up ? &m->node[f->owner[far]]->physp_table[odo_port(f, far)]
					  : NULL;
		ib_port_info_set_port_state(&port->port_info, up ? IB_LINK_ACTIVE : IB_LINK_DOWN);
		if (up && hw->changed[slot]) {
			port->need_update = 1;
			if (node->sw)
				node->sw->need_update = 1;
			hw->changed[slot] = false;
		}
	}
}

static void discover(sim_manager *m)
{
	const odo_fabric *f = world->hw.f;
	osm_subn_t *subn = &m->osm->subn;
	bool *is_there = sim_new(f->n_nodes, sizeof *is_there);
	find_part(is_there);
	cl_qmap_remove_all(&subn->node_guid_tbl);
	cl_qmap_remove_all(&subn->sw_guid_tbl);
	cl_qmap_remove_all(&subn->port_guid_tbl);
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		bool is_new = is_there[v] && !m->is_known[v];
		m->is_known[v] = is_there[v];
		if (!is_there[v]) {
			free_node(m->node[v]);
			m->node[v] = NULL;
			continue;
		}
		if (is_new) {
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
			look_at_ports(m, v);
	free(is_there);
}

/* ---- Writing ---- */

static bool is_lost(void)
{
	return world->lost && odo_rng_next(&world->rng) % 1000 < world->lost;
}

static void write_block(osm_node_t *node, uint32_t s, unsigned block)
{
	sim_hardware *hw = &world->hw;
	osm_switch_t *sw = node->sw;
	uint32_t from = block * BLOCK,
		 n = hw->f->lid_count - from < BLOCK ? hw->f->lid_count - from : BLOCK;
	if (!sw->need_update && !world->manager->osm->subn.need_update &&
	    !memcmp(sw->lft + from, sw->new_lft + from, n))
		return;
	if (!hw->on[s] || is_lost()) {
		world->manager->osm->subn.subnet_initialization_error = TRUE;
		return;
	}
	memcpy(hw->lft + (size_t)s * hw->f->lid_count + from, sw->new_lft + from, n);
	memcpy(sw->lft + from, sw->new_lft + from, n);
	report(OSM_EVENT_ID_LFT_CHANGE, NULL);
}

/* Switches in an order of their own: MADs to many switches are on their way at a time. */
static void write_lfts(sim_manager *m)
{
	const odo_fabric *f = world->hw.f;
	uint32_t *order = sim_new(f->n_switches, sizeof *order);
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t other = odo_rng_next(&world->rng) % (s + 1);
		order[s] = order[other];
		order[other] = s;
	}
	for (uint32_t i = 0; i < f->n_switches; i++) {
		if (i == f->n_switches / 2)
			world->at_point(world, SIM_HALF);
		for (unsigned block = 0; m->node[order[i]] && block * BLOCK < f->lid_count; block++)
			write_block(m->node[order[i]], order[i], block);
	}
	free(order);
}

static void write_map(sim_manager *m, uint32_t v, unsigned in, unsigned out)
{
	sim_hardware *hw = &world->hw;
	osm_node_t *node = m->node[v];
	osm_physp_t *port = &node->physp_table[out];
	ib_slvl_table_t wanted = {{0}}, *copy = osm_physp_get_slvl_tbl(port, (uint8_t)in);
	for (uint8_t sl = 0; sl < SIM_SLS; sl++)
		ib_slvl_table_set(&wanted, sl, sl % 8);
	if (m->slot.update_sl2vl)
		m->slot.update_sl2vl(m->slot.context, port, (uint8_t)in,
				     (uint8_t)(node->sw ? out : 0), &wanted);
	if (!port->need_update && !m->osm->subn.need_update &&
	    !memcmp(&wanted, copy, sizeof wanted))
		return;
	if (!hw->on[v] || is_lost()) {
		m->osm->subn.subnet_initialization_error = TRUE;
		return;
	}
	uint8_t *map = node->sw ? sim_map_of(hw, v, in, out) : hw->host_map[v];
	for (uint8_t sl = 0; sl < SIM_SLS; sl++)
		map[sl] = ib_slvl_table_get(&wanted, sl);
	*copy = wanted;
}

static void write_maps(sim_manager *m)
{
	const odo_fabric *f = world->hw.f;
	for (uint32_t v = 0; v < f->n_nodes; v++)
		for (unsigned out = 1; m->node[v] && out < m->node[v]->physp_tbl_size; out++)
			if (m->node[v]->physp_table[out].p_remote_physp)
				for (unsigned in = 0;
				     in < (m->node[v]->sw ? m->node[v]->physp_tbl_size : 1); in++)
					write_map(m, v, in, out);
}

/* ---- A sweep ---- */

static void forget_updates(sim_manager *m)
{
	for (uint32_t v = 0; v < world->hw.f->n_nodes; v++) {
		if (!m->node[v])
			continue;
		for (unsigned p = 0; p < m->node[v]->physp_tbl_size; p++)
			m->node[v]->physp_table[p].need_update = 0;
		if (m->node[v]->sw)
			m->node[v]->sw->need_update = 0;
	}
	m->osm->subn.need_update = 0;
}

/* @return false if tables were not made, or not all of them were written */
static bool sweep_once(sim_manager *m)
{
	osm_opensm_t *osm = m->osm;
	world->n_sweeps++;
	osm->subn.force_heavy_sweep = FALSE;
	osm->subn.subnet_initialization_error = FALSE;
	m->sweep_again = false;
	report(OSM_EVENT_ID_HEAVY_SWEEP_START, NULL);
	discover(m);
	report(OSM_EVENT_ID_HEAVY_SWEEP_DONE, NULL);
	world->at_point(world, SIM_DISCOVERED);
	for (uint32_t s = 0; s < world->hw.f->n_switches; s++)
		if (m->node[s])
			memset(m->node[s]->sw->new_lft, OSM_NO_PATH, m->node[s]->sw->lft_size);
	cl_plock_excl_acquire(&osm->lock);
	int status = m->slot.ucast_build_fwd_tables(m->slot.context);
	cl_plock_release(&osm->lock);
	world->refused = status != 0;
	if (status) /* as with no_fallback: nothing is written, and a later sweep tries again */
		return false;
	osm->routing_engine_used = &m->slot;
	world->at_point(world, SIM_ROUTED);
	write_lfts(m);
	report(OSM_EVENT_ID_UCAST_ROUTING_DONE, (void *)UCAST_ROUTING_HEAVY_SWEEP);
	world->at_point(world, SIM_FORWARDED);
	write_maps(m);
	world->at_point(world, SIM_MAPPED);
	if (osm->subn.subnet_initialization_error)
		return false;
	forget_updates(m);
	report(OSM_EVENT_ID_SUBNET_UP, NULL);
	return true;
}

/* Links that came up or went since the last discovery: a trap makes OpenSM sweep again. */
static bool has_trap(const sim_manager *m)
{
	const sim_hardware *hw = &world->hw;
	for (uint32_t v = 0; v < hw->f->n_nodes; v++)
		for (unsigned p = 1; m->node[v] && p < m->node[v]->physp_tbl_size; p++) {
			uint32_t slot = odo_slot(hw->f, v, p);
			bool up = sim_is_up(hw, slot);
			if (up != (m->node[v]->physp_table[p].p_remote_physp != NULL) ||
			    (up && hw->changed[slot]))
				return true;
		}
	return false;
}

bool sim_manager_sweep(sim_world *of)
{
	world = of;
	sim_manager *m = of->manager;
	for (unsigned i = 0; i < MOST_SWEEPS; i++) {
		if (i == MOST_LOSSY)
			of->lost = 0; /* a new manager writes everything until nothing is lost */
		bool whole = sweep_once(m);
		if (of->refused || (whole && !m->sweep_again && !has_trap(m)))
			return true;
	}
	return false;
}

void sim_manager_ask(sim_world *of, unsigned share)
{
	world = of;
	const sim_manager *m = of->manager;
	const odo_fabric *f = of->hw.f;
	if (!m || m->osm->routing_engine_used != &m->slot)
		return;
	for (uint32_t v = f->n_switches; v < f->n_nodes; v++) {
		uint32_t first = 1 + odo_rng_next(&of->rng) % share;
		for (uint32_t lid = first; m->is_known[v] && lid < f->lid_count; lid += share) {
			uint16_t from = f->port_lid[f->first_slot[v]];
			if (lid == from || !osm_get_port_by_lid_ho(&m->osm->subn, (uint16_t)lid))
				continue;
			uint8_t sl = m->slot.path_sl(m->slot.context, 0, cl_hton16(from),
						     cl_hton16((uint16_t)lid));
			of->n_asked++;
			sim_digest(of, &sl, 1);
			sim_judge_answered(&of->judge, v, lid, sl);
		}
	}
}

bool sim_manager_is_installed(const sim_world *of)
{
	const sim_manager *m = of->manager;
	const sim_hardware *hw = &of->hw;
	for (uint32_t s = 0; s < hw->f->n_switches; s++)
		if (m->node[s] && memcmp(hw->lft + (size_t)s * hw->f->lid_count,
					 m->node[s]->sw->new_lft, hw->f->lid_count))
			return false;
	return true;
}

/* ---- Start and end ---- */

static void set_up_opensm(osm_opensm_t *osm)
{
	osm->osm_version = OSM_VERSION;
	osm->subn.p_osm = osm;
	osm->sm.p_subn = osm->sm.ucast_mgr.p_subn = osm->sa.p_subn = osm->vl15.p_subn = &osm->subn;
	osm->sa.sm = &osm->sm;
	osm->sm.p_log = osm->vl15.p_log = &osm->log;
	osm->sm.p_disp = &osm->disp;
	osm->sm.p_lock = &osm->lock;
	cl_plock_construct(&osm->lock);
	cl_plock_init(&osm->lock);
	pthread_mutex_init(&osm->stats.mutex, NULL);
	pthread_cond_init(&osm->stats.cond, NULL);
	cl_qmap_init(&osm->subn.node_guid_tbl);
	cl_qmap_init(&osm->subn.sw_guid_tbl);
	cl_qmap_init(&osm->subn.port_guid_tbl);
	osm->subn.opt.qos = TRUE;
	osm->subn.opt.max_op_vls = VL_CAP_8;
	osm->subn.opt.dump_files_dir = (char *)(uintptr_t)world->folder;
	osm->subn.opt.event_plugin_options = (char *)(uintptr_t)world->options;
	osm->subn.sm_state = IB_SMINFO_STATE_MASTER;
	osm->subn.need_update = 1;
	osm->subn.max_mcast_lid_ho = IB_LID_MCAST_START_HO - 1;
	osm->no_fallback_routing_engine = TRUE;
}

void sim_manager_start(sim_world *of)
{
	world = of;
	const odo_fabric *f = of->hw.f;
	sim_manager *m = of->manager = sim_new(1, sizeof *m);
	m->osm = sim_new(1, sizeof *m->osm);
	m->node = sim_new(f->n_nodes, sizeof(osm_node_t *));
	m->port = sim_new(f->n_nodes, sizeof *m->port);
	m->is_known = sim_new(f->n_nodes, sizeof *m->is_known);
	set_up_opensm(m->osm);
	m->osm->subn.sm_port_guid = cl_hton64(f->port_guid[f->first_slot[of->at]]);
	m->plugin = osm_event_plugin.create(m->osm);
	if (!m->plugin) {
		fputs("sim: the plugin does not start\n", stderr);
		exit(2);
	}
}

void sim_manager_stop(sim_world *of)
{
	world = of;
	sim_manager *m = of->manager;
	if (m->slot.destroy)
		m->slot.destroy(m->slot.context);
	osm_event_plugin.delete(m->plugin);
	for (uint32_t v = 0; v < of->hw.f->n_nodes; v++)
		free_node(m->node[v]);
	cl_plock_destroy(&m->osm->lock);
	free(m->osm);
	free(m->node);
	free(m->port);
	free(m->is_known);
	free(m);
	of->manager = NULL;
}
