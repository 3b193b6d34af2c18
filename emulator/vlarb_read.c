/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Read VL arbitration tables from OpenSM's configuration, or from the output of smpquery for each
 * port. */
#include <stdlib.h>
#include <string.h>

#include "emulator/vlarb.h"
#include "fabric/format/lines.h"
#include "base/memory.h"
#include "fabric/format/slurp.h"

static int add_vlarb_row(odo_vlarb *vlarb, const odo_vlarb_row *row, uint16_t *at, odo_error *err)
{
	for (uint32_t i = vlarb->n_rows; i-- > 0;)
		if (!memcmp(&vlarb->rows[i], row, sizeof *row)) {
			*at = (uint16_t)i;
			return 0;
		}
	if (vlarb->n_rows == UINT16_MAX)
		return odo_fail(err, ODO_EINPUT, "more than %u VL arbitration tables", UINT16_MAX);
	if (odo_grow(&vlarb->rows, &vlarb->rows_room, vlarb->n_rows + 1ul, sizeof *vlarb->rows))
		return odo_fail(err, ODO_ENOMEM, "no memory for VL arbitration");
	*at = (uint16_t)vlarb->n_rows;
	vlarb->rows[vlarb->n_rows++] = *row;
	return 0;
}

/* Row in which all VLs are alike. */
static odo_vlarb_row in_turn(void)
{
	odo_vlarb_row row = {.n = {0, 15}, .limit = ODO_VLARB_UNLIMITED};
	for (unsigned vl = 0; vl < 15; vl++)
		row.entry[ODO_VLARB_HIGH][vl] = (odo_vlarb_entry){(uint8_t)vl, 4};
	return row;
}

/* Row that OpenSM uses without options (its manual, "QOS CONFIGURATION"). */
static odo_vlarb_row opensm_default(void)
{
	odo_vlarb_row row = {.n = {15, 15}};
	for (unsigned vl = 0; vl < 15; vl++) {
		row.entry[ODO_VLARB_LOW][vl] = (odo_vlarb_entry){(uint8_t)vl, vl ? 4 : 0};
		row.entry[ODO_VLARB_HIGH][vl] = (odo_vlarb_entry){(uint8_t)vl, vl ? 0 : 4};
	}
	return row;
}

/* ---- OpenSM's options ---- */

/* "0:4,1:12" */
static int read_pairs(odo_scan *s, odo_vlarb_row *row, unsigned table, odo_error *err)
{
	unsigned n = 0;
	do {
		uint64_t vl, weight;
		if (n == ODO_VLARB_ENTRIES)
			return odo_lines_expected(s, "at most 64 pairs of VL and weight", err);
		if (!odo_lines_number(s, 10, 14, &vl) || !odo_lines_skip(s, ":") ||
		    !odo_lines_number(s, 10, 255, &weight))
			return odo_lines_expected(s, "pairs as 0:4,1:12 of VL and weight", err);
		row->entry[table][n++] = (odo_vlarb_entry){(uint8_t)vl, (uint8_t)weight};
	} while (odo_lines_skip(s, ","));
	if (!odo_lines_at_end(s))
		return odo_lines_expected(s, "the end of the line", err);
	memset(row->entry[table] + n, 0, (ODO_VLARB_ENTRIES - n) * sizeof **row->entry);
	row->n[table] = (uint8_t)n;
	return 0;
}

/* Read the value of an option. "(null)" and -1 leave the default. */
static int read_value(odo_scan *s, odo_vlarb_row *row, int table, odo_error *err)
{
	uint64_t limit;
	if (odo_lines_skip(s, "(null)") || odo_lines_skip(s, "-1"))
		return 0;
	if (table >= 0)
		return read_pairs(s, row, (unsigned)table, err);
	if (!odo_lines_number(s, 10, 255, &limit) || !odo_lines_at_end(s))
		return odo_lines_expected(s, "a limit from 0 to 255", err);
	row->limit = (uint8_t)limit;
	return 0;
}

/* Read all options with a prefix. */
static int read_qos_options(const char *text, size_t size, const char *origin, const char *prefix,
			    odo_vlarb_row *row, odo_error *err)
{
	static const struct {
		const char *name;
		int table; /* -1: the limit */
	} options[] = {
		{"vlarb_high", ODO_VLARB_HIGH}, {"vlarb_low", ODO_VLARB_LOW}, {"high_limit", -1}};
	odo_scan s = odo_lines_make(text, size, origin);
	while (odo_next_line(&s)) {
		if (!odo_lines_skip(&s, prefix))
			continue;
		for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
			if (!odo_lines_skip(&s, options[i].name))
				continue;
			int status = read_value(&s, row, options[i].table, err);
			if (status)
				return status;
			break;
		}
	}
	return 0;
}

static int parse_options(odo_vlarb *vlarb, const char *text, size_t size, const char *origin,
			 const odo_fabric *f, odo_error *err)
{
	odo_vlarb_row row = opensm_default();
	uint16_t at;
	int status = read_qos_options(text, size, origin, "qos_", &row, err);
	if (!status)
		status = read_qos_options(text, size, origin, "qos_swe_", &row, err);
	if (!status)
		status = add_vlarb_row(vlarb, &row, &at, err);
	for (uint32_t slot = 0; !status && slot < f->n_slots; slot++)
		vlarb->row[slot] = at;
	return status;
}

/* ---- smpquery ---- */

#define TABLES_HEAD "# VLArbitration tables: Lid "
#define PORT_HEAD "# Port info: Lid "

/* Read "LID port PORT". The slot is set for a switch's port; for other ports, which have no effect
 * here, it is ODO_NONE. */
static int read_query_port(odo_scan *s, const odo_fabric *f, uint32_t *slot, odo_error *err)
{
	uint64_t lid, port;
	*slot = ODO_NONE;
	if (!odo_lines_number(s, 10, UINT16_MAX, &lid) || !odo_lines_skip(s, "port") ||
	    !odo_lines_number(s, 10, 255, &port))
		return odo_lines_expected(s, "a LID, \"port\" and its number", err);
	if (lid >= f->lid_count || f->lid_switch[lid] >= f->n_switches)
		return odo_lines_expected(s, "a LID of the fabric", err);
	if (f->lid_host[lid] != ODO_NONE || port == 0)
		return 0;
	if (port > odo_n_ports(f, f->lid_switch[lid]))
		return odo_lines_expected(s, "a port of that switch", err);
	*slot = odo_slot(f, f->lid_switch[lid], (unsigned)port);
	return 0;
}

/* "VL    : |0x0 |0x1 |" or "WEIGHT: |0x4 |0xC |" */
static int read_cells(odo_scan *s, const char *name, uint8_t *cell, unsigned max, unsigned *n,
		      odo_error *err)
{
	if (!odo_next_line(s) || !odo_lines_skip(s, name) || !odo_lines_skip(s, ": |"))
		return odo_lines_expected(s, name, err);
	for (*n = 0; !odo_lines_at_end(s); ++*n) {
		uint64_t x;
		if (*n == ODO_VLARB_ENTRIES || !odo_lines_skip(s, "0x") ||
		    !odo_lines_number(s, 16, max, &x) || !odo_lines_skip(s, "|"))
			return odo_lines_expected(s, "up to 64 numbers as 0x0 |0x1 |", err);
		cell[*n] = (uint8_t)x;
	}
	return 0;
}

static int read_table(odo_scan *s, const char *title, odo_vlarb_row *row, unsigned table,
		      odo_error *err)
{
	uint8_t vl[ODO_VLARB_ENTRIES], weight[ODO_VLARB_ENTRIES];
	unsigned n, m;
	if (!odo_next_line(s) || !odo_lines_skip(s, title))
		return odo_lines_expected(s, title, err);
	int status = read_cells(s, "VL    ", vl, 15, &n, err);
	if (!status)
		status = read_cells(s, "WEIGHT", weight, 255, &m, err);
	if (!status && n != m)
		return odo_lines_expected(s, "as many weights as VLs", err);
	for (unsigned i = 0; i < n && !status; i++)
		row->entry[table][i] = (odo_vlarb_entry){vl[i], vl[i] == 15 ? 0 : weight[i]};
	row->n[table] = (uint8_t)n;
	return status;
}

static int read_port_tables(odo_scan *s, odo_vlarb *vlarb, const odo_fabric *f, odo_error *err)
{
	uint32_t slot;
	int status = read_query_port(s, f, &slot, err);
	odo_vlarb_row row = {0};
	if (!status)
		status = read_table(s, "# Low priority VL Arbitration Table:", &row, ODO_VLARB_LOW,
				    err);
	if (!status)
		status = read_table(s, "# High priority VL Arbitration Table:", &row,
				    ODO_VLARB_HIGH, err);
	if (status || slot == ODO_NONE)
		return status;
	row.limit = vlarb->rows[vlarb->row[slot]].limit;
	return add_vlarb_row(vlarb, &row, &vlarb->row[slot], err);
}

static int read_limit(odo_scan *s, odo_vlarb *vlarb, uint32_t slot, odo_error *err)
{
	uint64_t limit;
	while (odo_lines_skip(s, "."))
		;
	if (!odo_lines_number(s, 10, 255, &limit))
		return odo_lines_expected(s, "a limit from 0 to 255", err);
	if (slot == ODO_NONE)
		return 0;
	odo_vlarb_row row = vlarb->rows[vlarb->row[slot]];
	row.limit = (uint8_t)limit;
	return add_vlarb_row(vlarb, &row, &vlarb->row[slot], err);
}

static int parse_query(odo_vlarb *vlarb, const char *text, size_t size, const char *origin,
		       const odo_fabric *f, odo_error *err)
{
	odo_scan s = odo_lines_make(text, size, origin);
	odo_vlarb_row row = in_turn();
	uint32_t slot = ODO_NONE;
	uint16_t first;
	int status = add_vlarb_row(vlarb, &row, &first, err);
	while (!status && odo_next_line(&s)) {
		if (odo_lines_skip(&s, TABLES_HEAD))
			status = read_port_tables(&s, vlarb, f, err);
		else if (odo_lines_skip(&s, PORT_HEAD))
			status = read_query_port(&s, f, &slot, err);
		else if (odo_lines_skip(&s, "VLHighLimit:"))
			status = read_limit(&s, vlarb, slot, err);
	}
	return status;
}

/* ---- Both formats ---- */

static bool text_mentions(const char *text, size_t size, const char *what)
{
	return memmem(text, size, what, strlen(what)) != NULL;
}

int odo_vlarb_parse(const char *text, size_t size, const char *origin, const odo_fabric *f,
		    odo_vlarb **out, odo_error *err)
{
	odo_vlarb *vlarb = odo_new(1, sizeof *vlarb);
	int status = ODO_EINPUT;
	if (!vlarb)
		return odo_fail(err, ODO_ENOMEM, "no memory for VL arbitration");
	vlarb->row = odo_new(f->n_slots, sizeof *vlarb->row);
	if (!vlarb->row)
		status = odo_fail(err, ODO_ENOMEM, "no memory for VL arbitration");
	else if (text_mentions(text, size, TABLES_HEAD))
		status = parse_query(vlarb, text, size, origin, f, err);
	else if (text_mentions(text, size, "vlarb_"))
		status = parse_options(vlarb, text, size, origin, f, err);
	else
		odo_fail(err, ODO_EINPUT,
			 "%s:1: expected OpenSM's qos_vlarb options or VL arbitration tables as "
			 "smpquery prints them, found neither",
			 origin);
	if (status) {
		odo_vlarb_free(vlarb);
		return status;
	}
	*out = vlarb;
	return 0;
}

int odo_vlarb_read(const char *path, const odo_fabric *f, odo_vlarb **out, odo_error *err)
{
	char *text;
	size_t size;
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	status = odo_vlarb_parse(text, size, path, f, out, err);
	free(text);
	return status;
}
