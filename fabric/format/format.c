/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of file formats, and the reading of whole files. */
#include "fabric/format/format.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fabric/format/formats.h"
#include "fabric/format/frame.h"
#include "fabric/format/others.h"
#include "fabric/format/scan.h"
#include "fabric/format/slurp.h"
#include "fabric/format/talk.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"

const odo_fabric_format odo_fabric_formats[] = {
	{"ibnetdiscover", "what infiniband-diags' ibnetdiscover prints", odo_net_read,
	 odo_ibnetdiscover_recognise, odo_ibnetdiscover_write},
	{"ibsim", "net file of the ibsim simulator", odo_net_read, odo_net_recognise,
	 odo_net_write},
	/* Written by export/ only: it has no LMCs and no nodes without cables. */
	{"lst", "cables as in OpenSM's opensm-subnet.lst", odo_lst_read, odo_lst_recognise, NULL},
	{"plan", "a plan of Odonata (odonata map --save-plan)", odo_plan_file_read,
	 odo_plan_file_recognise, NULL},
	{"db_csv", "tables of ibdiagnet (ibdiagnet2.db_csv)", odo_db_csv_read, odo_db_csv_recognise,
	 NULL},
	{"net_dump", "ports of ibdiagnet (ibdiagnet2.net_dump)", odo_net_dump_read,
	 odo_net_dump_recognise, NULL},
	{"iblinkinfo", "what infiniband-diags' iblinkinfo prints", odo_linkinfo_read,
	 odo_linkinfo_recognise, NULL},
	{"ibdm", "topology file of ibdm and ibdiagnet (.topo)", odo_ibdm_read, odo_ibdm_recognise,
	 NULL},
	{"cabling", "cables as CSV with named columns, as 'odonata plan --cabling' lists them",
	 odo_cabling_read, odo_cabling_recognise, NULL},
	{"anynet", "routers and nodes as in BookSim's anynet files", odo_anynet_read,
	 odo_anynet_recognise, NULL},
	{0},
};

static const char *const speeds[] = {
	[ODO_SPEED_UNKNOWN] = "???", [ODO_SDR] = "SDR", [ODO_DDR] = "DDR", [ODO_QDR] = "QDR",
	[ODO_FDR10] = "FDR10",       [ODO_FDR] = "FDR", [ODO_EDR] = "EDR", [ODO_HDR] = "HDR",
	[ODO_NDR] = "NDR",           [ODO_XDR] = "XDR",
};

const char *odo_speed_name(odo_speed speed)
{
	return speeds[speed];
}

odo_speed odo_speed_named(const char *name, size_t n)
{
	for (odo_speed s = ODO_SDR; s <= ODO_XDR; s++)
		if (strlen(speeds[s]) == n && !memcmp(speeds[s], name, n))
			return s;
	return ODO_SPEED_UNKNOWN;
}

/* Skip warnings before the first node. A subnet with many silent nodes causes thousands. */
static const char *pass_talk(const char *text, size_t size)
{
	odo_scan s = {.rest = text, .limit = text + size}, next = s;
	while (odo_next_line(&next)) {
		odo_scan look = next;
		odo_skip_blanks(&look);
		if (!odo_at_end(&look) && !odo_is_talk(look))
			break;
		s = next;
	}
	return s.rest;
}

static const odo_fabric_format *recognise_format(const char *text, size_t size)
{
	const char *limit = text + size;
	text = pass_talk(text, size);
	size = (size_t)(limit - text);
	for (const odo_fabric_format *row = odo_fabric_formats; row->name; row++)
		if (row->read && row->recognise(text, size))
			return row;
	return NULL;
}

static void list_format_names(char *names, size_t size)
{
	*names = '\0';
	for (const odo_fabric_format *row = odo_fabric_formats; row->name; row++) {
		strncat(names, *names ? ", " : "", size - strlen(names) - 1);
		strncat(names, row->name, size - strlen(names) - 1);
	}
}

static int fail_unrecognised(const char *origin, const char *text, size_t size, odo_error *err)
{
	char names[200];
	uint32_t line = 1;
	const odo_other_file *other = odo_other_find(text, size, &line);
	list_format_names(names, sizeof names);
	if (other)
		return odo_fail(err, ODO_EINPUT, "%s:%u: expected a fabric (%s), found %s: %s",
				origin, line, names, other->name, other->advice);
	return odo_fail(err, ODO_EINPUT, "%s:1: expected a fabric (%s), found %s", origin, names,
			*text ? "none of these" : "an empty file");
}

/* @param out a fabric; NULL on failure */
static int add_notes(odo_fabric **out, const char *origin, odo_error *err)
{
	odo_fabric *f = *out;
	if (!f->repairs)
		return 0;
	f->notes = odo_ledger_notes(f->repairs, origin);
	if (f->notes)
		return 0;
	odo_fabric_free(f);
	*out = NULL;
	return odo_fail(err, ODO_ENOMEM, "%s: no memory", origin);
}

/* @param ledger repairs of the text so far */
static int build_from_text(const odo_fabric_format *row, const char *text, size_t size,
			   const char *origin, uint8_t lmc, const odo_ledger *ledger,
			   odo_fabric **out, odo_error *err)
{
	odo_builder *b;
	odo_fabric *as_read;
	int status = odo_builder_create(&b, err);
	if (status)
		return status;
	odo_ledger_join(odo_builder_ledger(b), ledger);
	status = row->read(text, size, origin, b, err);
	if (status) {
		odo_builder_free(b);
		return status;
	}
	if (odo_builder_freeze(b, ODO_LIDS_FILL, lmc, &as_read, err))
		return odo_fail_within(err, "%s", origin);
	status = odo_fabric_sort(as_read, out, err);
	odo_fabric_free(as_read);
	return status ? status : add_notes(out, origin, err);
}

int odo_fabric_read(const char *path, uint8_t lmc, odo_fabric **out, odo_error *err)
{
	char *text;
	size_t size;
	odo_ledger ledger = {0};
	const char *origin = odo_origin_name(path);
	odo_ledger_entry *zeros = &ledger.of[ODO_REPAIR_BYTES];
	int status = odo_slurp_roughly(path, &text, &size, &zeros->n, &zeros->line, err);
	if (status)
		return status;
	odo_unframe(text, &size, &ledger);
	const odo_fabric_format *row = recognise_format(text, size);
	status = row ? build_from_text(row, text, size, origin, lmc, &ledger, out, err)
		     : fail_unrecognised(origin, text, size, err);
	free(text);
	return status;
}

int odo_fabric_open(const char *spec_or_path, uint8_t lmc, odo_fabric **out,
		    odo_coordinates **truth, odo_error *err)
{
	/* Treat a name as a spec if it can only be one, even if no such topology exists. */
	bool meant = !*spec_or_path || (strchr(spec_or_path, ':') && access(spec_or_path, F_OK));
	if (meant || odo_topology_is_spec(spec_or_path))
		return odo_topology_generate(spec_or_path, lmc, out, truth, err);
	if (truth)
		*truth = NULL;
	return odo_fabric_read(spec_or_path, lmc, out, err);
}
