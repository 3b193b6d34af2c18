/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reader of opensm-subnet.lst, which OpenSM writes with -D 0x43 and ibdmchk reads: a line for each
 * end of each cable, numbers in hexadecimal, no LMC.
 *
 *   { SW-SM Ports:08 SystemGUID:... NodeGUID:... PortGUID:... VenID:000000 DevID:0000
 *     Rev:000000A1 {S0} LID:0001 PN:02 } { CA ... } PHY=4x LOG=ACT SPD=10 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "fabric/format/lists/cables.h"
#include "fabric/format/formats.h"
#include "base/memory.h"
#include "fabric/format/scan.h"
#include "fabric/format/talk.h"

typedef struct end {
	odo_node_type type;
	uint64_t n_ports, node_guid, port_guid, lid, port;
	odo_text name;
} end;

/* First appearance of a node. Bits of `near` are ports with which a line begins, bits of `far`
 * ports with which a line ends. */
typedef struct known {
	end seen;
	uint32_t line;
	uint64_t near[4], far[4];
} known;

typedef struct reader {
	odo_scan scan;
	odo_builder *b;
	odo_ledger *ledger;
	odo_line_count lines;
	known *nodes; /* by builder id */
	size_t n, room;
	uint32_t *table; /* open addressing by GUID: node + 1, or 0 */
	size_t table_size;
} reader;

static uint32_t *find_guid_slot(const reader *r, uint64_t guid)
{
	uint64_t hash = guid * 0x9e3779b97f4a7c15ull;
	size_t at = (size_t)(hash >> 32) & (r->table_size - 1);
	while (r->table[at] && r->nodes[r->table[at] - 1].seen.node_guid != guid)
		at = (at + 1) & (r->table_size - 1);
	return &r->table[at];
}

static int make_room_for_node(reader *r)
{
	if (odo_grow(&r->nodes, &r->room, r->n + 1, sizeof *r->nodes))
		return odo_scan_no_memory(&r->scan);
	if (2 * (r->n + 1) <= r->table_size)
		return 0;
	free(r->table);
	r->table_size = r->table_size ? 2 * r->table_size : 1024;
	r->table = odo_new(r->table_size, sizeof *r->table);
	if (!r->table)
		return odo_scan_no_memory(&r->scan);
	for (size_t i = 0; i < r->n; i++)
		*find_guid_slot(r, r->nodes[i].seen.node_guid) = (uint32_t)i + 1;
	return 0;
}

static int add_lst_node(reader *r, const end *e)
{
	uint32_t id;
	odo_node_info info = {.type = e->type,
			      .n_ports = (unsigned)e->n_ports,
			      .guid = e->node_guid,
			      .lid = (uint16_t)e->lid};
	int status = make_room_for_node(r);
	if (!status)
		status = odo_scan_add_node(&r->scan, r->b, &info, e->name, &id);
	if (status)
		return status;
	r->nodes[r->n] = (known){.seen = *e, .line = r->scan.line};
	*find_guid_slot(r, e->node_guid) = (uint32_t)++r->n;
	return 0;
}

/* Take " Key:12", with a value from min to max. */
static bool take_hex_field(odo_scan *s, const char *key, uint64_t min, uint64_t max,
			   uint64_t *value)
{
	odo_scan look = *s;
	if (!odo_take(&look, key) || !odo_take_number(&look, 16, value) || *value < min ||
	    *value > max)
		return false;
	*s = look;
	return true;
}

static bool take_any_hex(odo_scan *s, const char *key, uint64_t *value)
{
	return take_hex_field(s, key, 0, UINT64_MAX, value);
}

static bool take_type(odo_scan *s, odo_node_type *type)
{
	bool found = true;
	if (odo_take(s, "{ SW"))
		*type = ODO_SWITCH;
	else if (odo_take(s, "{ CA"))
		*type = ODO_CA;
	else if (odo_take(s, "{ Rt"))
		*type = ODO_ROUTER;
	else
		found = false;
	odo_take(s, "-SM");
	return found;
}

/* Take a description, which ends where the LID begins: it may contain braces. */
static bool take_description(odo_scan *s, odo_text *name)
{
	if (!odo_take(s, " {"))
		return false;
	name->at = s->at;
	if (!odo_skip_to(s, "} LID:"))
		return false;
	s->at -= strlen(" LID:");
	name->n = (size_t)(s->at - 1 - name->at);
	return true;
}

static int read_end(reader *r, end *e)
{
	odo_scan *s = &r->scan;
	uint64_t skipped;
	if (!take_type(s, &e->type))
		return odo_scan_expected(s, "an end of a cable such as { SW Ports:08 ...");
	if (!take_hex_field(s, " Ports:", 1, ODO_MAX_PORTS, &e->n_ports))
		return odo_scan_expected(s, "Ports:01 to FE");
	if (!take_any_hex(s, " SystemGUID:", &skipped) ||
	    !take_hex_field(s, " NodeGUID:", 1, UINT64_MAX, &e->node_guid) ||
	    !take_any_hex(s, " PortGUID:", &e->port_guid))
		return odo_scan_expected(s, "SystemGUID, NodeGUID and PortGUID");
	if (!take_any_hex(s, " VenID:", &skipped) || !take_any_hex(s, " DevID:", &skipped) ||
	    !take_any_hex(s, " Rev:", &skipped))
		return odo_scan_expected(s, "VenID, DevID and Rev");
	if (!take_description(s, &e->name))
		return odo_scan_expected(s, "a node's name in braces and its LID");
	if (!take_hex_field(s, " LID:", 0, UINT16_MAX, &e->lid))
		return odo_scan_expected(s, "a LID up to BFFF");
	if (e->lid >= ODO_LID_LIMIT) {
		odo_ledger_add(r->ledger, e->lid == UINT16_MAX ? ODO_REPAIR_NO_LID : ODO_REPAIR_LID,
			       s->line, "LID %" PRIu64, e->lid);
		e->lid = 0;
	}
	if (!take_hex_field(s, " PN:", 1, e->n_ports, &e->port))
		return odo_scan_expected(s, "PN: and one of the node's ports");
	if (!odo_take(s, " } "))
		return odo_scan_expected(s, "a closing brace");
	return 0;
}

/* Compare a line with the first line of the same node: name, and for the same port LID and GUID. If
 * they differ, a line was damaged, and the first one counts. */
static void compare_lines(const reader *r, const known *k, const end *e)
{
	bool same_port = e->type == ODO_SWITCH || e->port == k->seen.port;
	if (odo_text_equal(k->seen.name, e->name) &&
	    (!same_port || (k->seen.lid == e->lid && k->seen.port_guid == e->port_guid)))
		return;
	odo_ledger_add(r->ledger, ODO_REPAIR_LINE, r->scan.line,
		       "name, LID or GUID of \"%.*s\" is not as at line %u",
		       (int)(e->name.n < 24 ? e->name.n : 24), e->name.at, k->line);
}

/* Find the node of an end, or add it. All lines must give it the same type and ports. */
static int find_node(reader *r, const end *e, uint32_t *id)
{
	uint32_t at = r->table_size ? *find_guid_slot(r, e->node_guid) : 0;
	int status = at ? 0 : add_lst_node(r, e);
	if (status)
		return status;
	*id = at ? at - 1 : (uint32_t)r->n - 1;
	const known *k = &r->nodes[*id];
	if (k->seen.type != e->type || k->seen.n_ports != e->n_ports)
		return odo_scan_fail(&r->scan,
				     "expected node 0x%016" PRIx64 " as at line %u, found it with "
				     "another type or number of ports",
				     e->node_guid, k->line);
	compare_lines(r, k, e);
	if (e->type == ODO_SWITCH)
		return 0;
	return odo_builder_port(r->b, *id, (unsigned)e->port, e->port_guid, (uint16_t)e->lid, 0,
				r->scan.err)
		       ? odo_scan_within(&r->scan)
		       : 0;
}

/* Read PHY=4x LOG=ACT SPD=2.5. "??" is unknown. */
static int read_lst_link(reader *r, odo_link_info *info)
{
	odo_scan *s = &r->scan;
	odo_text state, speed;
	uint64_t width = 0;
	if (!odo_take(s, "PHY=") ||
	    !(odo_take_number(s, 10, &width) ? odo_take(s, "x") : odo_take(s, "??")))
		return odo_scan_expected(s, "PHY= and a width such as 4x");
	if (!odo_take(s, " LOG="))
		return odo_scan_expected(s, "LOG= and the link's state");
	odo_take_word(s, &state);
	if (!odo_take(s, " SPD="))
		return odo_scan_expected(s, "SPD= and the link's speed");
	odo_take_word(s, &speed);
	info->width = width <= 12 ? (uint8_t)width : 0;
	info->speed = (uint8_t)cables_speed(speed);
	return 0;
}

/* Add a cable. It is omitted if earlier lines cable its ends to other ports. */
static int link_lst_ends(reader *r, const end *near, uint32_t near_id, const end *far,
			 uint32_t far_id, odo_link_info info)
{
	odo_error why;
	uint32_t differ = odo_builder_rates_differ(r->b);
	int status = odo_builder_link(r->b, near_id, (unsigned)near->port, far_id,
				      (unsigned)far->port, info, &why);
	if (status == ODO_ENOMEM)
		return odo_scan_no_memory(&r->scan);
	if (status) {
		odo_ledger_add(r->ledger, ODO_REPAIR_DISAGREE, r->scan.line, "%.70s", why.text);
		return 0;
	}
	odo_set_bit(r->nodes[near_id].near, (uint32_t)near->port);
	odo_set_bit(r->nodes[far_id].far, (uint32_t)far->port);
	if (odo_builder_rates_differ(r->b) > differ)
		odo_ledger_add(r->ledger, ODO_REPAIR_RATE, r->scan.line, NULL);
	return 0;
}

static int read_lst_cable(reader *r)
{
	end near, far;
	uint32_t near_id, far_id;
	odo_link_info info = {0};
	int status = read_end(r, &near);
	if (!status)
		status = read_end(r, &far);
	if (!status)
		status = read_lst_link(r, &info);
	if (!status)
		status = find_node(r, &near, &near_id);
	if (!status)
		status = find_node(r, &far, &far_id);
	if (status)
		return status;
	return link_lst_ends(r, &near, near_id, &far, far_id, info);
}

/* Record ports that no line begins with. Cables are usually listed from both ends. */
static void note_one_ends(reader *r, const known *k)
{
	for (unsigned i = 0; i < 4; i++) {
		uint64_t missing = k->far[i] & ~k->near[i];
		for (; missing; missing &= missing - 1)
			odo_ledger_add(r->ledger, ODO_REPAIR_ONE_END, k->line,
				       "no line for \"%.*s\" port %u", odo_text_print(k->seen.name),
				       i * 64 + odo_lowest_bit(missing));
	}
}

/* Read a line. A line that is no cable is ignored, and recorded. */
static int read_lst_line(reader *r, odo_error *err)
{
	odo_error why;
	odo_scan *s = &r->scan;
	odo_skip_blanks(s);
	if (odo_at_end(s) || odo_peek(s) == '#')
		return 0;
	odo_scan start = *s;
	s->err = &why;
	int status = read_lst_cable(r);
	s->err = err;
	status = odo_count_line(&r->lines, &start, status, &why, r->ledger);
	return status ? odo_fail(err, status, "%s", why.text) : 0;
}

int odo_lst_read(const char *text, size_t size, const char *origin, odo_builder *b, odo_error *err)
{
	reader r = {.scan = {.origin = origin, .rest = text, .limit = text + size, .err = err},
		    .b = b,
		    .ledger = odo_builder_ledger(b)};
	int status = 0;
	while (!status && odo_next_line(&r.scan))
		status = read_lst_line(&r, err);
	if (!status && r.lines.n_strange > r.lines.n_understood)
		status = odo_fail(err, ODO_EINPUT, "%s", r.lines.strange.text);
	for (size_t i = 0; i < r.n && !status; i++)
		note_one_ends(&r, &r.nodes[i]);
	free(r.nodes);
	free(r.table);
	return status;
}

bool odo_lst_recognise(const char *text, size_t size)
{
	enum { HEAD = 65536 }; /* warnings may precede the first cable */
	odo_scan s = {.rest = text, .limit = text + (size < HEAD ? size : HEAD)};
	odo_node_type type;
	while (odo_next_line(&s)) {
		odo_skip_blanks(&s);
		odo_scan look = s;
		if (take_type(&look, &type) && odo_take(&look, " Ports:"))
			return true;
	}
	return false;
}
