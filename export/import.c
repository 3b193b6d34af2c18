/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "export/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/read.h"
#include "base/bits.h"
#include "base/memory.h"
#include "fabric/format/frame.h"
#include "fabric/format/others.h"
#include "fabric/format/slurp.h"
#include "fabric/format/talk.h"

const odo_import_format odo_import_formats[] = {
	{"lfts", "LFTs of OpenSM (opensm-lfts.dump), dump_fts or ibroute", odo_is_lfts,
	 odo_read_lft_line},
	{"fdbs", "LFTs of OpenSM (opensm.fdbs) or ibdiagnet (.fdbs)", odo_is_fdbs,
	 odo_read_fdb_line},
	{"sl2vl", "SL2VL maps of OpenSM (opensm-sl2vl.dump)", odo_is_sl2vl, odo_read_sl2vl_line},
	{"slvl", "SL2VL maps of ibdiagnet (.slvl)", odo_is_slvl, odo_read_slvl_line},
	{"psl", "SL of each path (.psl)", odo_is_psl, odo_read_psl_line},
	{NULL, NULL, NULL, NULL},
};

static int order_by_node_guid(odo_import *in, const odo_fabric *f, odo_error *err)
{
	in->by_node = odo_arena_new(&in->memory, f->n_hosts, sizeof *in->by_node);
	if (!in->by_node)
		return odo_fail(err, ODO_ENOMEM, "no memory to order %u hosts", f->n_hosts);
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t node = f->owner[f->host_slot[h]];
		in->by_node[h] = (odo_write_end){f->node_guid[node], node, h};
	}
	odo_write_sort(in->by_node, f->n_hosts);
	return 0;
}

/* Clear all entries, including those of switches' own LIDs. */
static int allocate_import(odo_import *in, odo_error *err)
{
	const odo_tables *t = in->t;
	const odo_fabric *f = t->fabric;
	in->has_lft = odo_arena_new(&in->memory, f->n_switches, 1);
	in->mapped = odo_arena_new(&in->memory, odo_bit_words(t->sl2vl_at[f->n_switches]),
				   sizeof *in->mapped);
	if (in->memory.failed)
		return odo_fail(err, ODO_ENOMEM, "no memory to import tables");
	memset(t->lft, ODO_NO_PORT, (size_t)f->n_switches * f->lid_count);
	return 0;
}

int odo_import_create(const odo_fabric *f, odo_import **out, odo_error *err)
{
	odo_import *in = odo_new(1, sizeof *in);
	if (!in)
		return odo_fail(err, ODO_ENOMEM, "no memory to import tables");
	int status = odo_tables_create(f, "imported", &in->t, err);
	if (!status)
		status = odo_write_by_guid(f, true, &in->memory, &in->by_port, &in->n_by_port, err);
	if (!status)
		odo_write_sort(in->by_port, in->n_by_port);
	if (!status)
		status = order_by_node_guid(in, f, err);
	if (!status)
		status = allocate_import(in, err);
	if (status)
		odo_import_free(in);
	else
		*out = in;
	return status;
}

int odo_import_create_for_proof(const odo_fabric *f, odo_import **out, odo_error *err)
{
	int status = odo_import_create(f, out, err);
	if (!status)
		(*out)->for_proof = true;
	return status;
}

void odo_import_free(odo_import *in)
{
	if (!in)
		return;
	odo_tables_free(in->t);
	odo_arena_free(&in->memory);
	free(in);
}

/* Return true for messages of terminals and libraries. Nearly all lines of tables begin with a
 * digit, so test that first. */
static bool is_talk_line(const odo_scan *s)
{
	return (*s->at < '0' || *s->at > '9') && odo_is_talk(*s);
}

bool odo_read_first(odo_scan *s)
{
	while (odo_lines_next(s))
		if (!is_talk_line(s))
			return true;
	return false;
}

/* Find the next line of a table, and report now and then how far the text is read. */
static bool read_next(odo_import *in, odo_scan *s)
{
	enum { TOLD_LINES = 1 << 14 };
	if (in->t->watch && s->line % TOLD_LINES == 0)
		odo_tell(in->t->watch, "reading tables", in->size - (size_t)(s->limit - s->rest),
			 in->size);
	while (odo_lines_next(s)) {
		if (!is_talk_line(s))
			return true;
		odo_pass_over(s, &in->ledger);
	}
	return false;
}

int odo_import_as(odo_import *in, const odo_import_format *row, const char *text, size_t size,
		  const char *origin, odo_error *err)
{
	odo_scan s = odo_lines_make(text, size, origin);
	int status = 0;
	in->size = size;
	in->sw = ODO_NONE;
	in->end = NULL;
	in->has_head = false;
	while (!status && read_next(in, &s))
		status = row->read_line(in, &s, err);
	return status;
}

const odo_write_end *odo_read_find(const odo_write_end *ends, size_t n, uint64_t guid)
{
	size_t low = 0, high = n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (ends[middle].guid < guid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && ends[low].guid == guid ? &ends[low] : NULL;
}

uint32_t odo_read_switch(const odo_import *in, uint64_t guid)
{
	const odo_write_end *end = odo_read_find(in->by_port, in->n_by_port, guid);
	for (; end && end < in->by_port + in->n_by_port && end->guid == guid; end++)
		if (end->host == ODO_NONE)
			return end->node;
	return ODO_NONE;
}

int odo_read_unknown(const odo_import *in, const odo_scan *s, const char *what, uint64_t guid,
		     odo_error *err)
{
	return in->of_part ? 0
			   : odo_fail(err, ODO_EINPUT,
				      "%s:%u: expected %s of the fabric, found GUID 0x%016" PRIx64,
				      s->origin, s->line, what, guid);
}

int odo_import_text(odo_import *in, const char *text, size_t size, const char *origin,
		    odo_error *err)
{
	for (const odo_import_format *row = odo_import_formats; row->name; row++)
		if (row->recognise(text, size))
			return odo_import_as(in, row, text, size, origin, err);
	uint32_t line = 1;
	const odo_other_file *other = odo_other_find(text, size, &line);
	return odo_fail(err, ODO_EINPUT,
			"%s:%u: expected LFTs, SL2VL maps or path SLs in a known format, found %s",
			origin, line, other ? other->name : "none");
}

static int check_lfts(const odo_import *in, odo_error *err)
{
	const odo_fabric *f = in->t->fabric;
	uint32_t missing = 0, first = 0;
	for (uint32_t s = f->n_switches; s-- > 0;) {
		if (!in->has_lft[s]) {
			first = s;
			missing++;
		}
	}
	return missing ? odo_fail(err, ODO_EINPUT,
				  "expected the LFT of every switch, found none of %u, such as "
				  "\"%.64s\" (GUID 0x%016" PRIx64 ")",
				  missing, odo_name(f, first), f->node_guid[first])
		       : 0;
}

static bool is_mapped(const odo_import *in, uint32_t s, unsigned from, unsigned to)
{
	const odo_tables *t = in->t;
	return odo_has_bit(in->mapped, (uint32_t)(odo_sl2vl_entry(t, s, from, to) - t->sl2vl));
}

/* Find two ports of a switch without a map. @return false if there are none */
static bool lacks_map(const odo_import *in, uint32_t s, unsigned *from, unsigned *to)
{
	const odo_fabric *f = in->t->fabric;
	for (*from = 1; *from <= odo_n_ports(f, s); ++*from)
		for (*to = 1; odo_has_cable(f, s, *from) && *to <= odo_n_ports(f, s); ++*to)
			if (*to != *from && odo_has_cable(f, s, *to) &&
			    !is_mapped(in, s, *from, *to))
				return true;
	return false;
}

/* Refuse maps of some ports without those of others: the file is incomplete. Maps of the switch's
 * own port, and from a port back to itself, may be missing, because some tools omit them. */
static int check_maps(const odo_import *in, odo_error *err)
{
	const odo_fabric *f = in->t->fabric;
	unsigned from, to;
	for (uint32_t s = 0; s < f->n_switches && in->has_maps; s++)
		if (lacks_map(in, s, &from, &to))
			return odo_fail(err, ODO_EINPUT,
					"expected the SL2VL maps of all ports with cables, or no "
					"map, found none from port %u to port %u of \"%.64s\"",
					from, to, odo_name(f, s));
	return 0;
}

/* Return the SLs that paths use, a bit each. */
static unsigned used_sls(const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	if (!t->sl_of_pair)
		return 1;
	unsigned used = 0;
	for (size_t i = 0; i < (size_t)f->n_switches * f->lid_count; i++)
		used |= 1u << t->sl_of_pair[i] | (t->held_of_pair ? t->held_of_pair[i] : 0u);
	return used;
}

static unsigned highest_vl(const odo_sl2vl *map, unsigned sls)
{
	unsigned highest = 0;
	for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
		if (sls >> sl & 1 && map->vl[sl] != ODO_VL_DROP && map->vl[sl] > highest)
			highest = map->vl[sl];
	return highest;
}

static void count_imported_vls(odo_tables *t)
{
	unsigned sls = used_sls(t), vls = 0;
	for (uint32_t i = 0; i < t->n_rows; i++) {
		unsigned highest = highest_vl(&t->rows[i], sls);
		vls = highest > vls ? highest : vls;
	}
	t->n_vls = (uint8_t)(vls + 1);
	t->n_sls = (uint8_t)(32 - __builtin_clz(sls));
}

int odo_import_finish(odo_import *in, odo_tables **out, odo_error *err)
{
	int status = check_lfts(in, err);
	if (!status)
		status = odo_read_end_psl(in, err);
	if (!status) {
		count_imported_vls(in->t);
		in->t->watch = NULL;
		*out = in->t;
		in->t = NULL;
	}
	odo_import_free(in);
	return status;
}

static int import_file(odo_import *in, const char *path, odo_error *err)
{
	char *text;
	size_t size;
	int status = odo_slurp(path, &text, &size, err);
	if (!status) {
		odo_unframe(text, &size, &in->ledger);
		status = odo_import_text(in, text, size, odo_origin_name(path), err);
	}
	free(text);
	return status;
}

int odo_import_files(const odo_fabric *f, const char *const *paths, size_t n, bool for_proof,
		     bool of_part, odo_ledger *ledger, const odo_watch *watch, odo_tables **out,
		     odo_error *err)
{
	odo_import *in;
	int status = (for_proof ? odo_import_create_for_proof : odo_import_create)(f, &in, err);
	if (status)
		return status;
	in->t->watch = watch;
	in->of_part = of_part;
	for (size_t i = 0; i < n && !status; i++)
		status = import_file(in, paths[i], err);
	if (!status)
		status = check_maps(in, err);
	if (ledger)
		*ledger = in->ledger;
	in->t->from.assumes_sls = !in->heard && !odo_tables_sls_alike(in->t);
	in->t->from.assumes_vls = !in->has_maps;
	if (status) {
		odo_import_free(in);
		return status;
	}
	return odo_import_finish(in, out, err);
}
