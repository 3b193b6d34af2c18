/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/opensm/ask.h"

#include <string.h>

osm_physp_t *odo_valid_port(osm_node_t *node, unsigned port)
{
	osm_physp_t *p = port < node->physp_tbl_size ? &node->physp_table[port] : NULL;
	return p && osm_physp_is_valid(p) ? p : NULL;
}

static unsigned count_lft_blocks(const osm_node_t *node)
{
	return node->sw ? node->sw->max_lid_ho / IB_SMP_DATA_SIZE + 1u : 0;
}

static unsigned count_inputs(const osm_node_t *node)
{
	return node->sw ? node->physp_tbl_size : 1;
}

unsigned odo_n_tables(const osm_node_t *node)
{
	unsigned n_ports = node->physp_tbl_size ? node->physp_tbl_size - 1u : 0;
	return count_lft_blocks(node) + n_ports * (count_inputs(node) + 1);
}

/* ---- LFTs ---- */

static bool find_block(osm_node_t *node, unsigned block, odo_table *table)
{
	const osm_switch_t *sw = node->sw;
	unsigned from = block * IB_SMP_DATA_SIZE, left = sw->max_lid_ho + 1u - from;
	*table = (odo_table){.attribute = IB_MAD_ATTR_LIN_FWD_TBL,
			     .modifier = block,
			     .port = odo_valid_port(node, 0),
			     .copy = sw->lft + from,
			     .n = left < IB_SMP_DATA_SIZE ? left : IB_SMP_DATA_SIZE};
	memcpy(table->expected, (sw->new_lft ? sw->new_lft : sw->lft) + from, table->n);
	return table->port;
}

/* ---- SL2VL maps ---- */

/* Return true if OpenSM sends the switch one map for all ports, of which it keeps no copies. Only
 * one VL is in use then, which is safe under any map. */
static bool has_one_map(const osm_opensm_t *osm, const osm_node_t *node)
{
	const struct osm_routing_engine *used = osm->routing_engine_used;
	return node->sw && osm->subn.opt.use_optimized_slvl && used && !used->update_sl2vl &&
	       ib_switch_info_get_opt_sl2vlmapping(&node->sw->switch_info);
}

/* Cut VLs to those that a port operates, as OpenSM does. VL 15 drops packets. */
static ib_slvl_table_t masked_map(const ib_slvl_table_t *map, unsigned operational)
{
	enum { DROP = 15 };
	ib_slvl_table_t cut = *map;
	for (uint8_t sl = 0; sl < IB_MAX_NUM_VLS; sl++) {
		uint8_t vl = ib_slvl_table_get(map, sl);
		unsigned mask = operational ? (1u << (operational - 1)) - 1 : 0;
		ib_slvl_table_set(&cut, sl, vl == DROP ? vl : (uint8_t)(vl & mask));
	}
	return cut;
}

/* Return the map that the switch should have: the engine's. OpenSM cuts it to the VLs that the port
 * operates, which may be fewer now than when it was written. */
static ib_slvl_table_t wanted_map(const osm_opensm_t *osm, osm_physp_t *p, unsigned in,
				  unsigned out, const ib_slvl_table_t *copy)
{
	const struct osm_routing_engine *used = osm->routing_engine_used;
	ib_slvl_table_t map = *copy;
	if (!used || !used->update_sl2vl)
		return map;
	used->update_sl2vl(used->context, p, (uint8_t)in, (uint8_t)out, &map);
	return memcmp(&map, copy, sizeof map)
		       ? masked_map(&map, ib_port_info_get_op_vls(&p->port_info))
		       : map;
}

static bool find_map(osm_opensm_t *osm, osm_node_t *node, osm_physp_t *p, unsigned in, unsigned out,
		     odo_table *table)
{
	const osm_physp_t *owner = node->sw ? odo_valid_port(node, 0) : p;
	if (!owner || !(owner->port_info.capability_mask & IB_PORT_CAP_HAS_SL_MAP) ||
	    has_one_map(osm, node))
		return false;
	ib_slvl_table_t *copy = osm_physp_get_slvl_tbl(p, (uint8_t)in);
	ib_slvl_table_t wanted = wanted_map(osm, p, in, out, copy);
	*table = (odo_table){.attribute = IB_MAD_ATTR_SLVL_TABLE,
			     .modifier = in << 8 | out,
			     .port = p,
			     .copy = copy->raw_vl_by_sl,
			     .n = sizeof wanted.raw_vl_by_sl};
	memcpy(table->expected, wanted.raw_vl_by_sl, table->n);
	return true;
}

/* ---- VL arbitration ---- */

/* OpenSM compares the entries that the port has. A port may return anything in the rest of a block.
 */
static bool find_arbitration(osm_physp_t *p, unsigned out, odo_table *table)
{
	unsigned n = p->port_info.vl_arb_low_cap;
	if (ib_port_info_get_vl_cap(&p->port_info) <= 1 || !n)
		return false;
	if (n > IB_NUM_VL_ARB_ELEMENTS_IN_BLOCK)
		n = IB_NUM_VL_ARB_ELEMENTS_IN_BLOCK;
	*table = (odo_table){.attribute = IB_MAD_ATTR_VL_ARBITRATION,
			     .modifier = 1u << 16 | out,
			     .port = p,
			     .copy = (uint8_t *)p->vl_arb[0].vl_entry,
			     .n = n * (unsigned)sizeof(ib_vl_arb_element_t)};
	memcpy(table->expected, table->copy, table->n);
	return true;
}

/* ---- All of them ---- */

bool odo_find_table(osm_opensm_t *osm, osm_node_t *node, unsigned i, odo_table *table)
{
	unsigned n_blocks = count_lft_blocks(node), n_inputs = count_inputs(node);
	if (i < n_blocks)
		return find_block(node, i, table);
	unsigned port = 1 + (i - n_blocks) / (n_inputs + 1), in = (i - n_blocks) % (n_inputs + 1);
	osm_physp_t *p = odo_valid_port(node, port);
	if (!osm->subn.opt.qos || !p || ib_port_info_get_port_state(&p->port_info) == IB_LINK_DOWN)
		return false;
	unsigned out = node->sw ? port : 0;
	return in < n_inputs ? find_map(osm, node, p, in, out, table)
			     : find_arbitration(p, out, table);
}

bool odo_is_as_expected(const odo_table *table)
{
	return !memcmp(table->copy, table->expected, table->n);
}

static void set_context(const odo_table *table, osm_madw_context_t *context)
{
	ib_net64_t node = osm_node_get_node_guid(osm_physp_get_node_ptr(table->port));
	ib_net64_t port = osm_physp_get_port_guid(table->port);
	*context = (osm_madw_context_t){0};
	if (table->attribute == IB_MAD_ATTR_LIN_FWD_TBL) {
		context->lft_context.node_guid = node;
	} else if (table->attribute == IB_MAD_ATTR_SLVL_TABLE) {
		context->slvl_context.node_guid = node;
		context->slvl_context.port_guid = port;
	} else {
		context->vla_context.node_guid = node;
		context->vla_context.port_guid = port;
	}
}

/* Path records are made from the copies of LFTs, so these stay. Of others one byte changes: the SA
 * shows them to those who ask for SL2VL maps. */
static void spoil_copy(const odo_table *table)
{
	if (table->attribute != IB_MAD_ATTR_LIN_FWD_TBL)
		table->copy[table->n - 1] = (uint8_t)~table->expected[table->n - 1];
}

void odo_doubt_zeroes(osm_opensm_t *osm, osm_node_t *node)
{
	static const uint8_t zeroes[IB_SMP_DATA_SIZE];
	odo_table table;
	/* A new switch has no LFT yet. */
	for (unsigned i = count_lft_blocks(node); i < odo_n_tables(node); i++)
		if (odo_find_table(osm, node, i, &table) &&
		    table.attribute == IB_MAD_ATTR_SLVL_TABLE &&
		    !memcmp(table.copy, zeroes, table.n))
			table.copy[table.n - 1] = 0xFF;
}

void odo_ask_table(osm_opensm_t *osm, unsigned i, odo_table *table, odo_asked *asked)
{
	osm_madw_context_t context;
	osm_node_t *node = osm_physp_get_node_ptr(table->port);
	const osm_physp_t *owner = node->sw ? odo_valid_port(node, 0) : table->port;
	set_context(table, &context);
	asked->number = i;
	memcpy(asked->expected, table->expected, table->n);
	spoil_copy(table);
	(void)osm_req_get(&osm->sm, osm_physp_get_dr_path_ptr(table->port), table->attribute,
			  cl_hton32(table->modifier), FALSE,
			  ib_port_info_get_m_key(&(owner ? owner : table->port)->port_info), 0,
			  CL_DISP_MSGID_NONE, &context);
}

unsigned odo_n_blocks_asked(const osm_node_t *node, const odo_asked *list, unsigned n)
{
	unsigned blocks = 0;
	for (unsigned i = 0; i < n; i++)
		blocks += list[i].number < count_lft_blocks(node);
	return blocks;
}

bool odo_all_answered_right(osm_opensm_t *osm, osm_node_t *node, const odo_asked *list, unsigned n)
{
	bool right = true;
	odo_table table;
	for (unsigned i = 0; i < n && right; i++)
		right = !odo_find_table(osm, node, list[i].number, &table) ||
			!memcmp(table.copy, list[i].expected, table.n);
	return right;
}
