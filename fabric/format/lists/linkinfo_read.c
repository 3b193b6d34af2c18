/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reader of iblinkinfo's output: a head for each node, and a line for each of its ports.
 *
 *   Switch: 0x0b00000000000200 leaf 2:
 *        7    1[  ] ==( 4X  25.78125 Gbps Active/  LinkUp)==>  9    1[  ] "node3 HCA-1" ( )
 *        7    3[  ] ==(                Down/ Polling)==>             [  ] "" ( )
 *
 * Lines of a host begin with the GUID of its port; with -l every line begins with the node's GUID
 * and name. A far end has a name, a LID and a port, so nodes are joined by name and LID. */
#include <string.h>

#include "fabric/format/lists/cables.h"
#include "fabric/format/formats.h"
#include "fabric/format/lines.h"
#include "fabric/format/talk.h"

typedef struct reader {
	odo_scan scan;
	cables_list list;
	odo_node_type type; /* of the node whose head was read last */
	odo_text name;
	uint64_t guid;
	bool headed;
} reader;

/* Take "0x" and a GUID. */
static bool take_linkinfo_guid(odo_scan *s, uint64_t *guid)
{
	odo_scan look = *s;
	odo_skip_blanks(&look);
	if (!odo_take(&look, "0x") || !odo_take_number(&look, 16, guid))
		return false;
	*s = look;
	return true;
}

/* Take the head of a node: "Switch: 0x... name:" or "CA: name:". */
static bool take_head(reader *r)
{
	static const struct {
		const char *word;
		odo_node_type type;
	} heads[] = {{"Switch:", ODO_SWITCH}, {"CA:", ODO_CA}, {"Router:", ODO_ROUTER}};
	odo_scan *s = &r->scan;
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		if (!odo_lines_skip(s, heads[i].word))
			continue;
		r->headed = true;
		r->type = heads[i].type;
		r->guid = 0;
		if (r->type == ODO_SWITCH)
			take_linkinfo_guid(s, &r->guid);
		odo_skip_blanks(s);
		r->name = (odo_text){s->at, (size_t)(s->end - s->at)};
		r->name.n -= r->name.n && r->name.at[r->name.n - 1] == ':';
		return true;
	}
	return false;
}

/* Take a LID, a port and its label: "7   1[ 5]". */
static bool take_port(odo_scan *s, cables_end *end)
{
	uint64_t lid, port;
	odo_scan look = *s;
	if (!odo_lines_number(&look, 10, UINT16_MAX, &lid) ||
	    !odo_lines_number(&look, 10, ODO_MAX_PORTS, &port) || !odo_lines_skip(&look, "["))
		return false;
	odo_skip_blanks(&look);
	end->label.at = look.at;
	if (!odo_skip_to(&look, "]"))
		return false;
	end->label.n = (size_t)(look.at - 1 - end->label.at);
	while (end->label.n && end->label.at[end->label.n - 1] == ' ')
		end->label.n--;
	end->lid = lid < ODO_LID_LIMIT ? (uint16_t)lid : 0;
	end->port = (uint32_t)port;
	*s = look;
	return true;
}

/* Take "==( 4X  25.78125 Gbps Active/  LinkUp)==>". */
static bool take_linkinfo_link(odo_scan *s, odo_link_info *info)
{
	odo_text width, speed;
	odo_skip_blanks(s);
	if (!odo_take(s, "==("))
		return false;
	odo_scan look = *s;
	odo_skip_blanks(&look);
	odo_take_word(&look, &width);
	odo_skip_blanks(&look);
	odo_take_word(&look, &speed);
	info->width = cables_width(width);
	info->speed = info->width ? (uint8_t)cables_speed(speed) : 0;
	return odo_skip_to(s, ")==>");
}

/* Find the node of an end by its name and LID; a port of an adapter has a LID of its own. */
static int find_linked_node(reader *r, odo_text name, odo_node_type type, cables_end *end)
{
	int status = cables_find(&r->list, &r->scan, name, end->lid, type, &end->node);
	if (!status && type == ODO_SWITCH) {
		r->list.nodes[end->node].type = type;
		r->list.nodes[end->node].lid = end->lid;
	}
	return status;
}

static int add_linked_ports(reader *r, cables_end *near, odo_text name, cables_end *far,
			    odo_link_info info)
{
	cables_cable *cable;
	int status = find_linked_node(r, r->name, r->type, near);
	if (!status && r->guid)
		r->list.nodes[near->node].guid = r->guid;
	if (!status && far->port)
		status = find_linked_node(r, name, ODO_CA, far);
	if (!status && near->port > r->list.nodes[near->node].n_ports)
		r->list.nodes[near->node].n_ports = near->port;
	if (status || !far->port || (near->node == far->node && near->port == far->port))
		return status;
	status = cables_add(&r->list, &r->scan, near->node, near->port, far->node, far->port,
			    &cable);
	if (status)
		return status;
	cable->end[0] = *near;
	cable->end[1] = *far;
	cable->info = info;
	return 0;
}

/* Take the node that begins a line of 'iblinkinfo -l': GUID and name. A line of a host has a GUID
 * alone, that of its port. */
static void take_line_node(reader *r, odo_scan *s, cables_end *near)
{
	uint64_t guid;
	odo_text name;
	if (!take_linkinfo_guid(s, &guid))
		return;
	odo_skip_blanks(s);
	if (odo_take_quoted(s, &name)) {
		while (name.n && *name.at == ' ') {
			name.at++;
			name.n--;
		}
		r->name = name;
		r->guid = guid;
		r->headed = true;
		r->type = ODO_SWITCH; /* until cables tell hosts */
	} else {
		near->guid = guid;
	}
}

/* Read the line of a port. */
static int read_linkinfo_port(reader *r, bool *understood)
{
	odo_scan s = r->scan;
	cables_end near = {0}, far = {0};
	odo_link_info info = {0};
	odo_text name = {"", 0};
	uint64_t ignored;
	take_line_node(r, &s, &near);
	*understood = r->headed && take_port(&s, &near) && near.port &&
		      take_linkinfo_link(&s, &info);
	if (!*understood)
		return 0;
	take_linkinfo_guid(&s, &ignored);
	if (take_port(&s, &far)) {
		odo_skip_blanks(&s);
		*understood = odo_take_quoted(&s, &name);
	}
	return *understood ? add_linked_ports(r, &near, name, &far, info) : 0;
}

int odo_linkinfo_read(const char *text, size_t size, const char *origin, odo_builder *b,
		      odo_error *err)
{
	reader r = {.scan = odo_lines_make(text, size, origin)};
	int status = 0;
	bool heads = false;
	r.scan.err = err;
	while (!status && odo_lines_next(&r.scan)) {
		bool understood = take_head(&r);
		heads |= understood;
		if (!understood)
			status = read_linkinfo_port(&r, &understood);
		if (!status && !understood)
			odo_pass_over(&r.scan, odo_builder_ledger(b));
	}
	if (!status && !r.list.n_cables)
		status = odo_scan_fail(&r.scan, "expected ports with a far end, found none");
	if (!heads)
		cables_guess_hosts(&r.list);
	if (!status)
		status = cables_build(&r.list, &r.scan, b);
	cables_clear(&r.list);
	return status;
}

bool odo_linkinfo_recognise(const char *text, size_t size)
{
	enum { HEAD = 65536 };
	odo_scan s = odo_lines_make(text, size < HEAD ? size : HEAD, "");
	while (odo_lines_next(&s))
		if (odo_skip_to(&s, "==(") && odo_skip_to(&s, ")==>"))
			return true;
	return false;
}
