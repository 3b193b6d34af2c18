/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The file begins with counts; arrays of these lengths follow. Each element of an array is in the
 * file, so no count can request more memory than a small multiple of the file's size.
 */
#include "routing/reroute/saved.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/reroute/front.h"
#include "routing/verify/verify.h"

/* Number of this format. It rises with any change below; a machine with the other byte order reads
 * another number. */
#define MARK 0x0D0A0002u
/* In this older format a history had the switch of each LID, and no absent ports. */
#define MARK_WITHOUT_PORTS 0x0D0A0001u

enum {
	CARRIED = 1,
	DETOURS_ANEW = 2,
	RELIEVED = 4,
	SPARED = 8,
	BY_PAIR = 16,
	SPILT = 32,
	PAST_BY_PAIR = 64,
	SPLICED = 128,
	UNFINISHED = 256,
	BY_TURN = 512
};

typedef struct head {
	uint32_t mark, flags;
	uint32_t n_switches, n_nodes, n_slots, lid_count, name_bytes;
	uint32_t n_rows, n_hosts, n_maps;
	uint32_t past_switches, past_lids;
	uint8_t n_vls, n_sls, spare[2];
	uint32_t choice;
	uint64_t n_several; /* pairs of the history that use SLs besides the one assigned last */
	char engine[48];
} head;

typedef struct saved_node {
	uint64_t guid;
	uint16_t lid;
	uint8_t type, n_ports, lmc, spare[3];
} saved_node;

typedef struct saved_slot {
	uint64_t guid;
	uint32_t peer;
	uint16_t lid;
	uint8_t lmc, width, speed, n_vls, spare[6];
} saved_slot;

typedef struct several {
	uint64_t at;
	uint16_t held, spare[3];
} several;

/* Counts of a history that are not in the head. */
typedef struct saved_ports {
	uint32_t n_ports, n_here, n_owing; /* n_owing: rows with owed SLs */
} saved_ports;

static uint16_t as_set(uint8_t last)
{
	return (uint16_t)(last == ODO_SL_NONE ? 0 : 1u << last);
}

static size_t n_past(const head *x)
{
	return (size_t)(x->flags & PAST_BY_PAIR ? x->past_switches : 1) * x->past_lids;
}

static uint64_t count_several(const odo_history *h, size_t n)
{
	uint64_t n_several = 0;
	for (size_t i = 0; i < n; i++)
		n_several += h->held[i] != as_set(h->last[i]);
	return n_several;
}

static head head_of(const odo_tables *t, const odo_history *h, uint32_t choice)
{
	const odo_fabric *f = t->fabric;
	head x = {.mark = MARK,
		  .flags = (t->from.carried ? CARRIED : 0u) |
			   (t->from.detours_anew ? DETOURS_ANEW : 0u) |
			   (t->from.relieved ? RELIEVED : 0u) | (t->from.spared ? SPARED : 0u) |
			   (t->from.by_pair ? BY_PAIR : 0u) | (t->from.spilt ? SPILT : 0u) |
			   (h->by_pair ? PAST_BY_PAIR : 0u) | (t->from.spliced ? SPLICED : 0u) |
			   (t->from.unfinished ? UNFINISHED : 0u) |
			   (t->from.by_turn ? BY_TURN : 0u),
		  .n_switches = f->n_switches,
		  .n_nodes = f->n_nodes,
		  .n_slots = f->n_slots,
		  .lid_count = f->lid_count,
		  .n_rows = t->n_rows,
		  .n_hosts = f->n_hosts,
		  .n_maps = t->sl2vl_at[f->n_switches],
		  .past_switches = h->n_switches,
		  .past_lids = h->lid_count,
		  .n_vls = t->n_vls,
		  .n_sls = t->n_sls,
		  .choice = choice};
	for (uint32_t v = 0; v < f->n_nodes; v++)
		x.name_bytes += (uint32_t)strlen(odo_name(f, v)) + 1;
	x.n_several = count_several(h, n_past(&x));
	memcpy(x.engine, t->engine, sizeof x.engine);
	return x;
}

static void write_fabric(const odo_fabric *f, odo_seal *to)
{
	for (uint32_t v = 0; v < f->n_nodes; v++) {
		saved_node x = {.guid = f->node_guid[v],
				.type = f->node_type[v],
				.n_ports = (uint8_t)odo_n_ports(f, v)};
		if (odo_is_switch(f, v)) {
			x.lid = f->switch_lid[v];
			x.lmc = f->switch_lmc[v];
		}
		odo_seal_write(to, &x, sizeof x, 1);
	}
	for (uint32_t i = 0; i < f->n_slots; i++) {
		saved_slot x = {.guid = f->port_guid[i],
				.peer = f->peer[i],
				.lid = f->port_lid[i],
				.lmc = f->port_lmc[i],
				.width = f->width[i],
				.speed = f->speed[i],
				.n_vls = f->n_vls[i]};
		odo_seal_write(to, &x, sizeof x, 1);
	}
	for (uint32_t v = 0; v < f->n_nodes; v++)
		odo_seal_write(to, odo_name(f, v), strlen(odo_name(f, v)) + 1, 1);
}

static bool owes_sls(const odo_history *h, size_t row)
{
	for (uint32_t lid = 0; h->owed && lid < h->lid_count; lid++)
		if (h->owed[row * h->lid_count + lid])
			return true;
	return false;
}

static void write_ports(const odo_history *h, odo_seal *to)
{
	saved_ports x = {h->n_ports, h->n_here, 0};
	uint32_t rows = h->by_pair ? h->n_switches : 1;
	for (uint32_t i = 0; i < rows; i++)
		x.n_owing += owes_sls(h, i);
	odo_seal_write(to, &x, sizeof x, 1);
	odo_seal_write(to, h->port_guid, sizeof *h->port_guid, h->n_ports);
	odo_seal_write(to, h->port_switch, sizeof *h->port_switch, h->n_ports);
	for (uint32_t i = 0; i < rows; i++) {
		if (!owes_sls(h, i))
			continue;
		odo_seal_write(to, &i, sizeof i, 1);
		odo_seal_write(to, h->owed + (size_t)i * h->lid_count, sizeof *h->owed,
			       h->lid_count);
	}
}

static void write_history(const odo_history *h, size_t n, odo_seal *to)
{
	odo_seal_write(to, h->switch_guid, sizeof *h->switch_guid, h->n_switches);
	odo_seal_write(to, h->lid_guid, sizeof *h->lid_guid, h->lid_count);
	write_ports(h, to);
	odo_seal_write(to, h->last, 1, n);
	for (size_t i = 0; i < n; i++) {
		several x = {.at = i, .held = h->held[i]};
		if (x.held != as_set(h->last[i]))
			odo_seal_write(to, &x, sizeof x, 1);
	}
}

int odo_saved_write(const odo_tables *t, const odo_history *history, uint32_t choice, FILE *to,
		    odo_error *err)
{
	if (t->profile != ODO_PROFILE_IB || t->adaptive)
		return odo_fail(err, ODO_EDECLINE, "tables of profile ib are saved, and no others");
	head x = head_of(t, history, choice);
	odo_seal seal;
	odo_seal_begin(&seal, &odo_seal_past, to);
	odo_front_write(&seal, history->switch_guid, x.n_switches, x.past_switches);
	odo_seal_write(&seal, &x, sizeof x, 1);
	write_fabric(t->fabric, &seal);
	odo_seal_write(&seal, t->lft, x.lid_count, x.n_switches);
	odo_seal_write(&seal, t->rows, sizeof *t->rows, t->n_rows);
	odo_seal_write(&seal, t->sl2vl, sizeof *t->sl2vl, x.n_maps);
	odo_seal_write(&seal, t->host_row, sizeof *t->host_row, x.n_hosts);
	write_history(history, n_past(&x), &seal);
	odo_seal_end(&seal);
	return 0;
}

void odo_saved_clear(odo_saved *x)
{
	odo_history_free(x->history);
	odo_tables_free(x->tables);
	odo_fabric_free(x->fabric);
	*x = (odo_saved){0};
}

typedef struct reader {
	FILE *from;
	const char *name;
	uint64_t left; /* bytes */
	bool sealed;
	head head;
	odo_saved *out;
	odo_error *err;
} reader;

static int refuse_file(const reader *r, const char *what)
{
	return odo_fail(r->err, ODO_EINPUT, "%s: not written by this version of Odonata: %s",
			r->name, what);
}

/* Read `n` elements. @param to buffer for them */
static int read_elements(reader *r, void *to, size_t n, size_t size)
{
	bool whole = n <= r->left / size && fread(to, size, n, r->from) == n;
	if (ferror(r->from))
		return odo_fail(r->err, ODO_EIO, "%s: cannot read: %s", r->name, strerror(errno));
	if (!whole)
		return refuse_file(r, "it ends too early");
	r->left -= n * size;
	return 0;
}

/* Read `n` elements into new memory. @param out gets it, free with free() */
static int read_new_array(reader *r, void *out, size_t n, size_t size)
{
	void *array = n > r->left / size ? NULL : odo_new(n, size);
	memcpy(out, &array, sizeof array);
	if (n > r->left / size)
		return refuse_file(r, "it ends too early");
	return array ? read_elements(r, array, n, size)
		     : odo_fail(r->err, ODO_ENOMEM, "no memory to read %s", r->name);
}

/* Return the next of several consecutive names, or NULL if it does not end. */
static const char *next_name(const char **at, const char *end)
{
	const char *name = *at, *stop = memchr(name, '\0', (size_t)(end - name));
	*at = stop ? stop + 1 : end;
	return stop ? name : NULL;
}

static int add_nodes(const reader *r, odo_builder *b, const saved_node *node, const char *names)
{
	const char *end = names + r->head.name_bytes;
	int status = 0;
	for (uint32_t v = 0, id; v < r->head.n_nodes && !status; v++) {
		odo_node_info info = {.type = (odo_node_type)node[v].type,
				      .n_ports = node[v].n_ports,
				      .guid = node[v].guid,
				      .name = next_name(&names, end),
				      .lid = node[v].lid,
				      .lmc = node[v].lmc};
		bool known = info.type <= ODO_ROUTER &&
			     (info.type == ODO_SWITCH) == (v < r->head.n_switches);
		status = known && info.name ? odo_builder_add(b, &info, &id, r->err)
					    : refuse_file(r, "a node");
	}
	return status;
}

typedef struct place {
	uint32_t node;
	unsigned port;
} place;

static int add_slots(const reader *r, odo_builder *b, const saved_slot *slot, const place *at)
{
	int status = 0;
	for (uint32_t i = 0; i < r->head.n_slots && !status; i++) {
		uint32_t peer = slot[i].peer;
		bool known = slot[i].speed <= ODO_XDR && slot[i].n_vls <= ODO_MAX_VLS;
		if (at[i].node >= r->head.n_switches)
			status = odo_builder_port(b, at[i].node, at[i].port, slot[i].guid,
						  slot[i].lid, slot[i].lmc, r->err);
		if (status || peer == ODO_NONE || peer < i)
			continue;
		odo_link_info info = {slot[i].width, slot[i].speed, slot[i].n_vls};
		status = known && peer < r->head.n_slots
				 ? odo_builder_link(b, at[i].node, at[i].port, at[peer].node,
						    at[peer].port, info, r->err)
				 : refuse_file(r, "a cable");
	}
	return status;
}

/* List the places of slots. @param out gets them, free with free() */
static int list_places(const reader *r, const saved_node *node, place **out)
{
	const head *x = &r->head;
	uint64_t n = 0;
	for (uint32_t v = 0; v < x->n_nodes; v++)
		n += node[v].n_ports;
	if (n != x->n_slots)
		return refuse_file(r, "ports");
	place *at = *out = odo_new(n, sizeof *at);
	if (!at)
		return odo_fail(r->err, ODO_ENOMEM, "no memory to read %s", r->name);
	for (uint32_t v = 0; v < x->n_nodes; v++)
		for (unsigned p = 1; p <= node[v].n_ports; p++)
			*at++ = (place){v, p};
	return 0;
}

static int read_fabric(reader *r)
{
	const head *x = &r->head;
	odo_builder *b = NULL;
	saved_node *node = NULL;
	saved_slot *slot = NULL;
	char *names = NULL;
	place *at = NULL;
	int status = read_new_array(r, &node, x->n_nodes, sizeof *node);
	if (!status)
		status = read_new_array(r, &slot, x->n_slots, sizeof *slot);
	if (!status)
		status = read_new_array(r, &names, x->name_bytes, 1);
	if (!status)
		status = list_places(r, node, &at);
	if (!status)
		status = odo_builder_create(&b, r->err);
	if (!status)
		status = add_nodes(r, b, node, names);
	if (!status)
		status = add_slots(r, b, slot, at);
	if (!status)
		status = odo_builder_freeze(b, ODO_LIDS_AS_GIVEN, 0, &r->out->fabric, r->err);
	else
		odo_builder_free(b);
	free(node);
	free(slot);
	free(names);
	free(at);
	return status;
}

static bool rows_exist(const uint16_t *row, size_t n, uint32_t n_rows)
{
	for (size_t i = 0; i < n; i++)
		if (row[i] >= n_rows)
			return false;
	return true;
}

static bool vls_exist(const odo_tables *t)
{
	for (uint32_t i = 0; i < t->n_rows; i++)
		for (unsigned sl = 0; sl < ODO_N_SLS; sl++)
			if (t->rows[i].vl[sl] > ODO_VL_DROP)
				return false;
	return true;
}

static int read_tables(reader *r)
{
	const head *x = &r->head;
	const odo_fabric *f = r->out->fabric;
	if ((uint64_t)x->n_switches * x->lid_count > r->left)
		return refuse_file(r, "it ends too early");
	int status = odo_tables_create(f, x->engine, &r->out->tables, r->err);
	odo_tables *t = r->out->tables;
	if (status)
		return status;
	if (t->sl2vl_at[f->n_switches] != x->n_maps || !x->n_rows || x->n_rows > UINT16_MAX ||
	    x->n_vls < 1 || x->n_vls > ODO_MAX_VLS || x->n_sls < 1 || x->n_sls > ODO_N_SLS)
		return refuse_file(r, "SL2VL maps");
	t->n_vls = x->n_vls;
	t->n_sls = x->n_sls;
	t->from.carried = x->flags & CARRIED;
	t->from.detours_anew = x->flags & DETOURS_ANEW;
	t->from.relieved = x->flags & RELIEVED;
	t->from.spliced = x->flags & SPLICED;
	t->from.unfinished = x->flags & UNFINISHED;
	t->from.spared = x->flags & SPARED;
	t->from.by_pair = x->flags & BY_PAIR;
	t->from.by_turn = x->flags & BY_TURN;
	t->from.spilt = x->flags & SPILT;
	free(t->rows);
	t->rows = NULL;
	status = read_elements(r, t->lft, (size_t)x->n_switches * x->lid_count, 1);
	if (!status)
		status = read_new_array(r, &t->rows, x->n_rows, sizeof *t->rows);
	t->n_rows = status ? 0 : x->n_rows;
	t->rows_room = t->n_rows;
	if (!status)
		status = read_elements(r, t->sl2vl, x->n_maps, sizeof *t->sl2vl);
	if (!status)
		status = read_elements(r, t->host_row, x->n_hosts, sizeof *t->host_row);
	if (!status && !(vls_exist(t) && rows_exist(t->sl2vl, x->n_maps, x->n_rows) &&
			 rows_exist(t->host_row, x->n_hosts, x->n_rows)))
		status = refuse_file(r, "SL2VL maps");
	return status;
}

static bool sls_exist(const odo_history *h, size_t n)
{
	for (uint32_t i = 0; i < h->n_ports; i++)
		if (h->port_switch[i] >= h->n_switches)
			return false;
	for (size_t i = 0; i < n; i++)
		if (h->last[i] >= ODO_N_SLS && h->last[i] != ODO_SL_NONE)
			return false;
	return true;
}

static int read_several(reader *r, odo_history *h, size_t n)
{
	int status = 0;
	for (size_t i = 0; i < n; i++)
		h->held[i] = as_set(h->last[i]);
	for (uint64_t i = 0; i < r->head.n_several && !status; i++) {
		several x;
		status = read_elements(r, &x, 1, sizeof x);
		if (!status && x.at >= n)
			status = refuse_file(r, "SLs");
		if (!status)
			h->held[x.at] = x.held;
	}
	return status;
}

static int read_owed(reader *r, odo_history *h, uint32_t n_owing)
{
	uint32_t rows = h->by_pair ? h->n_switches : 1, row;
	int status = n_owing > rows ? refuse_file(r, "SLs") : 0;
	if (!status && n_owing &&
	    !(h->owed = odo_new((size_t)rows * h->lid_count, sizeof *h->owed)))
		status = odo_fail(r->err, ODO_ENOMEM, "no memory to read %s", r->name);
	for (uint32_t i = 0; i < n_owing && !status; i++) {
		status = read_elements(r, &row, 1, sizeof row);
		if (!status && row >= rows)
			status = refuse_file(r, "SLs");
		if (!status)
			status = read_elements(r, h->owed + (size_t)row * h->lid_count,
					       h->lid_count, sizeof *h->owed);
	}
	return status;
}

static int read_ports(reader *r, odo_history *h)
{
	saved_ports x;
	int status = read_elements(r, &x, 1, sizeof x);
	if (!status && x.n_here > x.n_ports)
		status = refuse_file(r, "ports");
	if (!status)
		status = read_new_array(r, &h->port_guid, x.n_ports, sizeof *h->port_guid);
	if (!status)
		status = read_new_array(r, &h->port_switch, x.n_ports, sizeof *h->port_switch);
	if (status)
		return status;
	h->n_ports = x.n_ports;
	h->n_here = x.n_here;
	return read_owed(r, h, x.n_owing);
}

/* List ports of hosts from the tables' fabric, then other ports that had a LID. */
static int list_old_ports(reader *r, odo_history *h, const uint32_t *lid_switch)
{
	const odo_fabric *f = r->out->fabric;
	size_t room = (size_t)f->n_hosts + h->lid_count;
	h->port_guid = odo_new(room, sizeof *h->port_guid);
	h->port_switch = odo_new(room, sizeof *h->port_switch);
	if (!h->port_guid || !h->port_switch)
		return odo_fail(r->err, ODO_ENOMEM, "no memory to read %s", r->name);
	for (uint32_t i = 0; i < f->n_hosts; i++) {
		h->port_guid[i] = f->port_guid[f->host_slot[i]];
		h->port_switch[i] = odo_host_switch(f, i);
	}
	h->n_ports = h->n_here = f->n_hosts;
	for (uint32_t lid = 0; lid < h->lid_count; lid++) {
		bool here = lid < f->lid_count && f->lid_switch[lid] != ODO_NONE;
		if (here || lid_switch[lid] == ODO_NONE)
			continue;
		h->port_guid[h->n_ports] = h->lid_guid[lid];
		h->port_switch[h->n_ports++] = lid_switch[lid];
	}
	return 0;
}

static int read_old_ports(reader *r, odo_history *h)
{
	uint32_t *lid_switch = NULL;
	int status = read_new_array(r, &lid_switch, h->lid_count, sizeof *lid_switch);
	if (!status)
		status = list_old_ports(r, h, lid_switch);
	free(lid_switch);
	return status;
}

static int read_history(reader *r)
{
	const head *x = &r->head;
	size_t n = n_past(x);
	odo_history *h = odo_new(1, sizeof *h);
	r->out->history = h;
	if (!h)
		return odo_fail(r->err, ODO_ENOMEM, "no memory to read %s", r->name);
	h->n_switches = x->past_switches;
	h->lid_count = x->past_lids;
	h->by_pair = x->flags & PAST_BY_PAIR;
	int status = read_new_array(r, &h->switch_guid, h->n_switches, sizeof *h->switch_guid);
	if (!status)
		status = read_new_array(r, &h->lid_guid, h->lid_count, sizeof *h->lid_guid);
	if (!status)
		status = x->mark == MARK ? read_ports(r, h) : read_old_ports(r, h);
	if (!status)
		status = read_new_array(r, &h->last, n, 1);
	if (!status && !(h->held = odo_new(n, sizeof *h->held)))
		status = odo_fail(r->err, ODO_ENOMEM, "no memory to read %s", r->name);
	if (!status && !sls_exist(h, n))
		status = refuse_file(r, "SLs");
	return status ? status : read_several(r, h, n);
}

/* Prove the tables, because routing and carrying accept only proved tables. SLs that were assigned
 * while another engine routed are not proved: they stay in the history alone. */
static int prove_saved(const reader *r)
{
	odo_tables *t = r->out->tables;
	odo_verdict verdict = {0};
	int status = odo_verify(t, &verdict, r->err);
	odo_verdict_clear(&verdict);
	if (status == ODO_EUNSAFE && (t->held_of_lid || t->held_of_pair)) {
		free(t->held_of_lid);
		free(t->held_of_pair);
		t->held_of_lid = t->held_of_pair = NULL;
		return prove_saved(r);
	}
	return status ? odo_fail_within(r->err, "%s", r->name) : 0;
}

/* Go to the head of a sealed file, or of a file without a seal from an older version, and read
 * it. */
static int open_reader(reader *r)
{
	off_t size = fseeko(r->from, 0, SEEK_END) ? -1 : ftello(r->from);
	if (size < 0)
		return odo_fail(r->err, ODO_EIO, "%s: no regular file", r->name);
	fseeko(r->from, 0, SEEK_SET);
	r->left = (uint64_t)size;
	r->sealed = odo_front_is_there(r->from);
	int status = r->sealed ? odo_front_check(r->from, r->name, &r->left, r->err) : 0;
	if (!status)
		status = read_elements(r, &r->head, 1, sizeof r->head);
	if (!status && ((r->head.mark != MARK && r->head.mark != MARK_WITHOUT_PORTS) ||
			!memchr(r->head.engine, '\0', sizeof r->head.engine)))
		status = refuse_file(r, "another format");
	return status;
}

/* Read the switches: they are the first of the nodes. */
static int read_switches(reader *r, odo_saved_subnet *out)
{
	saved_node *node = NULL;
	int status = read_new_array(r, &node, r->head.n_switches, sizeof *node);
	if (!status && !(out->guid = odo_new(r->head.n_switches, sizeof *out->guid)))
		status = odo_fail(r->err, ODO_ENOMEM, "no memory to read %s", r->name);
	for (uint32_t s = 0; !status && s < r->head.n_switches; s++)
		out->guid[s] = node[s].guid;
	out->n = out->n_present = status ? 0 : r->head.n_switches;
	free(node);
	return status;
}

int odo_saved_whose(FILE *from, const char *name, odo_saved_subnet *out, odo_error *err)
{
	reader r = {.from = from, .name = name, .err = err};
	*out = (odo_saved_subnet){0};
	if (odo_front_is_there(from))
		return odo_front_whose(from, name, out, err);
	int status = open_reader(&r);
	return status ? status : read_switches(&r, out);
}

int odo_saved_read(FILE *from, const char *name, odo_saved *out, odo_error *err)
{
	reader r = {.from = from, .name = name, .out = out, .err = err};
	*out = (odo_saved){0};
	int status = open_reader(&r);
	out->choice = r.head.choice;
	out->sealed = r.sealed;
	if (!status)
		status = read_fabric(&r);
	if (!status &&
	    (out->fabric->n_switches != r.head.n_switches ||
	     out->fabric->n_hosts != r.head.n_hosts || out->fabric->lid_count != r.head.lid_count))
		status = refuse_file(&r, "LIDs");
	if (!status)
		status = read_tables(&r);
	if (!status)
		status = read_history(&r);
	if (!status && r.left)
		status = refuse_file(&r, "it goes on behind its end");
	if (!status)
		status = odo_history_give(out->history, out->tables, err);
	return status ? status : prove_saved(&r);
}
