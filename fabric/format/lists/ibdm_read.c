/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reader of topology files of ibdm and ibdiagnet (.topo): systems, and the cables of their ports.
 *
 *   MT4390 leaf0
 *      P1 -4x-25G-> HCA_1 n01 U1/P1
 *      P31 -4x-25G-> MT4390 spine0 P1
 *
 * A line names type and name of the far system, and the label of its port. */
#include <string.h>

#include "fabric/format/lists/cables.h"
#include "fabric/format/formats.h"
#include "fabric/format/lines.h"
#include "fabric/format/talk.h"

typedef struct reader {
	odo_scan scan;
	cables_list list;
	odo_text type, name; /* of the system whose head was read last */
} reader;

static odo_text take_token(odo_scan *s)
{
	odo_text token;
	odo_skip_blanks(s);
	odo_take_word(s, &token);
	return token;
}

static bool is_host_type(odo_text type)
{
	return type.n >= 3 && (!memcmp(type.at, "HCA", 3) || !memcmp(type.at, "CX_", 3));
}

/* Return the adapter of a host that a label names: "U2/P1" is port 1 of its second. */
static uint32_t unit_of_label(odo_text label)
{
	const char *slash = memchr(label.at, '/', label.n);
	uint32_t unit = 0;
	if (!slash || (*label.at != 'U' && *label.at != 'H'))
		return 0;
	const char *at = label.at + 1;
	while (at < slash && (*at < '0' || *at > '9'))
		at++;
	return cables_port((odo_text){at, (size_t)(slash - at)}, &unit) ? unit : 0;
}

/* Find the system of an end, or add it. Ports of systems of several chips have labels alone, and
 * get the next free number. */
static int find_system(reader *r, odo_text type, odo_text name, odo_text label, cables_end *end)
{
	bool host = is_host_type(type);
	uint32_t unit = host ? unit_of_label(label) : 0;
	int status = cables_find(&r->list, &r->scan, name, unit, host ? ODO_CA : ODO_SWITCH,
				 &end->node);
	if (status)
		return status;
	r->list.nodes[end->node].unit = unit;
	end->label = label;
	const char *slash = memrchr(label.at, '/', label.n);
	odo_text last = {slash ? slash + 1 : label.at, 0};
	last.n = (size_t)(label.at + label.n - last.at);
	if (last.n > 1 && (*last.at == 'P' || *last.at == 'p')) {
		last.at++;
		last.n--;
	}
	end->port = 0;
	if (!slash || host)
		cables_port(last, &end->port);
	return 0;
}

/* Take "-4x-25G->". Widths and speeds may be missing: "->". */
static bool take_arrow(odo_scan *s, odo_link_info *info)
{
	odo_text arrow = take_token(s), part = {arrow.at, 0};
	if (arrow.n < 2 || *arrow.at != '-' || arrow.at[arrow.n - 1] != '>' ||
	    arrow.at[arrow.n - 2] != '-')
		return false;
	for (const char *at = arrow.at + 1; at < arrow.at + arrow.n - 1; at += part.n + 1) {
		const char *dash = memchr(at, '-', (size_t)(arrow.at + arrow.n - at));
		part = (odo_text){at, (size_t)((dash ? dash : arrow.at + arrow.n) - at)};
		if (part.n && part.at[part.n - 1] == 'G')
			info->speed = (uint8_t)cables_speed((odo_text){part.at, part.n - 1});
		else if (part.n)
			info->width = cables_width(part);
	}
	return true;
}

static int read_system_port(reader *r, odo_text label, odo_scan *s, bool *understood)
{
	cables_end near = {0}, far = {0};
	odo_link_info info = {0};
	cables_cable *cable;
	*understood = r->name.n && take_arrow(s, &info);
	odo_text type = take_token(s), name = take_token(s), to = take_token(s);
	*understood = *understood && to.n && odo_lines_at_end(s);
	if (!*understood)
		return 0;
	int status = find_system(r, r->type, r->name, label, &near);
	if (!status)
		status = find_system(r, type, name, to, &far);
	if (!status)
		status = cables_add(&r->list, &r->scan, near.node, near.port, far.node, far.port,
				    &cable);
	if (status)
		return status;
	cable->end[0].label = near.label;
	cable->end[1].label = far.label;
	cable->info = info;
	return 0;
}

/* Read a line: a head has two words, or options behind them; a port has an arrow as its second. */
static int read_ibdm_line(reader *r, bool *understood)
{
	odo_scan s = r->scan, look;
	odo_link_info info = {0};
	odo_text first = take_token(&s);
	look = s;
	if (take_arrow(&look, &info))
		return read_system_port(r, first, &s, understood);
	odo_text name = take_token(&s);
	*understood = name.n > 0;
	if (!name.n)
		return 0;
	r->type = first;
	r->name = name;
	return 0;
}

int odo_ibdm_read(const char *text, size_t size, const char *origin, odo_builder *b, odo_error *err)
{
	reader r = {
		.scan = odo_lines_make(text, size, origin),
	};
	int status = 0;
	r.scan.err = err;
	while (!status && odo_lines_next(&r.scan)) {
		bool understood;
		status = read_ibdm_line(&r, &understood);
		if (!status && !understood)
			odo_pass_over(&r.scan, odo_builder_ledger(b));
	}
	if (!status && !r.list.n_cables)
		status = odo_scan_fail(&r.scan, "expected systems with cables, found none");
	if (!status)
		status = cables_build(&r.list, &r.scan, b);
	cables_clear(&r.list);
	return status;
}

/* The first line is a head of two words or more, the second a port. */
bool odo_ibdm_recognise(const char *text, size_t size)
{
	odo_scan s = odo_lines_make(text, size, "");
	odo_link_info info = {0};
	for (unsigned i = 0; i < 2 && odo_lines_next(&s); i++) {
		take_token(&s);
		if (i && take_arrow(&s, &info))
			return true;
	}
	return false;
}
