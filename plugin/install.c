/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/install.h"

#include <stdlib.h>
#include <string.h>

#include "plugin/translate.h"

void odo_routed_free(odo_routed *r)
{
	if (!r)
		return;
	odo_tables_free(r->tables);
	odo_coordinates_free(r->coordinates);
	odo_fabric_free(r->fabric);
	free(r);
}

static const osm_switch_t *first_switch(const osm_subn_t *subn)
{
	return (const osm_switch_t *)cl_qmap_head(&subn->sw_guid_tbl);
}

static const osm_switch_t *next_switch(const osm_switch_t *sw)
{
	return (const osm_switch_t *)cl_qmap_next(&sw->map_item);
}

static bool is_end(const osm_subn_t *subn, const osm_switch_t *sw)
{
	return &sw->map_item == cl_qmap_end(&subn->sw_guid_tbl);
}

static uint32_t switch_of(const odo_routed *r, const osm_switch_t *sw)
{
	return odo_translated_node(r->fabric, osm_node_get_node_guid(sw->p_node), true);
}

static int check_room(const odo_routed *r, const osm_switch_t *sw, odo_error *err)
{
	unsigned room = sw->lft_size, can = cl_ntoh16(sw->switch_info.lin_cap);
	if (can < room)
		room = can;
	if (r->fabric->lid_count <= room && sw->new_lft && switch_of(r, sw) != ODO_NONE)
		return 0;
	return odo_fail(err, ODO_EDECLINE,
			"switch \"%s\" has room for %u LIDs, and %u are to be forwarded",
			sw->p_node->print_desc, room, r->fabric->lid_count);
}

int odo_install_lfts(const odo_routed *r, const osm_subn_t *subn, odo_error *err)
{
	size_t lids = r->fabric->lid_count;
	for (const osm_switch_t *sw = first_switch(subn); !is_end(subn, sw); sw = next_switch(sw)) {
		int status = check_room(r, sw, err);
		if (status)
			return status;
	}
	for (const osm_switch_t *sw = first_switch(subn); !is_end(subn, sw); sw = next_switch(sw))
		memcpy(sw->new_lft, r->tables->lft + switch_of(r, sw) * lids, lids);
	return 0;
}

static void set_table(const odo_tables *t, uint16_t row, ib_slvl_table_t *table)
{
	for (uint8_t sl = 0; sl < ODO_N_SLS; sl++)
		ib_slvl_table_set(table, sl, t->rows[row].vl[sl]);
}

void odo_install_sl2vl(const odo_routed *r, const osm_physp_t *port, uint8_t in, uint8_t out,
		       ib_slvl_table_t *table)
{
	const odo_fabric *f = r->fabric;
	bool is_switch = osm_node_get_type(port->p_node) == IB_NODE_TYPE_SWITCH;
	uint32_t v = odo_translated_node(f, osm_node_get_node_guid(port->p_node), is_switch);
	if (v == ODO_NONE)
		return;
	unsigned n_ports = odo_n_ports(f, v), own = osm_physp_get_port_num(port);
	if (is_switch && in <= n_ports && out <= n_ports)
		set_table(r->tables, *odo_sl2vl_entry(r->tables, v, in, out), table);
	if (is_switch || own < 1 || own > n_ports)
		return;
	uint32_t host = f->slot_host[odo_slot(f, v, own)];
	if (host != ODO_NONE)
		set_table(r->tables, r->tables->host_row[host], table);
}

uint8_t odo_installed_sl(const odo_routed *r, uint8_t hint, uint16_t slid, uint16_t dlid)
{
	const odo_fabric *f = r->fabric;
	if (r->any_sl || slid >= f->lid_count || dlid >= f->lid_count ||
	    f->lid_switch[slid] == ODO_NONE || f->lid_switch[dlid] == ODO_NONE)
		return hint;
	return odo_path_sl(r->tables, f->lid_switch[slid], dlid);
}

uint64_t odo_sl2vl_mads(const odo_fabric *f)
{
	uint64_t n = f->n_hosts;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		if (f->peer[slot] != ODO_NONE)
			n += odo_n_ports(f, f->owner[slot]) + 1;
	return n;
}

uint32_t odo_masked_ports(const odo_routed *r, const osm_subn_t *subn)
{
	uint32_t n = 0;
	for (const osm_switch_t *sw = first_switch(subn); !is_end(subn, sw); sw = next_switch(sw)) {
		osm_node_t *node = sw->p_node;
		for (unsigned p = 1; p < node->physp_tbl_size; p++) {
			const osm_physp_t *port = osm_node_get_physp_ptr(node, p);
			if (!port || !port->p_remote_physp)
				continue;
			unsigned code = ib_port_info_get_op_vls(&port->port_info);
			n += odo_vls_of_code(code) < r->tables->n_vls;
		}
	}
	return n;
}
