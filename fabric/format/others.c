/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/others.h"

#include <fnmatch.h>
#include <string.h>

#include "fabric/format/scan.h"

/* Bytes that are compared with the patterns, and maximum length of a line. */
enum { HEAD = 16384, LONGEST = 400 };

#define DISCOVER "run 'ibnetdiscover >fabric.topo' on a node of the subnet"
#define TABLES "give it as --tables, beside the fabric (" DISCOVER ")"
#define CABLES "it lists no cables: " DISCOVER

/* Patterns. If several lines of a file match, the first row in this table counts. */
static const odo_other_file rows[] = {
	/* Tables. */
	{"Unicast lids *", "forwarding tables (LFTs)", TABLES, ODO_FILE_TABLES},
	{"dump_ucast_routes:*", "forwarding tables (.fdbs)", TABLES, ODO_FILE_TABLES},
	{"Multicast mlids *", "multicast tables", DISCOVER, ODO_FILE_OTHER},
	{"Switch 0x*, base LID *", "SL2VL maps", TABLES, ODO_FILE_TABLES},
	{"Switch 0x*", "multicast or SL2VL tables", DISCOVER, ODO_FILE_OTHER},
	{"Switch: guid 0x*", "a LID matrix", DISCOVER, ODO_FILE_OTHER},
	{"osm_ucast_mgr_dump_*", "tables of ibdiagnet", TABLES, ODO_FILE_TABLES},
	{"0x* 0x?? 0x?? 0x?? 0x?? 0x?? 0x?? 0x?? 0x??*", "SL2VL maps (.slvl)", TABLES,
	 ODO_FILE_TABLES},
	{"0x???????????????? [0-9]* [0-9]*", "SLs of paths (.psl)", TABLES, ODO_FILE_TABLES},
	{"*\"odonata-tables\"*", "tables that 'odonata export -f json' wrote",
	 "name the fabric that they were made for", ODO_FILE_OTHER},
	/* infiniband-diags. */
	{"*==(*)==>*", "the output of iblinkinfo", DISCOVER, ODO_FILE_OTHER},
	{"[CSR][AWT] *[0-9] *[0-9] 0x[0-9a-f]* *", "the output of 'ibnetdiscover -p'",
	 "run ibnetdiscover without -p", ODO_FILE_OTHER},
	{"Switch[ \t]*: 0x* ports *", "the output of ibswitches", CABLES, ODO_FILE_OTHER},
	{"Ca[ \t]*: 0x* ports *", "the output of ibhosts", CABLES, ODO_FILE_OTHER},
	{"R[ot]*[ \t]*: 0x* ports *", "the output of ibrouters", CABLES, ODO_FILE_OTHER},
	{"CA '*'*", "the output of ibstat", CABLES, ODO_FILE_OTHER},
	{"Infiniband device '*", "the output of ibstatus", CABLES, ODO_FILE_OTHER},
	{"hca_id:*", "the output of ibv_devinfo", CABLES, ODO_FILE_OTHER},
	{"*Record dump:*", "the output of saquery", DISCOVER, ODO_FILE_OTHER},
	{"# Node info:*", "the output of smpquery", DISCOVER, ODO_FILE_OTHER},
	{"# Port info:*", "the output of smpquery", DISCOVER, ODO_FILE_OTHER},
	{"# Port counters:*", "the output of perfquery", DISCOVER, ODO_FILE_OTHER},
	{"# Port extended counters:*", "the output of perfquery", DISCOVER, ODO_FILE_OTHER},
	{"Errors for *", "the output of ibqueryerrors", DISCOVER, ODO_FILE_OTHER},
	{"From [cs][aw]* {0x*", "the output of ibtracert", DISCOVER, ODO_FILE_OTHER},
	{"sminfo: *", "the output of sminfo", DISCOVER, ODO_FILE_OTHER},
	/* Fabrics. */
	{"# Topology file: *", "a fabric, as ibnetdiscover prints it", "give it as FABRIC",
	 ODO_FILE_FABRIC},
	{"Switch[ \t]*[0-9]*[ \t]*\"*\"*", "a fabric, as ibnetdiscover prints it",
	 "give it as FABRIC", ODO_FILE_FABRIC},
	{"{ [SCR][WAt]* Ports:*", "a fabric, as opensm-subnet.lst", "give it as FABRIC",
	 ODO_FILE_FABRIC},
	/* ibdiagnet, UFM. */
	{"START_*", "ibdiagnet's db_csv",
	 "take the file .ibnetdiscover that ibdiagnet writes "
	 "beside it, or " DISCOVER,
	 ODO_FILE_OTHER},
	{"*Neighbor Guid*Neighbor Description*", "ibdiagnet's net_dump",
	 "take the file .ibnetdiscover that ibdiagnet writes beside it, or " DISCOVER,
	 ODO_FILE_OTHER},
	{"Ty *: *#*: *#IB *:*", "ibdiagnet's net_dump_ext",
	 "take the file .ibnetdiscover that ibdiagnet writes beside it, or " DISCOVER,
	 ODO_FILE_OTHER},
	{"* -[0-9]*x-*-> *", "a plan of ibdm or ibdiagnet (.topo)",
	 "compare plans with 'odonata map FABRIC --diff OLD', where both are such as ibnetdiscover "
	 "prints",
	 ODO_FILE_OTHER},
	{"-[IWE]- *", "a log of ibdiagnet", "take the file .ibnetdiscover that it wrote",
	 ODO_FILE_OTHER},
	{"StartDev*,*", "UFM's topology file (NDT)", DISCOVER, ODO_FILE_OTHER},
	{"*,*StartPort*,*EndDev*", "UFM's topology file (NDT)", DISCOVER, ODO_FILE_OTHER},
	/* OpenSM, Slurm. */
	{"# The port GUID on which the OpenSM is running*", "opensm.conf", DISCOVER,
	 ODO_FILE_OTHER},
	{"subnet_prefix 0x*", "opensm.conf", DISCOVER, ODO_FILE_OTHER},
	{"routing_engine *", "opensm.conf", DISCOVER, ODO_FILE_OTHER},
	{"event_plugin_name *", "opensm.conf", DISCOVER, ODO_FILE_OTHER},
	{"[A-Z][a-z][a-z] [ 0-3][0-9] [0-9]*:*:* [*] 0x?? -> *", "a log of OpenSM", DISCOVER,
	 ODO_FILE_OTHER},
	{"SwitchName=*", "Slurm's topology.conf", CABLES, ODO_FILE_OTHER},
	{"NodeName=*", "Slurm's slurm.conf", CABLES, ODO_FILE_OTHER},
	{"0x???????????????? 0x???? 0x????", "OpenSM's guid2lid", CABLES, ODO_FILE_OTHER},
	/* Simulators. */
	{"router [0-9]* *", "BookSim's anynet", "give it as FABRIC", ODO_FILE_FABRIC},
	{"num_ranks [0-9]*", "a GOAL schedule",
	 "it is traffic, not a fabric; as a workload write it as a trace (docs/reference/trace.md)",
	 ODO_FILE_TRAFFIC},
	{"trace [0-9]*", "a trace of Odonata's", "give it as --workload trace:FILE",
	 ODO_FILE_TRAFFIC},
	/* Our own. */
	{"cable,kind,metres,*", "the list of cables of 'odonata plan --cabling'",
	 "give it as FABRIC", ODO_FILE_FABRIC},
	{"*\"schema\"*\"left_out\"*", "a report of Odonata's", "give the fabric that it is about",
	 ODO_FILE_OTHER},
	{"<!DOCTYPE html*", "a web page", DISCOVER, ODO_FILE_OTHER},
	{"<html*", "a web page", DISCOVER, ODO_FILE_OTHER},
	{"<svg*", "a picture", DISCOVER, ODO_FILE_OTHER},
	{"<?xml*", "XML", DISCOVER, ODO_FILE_OTHER},
	{"graph *{*", "a Graphviz file", DISCOVER, ODO_FILE_OTHER},
	{"digraph *{*", "a Graphviz file", DISCOVER, ODO_FILE_OTHER},
};

/* Files in a common form whose contents are unknown. */
static const odo_other_file json = {"", "JSON", DISCOVER, ODO_FILE_OTHER},
			    guids = {"", "a list of GUIDs",
				     "give it as --roots, --compute or --io, beside the fabric",
				     ODO_FILE_OTHER},
			    csv = {"", "CSV", DISCOVER, ODO_FILE_OTHER};

static const odo_other_file *find_pattern_row(const char *line)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!fnmatch(rows[i].line, line, 0))
			return &rows[i];
	return NULL;
}

/* Recognise a form by the first line that is no comment. */
static const odo_other_file *find_by_form(const char *line)
{
	unsigned commas = 0;
	if (*line == '{' || (*line == '[' && (!line[1] || strchr(" [{\"", line[1]))))
		return &json;
	if (!fnmatch("0x[0-9a-fA-F]*", line, 0) && strspn(line + 2, "0123456789abcdefABCDEF") >= 12)
		return &guids;
	for (const char *at = line; *at; at++)
		commas += *at == ',';
	return commas >= 2 && !strchr(line, ' ') ? &csv : NULL;
}

const odo_other_file *odo_other_find(const char *text, size_t size, uint32_t *line)
{
	const odo_other_file *form = NULL, *best = NULL;
	bool first = true;
	odo_scan s = {.rest = text, .limit = text + (size < HEAD ? size : HEAD)};
	while (odo_next_line(&s)) {
		char copy[LONGEST];
		odo_skip_blanks(&s);
		size_t n = (size_t)(s.end - s.at);
		n = n < sizeof copy ? n : sizeof copy - 1;
		memcpy(copy, s.at, n);
		copy[n] = '\0';
		const odo_other_file *row = *copy ? find_pattern_row(copy) : NULL;
		if (row && (!best || row < best)) {
			best = row;
			*line = s.line;
		}
		if (*copy && *copy != '#' && first) {
			form = find_by_form(copy);
			first = false;
		}
	}
	if (!best && form)
		*line = 1;
	return best ? best : form;
}
