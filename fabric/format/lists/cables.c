/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/lists/cables.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "fabric/format/formats.h"

static uint32_t *find_listed_slot(const cables_list *list, odo_text id, uint64_t key)
{
	uint64_t hash = odo_hash_more(odo_hash_bytes(id.at, id.n), &key, sizeof key);
	size_t at = odo_hash_place(hash, list->table_size);
	for (; list->table[at]; at = (at + 1) & (list->table_size - 1)) {
		const cables_node *node = &list->nodes[list->table[at] - 1];
		if (node->key == key && odo_text_equal(node->id, id))
			break;
	}
	return &list->table[at];
}

static int make_room_for_id(cables_list *list, const odo_scan *s)
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
		*find_listed_slot(list, list->nodes[i].id, list->nodes[i].key) = (uint32_t)i + 1;
	return 0;
}

int cables_find(cables_list *list, const odo_scan *s, odo_text id, uint64_t key, odo_node_type type,
		uint32_t *node)
{
	if (make_room_for_id(list, s))
		return ODO_ENOMEM;
	uint32_t *at = find_listed_slot(list, id, key);
	if (!*at) {
		list->nodes[list->n_nodes] = (cables_node){
			.id = id, .key = key, .name = id, .type = type};
		*at = (uint32_t)++list->n_nodes;
	}
	*node = *at - 1;
	return 0;
}

int cables_add(cables_list *list, const odo_scan *s, uint32_t a, uint32_t port_a, uint32_t b,
	       uint32_t port_b, cables_cable **cable)
{
	if (odo_grow(&list->cables, &list->cables_room, list->n_cables + 1, sizeof *list->cables))
		return odo_scan_no_memory(s);
	cables_cable *added = &list->cables[list->n_cables++];
	*added = (cables_cable){.end = {{.node = a, .port = port_a}, {.node = b, .port = port_b}},
				.line = s->line,
				.order = (uint32_t)list->n_cables};
	if (cable)
		*cable = added;
	return 0;
}

odo_text cables_print(cables_list *list, const char *format, ...)
{
	char text[160];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	size_t n = strlen(text);
	char *copy = odo_arena_new(&list->memory, n + 1, 1);
	if (!copy)
		return (odo_text){"", 0};
	memcpy(copy, text, n);
	return (odo_text){copy, n};
}

void cables_guess_hosts(cables_list *list)
{
	for (size_t i = 0; i < list->n_nodes; i++)
		list->nodes[i].n_ports = 0; /* cables, until ports are assigned */
	for (size_t i = 0; i < 2 * list->n_cables; i++)
		list->nodes[list->cables[i / 2].end[i % 2].node].n_ports++;
	for (size_t i = 0; i < 2 * list->n_cables; i++) {
		const cables_cable *c = &list->cables[i / 2];
		cables_node *near = &list->nodes[c->end[i % 2].node];
		if (near->n_ports == 1 && list->nodes[c->end[1 - i % 2].node].n_ports > 1)
			near->type = ODO_CA;
	}
	for (size_t i = 0; i < list->n_nodes; i++)
		list->nodes[i].n_ports = 0;
}

odo_speed cables_speed(odo_text text)
{
	static const struct {
		const char *name;
		odo_speed speed;
	} speeds[] = {{"2.5", ODO_SDR},     {"5", ODO_DDR},      {"5.0", ODO_DDR},
		      {"10", ODO_QDR},      {"10.0", ODO_QDR},   {"14", ODO_FDR},
		      {"14.0625", ODO_FDR}, {"25", ODO_EDR},     {"25.78125", ODO_EDR},
		      {"50", ODO_HDR},      {"53.125", ODO_HDR}, {"100", ODO_NDR},
		      {"106.25", ODO_NDR},  {"200", ODO_XDR}};
	for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
		if (strlen(speeds[i].name) == text.n && !memcmp(speeds[i].name, text.at, text.n))
			return speeds[i].speed;
	return odo_speed_named(text.at, text.n);
}

uint8_t cables_width(odo_text text)
{
	const char *at = text.at, *end = text.at + text.n;
	uint64_t n;
	if (!odo_take_digits(&at, end, 10, &n) || n > 12 || end - at > 1 ||
	    (at < end && *at != 'x' && *at != 'X'))
		return 0;
	return (uint8_t)n;
}

bool cables_port(odo_text text, uint32_t *port)
{
	const char *at = text.at;
	uint64_t n;
	if (!odo_take_digits(&at, text.at + text.n, 10, &n) || at != text.at + text.n || n < 1 ||
	    n > ODO_MAX_PORTS)
		return false;
	*port = (uint32_t)n;
	return true;
}

/* Return both ends as one number, the lower first. */
static uint64_t cable_pair(const cables_cable *c)
{
	uint32_t a = c->end[0].node, b = c->end[1].node, low = a < b ? a : b;
	return (uint64_t)low << 32 | (a ^ b ^ low);
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
	char named[160];
	odo_text name = node->name;
	odo_node_info info = {.type = node->type,
			      .n_ports = node->n_ports ? node->n_ports : 1,
			      .guid = node->guid,
			      .lid = node->lid};
	if (node->unit) {
		snprintf(named, sizeof named, "%.*s HCA-%u", odo_text_print(name), node->unit);
		name = (odo_text){named, strlen(named)};
	}
	int status = odo_scan_add_node(s, b, &info, name, &id);
	if (!status && node->place.n)
		status = odo_builder_label(b, id, 0, node->place.at, node->place.n, s->err);
	return status;
}

/* Add what an end says of its port. The far end of a line may say less than a line of its own. */
static int add_cabled_port(const cables_list *list, const cables_end *end, bool with_guid,
			   odo_scan *s, odo_builder *b)
{
	if (with_guid != (end->guid != 0))
		return 0;
	int status = odo_builder_label(b, end->node, end->port, end->label.at, end->label.n,
				       s->err);
	if (!status && list->nodes[end->node].type != ODO_SWITCH && (end->guid || end->lid))
		status = odo_builder_port(b, end->node, end->port, end->guid, end->lid, 0, s->err);
	return status;
}

static int add_cabled_link(const cables_cable *c, bool strict, odo_scan *s, odo_builder *b)
{
	odo_error why;
	const cables_end *near = &c->end[0], *far = &c->end[1];
	int status = odo_builder_link(b, near->node, near->port, far->node, far->port, c->info,
				      &why);
	s->line = c->line;
	if (status && strict)
		return odo_scan_fail(s, "%s", why.text);
	if (status)
		odo_ledger_add(odo_builder_ledger(b), ODO_REPAIR_DISAGREE, c->line, "%.70s",
			       why.text);
	return 0;
}

static int build_listed(cables_list *list, bool strict, odo_scan *s, odo_builder *b)
{
	int status = list->memory.failed ? odo_scan_no_memory(s) : 0;
	for (size_t i = 0; i < 2 * list->n_cables; i++) {
		cables_end *end = &list->cables[i / 2].end[i % 2];
		assign_port(&list->nodes[end->node], &end->port);
	}
	for (size_t i = 0; i < list->n_nodes && !status; i++)
		status = add_cabled_node(&list->nodes[i], s, b);
	for (size_t i = 0; i < list->n_cables && !status; i++)
		status = add_cabled_link(&list->cables[i], strict, s, b);
	for (unsigned guids = 0; guids < 2; guids++)
		for (size_t i = 0; i < 2 * list->n_cables && !status; i++)
			status = add_cabled_port(list, &list->cables[i / 2].end[i % 2], guids, s,
						 b);
	return status;
}

int cables_build(cables_list *list, odo_scan *s, odo_builder *b)
{
	return build_listed(list, false, s, b);
}

int cables_build_strictly(cables_list *list, odo_scan *s, odo_builder *b)
{
	return build_listed(list, true, s, b);
}

void cables_clear(cables_list *list)
{
	free(list->nodes);
	free(list->cables);
	free(list->table);
	odo_arena_free(&list->memory);
	*list = (cables_list){0};
}
