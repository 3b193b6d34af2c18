/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reader of lists of cables: CSV with named columns, such as 'odonata plan --cabling' writes, or a
 * site. A column's name is a side and a property, in any order and spelling:
 *
 *   from, from_port, to, to_port        Source,Source Port,Destination,Destination Port
 *   StartDev,StartPort,EndDev,EndPort   node_a;port_a;rack_a;node_b;port_b;rack_b
 *
 * A port is a number, a label ("1/12", "1/12/2", "P7"), or an adapter of a host ("mlx5_2"). */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "fabric/format/lists/cables.h"
#include "fabric/format/lists/csv.h"
#include "fabric/format/formats.h"
#include "fabric/format/lines.h"
#include "fabric/format/talk.h"
#include "fabric/machine.h"

/* Properties of an end; behind them those of the whole cable. */
enum { NAME, PORT, LABEL, TYPE, ROW, RACK, UNIT, PER_END, RATE = 2 * PER_END, N_PROPERTIES };
enum { NO_COLUMN = CSV_COLUMNS, LONGEST_NAME = 40 };

typedef struct columns {
	unsigned at[N_PROPERTIES];
	char comma;
} columns;

typedef struct word_row {
	const char *word;
	unsigned is;
} word_row;

static const word_row sides[] = {
	{"from", 0},      {"source", 0}, {"src", 0},    {"local", 0},       {"start", 0},
	{"a", 0},         {"1", 0},      {"to", 1},     {"destination", 1}, {"dest", 1},
	{"dst", 1},       {"target", 1}, {"remote", 1}, {"peer", 1},        {"neighbor", 1},
	{"neighbour", 1}, {"end", 1},    {"b", 1},      {"z", 1},           {"2", 1}};

static const word_row properties[] = {
	{"", NAME},           {"node", NAME},     {"name", NAME},       {"device", NAME},
	{"dev", NAME},        {"switch", NAME},   {"host", NAME},       {"hostname", NAME},
	{"system", NAME},     {"nodename", NAME}, {"devicename", NAME}, {"port", PORT},
	{"portnumber", PORT}, {"portnum", PORT},  {"interface", PORT},  {"label", LABEL},
	{"portlabel", LABEL}, {"panel", LABEL},   {"type", TYPE},       {"nodetype", TYPE},
	{"row", ROW},         {"rack", RACK},     {"cabinet", RACK},    {"position", UNIT},
	{"unit", UNIT},       {"u", UNIT},        {"ru", UNIT}};

static const word_row of_cables[] = {{"rate", RATE}, {"speed", RATE}};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static unsigned find_word(const word_row *rows, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(rows[i].word, word))
			return rows[i].is;
	return N_PROPERTIES;
}

/* Split a name into a side and a property: "portb" is "b" and "port". */
static unsigned split_column_name(const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < COUNT(sides); i++) {
		size_t n = strlen(sides[i].word);
		char rest[LONGEST_NAME];
		if (n > length)
			continue;
		unsigned is = N_PROPERTIES;
		if (!memcmp(name, sides[i].word, n))
			is = find_word(properties, COUNT(properties), name + n);
		if (is == N_PROPERTIES && !memcmp(name + length - n, sides[i].word, n)) {
			memcpy(rest, name, length - n);
			rest[length - n] = '\0';
			is = find_word(properties, COUNT(properties), rest);
		}
		if (is != N_PROPERTIES)
			return is + sides[i].is * PER_END;
	}
	return find_word(of_cables, COUNT(of_cables), name);
}

/* Return the property of a column: its name in small letters and digits. */
static unsigned property_of(odo_text cell)
{
	char name[LONGEST_NAME];
	size_t n = 0;
	for (size_t i = 0; i < cell.n && n < sizeof name - 1; i++)
		if (isalnum((unsigned char)cell.at[i]))
			name[n++] = (char)tolower((unsigned char)cell.at[i]);
	name[n] = '\0';
	return split_column_name(name);
}

/* Find the columns by their names.
 * @return false if the line names no cables: two ends, and a port or more of them */
static bool read_column_names(odo_scan s, char comma, columns *c)
{
	odo_text cell;
	unsigned known = 0;
	c->comma = comma;
	for (unsigned k = 0; k < N_PROPERTIES; k++)
		c->at[k] = NO_COLUMN;
	for (unsigned i = 0; i < CSV_COLUMNS && csv_take(&s, comma, &cell); i++) {
		unsigned is = property_of(cell);
		if (is == N_PROPERTIES || c->at[is] != NO_COLUMN)
			continue;
		c->at[is] = i;
		known++;
	}
	return c->at[NAME] != NO_COLUMN && c->at[PER_END + NAME] != NO_COLUMN && known > 2;
}

static bool find_columns(odo_scan s, columns *c)
{
	return read_column_names(s, ',', c) || read_column_names(s, ';', c) ||
	       read_column_names(s, '\t', c);
}

typedef struct reader {
	odo_scan scan;
	columns columns;
	cables_list list;
	odo_ledger *ledger;
	bool typed; /* a name, a port or a column says which nodes are hosts */
} reader;

typedef struct row {
	odo_text cell[N_PROPERTIES];
} row;

/* Return false for a number that no port has. A label may be anything. */
static bool may_be_port(odo_text text)
{
	size_t digits = 0;
	uint32_t port;
	while (digits < text.n && isdigit((unsigned char)text.at[digits]))
		digits++;
	return !digits || digits < text.n || cables_port(text, &port);
}

/* Take the cells of a line; a column that is missing is empty. */
static bool read_cabling_cells(const reader *r, odo_scan s, row *cells)
{
	odo_text one;
	*cells = (row){0};
	for (unsigned i = 0; i < CSV_COLUMNS && csv_take(&s, r->columns.comma, &one); i++)
		for (unsigned k = 0; k < N_PROPERTIES; k++)
			if (r->columns.at[k] == i)
				cells->cell[k] = one;
	return cells->cell[NAME].n && cells->cell[PER_END + NAME].n &&
	       may_be_port(cells->cell[PORT]) && may_be_port(cells->cell[PER_END + PORT]);
}

/* Read "1/12/2" as port 24, "1/12" and "P12" as port 12: panels of one ASIC, two ports a cage. */
static uint32_t port_of_label(odo_text text)
{
	uint32_t part[3] = {0}, n = 0;
	const char *at = text.at, *end = text.at + text.n;
	if (!text.n)
		return 0;
	at += at < end && (*at == 'P' || *at == 'p');
	for (; n < 3; n++) {
		const char *slash = memchr(at, '/', (size_t)(end - at));
		odo_text one = {at, (size_t)((slash ? slash : end) - at)};
		if (!cables_port(one, &part[n]))
			return 0;
		if (!slash)
			break;
		at = slash + 1;
	}
	uint32_t port = n == 0 ? part[0] : n == 1 ? part[1] : 2 * part[1] + part[2] - 2;
	return n < 3 && (n < 2 || part[2] <= 2) && port <= ODO_MAX_PORTS ? port : 0;
}

/* Return the number from 1 of the adapter that a port cell names: "mlx5_2", "HCA-3/1"; or 0. */
static uint32_t unit_of_port(odo_text text)
{
	char word[32];
	size_t n = 0;
	while (n < text.n && n < sizeof word - 1 && text.at[n] != '/') {
		word[n] = text.at[n];
		n++;
	}
	word[n] = '\0';
	odo_machine of = odo_machine_of(word);
	bool named = of.adapter_length && !of.length && of.number != ODO_NONE;
	return named && of.number < ODO_MAX_PORTS ? of.number + 1 : 0;
}

static bool is_text(odo_text text, const char *word)
{
	return text.n == strlen(word) && !strncasecmp(text.at, word, text.n);
}

/* Return the type of a node as far as a cell tells it. Hosts of generated fabrics are called H and
 * a number. */
static odo_node_type type_of_end(reader *r, odo_text name, odo_text type, uint32_t unit)
{
	bool host = name.n > 1 && *name.at == 'H' && isdigit((unsigned char)name.at[1]);
	if (type.n)
		host = !is_text(type, "switch") && !is_text(type, "sw");
	host |= unit > 0;
	r->typed |= host || type.n;
	return host ? ODO_CA : ODO_SWITCH;
}

/* Return "row 2 rack 7 unit 32", as far as a row says it. */
static odo_text place_of_end(reader *r, const odo_text *cell)
{
	static const char *const words[] = {"row", "rack", "unit"};
	odo_text place = {"", 0};
	for (unsigned k = 0; k < 3; k++)
		if (cell[ROW + k].n)
			place = cables_print(&r->list, "%.*s%s%s %.*s", odo_text_print(place),
					     place.n ? " " : "", words[k],
					     odo_text_print(cell[ROW + k]));
	return place;
}

/* Find the node of an end, or add it. */
static int find_listed_end(reader *r, const odo_text *cell, cables_end *end)
{
	uint32_t unit = unit_of_port(cell[PORT]);
	odo_node_type type = type_of_end(r, cell[NAME], cell[TYPE], unit);
	int status = cables_find(&r->list, &r->scan, cell[NAME], unit, type, &end->node);
	if (status)
		return status;
	cables_node *node = &r->list.nodes[end->node];
	node->unit = unit;
	if (!node->place.n)
		node->place = place_of_end(r, cell);
	end->label = cell[LABEL];
	if (unit)
		end->port = 1;
	else if (!cables_port(cell[PORT], &end->port)) {
		end->port = port_of_label(cell[PORT]);
		end->label = end->label.n ? end->label : cell[PORT];
	}
	return 0;
}

/* Read "4xHDR" or "HDR". */
static odo_link_info read_cable_rate(odo_text text)
{
	const char *x = memchr(text.at ? text.at : "", 'x', text.n);
	odo_text width = {text.at, x ? (size_t)(x - text.at) : 0};
	odo_text speed = x ? (odo_text){x + 1, text.n - width.n - 1} : text;
	odo_link_info info = {.width = cables_width(width), .speed = (uint8_t)cables_speed(speed)};
	return info.speed ? info : (odo_link_info){0};
}

static int read_cabling_row(reader *r, const row *cells)
{
	cables_end end[2] = {0};
	cables_cable *cable;
	int status = find_listed_end(r, cells->cell, &end[0]);
	if (!status)
		status = find_listed_end(r, cells->cell + PER_END, &end[1]);
	if (!status)
		status = cables_add(&r->list, &r->scan, end[0].node, end[0].port, end[1].node,
				    end[1].port, &cable);
	if (status)
		return status;
	cable->end[0].label = end[0].label;
	cable->end[1].label = end[1].label;
	cable->info = read_cable_rate(cells->cell[RATE]);
	return 0;
}

/* Add nodes in the order in which they begin rows: switches begin rows in the order of their
 * numbers. */
static int read_cabling_nodes(reader *r)
{
	int status = 0;
	odo_scan start = r->scan;
	cables_end end;
	row cells;
	while (!status && odo_lines_next(&r->scan))
		if (read_cabling_cells(r, r->scan, &cells))
			status = find_listed_end(r, cells.cell, &end);
	r->scan = start;
	return status;
}

static int read_cabling_cables(reader *r)
{
	int status = 0;
	row cells;
	while (!status && odo_lines_next(&r->scan)) {
		if (read_cabling_cells(r, r->scan, &cells))
			status = read_cabling_row(r, &cells);
		else
			odo_pass_over(&r->scan, r->ledger);
	}
	return status;
}

int odo_cabling_read(const char *text, size_t size, const char *origin, odo_builder *b,
		     odo_error *err)
{
	reader r = {.scan = odo_lines_make(text, size, origin), .ledger = odo_builder_ledger(b)};
	r.scan.err = err;
	while (odo_lines_next(&r.scan) && !find_columns(r.scan, &r.columns))
		odo_pass_over(&r.scan, r.ledger);
	int status = read_cabling_nodes(&r);
	if (!status)
		status = read_cabling_cables(&r);
	if (!status && !r.list.n_cables)
		status = odo_scan_fail(&r.scan,
				       "expected cables below the names of columns, found none");
	if (!r.typed)
		cables_guess_hosts(&r.list);
	if (!status)
		status = cables_build(&r.list, &r.scan, b);
	cables_clear(&r.list);
	return status;
}

bool odo_cabling_recognise(const char *text, size_t size)
{
	enum { FIRST_LINES = 20 };
	odo_scan s = odo_lines_make(text, size, "");
	columns c;
	for (unsigned i = 0; i < FIRST_LINES && odo_lines_next(&s); i++)
		if (find_columns(s, &c))
			return true;
	return false;
}
