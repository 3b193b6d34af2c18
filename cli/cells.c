/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/cells.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/seal.h"

#define FIRST_LINE "odonata-tables "

/** Blocks of a forwarding table: unicast LIDs end at ODO_LID_LIMIT. */
enum { BLOCKS = ODO_LID_LIMIT / ODO_LFT_BLOCK };

/** Bytes of a line that is written. */
enum { LINE_ROOM = 64 + 2 * ODO_LFT_BLOCK };

typedef struct cells {
	odo_cell *cell;
	size_t n, room;
} cells;

static int add_cell(cells *c, odo_cell cell)
{
	if (odo_grow(&c->cell, &c->room, c->n + 1, sizeof *c->cell))
		return ODO_ENOMEM;
	c->cell[c->n++] = cell;
	return 0;
}

static int add_lft(cells *c, const odo_tables *t, uint32_t s)
{
	const odo_fabric *f = t->fabric;
	int status = 0;
	for (uint32_t lid = 0; lid < f->lid_count && !status; lid += ODO_LFT_BLOCK) {
		odo_cell cell = {.guid = f->node_guid[s],
				 .kind = ODO_CELL_LFT,
				 .block = (uint16_t)(lid / ODO_LFT_BLOCK)};
		for (uint32_t i = 0; i < ODO_LFT_BLOCK; i++)
			cell.wanted[i] = lid + i < f->lid_count ? odo_next_port(t, s, lid + i)
								: ODO_NO_PORT;
		status = add_cell(c, cell);
	}
	return status;
}

static int add_sl2vl(cells *c, uint64_t guid, unsigned in, unsigned out, unsigned vl)
{
	odo_cell cell = {
		.guid = guid, .kind = ODO_CELL_SL2VL, .in = (uint8_t)in, .out = (uint8_t)out};
	memset(cell.wanted, (int)(vl << 4 | vl), ODO_SL2VL_BYTES); /* two SLs a byte */
	return add_cell(c, cell);
}

/** Return true if a port sends on several VLs, so that an SL2VL map chooses one. */
static bool has_maps(const odo_fabric *f, uint32_t slot)
{
	return f->peer[slot] != ODO_NONE && f->n_vls[slot] > 1;
}

static int add_switch_maps(cells *c, const odo_tables *t, uint32_t s)
{
	const odo_fabric *f = t->fabric;
	unsigned ports = odo_n_ports(f, s);
	int status = 0;
	for (unsigned out = 1; out <= ports; out++)
		for (unsigned in = 0; in <= ports && !status; in++)
			if (has_maps(f, odo_slot(f, s, out)) && odo_has_cable(f, s, in))
				status = add_sl2vl(c, f->node_guid[s], in, out,
						   odo_vl(t, s, in, out, 0));
	return status;
}

int cli_cells_make(const odo_tables *t, odo_cell **out, size_t *n, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	cells c = {0};
	int status = 0;
	for (uint32_t s = 0; s < f->n_switches && !status; s++)
		status = add_lft(&c, t, s) || add_switch_maps(&c, t, s) ? ODO_ENOMEM : 0;
	for (uint32_t h = 0; h < f->n_hosts && !status; h++) {
		uint32_t slot = f->host_slot[h];
		if (has_maps(f, slot))
			status = add_sl2vl(&c, f->node_guid[f->owner[slot]], 0, odo_port(f, slot),
					   t->rows[t->host_row[h]].vl[0]);
	}
	*out = c.cell;
	*n = c.n;
	if (status) {
		free(c.cell);
		return odo_fail(err, ODO_ENOMEM, "no memory for tables to write");
	}
	return 0;
}

/** @param line [LINE_ROOM] */
static void print_cell(const odo_cell *c, char *line)
{
	int at = c->kind == ODO_CELL_LFT
			 ? snprintf(line, LINE_ROOM, "lft 0x%016" PRIx64 " %u ", c->guid, c->block)
			 : snprintf(line, LINE_ROOM, "sl2vl 0x%016" PRIx64 " %u %u ", c->guid,
				    c->in, c->out);
	for (size_t i = 0; i < odo_cell_size(c); i++)
		at += snprintf(line + at, LINE_ROOM - (size_t)at, "%02x", c->was[i]);
	line[at] = '\n';
	line[at + 1] = '\0';
}

void cli_cells_write(const odo_cell *cell, size_t n, FILE *to)
{
	odo_seal seal;
	char line[LINE_ROOM] = FIRST_LINE "3\n";
	odo_seal_begin(&seal, &odo_seal_tables, to);
	for (size_t i = 0; i <= n; i++) {
		odo_seal_write(&seal, line, strlen(line), 1);
		if (i < n)
			print_cell(&cell[i], line);
	}
	odo_seal_end(&seal);
}

static bool take_cell_number(const char **at, unsigned radix, uint64_t most, uint64_t *number)
{
	if (!odo_take_digits(at, NULL, radix, number) || *number > most || **at != ' ')
		return false;
	++*at;
	return true;
}

static bool take_hex_bytes(const char *at, uint8_t *to, size_t n)
{
	if (strlen(at) != 2 * n || strspn(at, "0123456789abcdefABCDEF") != 2 * n)
		return false;
	for (size_t i = 0; i < n; i++) {
		char pair[3] = {at[2 * i], at[2 * i + 1], '\0'};
		to[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	return true;
}

/** A line, without its end. */
static bool read_cell(const char *line, odo_cell *cell)
{
	uint64_t first, in = 0;
	bool lft = !strncmp(line, "lft 0x", 6), sl2vl = !strncmp(line, "sl2vl 0x", 8);
	const char *at = line + (lft ? 4 : 6);
	*cell = (odo_cell){.kind = lft ? ODO_CELL_LFT : ODO_CELL_SL2VL};
	if (!(lft || sl2vl) || !take_cell_number(&at, 0, UINT64_MAX, &cell->guid) ||
	    (sl2vl && !take_cell_number(&at, 10, ODO_MAX_PORTS, &in)) ||
	    !take_cell_number(&at, 10, lft ? BLOCKS - 1 : ODO_MAX_PORTS, &first))
		return false;
	if (lft)
		cell->block = (uint16_t)first;
	cell->in = (uint8_t)in;
	cell->out = lft ? 0 : (uint8_t)first;
	return take_hex_bytes(at, cell->wanted, odo_cell_size(cell));
}

/** Find the version of a file, and check its seal, which version 1 lacks.
 * @param contents gets the bytes before the seal */
static int check_cells(FILE *from, const char *name, bool *checked, uint64_t *contents,
		       odo_error *err)
{
	char line[LINE_ROOM] = "", *version = line + sizeof FIRST_LINE - 1;
	off_t size = fgets(line, sizeof line, from) && !fseeko(from, 0, SEEK_END) ? ftello(from)
										  : 0;
	if (ferror(from) || size < 0)
		return odo_fail(err, ODO_EIO, "%s: cannot read: %s", name, strerror(errno));
	if (strncmp(line, FIRST_LINE, sizeof FIRST_LINE - 1) || *version < '1' || *version > '3' ||
	    strcmp(version + 1, "\n"))
		return odo_fail(err, ODO_EINPUT,
				"%s:1: expected \"" FIRST_LINE "1\", 2 or 3, which this version "
				"of Odonata knows, found \"%.*s\"",
				name, (int)strcspn(line, "\n"), line);
	*checked = *version != '1';
	*contents = (uint64_t)size;
	return *checked ? odo_seal_check(*version == '2' ? &odo_seal_tables_2 : &odo_seal_tables,
					 from, name, contents, err)
			: 0;
}

/** @param text its first line has been checked */
static int read_cell_lines(cells *c, char *text, const char *name, odo_error *err)
{
	unsigned long number = 0;
	for (char *line; (line = strsep(&text, "\n"));) {
		odo_cell cell;
		if (!number++ || !*line || *line == '#')
			continue;
		if (!read_cell(line, &cell))
			return odo_fail(err, ODO_EINPUT,
					"%s:%lu: expected \"lft 0xGUID BLOCK BYTES\" or \"sl2vl "
					"0xGUID IN OUT BYTES\", found \"%.40s\"",
					name, number, line);
		if (add_cell(c, cell))
			return odo_fail(err, ODO_ENOMEM, "no memory for tables to write");
	}
	return 0;
}

int cli_cells_read(FILE *from, const char *name, odo_cell **out, size_t *n, bool *checked,
		   odo_error *err)
{
	char *text = NULL;
	uint64_t size = 0;
	cells c = {0};
	int status = check_cells(from, name, checked, &size, err);
	if (!status && !(text = odo_new(size + 1, 1)))
		status = odo_fail(err, ODO_ENOMEM, "no memory for tables to write");
	if (!status && (fseeko(from, 0, SEEK_SET) || fread(text, 1, size, from) != size))
		status = odo_fail(err, ODO_EIO, "%s: cannot read: %s", name, strerror(errno));
	if (!status)
		status = read_cell_lines(&c, text, name, err);
	free(text);
	if (status)
		free(c.cell);
	*out = status ? NULL : c.cell;
	*n = c.n;
	return status;
}

void cli_cell_name(const odo_cell *cell, char *text, size_t size)
{
	unsigned first = (unsigned)cell->block * ODO_LFT_BLOCK;
	if (cell->kind == ODO_CELL_LFT)
		snprintf(text, size, "LIDs %u to %u", first, first + ODO_LFT_BLOCK - 1);
	else
		snprintf(text, size, "SL2VL from port %u to port %u", cell->in, cell->out);
}
