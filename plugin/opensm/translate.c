/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/opensm/translate.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fabric/port_info.h"

/* OpenSM's nodes in the order of the fabric's: switches, then the rest, each by GUID. */
typedef struct node_list {
	const osm_node_t **node;
	uint64_t *guid; /* their GUIDs, in host order */
	uint32_t n_switches, n_nodes;
} node_list;

static uint32_t search_guids(const uint64_t *guid, uint32_t from, uint32_t to, uint64_t wanted)
{
	uint32_t end = to;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;
		if (guid[middle] < wanted)
			from = middle + 1;
		else
			to = middle;
	}
	return from < end && guid[from] == wanted ? from : ODO_NONE;
}

uint32_t odo_translated_node(const odo_fabric *f, uint64_t guid, bool is_switch)
{
	return is_switch ? search_guids(f->node_guid, 0, f->n_switches, guid)
			 : search_guids(f->node_guid, f->n_switches, f->n_nodes, guid);
}

static uint64_t guid_of(const osm_node_t *node)
{
	return cl_ntoh64(osm_node_get_node_guid(node));
}

static bool is_osm_switch(const osm_node_t *node)
{
	return osm_node_get_type(node) == IB_NODE_TYPE_SWITCH;
}

static uint32_t node_id(const node_list *list, const osm_node_t *node)
{
	return is_osm_switch(node)
		       ? search_guids(list->guid, 0, list->n_switches, guid_of(node))
		       : search_guids(list->guid, list->n_switches, list->n_nodes, guid_of(node));
}

static int compare_osm_nodes(const void *a, const void *b)
{
	const osm_node_t *x = *(const osm_node_t *const *)a, *y = *(const osm_node_t *const *)b;
	if (is_osm_switch(x) != is_osm_switch(y))
		return is_osm_switch(x) ? -1 : 1;
	return (guid_of(x) > guid_of(y)) - (guid_of(x) < guid_of(y));
}

/* List nodes. A switch without a forwarding table has no `sw` and is omitted: it forwards nothing.
 */
static int list_nodes(const osm_subn_t *subn, node_list *list, odo_error *err)
{
	const cl_qmap_t *map = &subn->node_guid_tbl;
	list->node = odo_new(cl_qmap_count(map), sizeof *list->node);
	list->guid = odo_new(cl_qmap_count(map), sizeof *list->guid);
	if (!list->node || !list->guid)
		return odo_fail(err, ODO_ENOMEM, "no memory for OpenSM's subnet");
	for (const cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		const osm_node_t *node = (const osm_node_t *)item;
		if (is_osm_switch(node) && !node->sw)
			continue;
		list->n_switches += is_osm_switch(node);
		list->node[list->n_nodes++] = node;
	}
	qsort(list->node, list->n_nodes, sizeof *list->node, compare_osm_nodes);
	for (uint32_t id = 0; id < list->n_nodes; id++)
		list->guid[id] = guid_of(list->node[id]);
	if (!list->n_switches)
		return odo_fail(err, ODO_EDECLINE, "the subnet has no switches");
	return 0;
}

unsigned odo_vls_of_code(unsigned code)
{
	static const uint8_t vls[] = {1, 1, 2, 4, 8, 15};
	return vls[code < sizeof vls ? code : sizeof vls - 1];
}

/* Return true if a node has SL2VL tables. Its own port shows that: on a switch port 0. */
static bool maps_sls(const osm_physp_t *port)
{
	const osm_physp_t *own = port->p_node->sw ? &port->p_node->physp_table[0] : port;
	return own->port_info.capability_mask & IB_PORT_CAP_HAS_SL_MAP;
}

/* Return the VLs that a cable will have. The present OperVLs do not count, because OpenSM sets them
 * only after it has programmed SL2VL. */
static uint8_t usable_vls(const osm_subn_t *subn, const osm_physp_t *a, const osm_physp_t *b)
{
	if (!maps_sls(a) || !maps_sls(b))
		return 1;
	unsigned code = ib_port_info_get_vl_cap(&a->port_info);
	if (ib_port_info_get_vl_cap(&b->port_info) < code)
		code = ib_port_info_get_vl_cap(&b->port_info);
	if (subn->opt.max_op_vls < code)
		code = subn->opt.max_op_vls;
	return (uint8_t)odo_vls_of_code(code);
}

static int fail_contradiction(const osm_node_t *node, const char *what, odo_error *err)
{
	return odo_fail(err, ODO_EDECLINE, "OpenSM's record of \"%s\" (0x%016" PRIx64 ") %s",
			node->print_desc, cl_ntoh64(osm_node_get_node_guid(node)), what);
}

/* Return a LID if OpenSM's table of LIDs confirms it; otherwise the end has none yet. */
static uint16_t known_lid(const osm_subn_t *subn, uint16_t lid, const osm_node_t *node)
{
	const osm_port_t *port = lid ? osm_get_port_by_lid_ho(subn, lid) : NULL;
	return port && port->p_node == node ? lid : 0;
}

static int describe_osm_switch(odo_node_info *info, const osm_subn_t *subn, const osm_node_t *node,
			   odo_error *err)
{
	const osm_physp_t *port = &node->physp_table[0];
	if (node->sw->p_node != node || node->sw->num_ports != info->n_ports + 1u)
		return fail_contradiction(node, "and that of its switch differ", err);
	info->type = ODO_SWITCH;
	info->lid = known_lid(subn, cl_ntoh16(osm_physp_get_base_lid(port)), node);
	if (subn->opt.lmc_esp0 && ib_switch_info_is_enhanced_port0(&node->sw->switch_info))
		info->lmc = osm_physp_get_lmc(port);
	return 0;
}

static int add_osm_node(odo_builder *b, const osm_subn_t *subn, const osm_node_t *node,
			odo_error *err)
{
	uint32_t id;
	odo_node_info info = {.type = ODO_CA,
			      .n_ports = node->node_info.num_ports,
			      .guid = guid_of(node),
			      .name = node->print_desc};
	if (osm_node_get_type(node) == IB_NODE_TYPE_ROUTER)
		info.type = ODO_ROUTER;
	int status = 0;
	if (node->physp_tbl_size != info.n_ports + 1u)
		status = fail_contradiction(node, "has a table for another number of ports", err);
	if (!status && node->sw)
		status = describe_osm_switch(&info, subn, node, err);
	return status ? status : odo_builder_add(b, &info, &id, err);
}

static int add_osm_port(odo_builder *b, const node_list *list, const osm_subn_t *subn,
			const osm_port_t *port, odo_error *err)
{
	uint16_t lid = 0, last = 0;
	uint32_t id = node_id(list, port->p_node);
	if (port->p_node->sw || id == ODO_NONE || !port->p_physp)
		return 0;
	osm_port_get_lid_range_ho(port, &lid, &last);
	lid = known_lid(subn, lid, port->p_node);
	return odo_builder_port(b, id, osm_physp_get_port_num(port->p_physp),
				cl_ntoh64(osm_port_get_guid(port)), lid,
				lid ? osm_port_get_lmc(port) : 0, err);
}

static int add_osm_ports(odo_builder *b, const node_list *list, const osm_subn_t *subn,
			 odo_error *err)
{
	const cl_qmap_t *map = &subn->port_guid_tbl;
	int status = 0;
	for (const cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map) && !status;
	     item = cl_qmap_next(item))
		status = add_osm_port(b, list, subn, (const osm_port_t *)item, err);
	return status;
}

static int add_osm_link(odo_builder *b, const node_list *list, const osm_subn_t *subn,
			const osm_physp_t *port, uint32_t id, odo_error *err)
{
	const osm_physp_t *remote = port->p_remote_physp;
	if (!remote || remote->p_remote_physp != port || !osm_link_is_healthy(port))
		return 0;
	uint32_t far = node_id(list, remote->p_node);
	/* A cable between switches appears at both ends; it is added once. */
	if (far == ODO_NONE || (far < id && remote->p_node->sw) || port == remote)
		return 0;
	const uint8_t *raw = (const uint8_t *)&port->port_info; /* bytes of the MAD */
	bool fdr10 = port->ext_port_info.link_speed_active & FDR10;
	odo_link_info info = {odo_port_lanes(raw), (uint8_t)odo_port_speed(raw, true, fdr10),
			      usable_vls(subn, port, remote)};
	return odo_builder_link(b, id, osm_physp_get_port_num(port), far,
				osm_physp_get_port_num(remote), info, err);
}

/* Add the cables of a switch. Every cable of the fabric has a switch at one end. */
static int add_switch_links(odo_builder *b, const node_list *list, const osm_subn_t *subn,
			    uint32_t id, odo_error *err)
{
	const osm_node_t *node = list->node[id];
	int status = 0;
	for (unsigned p = 1; p < node->physp_tbl_size && !status; p++) {
		const osm_physp_t *port = &node->physp_table[p];
		if (!osm_physp_is_valid(port))
			continue;
		if (port->p_node != node || osm_physp_get_port_num(port) != p)
			return fail_contradiction(node, "holds a port that is not its own", err);
		status = add_osm_link(b, list, subn, port, id, err);
	}
	return status;
}

int odo_translate(const osm_subn_t *subn, odo_fabric **out, odo_error *err)
{
	odo_builder *b = NULL;
	node_list list = {0};
	int status = odo_builder_create(&b, err);
	if (!status)
		status = list_nodes(subn, &list, err);
	for (uint32_t id = 0; id < list.n_nodes && !status; id++)
		status = add_osm_node(b, subn, list.node[id], err);
	if (!status)
		status = add_osm_ports(b, &list, subn, err);
	for (uint32_t id = 0; id < list.n_switches && !status; id++)
		status = add_switch_links(b, &list, subn, id, err);
	free(list.node);
	free(list.guid);
	if (!status)
		return odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, out, err);
	odo_builder_free(b);
	return status;
}
