/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* SL2VL maps in the formats of OpenSM and ibdiagnet. */
#include <inttypes.h>
#include <string.h>

#include "base/bits.h"
#include "export/read.h"

static bool is_head(odo_scan *s)
{
	return odo_lines_skip(s, "Switch 0x") || odo_lines_skip(s, "Channel Adapter 0x") ||
	       odo_lines_skip(s, "Router 0x");
}

bool odo_is_sl2vl(const char *text, size_t size)
{
	odo_scan s = odo_lines_make(text, size, "");
	uint64_t n;
	if (!odo_read_first(&s) || !is_head(&s))
		return false;
	while (odo_lines_next(&s)) {
		if (!is_head(&s)) /* "in out : ..." rather than "0xlid : sl" */
			return odo_lines_number(&s, 10, 255, &n) &&
			       odo_lines_number(&s, 10, 255, &n) && odo_lines_skip(&s, ":");
	}
	return false;
}

bool odo_is_slvl(const char *text, size_t size)
{
	odo_scan s = odo_lines_make(text, size, "");
	uint64_t n;
	return odo_read_first(&s) && odo_lines_skip(&s, "0x") &&
	       odo_lines_number(&s, 16, UINT64_MAX, &n) && odo_lines_number(&s, 10, 255, &n) &&
	       odo_lines_number(&s, 10, 255, &n) && odo_lines_skip(&s, "0x");
}

static int find_map_row(odo_import *in, const odo_sl2vl *map, odo_error *err)
{
	if (!memcmp(&in->t->rows[in->last_row], map, sizeof *map))
		return 0;
	return odo_tables_row(in->t, map, &in->last_row, err);
}

/* Store the map of two ports of a switch, or of a host's own port (0, 0). */
static int set_map(odo_import *in, const odo_scan *s, const odo_write_end *end, uint64_t in_port,
		   uint64_t out_port, const odo_sl2vl *map, odo_error *err)
{
	const odo_fabric *f = in->t->fabric;
	int status = find_map_row(in, map, err);
	if (status)
		return status;
	in->has_maps = true;
	if (end->host != ODO_NONE) {
		in->t->host_row[end->host] = in->last_row;
		return 0;
	}
	unsigned ports = odo_n_ports(f, end->node);
	if (in_port > ports || out_port > ports)
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected ports up to %u of \"%.64s\", found %" PRIu64
				" and %" PRIu64,
				s->origin, s->line, ports, odo_name(f, end->node), in_port,
				out_port);
	uint16_t *entry = odo_sl2vl_entry(in->t, end->node, (unsigned)in_port, (unsigned)out_port);
	odo_set_bit(in->mapped, (uint32_t)(entry - in->t->sl2vl));
	*entry = in->last_row;
	return 0;
}

/* Read the head of maps. Skip the maps of an adapter that the fabric lacks, because its port may
 * have lost its cable since. */
static int read_map_head(odo_import *in, odo_scan *s, odo_error *err)
{
	bool is_switch = odo_lines_skip(s, "Switch 0x");
	uint64_t guid;
	if (!is_switch && !is_head(s))
		return odo_lines_expected(s, "a switch, a channel adapter or a map", err);
	if (!odo_lines_number(s, 16, UINT64_MAX, &guid))
		return odo_lines_expected(s, "a GUID", err);
	in->end = odo_read_find(in->by_port, in->n_by_port, guid);
	in->has_head = true;
	if (is_switch && !in->end)
		return odo_read_unknown(in, s, "a switch", guid, err);
	return 0;
}

int odo_read_sl2vl_line(odo_import *in, odo_scan *s, odo_error *err)
{
	uint64_t in_port, out_port, vl;
	odo_sl2vl map;
	if (!odo_lines_number(s, 10, 255, &in_port))
		return read_map_head(in, s, err);
	if (!in->has_head)
		return odo_lines_expected(s, "\"Switch\" or \"Channel Adapter\" first", err);
	if (!odo_lines_number(s, 10, 255, &out_port) || !odo_lines_skip(s, ":"))
		return odo_lines_expected(s, "an output port and a colon", err);
	for (unsigned sl = 0; sl < ODO_N_SLS; sl++) {
		if (!odo_lines_number(s, 10, ODO_VL_DROP, &vl))
			return odo_lines_expected(s, "16 VLs from 0 to 15", err);
		map.vl[sl] = (uint8_t)vl;
	}
	return in->end ? set_map(in, s, in->end, in_port, out_port, &map, err) : 0;
}

/* Read "0x<node guid> in out 0x<VLs of SL 0 and 1> ...", a hexadecimal digit for each VL. */
int odo_read_slvl_line(odo_import *in, odo_scan *s, odo_error *err)
{
	uint64_t guid, in_port, out_port, pair;
	odo_sl2vl map;
	if (!odo_lines_skip(s, "0x") || !odo_lines_number(s, 16, UINT64_MAX, &guid))
		return odo_lines_expected(s, "the GUID of a node", err);
	if (!odo_lines_number(s, 10, 255, &in_port) || !odo_lines_number(s, 10, 255, &out_port))
		return odo_lines_expected(s, "an input and an output port", err);
	for (unsigned i = 0; i < ODO_N_SLS / 2; i++) {
		if (!odo_lines_skip(s, "0x") || !odo_lines_number(s, 16, 0xFF, &pair))
			return odo_lines_expected(s, "8 pairs of VLs", err);
		map.vl[2 * i] = (uint8_t)(pair >> 4);
		map.vl[2 * i + 1] = pair & 15;
	}
	uint32_t sw = odo_read_switch(in, guid);
	if (sw != ODO_NONE) {
		odo_write_end end = {guid, sw, ODO_NONE};
		return set_map(in, s, &end, in_port, out_port, &map, err);
	}
	/* For an adapter, the output port is its port; port 0 means all its ports. */
	const odo_write_end *end = odo_read_find(in->by_node, in->t->fabric->n_hosts, guid);
	const odo_fabric *f = in->t->fabric;
	int status = 0;
	for (; end && end < in->by_node + f->n_hosts && end->guid == guid && !status; end++)
		if (!out_port || odo_port(f, f->host_slot[end->host]) == out_port)
			status = set_map(in, s, end, 0, 0, &map, err);
	return status;
}
