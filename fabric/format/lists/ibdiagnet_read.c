/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Readers of two files of ibdiagnet2: db_csv, tables of nodes, ports and links between START_ and
 * END_; and net_dump, a block for each switch with a line for each of its ports.
 *
 *   "leaf-01", Mellanox, 0x0b00000000000100, LID 1
 *    #   : IB# : ... : LWA : LSA : ... : Neighbor Guid      : N# : NLID : Neighbor Description
 *    1/1 : 1   : ... : 4x  : 50  : ... : 0x0b00000000001000 : 1  : 5    : "node1 HCA-1"
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/format/lists/cables.h"
#include "fabric/format/lists/csv.h"
#include "fabric/format/formats.h"
#include "fabric/format/lines.h"
#include "fabric/format/talk.h"

typedef struct reader {
	odo_scan scan;
	cables_list list;
	odo_ledger *ledger;
	uint32_t *first; /* of each node's ports in `ends` */
	uint32_t *ends;  /* cable * 2 + end + 1, or 0 */
} reader;

static bool is_number(odo_text text, uint64_t *number)
{
	odo_scan s = {.at = text.at, .end = text.at + text.n};
	unsigned radix = odo_take(&s, "0x") ? 16 : 10;
	return odo_take_number(&s, radix, number) && odo_at_end(&s);
}

static int find_by_guid(reader *r, uint64_t guid, odo_node_type type, uint32_t *node)
{
	int status = cables_find(&r->list, &r->scan, (odo_text){"", 0}, guid, type, node);
	if (!status)
		r->list.nodes[*node].guid = guid;
	return status;
}

enum { MOST_CELLS = 6 };

/* A table of db_csv: the columns that are read, and a function for its rows. */
typedef struct table {
	const char *start, *end;
	const char *columns[MOST_CELLS];
	unsigned n;
	/* @return whether the row is understood; `status` gets ODO_ENOMEM */
	bool (*read)(reader *r, const odo_text *cell, int *status);
} table;

static bool read_node_row(reader *r, const odo_text *cell, int *status)
{
	uint64_t ports, type, guid;
	uint32_t node;
	if (!is_number(cell[1], &ports) || ports < 1 || ports > ODO_MAX_PORTS ||
	    !is_number(cell[2], &type) || type < 1 || type > 3 || !is_number(cell[3], &guid) ||
	    !guid)
		return false;
	*status = find_by_guid(r, guid,
			       type == 1   ? ODO_CA
			       : type == 2 ? ODO_SWITCH
					   : ODO_ROUTER,
			       &node);
	if (*status)
		return true;
	r->list.nodes[node].name = cell[0];
	r->list.nodes[node].n_ports = (uint32_t)ports;
	return true;
}

/* Read a link between nodes that a row has named. */
static bool read_link_row(reader *r, const odo_text *cell, int *status)
{
	uint32_t node[2], port[2];
	for (unsigned k = 0; k < 2; k++) {
		uint64_t guid;
		size_t n = r->list.n_nodes;
		if (!is_number(cell[2 * k], &guid) || !cables_port(cell[2 * k + 1], &port[k]))
			return false;
		*status = find_by_guid(r, guid, ODO_CA, &node[k]);
		if (*status)
			return true;
		if (n < r->list.n_nodes)
			odo_ledger_add(r->ledger, ODO_REPAIR_UNDEFINED, r->scan.line, NULL);
	}
	*status = cables_add(&r->list, &r->scan, node[0], port[0], node[1], port[1], NULL);
	return true;
}

static odo_speed speed_of_code(uint64_t code)
{
	static const struct {
		uint32_t code;
		odo_speed speed;
	} codes[] = {{1, ODO_SDR},        {2, ODO_DDR},        {4, ODO_QDR},
		     {1u << 8, ODO_FDR},  {1u << 9, ODO_EDR},  {1u << 10, ODO_HDR},
		     {1u << 11, ODO_NDR}, {1u << 12, ODO_XDR}, {1u << 16, ODO_FDR10}};
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].code == code)
			return codes[i].speed;
	return ODO_SPEED_UNKNOWN;
}

static uint8_t lanes_of_code(uint64_t code)
{
	static const uint8_t lanes[] = {[1] = 1, [2] = 4, [4] = 8, [8] = 12, [16] = 2};
	return code < sizeof lanes ? lanes[code] : 0;
}

/* Read GUID, LID and rate of a port into the cable that it has. */
static bool read_port_row(reader *r, const odo_text *cell, int *status)
{
	uint64_t guid, port, lid, own, lanes = 0, speed = 0;
	uint32_t node;
	size_t n = r->list.n_nodes;
	if (!is_number(cell[0], &guid) || !is_number(cell[1], &port) || !is_number(cell[2], &lid) ||
	    !is_number(cell[3], &own) || port > ODO_MAX_PORTS || lid > UINT16_MAX)
		return false;
	*status = find_by_guid(r, guid, ODO_CA, &node);
	if (*status || n < r->list.n_nodes || port > r->list.nodes[node].n_ports)
		return false;
	lid = lid < ODO_LID_LIMIT ? lid : 0;
	if (r->list.nodes[node].type == ODO_SWITCH && lid)
		r->list.nodes[node].lid = (uint16_t)lid;
	uint32_t at = port ? r->ends[r->first[node] + port - 1] : 0;
	if (!at)
		return true;
	cables_cable *c = &r->list.cables[(at - 1) / 2];
	c->end[(at - 1) % 2].guid = own;
	c->end[(at - 1) % 2].lid = (uint16_t)lid;
	if (is_number(cell[4], &lanes) && is_number(cell[5], &speed))
		c->info = (odo_link_info){.width = lanes_of_code(lanes),
					  .speed = (uint8_t)speed_of_code(speed)};
	return true;
}

static const table nodes = {"START_NODES",
			    "END_NODES",
			    {"NodeDesc", "NumPorts", "NodeType", "NodeGUID"},
			    4,
			    read_node_row},
		   links = {"START_LINKS",
			    "END_LINKS",
			    {"NodeGuid1", "PortNum1", "NodeGuid2", "PortNum2"},
			    4,
			    read_link_row},
		   ports = {"START_PORTS",
			    "END_PORTS",
			    {"NodeGuid", "PortNum", "LID", "PortGuid", "LinkWidthActv",
			     "LinkSpeedActv"},
			    6,
			    read_port_row};

static bool is_whole_line(const odo_scan *s, const char *word)
{
	odo_scan look = *s;
	return odo_take(&look, word) && odo_at_end(&look);
}

/* Read the rows of a table, if the file has it. */
static int read_ibdiagnet_table(reader *r, odo_scan start, const table *t)
{
	int status = 0;
	unsigned column[MOST_CELLS];
	odo_text cell[MOST_CELLS];
	r->scan = start;
	while (odo_lines_next(&r->scan) && !is_whole_line(&r->scan, t->start))
		;
	if (!odo_lines_next(&r->scan) || !csv_find_columns(r->scan, ',', t->columns, t->n, column))
		return 0;
	while (!status && odo_lines_next(&r->scan) && !is_whole_line(&r->scan, t->end)) {
		bool understood = csv_take_columns(r->scan, ',', column, t->n, cell) &&
				  t->read(r, cell, &status);
		if (!status && !understood)
			odo_pass_over(&r->scan, r->ledger);
	}
	return status;
}

/* Index the cables by node and port. */
static int index_listed_ends(reader *r)
{
	uint32_t n = 0;
	r->first = odo_new(r->list.n_nodes, sizeof *r->first);
	if (!r->first)
		return odo_scan_no_memory(&r->scan);
	for (size_t i = 0; i < 2 * r->list.n_cables; i++) {
		const cables_end *end = &r->list.cables[i / 2].end[i % 2];
		cables_node *node = &r->list.nodes[end->node];
		node->n_ports = end->port > node->n_ports ? end->port : node->n_ports;
	}
	for (size_t v = 0; v < r->list.n_nodes; v++) {
		r->first[v] = n;
		n += r->list.nodes[v].n_ports;
	}
	r->ends = odo_new(n, sizeof *r->ends);
	for (size_t i = 0; i < 2 * r->list.n_cables && r->ends; i++) {
		const cables_end *end = &r->list.cables[i / 2].end[i % 2];
		r->ends[r->first[end->node] + end->port - 1] = (uint32_t)i + 1;
	}
	return r->ends ? 0 : odo_scan_no_memory(&r->scan);
}

static int finish_ibdiagnet(reader *r, int status, odo_builder *b)
{
	if (!status && !r->list.n_cables)
		status = odo_scan_fail(&r->scan, "expected links between nodes, found none");
	if (!status)
		status = cables_build(&r->list, &r->scan, b);
	free(r->first);
	free(r->ends);
	cables_clear(&r->list);
	return status;
}

int odo_db_csv_read(const char *text, size_t size, const char *origin, odo_builder *b,
		    odo_error *err)
{
	odo_scan start = odo_lines_make(text, size, origin);
	reader r = {.ledger = odo_builder_ledger(b)};
	start.err = err;
	int status = read_ibdiagnet_table(&r, start, &nodes);
	if (!status)
		status = read_ibdiagnet_table(&r, start, &links);
	if (!status)
		status = index_listed_ends(&r);
	if (!status)
		status = read_ibdiagnet_table(&r, start, &ports);
	return finish_ibdiagnet(&r, status, b);
}

/* The beginning of each file names its tables; links may stand far behind. */
bool odo_db_csv_recognise(const char *text, size_t size)
{
	odo_scan s = odo_lines_make(text, size, "");
	unsigned found = 0;
	while (odo_lines_next(&s) && found != 3)
		found |= is_whole_line(&s, nodes.start)   ? 1
			 : is_whole_line(&s, links.start) ? 2
							  : 0;
	return found == 3;
}

/* Columns of net_dump, found by their names. */
enum { LABEL, PORT, LANES, SPEED, GUID, FAR_PORT, FAR_LID, FAR_NAME, N_DUMPED };
static const char *const dumped[N_DUMPED] = {
	"#", "IB#", "LWA", "LSA", "Neighbor Guid", "N#", "NLID", "Neighbor Description"};

/* Take the head of a switch: "leaf-01", Mellanox, 0x0b00000000000100, LID 1. */
static bool take_dump_head(odo_scan s, odo_text *name, uint64_t *guid, uint64_t *lid)
{
	return odo_take_quoted(&s, name) && odo_skip_to(&s, ", 0x") &&
	       odo_take_number(&s, 16, guid) && *guid && odo_skip_to(&s, "LID ") &&
	       odo_take_number(&s, 10, lid) && *lid < ODO_LID_LIMIT && odo_at_end(&s);
}

static int add_dumped_switch(reader *r, odo_text name, uint64_t guid, uint64_t lid, uint32_t *node)
{
	int status = find_by_guid(r, guid, ODO_SWITCH, node);
	if (status)
		return status;
	cables_node *x = &r->list.nodes[*node];
	x->type = ODO_SWITCH;
	x->name = name;
	x->lid = (uint16_t)lid;
	return 0;
}

/* Read the line of a port. One without a neighbour only shows that the port exists. */
static bool read_dumped_port(reader *r, uint32_t node, const odo_text *cell, int *status)
{
	uint32_t port, far_port, far;
	uint64_t guid, lid = 0;
	cables_cable *c;
	if (!cables_port(cell[PORT], &port))
		return false;
	if (port > r->list.nodes[node].n_ports)
		r->list.nodes[node].n_ports = port;
	if (!is_number(cell[GUID], &guid) || !guid || !cables_port(cell[FAR_PORT], &far_port))
		return true;
	*status = find_by_guid(r, guid, ODO_CA, &far);
	if (!*status)
		*status = cables_add(&r->list, &r->scan, node, port, far, far_port, &c);
	if (*status)
		return true;
	if (r->list.nodes[far].type == ODO_CA)
		r->list.nodes[far].name = cell[FAR_NAME];
	c->end[0].label = cell[LABEL];
	is_number(cell[FAR_LID], &lid);
	c->end[1].lid = lid < ODO_LID_LIMIT ? (uint16_t)lid : 0;
	c->info = (odo_link_info){.width = cables_width(cell[LANES]),
				  .speed = (uint8_t)cables_speed(cell[SPEED])};
	return true;
}

static int read_dump_line(reader *r, uint32_t *node, unsigned *column, bool *columns)
{
	odo_text name, cell[N_DUMPED];
	uint64_t guid, lid;
	int status = 0;
	if (take_dump_head(r->scan, &name, &guid, &lid))
		return add_dumped_switch(r, name, guid, lid, node);
	if (*r->scan.at == '#' || csv_find_columns(r->scan, ':', dumped, N_DUMPED, column)) {
		*columns |= csv_find_columns(r->scan, ':', dumped, N_DUMPED, column);
		return 0;
	}
	bool understood = *node != ODO_NONE && *columns &&
			  csv_take_columns(r->scan, ':', column, N_DUMPED, cell) &&
			  read_dumped_port(r, *node, cell, &status);
	if (!status && !understood)
		odo_pass_over(&r->scan, r->ledger);
	return status;
}

int odo_net_dump_read(const char *text, size_t size, const char *origin, odo_builder *b,
		      odo_error *err)
{
	reader r = {.scan = odo_lines_make(text, size, origin), .ledger = odo_builder_ledger(b)};
	unsigned column[N_DUMPED];
	uint32_t node = ODO_NONE;
	bool columns = false;
	int status = 0;
	r.scan.err = err;
	while (!status && odo_next_line(&r.scan))
		if (!odo_lines_at_end(&r.scan))
			status = read_dump_line(&r, &node, column, &columns);
	return finish_ibdiagnet(&r, status, b);
}

bool odo_net_dump_recognise(const char *text, size_t size)
{
	enum { FIRST_LINES = 50 };
	odo_scan s = odo_lines_make(text, size, "");
	unsigned column[N_DUMPED];
	for (unsigned i = 0; i < FIRST_LINES && odo_next_line(&s); i++)
		if (csv_find_columns(s, ':', dumped, N_DUMPED, column))
			return true;
	return false;
}
