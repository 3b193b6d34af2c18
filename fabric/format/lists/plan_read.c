/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reader of plans (docs/reference/plan-file.md). People write them, so that every word is checked.
 */
#include <string.h>

#include "base/memory.h"
#include "fabric/format/lists/cables.h"
#include "fabric/format/formats.h"
#include "fabric/format/lines.h"
#include "fabric/coordinates.h"

static const char head[] = "odonata-plan ";

/* Take a text in quotes, in which \" and \\ stand for a quote and a backslash. */
static bool take_plan_text(odo_scan *s, odo_text *raw)
{
	const char *at;
	odo_skip_blanks(s);
	if (odo_peek(s) != '"')
		return false;
	for (at = s->at + 1; at < s->end && *at != '"'; at++)
		at += *at == '\\' && at + 1 < s->end;
	if (at >= s->end)
		return false;
	*raw = (odo_text){s->at + 1, (size_t)(at - s->at - 1)};
	s->at = at + 1;
	return true;
}

/* Return a text without its backslashes. */
static odo_text plain_text(cables_list *list, odo_text raw)
{
	if (!raw.n || !memchr(raw.at, '\\', raw.n))
		return raw;
	char *copy = odo_arena_new(&list->memory, raw.n, 1);
	size_t n = 0;
	for (size_t i = 0; i < raw.n && copy; i++) {
		i += raw.at[i] == '\\' && i + 1 < raw.n;
		copy[n++] = raw.at[i];
	}
	return (odo_text){copy ? copy : "", n};
}

typedef struct plan_node {
	odo_text id, name, place;
	uint64_t ports, guid;
} plan_node;

static int read_plan_place(odo_scan *s)
{
	uint64_t number;
	unsigned n = 0;
	while (odo_lines_number(s, 10, UINT32_MAX - 1, &number))
		n++;
	return n && n <= ODO_MAX_DIMS ? 0 : odo_scan_expected(s, "coordinates of the switch");
}

/* Read the properties of a node: a word and its value each. */
static int read_property(odo_scan *s, plan_node *node)
{
	if (odo_lines_skip(s, "ports "))
		return odo_lines_number(s, 10, ODO_MAX_PORTS, &node->ports) && node->ports
			       ? 0
			       : odo_scan_expected(s, "a number of ports from 1 to 254");
	if (odo_lines_skip(s, "guid 0x"))
		return odo_take_number(s, 16, &node->guid) && node->guid
			       ? 0
			       : odo_scan_expected(s, "a GUID as 0x0002c90300a1b2c0");
	if (odo_lines_skip(s, "id "))
		return take_plan_text(s, &node->id) ? 0 : odo_scan_expected(s, "an id in quotes");
	if (odo_lines_skip(s, "place "))
		return take_plan_text(s, &node->place) ? 0
						       : odo_scan_expected(s, "a place in quotes");
	if (odo_lines_skip(s, "at "))
		return read_plan_place(s);
	return odo_scan_expected(s, "ports, guid, id, place or at");
}

static int read_plan_node(odo_scan *s, odo_node_type type, cables_list *list)
{
	plan_node node = {0};
	uint32_t v;
	if (!take_plan_text(s, &node.name))
		return odo_scan_expected(s, "a name in quotes");
	node.id = node.name;
	while (!odo_lines_at_end(s)) {
		int status = read_property(s, &node);
		if (status)
			return status;
	}
	size_t before = list->n_nodes;
	int status = cables_find(list, s, node.id, 0, type, &v);
	if (status)
		return status;
	if (before == list->n_nodes)
		return odo_scan_fail(s,
				     "expected a name of its own, found \"%.*s\" again: give one "
				     "of them an id",
				     odo_text_print(node.id));
	cables_node *added = &list->nodes[v];
	added->name = plain_text(list, node.name);
	added->place = plain_text(list, node.place);
	added->guid = node.guid;
	added->n_ports = (uint32_t)node.ports;
	return 0;
}

/* Read an end: the id of a node above, and a port of it. */
static int read_plan_end(odo_scan *s, cables_list *list, cables_end *end)
{
	odo_text id;
	uint64_t port;
	odo_scan start = *s;
	if (!take_plan_text(s, &id))
		return odo_scan_expected(s, "the name of a node in quotes");
	size_t before = list->n_nodes;
	int status = cables_find(list, s, id, 0, ODO_CA, &end->node);
	if (status)
		return status;
	if (before != list->n_nodes)
		return odo_scan_expected(&start, "a node that a line above names");
	if (!odo_lines_number(s, 10, ODO_MAX_PORTS, &port) || !port)
		return odo_scan_expected(s, "a port from 1 to 254");
	end->port = (uint32_t)port;
	return 0;
}

/* Read "4xHDR", or "4x" for an unknown speed. */
static bool read_plan_rate(odo_scan *s, odo_link_info *info)
{
	odo_text word;
	odo_skip_blanks(s);
	odo_scan ahead = *s;
	odo_take_word(&ahead, &word);
	const char *x = memchr(word.at, 'x', word.n);
	if (!x)
		return false;
	odo_text width = {word.at, (size_t)(x - word.at)}, speed = {x + 1, word.n - width.n - 1};
	*info = (odo_link_info){.width = cables_width(width),
				.speed = (uint8_t)odo_speed_named(speed.at, speed.n)};
	if (!info->width || (!info->speed && speed.n))
		return false;
	*s = ahead;
	return true;
}

static int read_plan_cable(odo_scan *s, cables_list *list)
{
	cables_end near = {0}, far = {0};
	odo_link_info info;
	cables_cable *cable;
	odo_text label[2] = {{"", 0}, {"", 0}};
	int status = read_plan_end(s, list, &near);
	if (!status)
		status = read_plan_end(s, list, &far);
	if (status)
		return status;
	if (!read_plan_rate(s, &info))
		return odo_scan_expected(s, "a rate such as 4xHDR, or 4x");
	if (odo_lines_skip(s, "labels ") &&
	    !(take_plan_text(s, &label[0]) && take_plan_text(s, &label[1])))
		return odo_scan_expected(s, "two labels in quotes");
	if (!odo_lines_at_end(s))
		return odo_scan_expected(s, "the end of the line");
	status = cables_add(list, s, near.node, near.port, far.node, far.port, &cable);
	if (status)
		return status;
	cable->info = info;
	cable->end[0].label = plain_text(list, label[0]);
	cable->end[1].label = plain_text(list, label[1]);
	return 0;
}

static int read_topology(odo_scan *s)
{
	odo_text word;
	odo_skip_blanks(s);
	odo_take_word(s, &word);
	return word.n && odo_lines_at_end(s) ? 0 : odo_scan_expected(s, "the name of a topology");
}

static int read_plan_line(odo_scan *s, cables_list *list, bool *ended)
{
	if (*ended)
		return odo_scan_expected(s, "nothing below the line \"end\"");
	if (odo_lines_skip(s, "switch "))
		return read_plan_node(s, ODO_SWITCH, list);
	if (odo_lines_skip(s, "host "))
		return read_plan_node(s, ODO_CA, list);
	if (odo_lines_skip(s, "router "))
		return read_plan_node(s, ODO_ROUTER, list);
	if (odo_lines_skip(s, "cable "))
		return read_plan_cable(s, list);
	if (odo_lines_skip(s, "topology "))
		return read_topology(s);
	*ended = odo_lines_skip(s, "end") && odo_lines_at_end(s);
	return *ended ? 0 : odo_scan_expected(s, "switch, host, router, cable, topology or end");
}

int odo_plan_file_read(const char *text, size_t size, const char *origin, odo_builder *b,
		       odo_error *err)
{
	odo_scan s = odo_lines_make(text, size, origin);
	cables_list list = {0};
	uint64_t version = 0;
	bool ended = false;
	int status = 0;
	s.err = err;
	if (!odo_lines_next(&s) || !odo_lines_skip(&s, head) ||
	    !odo_lines_number(&s, 10, 1, &version) || !version || !odo_lines_at_end(&s))
		status = odo_scan_expected(&s, "version 1 of a plan");
	while (!status && odo_lines_next(&s))
		status = read_plan_line(&s, &list, &ended);
	if (!status && !ended)
		status = odo_scan_fail(&s, "expected a last line \"end\", found none: the plan is "
					   "cut");
	if (!status)
		status = cables_build_strictly(&list, &s, b);
	cables_clear(&list);
	return status;
}

bool odo_plan_file_recognise(const char *text, size_t size)
{
	odo_scan s = odo_lines_make(text, size, "");
	return odo_lines_next(&s) && odo_lines_skip(&s, head);
}
