/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Joins the records of a file: chooses the records that count, adds nodes that only their peers
 * name, and cables. Records that contradict each other are omitted, and recorded. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "fabric/format/formats.h"
#include "fabric/format/net.h"

static int no_memory_for_nodes(const net_file *file)
{
	return odo_fail(file->scan.err, ODO_ENOMEM, "%s: no memory for its nodes",
			file->scan.origin);
}

/* Return the slot of the table with an id, or the free slot for it. */
static uint32_t *find_id_slot(const net_file *file, odo_text id)
{
	size_t at = odo_hash_place(odo_hash_bytes(id.at, id.n), file->table_size);
	while (file->table[at] && !odo_text_equal(file->records[file->table[at] - 1].id, id))
		at = (at + 1) & (file->table_size - 1);
	return &file->table[at];
}

/* Make an empty table with room for all records and as many more. */
static int clear_table(net_file *file, size_t n_records)
{
	free(file->table);
	for (file->table_size = 1024; file->table_size < 4 * n_records;)
		file->table_size *= 2;
	file->table = odo_new(file->table_size, sizeof *file->table);
	return file->table ? 0 : no_memory_for_nodes(file);
}

/* Find scans that a later scan of the same subnet supersedes: both list a switch. Adapters prove
 * nothing, because they may have ports in two subnets. */
static int find_superseded(net_file *file, uint8_t *superseded)
{
	int status = clear_table(file, file->n_records);
	for (size_t i = 0; i < file->n_records && !status; i++) {
		const net_record *record = &file->records[i];
		uint32_t *at = find_id_slot(file, record->id);
		const net_record *old = *at ? &file->records[*at - 1] : record;
		if (old->scan != record->scan && record->type == ODO_SWITCH) {
			superseded[old->scan] = 1;
			odo_ledger_add(file->ledger, ODO_REPAIR_SCANS, record->line,
				       "\"%.*s\" is also at line %u", odo_text_print(record->id),
				       old->line);
		}
		*at = (uint32_t)i + 1;
	}
	return status;
}

/* Count scans in the ledger, not the switches that they share. */
static void count_scans(net_file *file, const uint8_t *superseded)
{
	odo_ledger_entry *entry = &file->ledger->of[ODO_REPAIR_SCANS];
	entry->n = 0;
	for (uint32_t i = 0; i < file->n_scans; i++)
		entry->n += superseded[i];
}

static int drop_superseded(net_file *file)
{
	uint8_t *superseded = odo_new(file->n_scans + 1ul, 1);
	int status = superseded ? find_superseded(file, superseded) : no_memory_for_nodes(file);
	for (size_t i = 0; i < file->n_records && !status; i++)
		file->records[i].gone = superseded[file->records[i].scan];
	if (!status)
		count_scans(file, superseded);
	free(superseded);
	return status;
}

/* Copy ports that only the earlier record of an adapter lists. */
static void merge_ports(net_file *file, const net_record *old, const net_record *record)
{
	for (uint32_t i = 0; i < old->n_ports && i < record->n_ports; i++) {
		net_claim *claim = &file->claims[record->first_claim + i];
		if (!claim->far.at && !claim->twice)
			*claim = file->claims[old->first_claim + i];
	}
}

/* Fill the table with the records that count: the last one of each id. */
static int choose_records(net_file *file)
{
	int status = clear_table(file, file->n_records);
	for (size_t i = 0; i < file->n_records && !status; i++) {
		net_record *record = &file->records[i];
		if (record->gone)
			continue;
		uint32_t *at = find_id_slot(file, record->id);
		net_record *old = *at ? &file->records[*at - 1] : NULL;
		if (old && old->scan != record->scan)
			merge_ports(file, old, record);
		else if (old)
			odo_ledger_add(file->ledger, ODO_REPAIR_NODE, record->line,
				       "\"%.*s\" is also at line %u", odo_text_print(record->id),
				       old->line);
		if (old)
			old->gone = true;
		*at = (uint32_t)i + 1;
	}
	return status;
}

static void forget_claim(net_claim *claim)
{
	*claim = (net_claim){.line = claim->line};
}

/*
 * Add a record for a node that a claim names and no line defines.
 * @param found the record + 1; 0 if the id does not show the type of the node
 */
static int add_undefined(net_file *file, const net_claim *claim, uint32_t *found)
{
	odo_node_type type;
	net_record *record;
	uint64_t guid;
	*found = 0;
	if (!net_id_says(claim->far, &type, &guid))
		return 0;
	if (odo_grow(&file->records, &file->records_room, file->n_records + 1,
		     sizeof *file->records))
		return no_memory_for_nodes(file);
	record = &file->records[file->n_records++];
	*record = (net_record){.id = claim->far,
			       .name = claim->far_name.at ? claim->far_name : claim->far,
			       .guid = guid,
			       .line = claim->line,
			       .scan = file->n_scans,
			       .lid = type == ODO_SWITCH ? claim->far_lid : 0,
			       .type = (uint8_t)type,
			       .undefined = true};
	odo_ledger_add(file->ledger, ODO_REPAIR_UNDEFINED, claim->line, "\"%.*s\"",
		       odo_text_print(record->name));
	*found = (uint32_t)file->n_records;
	if (2 * file->n_records <= file->table_size) {
		*find_id_slot(file, record->id) = *found;
		return 0;
	}
	int status = clear_table(file, file->n_records);
	for (size_t i = 0; i < file->n_records && !status; i++)
		if (!file->records[i].gone)
			*find_id_slot(file, file->records[i].id) = (uint32_t)i + 1;
	return status;
}

/* Find the record of a claim's far end. Claims to unknown nodes are omitted. */
static int find_far_record(net_file *file, net_claim *claim)
{
	uint32_t found = *find_id_slot(file, claim->far);
	bool possible = claim->far_port >= 1 && claim->far_port <= ODO_MAX_PORTS;
	int status = found || !possible ? 0 : add_undefined(file, claim, &found);
	if (status)
		return status;
	net_record *far = found ? &file->records[found - 1] : NULL;
	if (!far && possible)
		odo_ledger_add(file->ledger, ODO_REPAIR_UNKNOWN_END, claim->line, "\"%.*s\"",
			       odo_text_print(claim->far));
	else if (!far || !possible || (!far->undefined && claim->far_port > far->n_ports))
		odo_ledger_add(file->ledger, ODO_REPAIR_PORT, claim->line,
			       "expected a port of \"%.*s\" from 1 to %u, found %u",
			       odo_text_print(claim->far), far ? far->n_ports : ODO_MAX_PORTS,
			       claim->far_port);
	else if (far->undefined && claim->far_port > far->n_ports)
		far->n_ports = claim->far_port;
	bool keeps = far && possible && claim->far_port <= far->n_ports;
	if (keeps)
		claim->far_record = found - 1;
	else
		forget_claim(claim);
	return 0;
}

/* Add claims for ports of nodes that only their peers name, with the GUIDs and LIDs that the peers
 * give. */
static int add_their_ports(net_file *file, size_t n_defined, size_t n_claims)
{
	for (size_t i = n_defined; i < file->n_records; i++) {
		net_record *record = &file->records[i];
		record->first_claim = (uint32_t)file->n_claims;
		if (odo_grow(&file->claims, &file->claims_room, file->n_claims + record->n_ports,
			     sizeof *file->claims))
			return no_memory_for_nodes(file);
		memset(file->claims + file->n_claims, 0, record->n_ports * sizeof *file->claims);
		file->n_claims += record->n_ports;
	}
	for (size_t i = 0; i < n_claims && n_defined < file->n_records; i++) {
		const net_claim *claim = &file->claims[i];
		const net_record *far = &file->records[claim->far_record];
		if (!claim->far.at || !far->undefined)
			continue;
		net_claim *port = &file->claims[far->first_claim + claim->far_port - 1];
		port->guid = claim->far_guid;
		port->lid = claim->far_lid;
	}
	return 0;
}

static net_claim *far_claim(const net_file *file, const net_claim *c)
{
	return &file->claims[file->records[c->far_record].first_claim + c->far_port - 1];
}

static void name_far(net_claim *far)
{
	far->rivals |= far->named;
	far->named = true;
}

/* Find the far end of all claims. Claims of superseded records are dropped. */
static int resolve_claims(net_file *file)
{
	size_t n_defined = file->n_records, n_claims = file->n_claims;
	int status = 0;
	for (size_t i = 0; i < n_defined && !status; i++) {
		uint32_t first = file->records[i].first_claim, n = file->records[i].n_ports;
		for (uint32_t k = first; k < first + n && !status; k++) {
			if (file->records[i].gone)
				forget_claim(&file->claims[k]);
			else if (file->claims[k].far.at)
				status = find_far_record(file, &file->claims[k]);
		}
	}
	if (!status)
		status = add_their_ports(file, n_defined, n_claims);
	for (size_t i = 0; i < n_claims && !status; i++)
		if (file->claims[i].far.at)
			name_far(far_claim(file, &file->claims[i]));
	return status;
}

static bool names_each_other(const net_file *file, const net_record *record, const net_claim *c,
			     const net_claim *back)
{
	return back->far.at && back->far_record == (uint32_t)(record - file->records) &&
	       back->far_port == (uint32_t)(c - file->claims) - record->first_claim + 1;
}

static void note_far(net_file *file, const net_claim *c, const char *what)
{
	odo_ledger_add(file->ledger, ODO_REPAIR_LINE, c->line,
		       "%s lost, or not as its peers say, of \"%.*s\"", what,
		       odo_text_print(c->far_name.at ? c->far_name : c->far));
}

/* Compare a claim with the record of its far end: name, LID and GUID. If the node's own line lacks
 * one, it is copied from the claim. */
static void compare_far(net_file *file, const net_claim *c)
{
	net_record *far = &file->records[c->far_record];
	net_claim *back = far_claim(file, c);
	uint16_t *lid = far->type == ODO_SWITCH ? &far->lid : &back->lid;
	if (c->far_name.at && !odo_text_equal(c->far_name, far->name)) {
		note_far(file, c, "name");
		far->name = far->name.at == far->id.at ? c->far_name : far->name;
	}
	bool cut = far->type != ODO_SWITCH &&
		   !back->far_name.at; /* the line may be cut off within its LID */
	if (c->far_lid && c->far_lid != *lid) {
		note_far(file, c, "LID");
		*lid = *lid && !cut ? *lid : c->far_lid;
	}
	if (far->type != ODO_SWITCH && c->far_guid && c->far_guid != back->guid) {
		note_far(file, c, "GUID");
		back->guid = back->guid ? back->guid : c->far_guid;
	}
}

static void compare_claims(net_file *file)
{
	for (size_t i = 0; i < file->n_records; i++) {
		const net_record *record = &file->records[i];
		for (uint32_t k = 0; k < record->n_ports; k++) {
			const net_claim *c = &file->claims[record->first_claim + k], *back;
			if (!c->far.at || file->records[c->far_record].undefined)
				continue;
			back = far_claim(file, c);
			if (names_each_other(file, record, c, back) ||
			    !(back->far.at || back->rivals))
				compare_far(file, c);
		}
	}
}

/* Correct GUIDs that were lost or cut off: ibnetdiscover's id of a node contains its GUID. Ids in
 * ibsim's own files have no such meaning. */
static void resolve_guids(net_file *file)
{
	enum { WHOLE = 18 }; /* "S-" and 16 digits */
	for (size_t i = 0; i < file->n_records; i++) {
		net_record *record = &file->records[i];
		odo_node_type said;
		uint64_t guid;
		bool unsure = file->says_lids || (record->counted && file->says_guids);
		if (record->gone || !unsure || record->id.n != WHOLE ||
		    !net_id_says(record->id, &said, &guid) || guid == record->guid)
			continue;
		record->guid = guid;
		if (file->says_guids)
			odo_ledger_add(file->ledger, ODO_REPAIR_LINE, record->line,
				       "GUID lost, or not as in the id, of \"%.*s\"",
				       odo_text_print(record->name));
	}
}

static int add_record_node(net_file *file, net_record *record, odo_builder *b)
{
	odo_node_info info = {.type = (odo_node_type)record->type,
			      .n_ports = record->n_ports,
			      .guid = record->guid,
			      .lid = record->lid,
			      .lmc = record->lmc};
	file->scan.line = record->line;
	int status = odo_scan_add_node(&file->scan, b, &info, record->name, &record->node);
	for (uint32_t i = 0; i < record->n_ports && record->type != ODO_SWITCH && !status; i++) {
		const net_claim *c = &file->claims[record->first_claim + i];
		if (c->guid || c->lid)
			status = odo_builder_port(b, record->node, i + 1, c->guid, c->lid, c->lmc,
						  file->scan.err);
	}
	return status;
}

/* Return the rate that one end claims. In ibsim's files without rates it follows ibsim's rule. */
static odo_link_info claimed_rate(const net_file *file, const net_claim *c, const net_claim *back)
{
	odo_link_info info = c->info;
	if (file->says_enabled && !c->info.width && !(back && back->info.width)) {
		info = net_ibsim_rate(file, c, back);
		info.n_vls = c->info.n_vls;
	}
	return info;
}

/* @param back claim of the other end, or NULL */
static int link_claim_ends(net_file *file, const net_record *record, const net_claim *c,
			   const net_claim *back, odo_builder *b)
{
	const net_record *far = &file->records[c->far_record];
	unsigned port = (unsigned)(c - file->claims - record->first_claim) + 1;
	uint32_t differ = odo_builder_rates_differ(b);
	odo_error why;
	int status = odo_builder_link(b, record->node, port, far->node, c->far_port,
				      claimed_rate(file, c, back), &why);
	if (!status && back)
		status = odo_builder_link(b, record->node, port, far->node, c->far_port,
					  claimed_rate(file, back, c), &why);
	if (status)
		odo_ledger_add(file->ledger, ODO_REPAIR_DISAGREE, c->line, "%.70s", why.text);
	if (odo_builder_rates_differ(b) > differ)
		odo_ledger_add(file->ledger, ODO_REPAIR_RATE, c->line,
			       "%ux%s, and %ux%s at line %u", c->info.width,
			       odo_speed_name((odo_speed)c->info.speed), back->info.width,
			       odo_speed_name((odo_speed)back->info.speed), back->line);
	return status == ODO_ENOMEM ? no_memory_for_nodes(file) : 0;
}

/* Add a cable that both ends list, once. */
static int link_listed_twice(net_file *file, const net_record *record, net_claim *c, odo_builder *b)
{
	const net_claim *back = far_claim(file, c);
	if (back == c || back < c || !names_each_other(file, record, c, back))
		return 0;
	return link_claim_ends(file, record, c, back, b);
}

/* Add a cable that only one end lists, if the other end has no other cable. */
static int link_listed_once(net_file *file, const net_record *record, net_claim *c, odo_builder *b)
{
	const net_claim *back = far_claim(file, c);
	if (names_each_other(file, record, c, back) && back != c)
		return 0;
	const net_record *far = &file->records[c->far_record];
	if (back->far.at || back->rivals) {
		odo_ledger_add(file->ledger, ODO_REPAIR_DISAGREE, c->line,
			       "to \"%.*s\" port %u; other lines say otherwise",
			       odo_text_print(c->far), c->far_port);
		return 0;
	}
	if (!far->undefined)
		odo_ledger_add(file->ledger, ODO_REPAIR_ONE_END, c->line, NULL);
	return link_claim_ends(file, record, c, NULL, b);
}

typedef int link_claim(net_file *file, const net_record *record, net_claim *c, odo_builder *b);

static int link_claims(net_file *file, link_claim *link, odo_builder *b)
{
	int status = 0;
	for (size_t i = 0; i < file->n_records && !status; i++) {
		const net_record *record = &file->records[i];
		for (uint32_t k = 0; k < record->n_ports && !status; k++) {
			net_claim *c = &file->claims[record->first_claim + k];
			if (c->far.at)
				status = link(file, record, c, b);
		}
	}
	return status;
}

int net_put_together(net_file *file, odo_builder *b)
{
	int status = file->n_scans ? drop_superseded(file) : 0;
	if (!status)
		status = choose_records(file);
	if (!status)
		status = resolve_claims(file);
	if (!status) {
		compare_claims(file);
		resolve_guids(file);
	}
	for (size_t i = 0; i < file->n_records && !status; i++)
		if (!file->records[i].gone)
			status = add_record_node(file, &file->records[i], b);
	if (!status)
		status = link_claims(file, link_listed_twice, b);
	if (!status)
		status = link_claims(file, link_listed_once, b);
	return status;
}
