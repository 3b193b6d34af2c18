/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/opensm/install.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plugin/opensm/hops.h"
#include "plugin/opensm/translate.h"

void odo_routed_free(odo_routed *routed)
{
	if (!routed || routed->n_shares--)
		return;
	odo_mcast_free(routed->mcast);
	odo_tables_free(routed->tables);
	odo_coordinates_free(routed->coordinates);
	odo_fabric_free(routed->fabric);
	free(routed);
}

void odo_routed_note_step(odo_routed *routed)
{
	if (routed->tables->goal)
		routed->n_cut = odo_tables_missing(routed->tables);
}

bool odo_is_kept(const odo_tables *t)
{
	return t->from.carried && !t->goal;
}

odo_routed *odo_routed_share(odo_routed *routed)
{
	routed->n_shares++;
	return routed;
}

static int check_room(const odo_fabric *f, const osm_switch_t *sw, odo_error *err)
{
	unsigned room = sw->lft_size, can = cl_ntoh16(sw->switch_info.lin_cap);
	if (can < room)
		room = can;
	if (f->lid_count <= room && sw->new_lft)
		return 0;
	return odo_fail(err, ODO_EDECLINE,
			"switch \"%s\" has room for %u LIDs, and the subnet needs %u",
			sw->p_node->print_desc, room, f->lid_count);
}

/* List OpenSM's switches in the order of the fabric's, which was translated from them. */
static int list_osm_switches(const odo_fabric *f, const osm_subn_t *subn, osm_switch_t **sw,
			     odo_error *err)
{
	uint32_t n = 0;
	int status = 0;
	const cl_qmap_t *map = &subn->sw_guid_tbl;
	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map) && !status;
	     item = cl_qmap_next(item)) {
		osm_switch_t *next = (osm_switch_t *)item;
		uint64_t guid = cl_ntoh64(osm_node_get_node_guid(next->p_node));
		uint32_t v = odo_translated_node(f, guid, true);
		status = check_room(f, next, err);
		if (!status && v != ODO_NONE) {
			sw[v] = next;
			n++;
		}
	}
	if (!status && (n != f->n_switches || n != cl_qmap_count(map)))
		status = odo_fail(err, ODO_EDECLINE,
				  "OpenSM's tables of nodes and switches differ");
	return status;
}

static void count_changes(const uint8_t *old, const uint8_t *new, uint32_t n,
			  odo_lft_changes *changes)
{
	changes->n_entries += n - 1; /* LID 0 is unused */
	for (uint32_t first = 0; first < n; first += IB_SMP_DATA_SIZE) {
		uint32_t width = n - first < IB_SMP_DATA_SIZE ? n - first : IB_SMP_DATA_SIZE;
		if (!memcmp(old + first, new + first, width))
			continue;
		changes->n_blocks++;
		for (uint32_t i = first; i < first + width; i++)
			changes->n_changed += old[i] != new[i];
	}
}

int odo_install_lfts(const odo_routed *routed, const osm_subn_t *subn, odo_lft_changes *changes,
		     odo_error *err)
{
	const odo_fabric *f = routed->fabric;
	osm_switch_t **sw = odo_new(f->n_switches, sizeof *sw);
	if (!sw)
		return odo_fail(err, ODO_ENOMEM, "no memory to install tables");
	int status = list_osm_switches(f, subn, sw, err);
	*changes = (odo_lft_changes){0};
	for (uint32_t v = 0; v < f->n_switches && !status; v++) {
		const uint8_t *row = routed->tables->lft + (size_t)v * f->lid_count;
		if (sw[v]->lft)
			count_changes(sw[v]->lft, row, f->lid_count, changes);
		memcpy(sw[v]->new_lft, row, f->lid_count);
	}
	free(sw);
	return status;
}

int odo_install_hops(const odo_routed *routed, const osm_subn_t *subn, odo_error *err)
{
	osm_switch_t **sw = odo_new(routed->fabric->n_switches, sizeof *sw);
	if (!sw)
		return odo_fail(err, ODO_ENOMEM, "no memory for OpenSM's hop matrices");
	int status = list_osm_switches(routed->fabric, subn, sw, err);
	if (!status)
		status = odo_fill_hops(routed->fabric, sw, err);
	free(sw);
	return status;
}

static void set_table(const odo_tables *t, uint16_t row, ib_slvl_table_t *table)
{
	for (uint8_t sl = 0; sl < ODO_N_SLS; sl++)
		ib_slvl_table_set(table, sl, t->rows[row].vl[sl]);
}

void odo_install_sl2vl(const odo_routed *routed, const osm_physp_t *port, uint8_t in, uint8_t out,
		       ib_slvl_table_t *table)
{
	const odo_fabric *f = routed->fabric;
	bool is_switch = osm_node_get_type(port->p_node) == IB_NODE_TYPE_SWITCH;
	uint32_t v = odo_translated_node(f, cl_ntoh64(osm_node_get_node_guid(port->p_node)),
					 is_switch);
	if (v == ODO_NONE)
		return;
	unsigned n_ports = odo_n_ports(f, v), own = osm_physp_get_port_num(port);
	if (is_switch && in <= n_ports && out <= n_ports)
		set_table(routed->tables, *odo_sl2vl_entry(routed->tables, v, in, out), table);
	if (is_switch || own < 1 || own > n_ports)
		return;
	uint32_t host = f->slot_host[odo_slot(f, v, own)];
	if (host != ODO_NONE)
		set_table(routed->tables, routed->tables->host_row[host], table);
}

uint64_t odo_sl2vl_mads(const odo_fabric *f)
{
	uint64_t n = f->n_hosts;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		if (f->peer[slot] != ODO_NONE)
			n += odo_n_ports(f, f->owner[slot]) + 1;
	return n;
}

static uint32_t masked_ports_of(const osm_node_t *node, unsigned n_vls)
{
	uint32_t n = 0;
	for (unsigned p = 1; p < node->physp_tbl_size; p++) {
		const osm_physp_t *port = &node->physp_table[p];
		if (osm_physp_is_valid(port) && port->p_remote_physp)
			n += odo_vls_of_code(ib_port_info_get_op_vls(&port->port_info)) < n_vls;
	}
	return n;
}

uint32_t odo_masked_ports(const odo_routed *routed, const osm_subn_t *subn)
{
	uint32_t n = 0;
	const cl_qmap_t *map = &subn->sw_guid_tbl;
	for (const cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item))
		n += masked_ports_of(((const osm_switch_t *)item)->p_node, routed->tables->n_vls);
	return n;
}
