/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads ibnetdiscover's output, ibdiagnet's file of the same form, and ibsim's net files.
 *
 *   switchguid=0x200002(200002)
 *   Switch	8 "S-0000000000200002"		# "S1_0" base port 0 lid 4 lmc 0
 *   [1]	"H-0000000000100004"[1](100005) 	# "H2" lid 7 4xSDR
 *
 * Both programs put LIDs, widths and speeds into what is a comment to each other, so there
 * anything unexpected means unknown. Elsewhere it is an error, but for what sites' files are known
 * to hold (struct oddities). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/format/formats.h"
#include "base/hash.h"
#include "base/memory.h"
#include "fabric/format/scan.h"
#include "fabric/format/talk.h"

/* What a node's record says of one port, resolved when all nodes are known. */
typedef struct claim {
	odo_text far; /* id of the node at the other end; NULL where the port is not listed */
	uint32_t far_port, line;
	odo_link_info info;
} claim;

typedef struct record {
	odo_text id;
	uint32_t line, first_claim, n_ports;
} record;

/* GUIDs of nodes that give none, counted on by ibsim's rule. */
typedef struct guid_counters {
	uint64_t base[3], next[3]; /* by odo_node_type */
	uint64_t second;           /* in parentheses behind that of the next node; 0 for none */
} guid_counters;

/* What is passed over, and told. */
typedef struct oddities {
	odo_oddity talk;   /* a line of a shell or of a library, which was saved with the rest */
	odo_oddity no_lid; /* a port that initialises has LID 65535 */
	odo_oddity
		one_end; /* a cable that only one of its ends lists: links come and go meanwhile */
} oddities;

typedef struct reader {
	odo_scan scan;
	odo_builder *b;
	record *records;
	size_t n_records, records_room;
	claim *claims;
	size_t n_claims, claims_room;
	uint32_t *table; /* open addressing: record + 1, or 0 */
	size_t table_size;
	guid_counters guids;
	oddities odd;
	bool in_record;
} reader;

enum { NO_LID = 0xFFFF };

/* Warnings may stand before what a program prints first. */
enum { HEAD = 65536 };

static int no_memory(reader *r)
{
	return odo_fail(r->scan.err, ODO_ENOMEM, "%s: no memory at line %u", r->scan.origin,
			r->scan.line);
}

/* The slot of the table that holds the node, or where it belongs. */
static uint32_t *look_up(const reader *r, odo_text id)
{
	size_t at = odo_hash_place(odo_hash_bytes(id.at, id.n), r->table_size);
	while (r->table[at] && !odo_text_equal(r->records[r->table[at] - 1].id, id))
		at = (at + 1) & (r->table_size - 1);
	return &r->table[at];
}

static int grow_table(reader *r)
{
	if (2 * (r->n_records + 1) <= r->table_size)
		return 0;
	free(r->table);
	r->table_size = r->table_size ? 2 * r->table_size : 1024;
	r->table = odo_new(r->table_size, sizeof *r->table);
	if (!r->table)
		return no_memory(r);
	for (size_t i = 0; i < r->n_records; i++)
		*look_up(r, r->records[i].id) = (uint32_t)i + 1;
	return 0;
}

static int add_record(reader *r, odo_text id, uint32_t n_ports)
{
	if (grow_table(r))
		return ODO_ENOMEM;
	uint32_t *at = look_up(r, id);
	if (*at)
		return odo_scan_fail(&r->scan,
				     "expected a node of its own, found \"%.*s\" again, which is "
				     "also at line %u",
				     odo_text_print(id), r->records[*at - 1].line);
	if (odo_grow(&r->records, &r->records_room, r->n_records + 1, sizeof *r->records) ||
	    odo_grow(&r->claims, &r->claims_room, r->n_claims + n_ports, sizeof *r->claims))
		return no_memory(r);
	r->records[r->n_records] = (record){id, r->scan.line, (uint32_t)r->n_claims, n_ports};
	memset(r->claims + r->n_claims, 0, n_ports * sizeof *r->claims);
	r->n_claims += n_ports;
	*at = (uint32_t)++r->n_records;
	return 0;
}

static int read_lid(reader *r, odo_scan *s, uint16_t *lid, uint8_t *lmc)
{
	uint64_t n;
	if (odo_take(s, "lid ") && odo_take_number(s, 10, &n)) {
		if (n == NO_LID) {
			odo_scan_odd(&r->scan, &r->odd.no_lid);
			n = 0;
		}
		if (n >= ODO_LID_LIMIT)
			return odo_scan_fail(&r->scan, "expected a LID up to %u, found %" PRIu64,
					     ODO_LID_LIMIT - 1, n);
		*lid = (uint16_t)n;
	}
	odo_skip_blanks(s);
	if (odo_take(s, "lmc ") && odo_take_number(s, 10, &n)) {
		if (n > 7)
			return odo_scan_fail(&r->scan, "expected an LMC up to 7, found %" PRIu64,
					     n);
		*lmc = (uint8_t)n;
	}
	return 0;
}

/* # "S1_0" enhanced port 0 lid 4 lmc 0 */
static int read_description(reader *r, odo_scan s, odo_node_info *info, odo_text *name)
{
	odo_text quoted;
	if (odo_take_quoted_all(&s, &quoted))
		*name = quoted;
	odo_skip_blanks(&s);
	bool enhanced = odo_take(&s, "enhanced port 0 ");
	if (info->type != ODO_SWITCH || !(enhanced || odo_take(&s, "base port 0 ")))
		return 0;
	int status = read_lid(r, &s, &info->lid, &info->lmc);
	if (!enhanced) /* a base port 0 has one LID, whatever a file says */
		info->lmc = 0;
	return status;
}

/* "S-0000000000200002" */
static bool id_holds(odo_text id, uint64_t guid)
{
	odo_scan s = {.at = id.at, .end = id.at + id.n};
	uint64_t number;
	return (odo_take(&s, "S-") || odo_take(&s, "H-") || odo_take(&s, "R-")) &&
	       odo_take_number(&s, 16, &number) && odo_at_end(&s) && number == guid;
}

/* Of two GUIDs the node's is the one in its id: for the chips of a director, ibdiagnet has that of
 * the whole system in front of it. */
static uint64_t next_guid(guid_counters *g, odo_node_type type, unsigned n_ports, odo_text id)
{
	uint64_t guid = g->next[type], second = g->second;
	g->next[type] += type == ODO_SWITCH ? 1 : n_ports + 1;
	g->second = 0;
	return second && id_holds(id, second) ? second : guid;
}

static int add_node(reader *r, odo_node_info *info, odo_text name)
{
	uint32_t id;
	char *copy = odo_new(name.n + 1, 1);
	if (!copy)
		return no_memory(r);
	memcpy(copy, name.at, name.n);
	info->name = copy;
	int status = odo_builder_add(r->b, info, &id, r->scan.err);
	free(copy);
	return status ? odo_scan_within(&r->scan) : 0;
}

/* Switch	8 "S-0000000000200002"		# "S1_0" base port 0 lid 4 lmc 0 */
static int read_node(reader *r, odo_node_type type)
{
	odo_scan *s = &r->scan;
	odo_node_info info = {.type = type};
	odo_text id, name;
	uint64_t n_ports;
	odo_skip_blanks(s);
	odo_scan start = *s;
	if (!odo_take_number(s, 10, &n_ports) || !n_ports || n_ports > ODO_MAX_PORTS)
		return odo_scan_expected(&start, "1 to 254 ports");
	odo_skip_blanks(s);
	if (!odo_take_quoted(s, &id) || !id.n)
		return odo_scan_expected(s, "a node's name in quotes");
	name = id;
	odo_skip_blanks(s);
	if (odo_take(s, "#")) {
		odo_skip_blanks(s);
		int status = read_description(r, *s, &info, &name);
		if (status)
			return status;
	} else if (!odo_at_end(s)) {
		return odo_scan_expected(s, "the end of the line or a comment");
	}
	info.n_ports = (unsigned)n_ports;
	info.guid = next_guid(&r->guids, type, info.n_ports, id);
	int status = add_record(r, id, info.n_ports);
	if (!status)
		status = add_node(r, &info, name);
	r->in_record = !status;
	return status;
}

/* ... lid 4 4xSDR s=1 w=2 v=4 */
static void read_link(odo_scan s, odo_link_info *info)
{
	static const uint8_t vls[] = {0, 1, 2, 4, 8, 15}; /* by VLCap code */
	uint64_t n;
	odo_text speed;
	odo_skip_blanks(&s);
	if (!odo_take(&s, "lid ") || !odo_take_number(&s, 10, &n))
		return;
	odo_skip_blanks(&s);
	if (odo_take_number(&s, 10, &n) && n <= 12 && odo_take(&s, "x")) {
		info->width = (uint8_t)n;
		odo_take_word(&s, &speed);
		info->speed = (uint8_t)odo_speed_named(speed.at, speed.n);
	}
	while (odo_skip_to(&s, " v="))
		if (odo_take_number(&s, 10, &n) && n < sizeof vls)
			info->n_vls = vls[n];
}

/* "[2]", and perhaps the "[ext 5]" of a chassis */
static bool take_port(odo_scan *s, uint64_t *port)
{
	uint64_t ext;
	if (!odo_take(s, "[") || !odo_take_number(s, 10, port) || !odo_take(s, "]"))
		return false;
	if (odo_take(s, "[ext "))
		return odo_take_number(s, 10, &ext) && odo_take(s, "]");
	return true;
}

/* "(100005) ", or nothing */
static bool take_guid(odo_scan *s, uint64_t *guid)
{
	if (!odo_take(s, "("))
		return true;
	return odo_take_number(s, 16, guid) && odo_take(s, ")");
}

static int read_port_comment(reader *r, odo_scan s, uint64_t port, uint64_t guid, claim *c)
{
	uint16_t lid = 0;
	uint8_t lmc = 0;
	odo_text quoted;
	odo_skip_blanks(&s);
	int status = read_lid(r, &s, &lid, &lmc);
	if (!status && (lid || guid))
		status = odo_builder_port(r->b, (uint32_t)r->n_records - 1, (unsigned)port, guid,
					  lid, lmc, r->scan.err);
	if (status)
		return status;
	odo_skip_blanks(&s);
	if (odo_take_quoted_all(&s, &quoted))
		read_link(s, &c->info);
	return 0;
}

/* [1](100005) 	"S-0000000000200002"[1]		# lid 7 lmc 0 "S1_0" lid 4 4xSDR */
static int read_port(reader *r)
{
	odo_scan *s = &r->scan, start = *s;
	if (!r->in_record)
		return odo_scan_expected(s, "a node before its ports");
	record *node = &r->records[r->n_records - 1];
	uint64_t port, far_port = 1, guid = 0, far_guid;
	odo_text far;
	if (!take_port(s, &port) || !take_guid(s, &guid))
		return odo_scan_expected(&start, "a port such as [1]");
	if (port < 1 || port > node->n_ports)
		return odo_scan_fail(s, "expected a port from 1 to %u, found %" PRIu64,
				     node->n_ports, port);
	odo_skip_blanks(s);
	start = *s;
	/* ibsim takes a missing port for port 1. */
	if (!odo_take_quoted(s, &far) || (odo_peek(s) == '[' && !take_port(s, &far_port)) ||
	    !take_guid(s, &far_guid))
		return odo_scan_expected(&start, "the other end, such as \"S1\"[2]");
	claim *c = &r->claims[node->first_claim + port - 1];
	if (c->far.at)
		return odo_scan_fail(s,
				     "expected each port once, found port %" PRIu64
				     " again, which is cabled twice: also at line %u",
				     port, c->line);
	if (far_port > UINT32_MAX) /* any port out of range will do */
		far_port = UINT32_MAX;
	*c = (claim){.far = far, .far_port = (uint32_t)far_port, .line = s->line};
	odo_skip_to(s, "#");
	return read_port_comment(r, *s, port, guid, c);
}

/* switchguid=0x200002(200002): the GUID of the next node; + for ibsim's relative ones */
static int read_guid(reader *r, odo_node_type type)
{
	odo_scan *s = &r->scan, start = *s;
	uint64_t guid;
	bool relative = odo_take(s, "+");
	if (!(relative || odo_take(s, "=")) || !odo_take_number(s, 0, &guid))
		return odo_scan_expected(&start, "a GUID such as =0x200002");
	if (!relative)
		r->guids.base[type] = guid;
	r->guids.next[type] = relative ? r->guids.base[type] + guid : guid;
	r->guids.second = 0;
	return take_guid(s, &r->guids.second)
		       ? 0
		       : odo_scan_expected(&start, "a GUID such as =0x200002(200002)");
}

/* What is known of a line by how it starts. */
typedef enum line_kind { NODE, GUID, IGNORED, UNSUPPORTED } line_kind;

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
	{"vendid=", IGNORED, 0},
	{"devid=", IGNORED, 0},
	{"sysimgguid=", IGNORED, 0},
	{"width=", IGNORED, 0},
	{"speed=", IGNORED, 0},
	{"extspeed=", IGNORED, 0},
	{"pdebug", IGNORED, 0},
	{"Chassis ", IGNORED, 0}, /* ibnetdiscover -g */
	{"Non-Chassis Nodes", IGNORED, 0},
	{"include", UNSUPPORTED, 0},
	{"module", UNSUPPORTED, 0},
	{"do ", UNSUPPORTED, 0},
	{"@", UNSUPPORTED, 0},
};

static int read_line(reader *r)
{
	odo_scan *s = &r->scan;
	if (odo_peek(s) == '#')
		return 0;
	if (!odo_at_end(s) && odo_is_talk(*s)) {
		odo_scan_odd(s, &r->odd.talk);
		return 0;
	}
	if (odo_peek(s) == '[')
		return read_port(r);
	r->in_record = false;
	odo_skip_blanks(s);
	if (odo_at_end(s))
		return 0;
	for (size_t i = 0; i < sizeof line_rows / sizeof *line_rows; i++) {
		const struct line_row *row = &line_rows[i];
		if (row->kind == UNSUPPORTED && odo_take(s, row->start))
			return odo_scan_fail(s,
					     "expected nodes and ports, found ibsim's \"%s\", "
					     "which is not supported",
					     row->start);
		if (odo_take(s, row->start))
			return row->kind == NODE   ? read_node(r, row->type)
			       : row->kind == GUID ? read_guid(r, row->type)
						   : 0;
	}
	return odo_scan_expected(s, "a node type (Switch, Ca, Rt), a port or a GUID");
}

/* The node that owns a claim, by bisection: records are in the order of their claims. */
static const record *owner(const reader *r, size_t at)
{
	size_t low = 0, high = r->n_records;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (r->records[middle].first_claim <= at)
			low = middle;
		else
			high = middle;
	}
	return &r->records[low];
}

static int leads_elsewhere(reader *r, const record *node, size_t at, const claim *back)
{
	const claim *c = &r->claims[at];
	unsigned port = (unsigned)(at - node->first_claim) + 1;
	return odo_scan_fail(&r->scan,
			     "expected \"%.*s\" port %u to be cabled to \"%.*s\" port %u, found it "
			     "cabled twice: at line %u to \"%.*s\" port %u",
			     odo_text_print(c->far), c->far_port, odo_text_print(node->id), port,
			     back->line, odo_text_print(back->far), back->far_port);
}

static uint8_t known(uint8_t a, uint8_t b)
{
	return a ? a : b;
}

static int link_ends(reader *r, const record *node, size_t at, const record *far, size_t far_at)
{
	const claim *c = &r->claims[at], *d = &r->claims[far_at];
	odo_link_info info = {.width = known(c->info.width, d->info.width),
			      .speed = known(c->info.speed, d->info.speed),
			      .n_vls = known(c->info.n_vls, d->info.n_vls)};
	if (d->info.n_vls && d->info.n_vls < info.n_vls) /* what both ends can */
		info.n_vls = d->info.n_vls;
	int status = odo_builder_link(r->b, (uint32_t)(node - r->records),
				      (unsigned)(at - node->first_claim) + 1,
				      (uint32_t)(far - r->records), c->far_port, info, r->scan.err);
	return status ? odo_scan_within(&r->scan) : 0;
}

static int resolve(reader *r, size_t at)
{
	const claim *c = &r->claims[at];
	const record *node = owner(r, at);
	r->scan.line = c->line;
	uint32_t found = *look_up(r, c->far);
	if (!found)
		return odo_scan_fail(&r->scan,
				     "expected a node that the file defines, found \"%.*s\"",
				     odo_text_print(c->far));
	const record *far = &r->records[found - 1];
	if (c->far_port < 1 || c->far_port > far->n_ports)
		return odo_scan_fail(&r->scan, "expected a port of \"%.*s\" from 1 to %u, found %u",
				     odo_text_print(c->far), far->n_ports, c->far_port);
	size_t far_at = far->first_claim + c->far_port - 1;
	const claim *back = &r->claims[far_at];
	if (!back->far.at)
		odo_scan_odd(&r->scan, &r->odd.one_end);
	else if (!odo_text_equal(back->far, node->id) ||
		 back->far_port != at - node->first_claim + 1)
		return leads_elsewhere(r, node, at, back);
	return back->far.at && far_at < at ? 0 : link_ends(r, node, at, far, far_at);
}

static void tell(const reader *r, FILE *notes)
{
	odo_scan_note(&r->scan, &r->odd.talk,
		      "passed over a line that no tool writes into such a file", notes);
	odo_scan_note(&r->scan, &r->odd.no_lid, "passed over LID 65535, of a port that initialises",
		      notes);
	odo_scan_note(&r->scan, &r->odd.one_end,
		      "took a cable that only one of its ends lists (is the file cut off?)", notes);
}

int odo_net_read(const char *text, size_t size, const char *origin, odo_builder *b, FILE *notes,
		 odo_error *err)
{
	reader r = {.scan = {.origin = origin, .rest = text, .limit = text + size, .err = err},
		    .b = b};
	/* ibsim's own; a router gets one only if the file says so. */
	r.guids.base[ODO_SWITCH] = r.guids.next[ODO_SWITCH] = 0x200000;
	r.guids.base[ODO_CA] = r.guids.next[ODO_CA] = 0x100000;
	int status = 0;
	while (!status && odo_next_line(&r.scan))
		status = read_line(&r);
	if (!status && !r.n_records)
		status = odo_scan_fail(&r.scan, "expected a node, found none");
	for (size_t at = 0; at < r.n_claims && !status; at++)
		if (r.claims[at].far.at)
			status = resolve(&r, at);
	if (!status)
		tell(&r, notes);
	free(r.records);
	free(r.claims);
	free(r.table);
	return status;
}

bool odo_ibnetdiscover_recognise(const char *text, size_t size)
{
	static const char mark[] = "# Topology file: ";
	return memmem(text, size < HEAD ? size : HEAD, mark, sizeof mark - 1) != NULL;
}

bool odo_net_recognise(const char *text, size_t size)
{
	odo_scan s = {.rest = text, .limit = text + size};
	while (odo_next_line(&s)) {
		odo_skip_blanks(&s);
		if (odo_at_end(&s) || odo_peek(&s) == '#' || odo_is_talk(s))
			continue;
		for (size_t i = 0; i < sizeof line_rows / sizeof *line_rows; i++)
			if (odo_take(&s, line_rows[i].start))
				return true;
		return false;
	}
	return false;
}
