/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/cables.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

static uint32_t *find_name_slot(const cables_list *list, odo_text name)
{
	size_t at = odo_hash_place(odo_hash_bytes(name.at, name.n), list->table_size);
	while (list->table[at] && !odo_text_equal(list->nodes[list->table[at] - 1].name, name))
		at = (at + 1) & (list->table_size - 1);
	return &list->table[at];
}

static int make_room_for_name(cables_list *list, const odo_scan *s)
{
	if (odo_grow(&list->nodes, &list->nodes_room, list->n_nodes + 1, sizeof *list->nodes))
		return odo_scan_no_memory(s);
	if (2 * (list->n_nodes + 1) <= list->table_size)
		return 0;
	free(list->table);
	list->table_size = list->table_size ? 2 * list->table_size : 1024;
	list->table = odo_new(list->table_size, sizeof *list->table);
	if (!list->table)
		return odo_scan_no_memory(s);
	for (size_t i = 0; i < list->n_nodes; i++)
		*find_name_slot(list, list->nodes[i].name) = (uint32_t)i + 1;
	return 0;
}

int cables_find(cables_list *list, const odo_scan *s, odo_text name, odo_node_type type,
		uint32_t *node)
{
	if (make_room_for_name(list, s))
		return ODO_ENOMEM;
	uint32_t *at = find_name_slot(list, name);
	if (!*at) {
		list->nodes[list->n_nodes] = (cables_node){.name = name, .type = type};
		*at = (uint32_t)++list->n_nodes;
	}
	*node = *at - 1;
	return 0;
}

int cables_add(cables_list *list, const odo_scan *s, uint32_t a, uint32_t port_a, uint32_t b,
	       uint32_t port_b)
{
	if (odo_grow(&list->cables, &list->cables_room, list->n_cables + 1, sizeof *list->cables))
		return odo_scan_no_memory(s);
	cables_cable *cable = &list->cables[list->n_cables++];
	*cable = (cables_cable){.node = {a, b},
				.port = {port_a, port_b},
				.line = s->line,
				.order = (uint32_t)list->n_cables};
	return 0;
}

/* Return both ends as one number, the lower first. */
static uint64_t cable_pair(const cables_cable *c)
{
	uint32_t low = c->node[0] < c->node[1] ? c->node[0] : c->node[1];
	return (uint64_t)low << 32 | (c->node[0] ^ c->node[1] ^ low);
}

static int by_order(const void *a, const void *b)
{
	const cables_cable *x = a, *y = b;
	return (x->order > y->order) - (x->order < y->order);
}

static int by_pair(const void *a, const void *b)
{
	uint64_t x = cable_pair(a), y = cable_pair(b);
	return x != y ? (x > y) - (x < y) : by_order(a, b);
}

void cables_make_unique(cables_list *list)
{
	size_t kept = 0;
	if (!list->n_cables)
		return;
	qsort(list->cables, list->n_cables, sizeof *list->cables, by_pair);
	for (size_t i = 1; i < list->n_cables; i++)
		if (cable_pair(&list->cables[i]) != cable_pair(&list->cables[kept]))
			list->cables[++kept] = list->cables[i];
	list->n_cables = kept + 1;
	qsort(list->cables, list->n_cables, sizeof *list->cables, by_order);
}

static void assign_port(cables_node *node, uint32_t *port)
{
	*port = *port ? *port : node->n_ports + 1;
	node->n_ports = *port > node->n_ports ? *port : node->n_ports;
}

static int add_cabled_node(const cables_node *node, const odo_scan *s, odo_builder *b)
{
	uint32_t id;
	odo_node_info info = {.type = node->type, .n_ports = node->n_ports};
	return odo_scan_add_node(s, b, &info, node->name, &id);
}

int cables_build(cables_list *list, odo_scan *s, odo_builder *b)
{
	int status = 0;
	for (size_t i = 0; i < list->n_cables; i++)
		for (unsigned k = 0; k < 2; k++)
			assign_port(&list->nodes[list->cables[i].node[k]],
				    &list->cables[i].port[k]);
	for (size_t i = 0; i < list->n_nodes && !status; i++)
		status = add_cabled_node(&list->nodes[i], s, b);
	for (size_t i = 0; i < list->n_cables && !status; i++) {
		const cables_cable *c = &list->cables[i];
		odo_error why;
		if (odo_builder_link(b, c->node[0], c->port[0], c->node[1], c->port[1],
				     (odo_link_info){0}, &why))
			odo_ledger_add(odo_builder_ledger(b), ODO_REPAIR_DISAGREE, c->line, "%.70s",
				       why.text);
	}
	return status;
}

void cables_clear(cables_list *list)
{
	free(list->nodes);
	free(list->cables);
	free(list->table);
	*list = (cables_list){0};
}
