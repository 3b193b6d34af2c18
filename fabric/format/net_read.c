/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reader of ibnetdiscover's output, ibdiagnet's file of the same form, and ibsim's net files.
 *
 *   switchguid=0x200002(200002)
 *   Switch 8 "S-0000000000200002"  # "S1_0" base port 0 lid 4 lmc 0
 *   [1] "H-0000000000100004"[1](100005)  # "H2" lid 7 4xSDR
 *
 * Both programs write LIDs, widths and speeds after a '#', which starts a comment for the other
 * program. Unexpected text there counts as unknown. A line that is not understood is ignored, and
 * recorded: other lines may have its node or cable (net_join.c). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/format/formats.h"
#include "fabric/format/net.h"
#include "base/hash.h"
#include "base/memory.h"
#include "fabric/format/talk.h"
#include "fabric/port_info.h"

/* Counters for GUIDs of nodes without one, by ibsim's rule. */
typedef struct guid_counters {
	uint64_t base[3], next[3]; /* by odo_node_type */
	uint64_t second;           /* GUID in parentheses after the next node's; 0 for none */
	bool given;                /* a line gives the GUID of the next node */
} guid_counters;

typedef struct reader {
	net_file file;
	guid_counters guids;
	odo_line_count lines;
	bool in_record;
	uint32_t n_rated, n_unrated, first_unrated; /* commented ports with a rate, and without */
} reader;

enum { NO_LID = 0xFFFF };

/* Bytes in which a line must show the format: warnings may precede it. */
enum { HEAD = 65536 };

static int add_record(net_file *file, const net_record *record)
{
	if (odo_grow(&file->records, &file->records_room, file->n_records + 1,
		     sizeof *file->records) ||
	    odo_grow(&file->claims, &file->claims_room, file->n_claims + record->n_ports,
		     sizeof *file->claims))
		return odo_scan_no_memory(&file->scan);
	net_record *added = &file->records[file->n_records++];
	*added = *record;
	added->line = file->scan.line;
	added->scan = file->n_scans;
	added->first_claim = (uint32_t)file->n_claims;
	memset(file->claims + file->n_claims, 0, record->n_ports * sizeof *file->claims);
	file->n_claims += record->n_ports;
	return 0;
}

/* Read a LID and an LMC; 0 for values that no port can have. */
static void read_lid(net_file *file, odo_scan *s, uint16_t *lid, uint8_t *lmc)
{
	uint64_t n;
	if (odo_take(s, "lid ") && odo_take_number(s, 10, &n)) {
		if (n == NO_LID)
			odo_ledger_add(file->ledger, ODO_REPAIR_NO_LID, s->line, NULL);
		else if (n >= ODO_LID_LIMIT)
			odo_ledger_add(file->ledger, ODO_REPAIR_LID, s->line, "LID %" PRIu64, n);
		*lid = n < ODO_LID_LIMIT ? (uint16_t)n : 0;
		file->says_lids |= *lid != 0;
	}
	odo_skip_blanks(s);
	if (odo_take(s, "lmc ") && odo_take_number(s, 10, &n)) {
		if (n > 7)
			odo_ledger_add(file->ledger, ODO_REPAIR_LID, s->line, "LMC %" PRIu64, n);
		*lmc = n > 7 ? 0 : (uint8_t)n;
	}
}

/* Read: # "S1_0" enhanced port 0 lid 4 lmc 0 */
static void read_description(net_file *file, odo_scan s, net_record *node)
{
	odo_text quoted;
	if (odo_take_quoted_all(&s, &quoted))
		node->name = quoted;
	odo_skip_blanks(&s);
	bool enhanced = odo_take(&s, "enhanced port 0 ");
	if (node->type != ODO_SWITCH || !(enhanced || odo_take(&s, "base port 0 ")))
		return;
	read_lid(file, &s, &node->lid, &node->lmc);
	if (!enhanced) /* a base port 0 has a single LID */
		node->lmc = 0;
}

bool net_id_says(odo_text id, odo_node_type *type, uint64_t *guid)
{
	static const char *const starts[] = {
		[ODO_SWITCH] = "S-", [ODO_CA] = "H-", [ODO_ROUTER] = "R-"};
	odo_scan s = {.at = id.at, .end = id.at + id.n};
	for (unsigned i = 0; i < sizeof starts / sizeof *starts; i++) {
		if (!odo_take(&s, starts[i]))
			continue;
		*type = (odo_node_type)i;
		return odo_take_number(&s, 16, guid) && odo_at_end(&s);
	}
	return false;
}

/* Return the GUID of the next node. If a line has two, the one in the node's id counts: for chips
 * of a director, ibdiagnet writes the GUID of the whole system first. */
static uint64_t next_guid(guid_counters *g, odo_node_type type, unsigned n_ports, odo_text id)
{
	odo_node_type said;
	uint64_t guid = g->next[type], second = g->second, own;
	g->next[type] += type == ODO_SWITCH ? 1 : n_ports + 1;
	g->second = 0;
	g->given = false;
	return second && net_id_says(id, &said, &own) && own == second ? second : guid;
}

/* Read: Switch 8 "S-0000000000200002"  # "S1_0" base port 0 lid 4 lmc 0 */
static int read_node(reader *r, odo_node_type type)
{
	odo_scan *s = &r->file.scan;
	net_record node = {.type = (uint8_t)type};
	uint64_t n_ports;
	r->in_record = false;
	odo_skip_blanks(s);
	odo_scan start = *s;
	if (!odo_take_number(s, 10, &n_ports) || !n_ports || n_ports > ODO_MAX_PORTS)
		return odo_scan_expected(&start, "1 to 254 ports");
	odo_skip_blanks(s);
	if (!odo_take_quoted(s, &node.id) || !node.id.n)
		return odo_scan_expected(s, "a node's name in quotes");
	node.name = node.id;
	node.n_ports = (uint32_t)n_ports;
	odo_skip_blanks(s);
	if (odo_take(s, "#")) {
		odo_skip_blanks(s);
		read_description(&r->file, *s, &node);
	}
	node.counted = !r->guids.given;
	node.guid = next_guid(&r->guids, type, node.n_ports, node.id);
	int status = add_record(&r->file, &node);
	r->in_record = !status;
	return status;
}

/* Read: lid 4 4xSDR s=1 w=2 v=4 */
static void read_far_link(odo_scan s, net_claim *c)
{
	uint64_t n;
	odo_text speed;
	odo_skip_blanks(&s);
	if (!odo_take(&s, "lid ") || !odo_take_number(&s, 10, &n))
		return;
	c->far_lid = n < ODO_LID_LIMIT ? (uint16_t)n : 0;
	odo_skip_blanks(&s);
	if (odo_take_number(&s, 10, &n) && n <= 12 && odo_take(&s, "x")) {
		c->info.width = (uint8_t)n;
		odo_take_word(&s, &speed);
		c->info.speed = (uint8_t)odo_speed_named(speed.at, speed.n);
	}
	while (odo_skip_to(&s, " v="))
		if (odo_take_number(&s, 10, &n) && n <= ODO_MAX_VL_CODE)
			c->info.n_vls = odo_port_vls((unsigned)n);
}

/* Take "[2]", and perhaps the "[ext 5]" of a chassis. */
static bool take_port_number(odo_scan *s, uint64_t *port)
{
	uint64_t ext;
	if (!odo_take(s, "[") || !odo_take_number(s, 10, port) || !odo_take(s, "]"))
		return false;
	if (odo_take(s, "[ext "))
		return odo_take_number(s, 10, &ext) && odo_take(s, "]");
	return true;
}

/* Take "(100005)" if it is there. */
static bool take_guid(odo_scan *s, uint64_t *guid)
{
	if (!odo_take(s, "("))
		return true;
	return odo_take_number(s, 16, guid) && odo_take(s, ")");
}

static void count_rate(reader *r, const net_claim *c, uint32_t line)
{
	r->n_rated += c->info.width != 0;
	if (!c->info.width && !r->n_unrated++)
		r->first_unrated = line;
}

/* Record lines without a rate as cut off, if other lines have rates. */
static void note_cut_lines(const reader *r)
{
	for (uint32_t i = 0; r->n_rated && i < r->n_unrated; i++)
		odo_ledger_add(r->file.ledger, ODO_REPAIR_LINE, r->first_unrated,
			       "its end, with a LID or a rate, is cut off");
}

/* # lid 7 lmc 0 "S1_0" lid 4 4xSDR, or ibsim's w=1 s=2 */
static void read_port_rest(reader *r, odo_scan s, net_claim *c)
{
	net_file *file = &r->file;
	odo_scan options = s;
	odo_skip_to(&s, "#");
	odo_skip_blanks(&s);
	read_lid(file, &s, &c->lid, &c->lmc);
	odo_skip_blanks(&s);
	bool commented = odo_peek(&s) == '"';
	if (odo_take_quoted_all(&s, &c->far_name))
		read_far_link(s, c);
	if (commented)
		count_rate(r, c, s.line);
	if (c->info.width)
		return;
	net_read_enabled(options, &c->enabled);
	file->says_enabled |= c->enabled.width || c->enabled.speed || c->enabled.extended;
}

/* Store a claim. A port that is listed again with the same far end is listed once. */
static void put_claim(net_file *file, net_claim *at, const net_claim *read, unsigned port)
{
	bool differs = at->far.at &&
		       (!odo_text_equal(at->far, read->far) || at->far_port != read->far_port);
	if (differs || at->twice)
		odo_ledger_add(file->ledger, ODO_REPAIR_PORT, read->line,
			       "port %u is also at line %u", port, at->line);
	if (differs)
		*at = (net_claim){.line = at->line, .twice = true};
	else if (!at->twice)
		*at = *read;
}

/* Read: [1](100005)  "S-0000000000200002"[1]  # lid 7 lmc 0 "S1_0" lid 4 4xSDR */
static int read_port_line(reader *r)
{
	net_file *file = &r->file;
	odo_scan *s = &file->scan, start = *s;
	if (!r->in_record)
		return odo_scan_expected(s, "a node before its ports");
	const net_record *node = &file->records[file->n_records - 1];
	net_claim c = {.line = s->line};
	uint64_t port, far_port = 1;
	if (!take_port_number(s, &port) || !take_guid(s, &c.guid))
		return odo_scan_expected(&start, "a port such as [1]");
	odo_skip_blanks(s);
	start = *s;
	/* a missing port means port 1 in ibsim */
	if (!odo_take_quoted(s, &c.far) ||
	    (odo_peek(s) == '[' && !take_port_number(s, &far_port)) || !take_guid(s, &c.far_guid))
		return odo_scan_expected(&start, "the other end, such as \"S1\"[2]");
	c.far_port = far_port > UINT32_MAX ? UINT32_MAX : (uint32_t)far_port; /* out of range */
	read_port_rest(r, *s, &c);
	if (port < 1 || port > node->n_ports)
		odo_ledger_add(file->ledger, ODO_REPAIR_PORT, s->line,
			       "expected a port from 1 to %u, found %" PRIu64, node->n_ports, port);
	else
		put_claim(file, &file->claims[node->first_claim + port - 1], &c, (unsigned)port);
	return 0;
}

/* Read switchguid=0x200002(200002), the GUID of the next node. ibsim writes + for relative ones. */
static int read_guid(reader *r, odo_node_type type)
{
	odo_scan *s = &r->file.scan, start = *s;
	uint64_t guid;
	r->in_record = false;
	bool relative = odo_take(s, "+");
	if (!(relative || odo_take(s, "=")) || !odo_take_number(s, 0, &guid))
		return odo_scan_expected(&start, "a GUID such as =0x200002");
	if (!relative)
		r->guids.base[type] = guid;
	r->guids.next[type] = relative ? r->guids.base[type] + guid : guid;
	r->guids.second = 0;
	r->guids.given = r->file.says_guids = true;
	return take_guid(s, &r->guids.second)
		       ? 0
		       : odo_scan_expected(&start, "a GUID such as =0x200002(200002)");
}

/* Kind of a line, by its beginning. */
typedef enum line_kind { NODE, GUID, USUAL, IGNORED, UNSUPPORTED } line_kind;

static const struct line_row {
	const char *start;
	line_kind kind;
	odo_node_type type;
} line_rows[] = {
	{"switchguid", GUID, ODO_SWITCH},
	{"hcaguids", GUID, ODO_CA},
	{"caguid", GUID, ODO_CA},
	{"rtguid", GUID, ODO_ROUTER},
	{"Switch", NODE, ODO_SWITCH},
	{"Hca", NODE, ODO_CA},
	{"Ca", NODE, ODO_CA},
	{"Rt", NODE, ODO_ROUTER},
	{"width=", USUAL, 0},
	{"speed=", USUAL, 0},
	{"extspeed=", USUAL, 0},
	{"vendid=", IGNORED, 0},
	{"devid=", IGNORED, 0},
	{"sysimgguid=", IGNORED, 0},
	{"pdebug", IGNORED, 0},
	{"Chassis ", IGNORED, 0}, /* ibnetdiscover -g */
	{"Non-Chassis Nodes", IGNORED, 0},
	{"include", UNSUPPORTED, 0},
	{"module", UNSUPPORTED, 0},
	{"do ", UNSUPPORTED, 0},
	{"@", UNSUPPORTED, 0},
};

/* Return true for "Switch 8 ...", but not for "Switch: ..." of another tool. */
static bool starts_with_row(const odo_scan *s, const struct line_row *row)
{
	odo_scan look = *s;
	return odo_take(&look, row->start) &&
	       (row->kind != NODE || odo_peek(&look) == ' ' || odo_peek(&look) == '\t');
}

static const struct line_row *find_line_row(const odo_scan *s)
{
	for (size_t i = 0; i < sizeof line_rows / sizeof *line_rows; i++)
		if (starts_with_row(s, &line_rows[i]))
			return &line_rows[i];
	return NULL;
}

/* Read width=2, speed=4 or extspeed=8: defaults of all following ports in ibsim. */
static int read_usual(net_file *file)
{
	odo_scan s = file->scan;
	uint64_t n;
	uint8_t *to = *s.at == 'w'   ? &file->usual.width
		      : *s.at == 's' ? &file->usual.speed
				     : &file->usual.extended;
	odo_skip_to(&s, "=");
	if (!odo_take_number(&s, 0, &n) || n > 31)
		return odo_scan_expected(&s, "bits of a width or speed, up to 31");
	*to = (uint8_t)n;
	file->says_enabled = true;
	return 0;
}

/* Read a comment. The comment at the beginning of a scan counts scans. */
static void read_comment(net_file *file)
{
	odo_scan s = file->scan;
	bool last = file->n_records && file->records[file->n_records - 1].scan == file->n_scans;
	if (last && odo_take(&s, "# Topology file: "))
		file->n_scans++;
}

static int read_row_line(reader *r, const struct line_row *row)
{
	odo_scan *s = &r->file.scan;
	if (row->kind == USUAL)
		return read_usual(&r->file);
	odo_take(s, row->start);
	return row->kind == NODE   ? read_node(r, row->type)
	       : row->kind == GUID ? read_guid(r, row->type)
				   : 0;
}

/* @return ODO_EINPUT for a line that is not understood */
static int read_net_line(reader *r)
{
	odo_scan *s = &r->file.scan;
	if (odo_peek(s) == '[')
		return read_port_line(r);
	const struct line_row *row = find_line_row(s);
	if (row)
		return read_row_line(r, row);
	return odo_scan_expected(s, "a node type (Switch, Ca, Rt), a port or a GUID");
}

static int read_net_lines(reader *r, odo_error *err)
{
	odo_error why;
	odo_scan *s = &r->file.scan;
	s->err = &why;
	while (odo_next_line(s)) {
		odo_skip_blanks(s);
		odo_scan start = *s;
		if (odo_at_end(s)) {
			r->in_record = false;
			continue;
		}
		if (odo_peek(s) == '#') {
			read_comment(&r->file);
			continue;
		}
		const struct line_row *row = find_line_row(s);
		if (row && row->kind == UNSUPPORTED)
			return odo_fail(err, ODO_EINPUT,
					"%s:%u: expected nodes and ports, found ibsim's \"%s\", "
					"which is not supported",
					s->origin, s->line, row->start);
		int status = odo_count_line(&r->lines, &start, read_net_line(r), &why,
					    r->file.ledger);
		if (status)
			return odo_fail(err, status, "%s", why.text);
	}
	s->err = err;
	return 0;
}

/* Refuse a file with more strange than understood lines: it is of another format. */
static int check_understood(const reader *r, odo_error *err)
{
	const odo_line_count *n = &r->lines;
	if (n->n_strange && (!r->file.n_records || n->n_strange > n->n_understood))
		return odo_fail(err, ODO_EINPUT, "%s", n->strange.text);
	if (!r->file.n_records)
		return odo_fail(err, ODO_EINPUT, "%s:%u: expected a node, found none",
				r->file.scan.origin, r->file.scan.line);
	return 0;
}

int odo_net_read(const char *text, size_t size, const char *origin, odo_builder *b, odo_error *err)
{
	reader r = {.file = {.scan = {.origin = origin, .rest = text, .limit = text + size},
			     .ledger = odo_builder_ledger(b)}};
	/* ibsim's start values; a router gets a GUID only if the file gives one */
	r.guids.base[ODO_SWITCH] = r.guids.next[ODO_SWITCH] = 0x200000;
	r.guids.base[ODO_CA] = r.guids.next[ODO_CA] = 0x100000;
	int status = read_net_lines(&r, err);
	if (!status)
		status = check_understood(&r, err);
	if (!status)
		note_cut_lines(&r);
	if (!status)
		status = net_put_together(&r.file, b);
	free(r.file.records);
	free(r.file.claims);
	free(r.file.table);
	return status;
}

bool odo_ibnetdiscover_recognise(const char *text, size_t size)
{
	static const char mark[] = "# Topology file: ";
	return memmem(text, size < HEAD ? size : HEAD, mark, sizeof mark - 1) != NULL;
}

/* Return true for "Switch 8 ..." and "Ca 1 ...". Without a number the line is prose. */
static bool is_node_line(odo_scan s, const struct line_row *row)
{
	uint64_t n;
	odo_take(&s, row->start);
	odo_skip_blanks(&s);
	return odo_take_number(&s, 10, &n);
}

bool odo_net_recognise(const char *text, size_t size)
{
	odo_scan s = {.rest = text, .limit = text + (size < HEAD ? size : HEAD)};
	bool first = true;
	while (odo_next_line(&s)) {
		odo_skip_blanks(&s);
		if (odo_at_end(&s) || odo_peek(&s) == '#')
			continue;
		const struct line_row *row = find_line_row(&s);
		if (row &&
		    (row->kind == NODE ? is_node_line(s, row)
				       : row->kind == GUID || (first && row->kind != IGNORED)))
			return true;
		first = false;
	}
	return false;
}
