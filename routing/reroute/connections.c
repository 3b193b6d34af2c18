/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/reroute/connections.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Switches and ports that a history may have in addition to twice those of its largest fabric. */
#define SPARE 64u

void odo_history_free(odo_history *h)
{
	if (!h || h->n_shares--)
		return;
	free(h->switch_guid);
	free(h->lid_guid);
	free(h->lid_row);
	free(h->held);
	free(h->owed);
	free(h->last);
	free(h->port_guid);
	free(h->port_switch);
	free(h);
}

odo_history *odo_history_share(odo_history *h)
{
	if (h)
		h->n_shares++;
	return h;
}

static void *copy_of(const void *from, size_t n, size_t size)
{
	void *copy = from ? odo_new(n, size) : NULL;
	if (copy && n)
		memcpy(copy, from, n * size);
	return copy;
}

static uint32_t n_rows(const odo_history *h)
{
	return h->by_pair ? h->n_switches : 1;
}

static size_t n_entries(const odo_history *h)
{
	return (size_t)n_rows(h) * h->lid_count;
}

/* Make a history its owner's alone, before it changes: a thread may be writing a shared one to a
 * file. Without memory it stays shared, and the checksum of that file may be wrong. */
static void unshare_history(odo_connections *c)
{
	const odo_history *h = c->history;
	odo_history *own = h && h->n_shares ? odo_new(1, sizeof *own) : NULL;
	if (!own)
		return;
	*own = *h;
	own->n_shares = 0;
	own->switch_guid = copy_of(h->switch_guid, h->n_switches, sizeof *h->switch_guid);
	own->lid_guid = copy_of(h->lid_guid, h->lid_count, sizeof *h->lid_guid);
	own->lid_row = copy_of(h->lid_row, h->lid_count, sizeof *h->lid_row);
	own->held = copy_of(h->held, n_entries(h), sizeof *h->held);
	own->last = copy_of(h->last, n_entries(h), sizeof *h->last);
	own->owed = copy_of(h->owed, n_entries(h), sizeof *h->owed);
	own->port_guid = copy_of(h->port_guid, h->n_ports, sizeof *h->port_guid);
	own->port_switch = copy_of(h->port_switch, h->n_ports, sizeof *h->port_switch);
	bool whole = own->switch_guid && own->lid_guid && own->held && own->last &&
		     own->port_guid && own->port_switch && !own->lid_row == !h->lid_row &&
		     !own->owed == !h->owed;
	if (whole)
		odo_connections_replace(c, own);
	else
		odo_history_free(own);
}

bool odo_history_add(odo_history *h, unsigned sls)
{
	bool new = false;
	for (size_t i = 0; i < n_entries(h); i++) {
		if (h->last[i] == ODO_SL_NONE)
			continue;
		new |= sls & ~h->held[i];
		h->held[i] |= (uint16_t)sls;
	}
	return new;
}

unsigned odo_history_sls(const odo_history *h)
{
	unsigned sls = 0;
	for (size_t i = 0; i < n_entries(h); i++)
		sls |= h->held[i] | (h->owed ? h->owed[i] : 0u);
	return sls;
}

/* ---- Find switches, ports and LIDs again ---- */

/* State while the next history is written. */
typedef struct writer {
	odo_history *h;
	const odo_history *before;
	const odo_fabric *f;
	uint32_t *place; /* [switches of before] current row of each */
	uint32_t *port;  /* [n_hosts] index of each host's port in `before`, or ODO_NONE */
	uint8_t *here;   /* [ports of before] the port is in the fabric */
	uint8_t *lacks;  /* [rows] some port of the row is absent */
} writer;

uint64_t odo_lid_guid(const odo_fabric *f, uint32_t lid)
{
	uint32_t s = f->lid_switch[lid], host = f->lid_host[lid];
	return host != ODO_NONE ? f->port_guid[f->host_slot[host]]
	       : s != ODO_NONE  ? f->node_guid[s]
				: 0;
}

typedef struct named {
	uint64_t guid;
	uint32_t at;
} named;

static int by_guid(const void *a, const void *b)
{
	uint64_t x = ((const named *)a)->guid, y = ((const named *)b)->guid;
	return x < y ? -1 : x > y;
}

/* Find each of `n` GUIDs among `m` others: its index, or ODO_NONE. @return NULL without memory */
static uint32_t *find_guids(const uint64_t *guid, uint32_t n, const uint64_t *among, uint32_t m)
{
	uint32_t *place = odo_new(n, sizeof *place);
	named *index = odo_new(m, sizeof *index);
	for (uint32_t i = 0; index && i < m; i++)
		index[i] = (named){among[i], i};
	if (index)
		qsort(index, m, sizeof *index, by_guid);
	for (uint32_t i = 0; place && index && i < n; i++) {
		named wanted = {guid[i], 0};
		const named *found = bsearch(&wanted, index, m, sizeof *index, by_guid);
		place[i] = found ? found->at : ODO_NONE;
	}
	if (!index) {
		free(place);
		place = NULL;
	}
	free(index);
	return place;
}

/* Return the number of switches or ports that may be stored. It never falls. A manager that sees a
 * part of its fabric for a while therefore forgets nothing about the rest. */
static uint32_t find_limit(uint32_t present, uint32_t remembered)
{
	uint32_t most = 2 * present + SPARE;
	return most > remembered ? most : remembered;
}

/* List the fabric's switches, then absent ones. If there are too many, those absent for longest
 * share a row. */
static int name_switches(writer *w)
{
	odo_history *h = w->h;
	const odo_history *before = w->before;
	uint32_t n = w->f->n_switches, most = find_limit(n, before->n_switches);
	h->switch_guid = odo_new((size_t)n + before->n_switches, sizeof *h->switch_guid);
	w->place = find_guids(before->switch_guid, before->n_switches, w->f->node_guid, n);
	if (!h->switch_guid || !w->place)
		return ODO_ENOMEM;
	memcpy(h->switch_guid, w->f->node_guid, n * sizeof *h->switch_guid);
	h->n_switches = n;
	for (uint32_t i = 0; i < before->n_switches; i++) {
		if (w->place[i] != ODO_NONE)
			continue;
		if (h->n_switches < most)
			h->switch_guid[h->n_switches++] = before->switch_guid[i];
		w->place[i] = h->n_switches - 1;
	}
	return 0;
}

/* List the fabric's ports, then absent ones. If there are too many, those absent for longest are
 * forgotten. */
static int name_ports(writer *w)
{
	odo_history *h = w->h;
	const odo_history *before = w->before;
	uint32_t n = w->f->n_hosts, most = find_limit(n, before->n_ports);
	h->port_guid = odo_new((size_t)n + before->n_ports, sizeof *h->port_guid);
	h->port_switch = odo_new((size_t)n + before->n_ports, sizeof *h->port_switch);
	w->here = odo_new(before->n_ports, 1);
	if (!h->port_guid || !h->port_switch || !w->here)
		return ODO_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		h->port_guid[i] = w->f->port_guid[w->f->host_slot[i]];
		h->port_switch[i] = odo_host_switch(w->f, i);
	}
	w->port = find_guids(h->port_guid, n, before->port_guid, before->n_ports);
	for (uint32_t i = 0; w->port && i < n; i++)
		if (w->port[i] != ODO_NONE)
			w->here[w->port[i]] = 1;
	h->n_here = h->n_ports = n;
	for (uint32_t i = 0; i < before->n_ports && h->n_ports < most; i++) {
		if (w->here[i])
			continue;
		h->port_guid[h->n_ports] = before->port_guid[i];
		h->port_switch[h->n_ports++] = w->place[before->port_switch[i]];
	}
	return w->port ? 0 : ODO_ENOMEM;
}

/* Return the row by which queries from a LID were answered, or ODO_NONE. */
static uint32_t answering_row(const odo_history *h, uint32_t lid)
{
	return lid < h->lid_count ? h->lid_row[lid] : ODO_NONE;
}

static int name_lids(writer *w)
{
	odo_history *h = w->h;
	const odo_history *before = w->before;
	h->lid_count = before->lid_count > w->f->lid_count ? before->lid_count : w->f->lid_count;
	h->lid_guid = odo_new(h->lid_count, sizeof *h->lid_guid);
	h->lid_row = odo_new(h->lid_count, sizeof *h->lid_row);
	if (!h->lid_guid || !h->lid_row)
		return ODO_ENOMEM;
	for (uint32_t lid = 0; lid < h->lid_count; lid++) {
		uint32_t row = answering_row(before, lid);
		h->lid_row[lid] = row == ODO_NONE ? ODO_NONE : w->place[row];
	}
	for (uint32_t lid = 0; lid < before->lid_count; lid++)
		h->lid_guid[lid] = before->lid_guid[lid];
	for (uint32_t lid = 0; lid < w->f->lid_count; lid++) {
		uint64_t guid = odo_lid_guid(w->f, lid);
		if (guid)
			h->lid_guid[lid] = guid;
	}
	return 0;
}

/* Find rows of absent ports, and allocate room for the SLs owed to them. */
static int find_lacking(writer *w)
{
	odo_history *h = w->h;
	w->lacks = odo_new(n_rows(h), 1);
	for (uint32_t i = h->n_here; w->lacks && i < h->n_ports; i++)
		w->lacks[h->by_pair ? h->port_switch[i] : 0] = 1;
	if (h->n_ports > h->n_here)
		h->owed = odo_new(n_entries(h), sizeof *h->owed);
	return w->lacks && (h->owed || h->n_ports == h->n_here) ? 0 : ODO_ENOMEM;
}

/* ---- Continue the rows ---- */

/* Add row `from` of the earlier history to row `to`. */
static void add_row(const writer *w, uint32_t from, uint32_t to, const uint16_t *sls)
{
	const odo_history *before = w->before;
	odo_history *h = w->h;
	size_t old = (size_t)from * before->lid_count, row = (size_t)to * h->lid_count;
	for (uint32_t lid = 0; lid < before->lid_count; lid++) {
		h->held[row + lid] |= sls[old + lid];
		if (h->last[row + lid] == ODO_SL_NONE)
			h->last[row + lid] = before->last[old + lid];
	}
}

/* Continue a row as that of the same switch. */
static void continue_row(const writer *w, uint32_t from, uint32_t to)
{
	const odo_history *before = w->before;
	size_t old = (size_t)from * before->lid_count, row = (size_t)to * w->h->lid_count;
	add_row(w, from, to, before->held);
	for (uint32_t lid = 0; before->owed && w->lacks[to] && lid < before->lid_count; lid++)
		w->h->owed[row + lid] |= before->owed[old + lid];
}

/* Add the SLs of ports that were elsewhere. A port that was absent received no notices, so it may
 * also use the SLs owed to it. */
static void add_ports(const writer *w)
{
	const odo_history *before = w->before;
	for (uint32_t i = 0; i < w->f->n_hosts; i++) {
		uint32_t port = w->port[i], s = w->h->by_pair ? odo_host_switch(w->f, i) : 0;
		if (port == ODO_NONE)
			continue;
		uint32_t was = before->port_switch[port], from = before->by_pair ? was : 0;
		bool back = port >= before->n_here;
		if (back || (before->by_pair && w->place[was] != s))
			add_row(w, from, s, before->held);
		if (back && before->owed)
			add_row(w, from, s, before->owed);
	}
}

/* Add the SLs of ports whose queries were answered as those of the port that had their LID. */
static void add_answers(const writer *w)
{
	const odo_fabric *f = w->f;
	for (uint32_t lid = 0; w->before->by_pair && lid < f->lid_count; lid++) {
		uint32_t row = answering_row(w->before, lid);
		if (f->lid_host[lid] != ODO_NONE && row != ODO_NONE &&
		    w->place[row] != f->lid_switch[lid])
			add_row(w, row, f->lid_switch[lid], w->before->held);
	}
}

/* Copy everything known about LIDs, by their numbers, as packets carry these. A switch's own row is
 * first: it decides which SL was assigned last. */
static void copy_rows(const writer *w)
{
	odo_history *h = w->h;
	const odo_history *before = w->before;
	for (uint32_t to = 0; !before->by_pair && to < n_rows(h); to++)
		continue_row(w, 0, to);
	for (uint32_t i = 0; before->by_pair && i < before->n_switches; i++)
		continue_row(w, i, w->place[i]);
	add_ports(w);
	add_answers(w);
	for (uint32_t lid = 0; lid < before->lid_count; lid++)
		for (uint32_t i = 0; h->lid_guid[lid] != before->lid_guid[lid] && i < n_rows(h);
		     i++)
			h->last[(size_t)i * h->lid_count + lid] = ODO_SL_NONE;
}

static int fill_history(writer *w, bool by_pair)
{
	odo_history *h = w->h;
	if (!h || name_switches(w) || name_ports(w) || name_lids(w))
		return ODO_ENOMEM;
	h->by_pair = w->before->by_pair || by_pair;
	h->held = odo_new(n_entries(h), sizeof *h->held);
	h->last = odo_new(n_entries(h), 1);
	if (!h->held || !h->last || find_lacking(w))
		return ODO_ENOMEM;
	memset(h->last, ODO_SL_NONE, n_entries(h));
	copy_rows(w);
	return 0;
}

/* ---- SLs of new tables ---- */

/* Return the SLs of a pair that are proved to be safe. @param any_sl odo_tables_sls_alike(t) */
static unsigned proved_sls(const odo_tables *t, bool any_sl, uint32_t s, uint32_t lid)
{
	return any_sl ? UINT16_MAX : odo_held_sls(t, s, lid) | 1u << odo_path_sl(t, s, lid);
}

/* Record a pair that the tables connect. Drop SLs that are not proved, because present ports have
 * been notified. Keep them for absent ports. */
static void note_pair(const writer *w, const odo_tables *t, bool any_sl, uint32_t s, uint32_t lid)
{
	odo_history *h = w->h;
	size_t i = odo_history_entry(h, s, lid);
	unsigned proved = proved_sls(t, any_sl, s, lid);
	if (w->lacks[s])
		h->owed[i] = (uint16_t)((h->owed[i] | h->held[i]) & ~proved);
	h->held[i] = (uint16_t)((h->held[i] & proved) | 1u << odo_path_sl(t, s, lid));
}

static void note_tables(const writer *w, const odo_tables *t)
{
	odo_history *h = w->h;
	bool any_sl = odo_tables_sls_alike(t);
	for (uint32_t lid = 0; lid < h->lid_count; lid++)
		h->lid_row[lid] = lid < w->f->lid_count ? w->f->lid_switch[lid] : ODO_NONE;
	for (uint32_t s = 0; s < (h->by_pair ? w->f->n_switches : 1); s++) {
		for (uint32_t lid = 0; lid < w->f->lid_count; lid++) {
			if (w->f->lid_switch[lid] == ODO_NONE)
				continue;
			h->last[odo_history_entry(h, s, lid)] = odo_path_sl(t, s, lid);
			if (!h->by_pair || odo_next_port(t, s, lid) != ODO_NO_PORT)
				note_pair(w, t, any_sl, s, lid);
		}
	}
}

static void drop_empty(odo_history *h)
{
	for (size_t i = 0; h->owed && i < n_entries(h); i++)
		if (h->owed[i])
			return;
	free(h->owed);
	h->owed = NULL;
}

/* Continue a history, and note the SLs of tables unless they are NULL. */
static int continue_history(const odo_history *before, const odo_fabric *f, const odo_tables *t,
			    odo_history **out, odo_error *err)
{
	static const odo_history none = {0};
	writer w = {.h = odo_new(1, sizeof *w.h), .before = before ? before : &none, .f = f};
	int status = fill_history(&w, t && (t->sl_of_pair || t->held_of_pair));
	if (!status && t)
		note_tables(&w, t);
	if (!status)
		drop_empty(w.h);
	free(w.place);
	free(w.port);
	free(w.here);
	free(w.lacks);
	*out = w.h;
	if (!status)
		return 0;
	odo_history_free(w.h);
	*out = NULL;
	return odo_fail(err, ODO_ENOMEM, "no memory for the SLs handed out");
}

int odo_history_continue(const odo_history *before, const odo_fabric *f, odo_history **out,
			 odo_error *err)
{
	return continue_history(before, f, NULL, out, err);
}

int odo_history_note(const odo_history *before, const odo_tables *t, odo_history **out,
		     odo_error *err)
{
	return continue_history(before, t->fabric, t, out, err);
}

/* Mark switches with hosts, a byte each. @return NULL without memory */
static uint8_t *find_homes(const odo_fabric *f)
{
	uint8_t *has = odo_new(f->n_switches, 1);
	for (uint32_t h = 0; has && h < f->n_hosts; h++)
		has[odo_host_switch(f, h)] = 1;
	return has;
}

static void compare_pair(const odo_tables *t, const odo_history *h, bool any_sl, uint32_t s,
			 uint32_t lid, odo_sl_changes *changes, odo_reconnect *list, uint32_t room)
{
	unsigned now = odo_path_sl(t, s, lid);
	unsigned held = odo_history_held(h, s, lid) & ~proved_sls(t, any_sl, s, lid);
	uint8_t last = odo_history_last(h, s, lid);
	changes->n_pairs++;
	changes->n_changed += last != ODO_SL_NONE && last != now;
	if (!held)
		return;
	if (list && changes->n_reconnect < room)
		list[changes->n_reconnect] = (odo_reconnect){s, lid, held, now};
	changes->n_reconnect++;
}

/* Return true for LIDs whose paths the verifier proves. */
static bool is_proved(const odo_tables *t, uint32_t lid)
{
	const odo_fabric *f = t->fabric;
	return f->lid_switch[lid] != ODO_NONE && (!t->hosts_only || f->lid_host[lid] != ODO_NONE);
}

int odo_history_compare(const odo_history *before, const odo_tables *t, odo_sl_changes *changes,
			odo_reconnect *list, uint32_t room, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	bool any_sl = odo_tables_sls_alike(t);
	odo_history *h;
	uint8_t *has_hosts = find_homes(f);
	int status = odo_history_continue(before, f, &h, err);
	*changes = (odo_sl_changes){0};
	if (!status && !has_hosts)
		status = odo_fail(err, ODO_ENOMEM, "no memory to compare SLs");
	for (uint32_t s = 0; s < f->n_switches && !status; s++)
		for (uint32_t lid = 0; has_hosts[s] && lid < f->lid_count; lid++)
			if (is_proved(t, lid) && odo_next_port(t, s, lid) != ODO_NO_PORT)
				compare_pair(t, h, any_sl, s, lid, changes, list, room);
	odo_history_free(h);
	free(has_hosts);
	return status;
}

/* Find the rows by which queries are answered; a file does not have them. */
static int find_answering_rows(odo_history *h, const odo_fabric *f)
{
	uint32_t *row = find_guids(f->node_guid, f->n_switches, h->switch_guid, h->n_switches);
	h->lid_row = odo_new(h->lid_count, sizeof *h->lid_row);
	for (uint32_t lid = 0; row && h->lid_row && lid < h->lid_count; lid++) {
		uint32_t s = lid < f->lid_count ? f->lid_switch[lid] : ODO_NONE;
		h->lid_row[lid] = s == ODO_NONE ? ODO_NONE : row[s];
	}
	free(row);
	return row && h->lid_row ? 0 : ODO_ENOMEM;
}

int odo_history_give(odo_history *before, odo_tables *t, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	size_t n = (size_t)(before->by_pair ? f->n_switches : 1) * f->lid_count;
	uint16_t *held = odo_new(n, sizeof *held);
	uint8_t *sl = odo_new(n, 1);
	odo_history *h = NULL;
	int status = held && sl ? find_answering_rows(before, f) : ODO_ENOMEM;
	if (!status)
		status = odo_history_continue(before, f, &h, err);
	if (status)
		status = odo_fail(err, ODO_ENOMEM, "no memory for the SLs handed out");
	for (size_t i = 0; i < n && !status; i++) {
		uint32_t s = (uint32_t)(i / f->lid_count), lid = (uint32_t)(i % f->lid_count);
		uint8_t last = odo_history_last(h, s, lid);
		if (f->lid_switch[lid] == ODO_NONE || last == ODO_SL_NONE)
			continue;
		sl[i] = last;
		held[i] = (uint16_t)(odo_history_held(h, s, lid) & ~(1u << last));
	}
	if (!status && h->by_pair) {
		t->sl_of_pair = sl;
		t->held_of_pair = held;
		sl = NULL;
		held = NULL;
	} else if (!status) {
		memcpy(t->sl_of_lid, sl, n);
		t->held_of_lid = held;
		held = NULL;
	}
	odo_history_free(h);
	free(held);
	free(sl);
	return status;
}

/* ---- What a manager does with them ---- */

uint8_t odo_connections_answer(odo_connections *c, const odo_tables *t, bool any_sl, uint8_t hint,
			       uint16_t slid, uint16_t dlid)
{
	const odo_fabric *f = t->fabric;
	if (slid >= f->lid_count || dlid >= f->lid_count || f->lid_switch[slid] == ODO_NONE ||
	    f->lid_switch[dlid] == ODO_NONE) {
		atomic_fetch_or(&c->strange, 1u << hint % ODO_N_SLS);
		return hint;
	}
	uint8_t sl = odo_path_sl(t, f->lid_switch[slid], dlid);
	if (!any_sl || sl)
		return sl;
	atomic_fetch_or(&c->free_hints, 1u << hint % ODO_N_SLS);
	return hint;
}

/* Mark switches with a host that has a LID without an answering row, a byte each. @return NULL
 * without memory */
static uint8_t *find_strange_homes(const odo_history *h, const odo_fabric *f)
{
	uint8_t *has = odo_new(f->n_switches, 1);
	for (uint32_t lid = 0; has && lid < f->lid_count; lid++)
		if (f->lid_host[lid] != ODO_NONE && h->lid_row[lid] == ODO_NONE)
			has[f->lid_switch[lid]] = 1;
	return has;
}

/* Record SLs that were given on paths from or to LIDs without an answering row. */
static int add_strange(odo_history *h, const odo_fabric *f, unsigned sls)
{
	uint8_t *has = find_strange_homes(h, f);
	for (uint32_t s = 0; has && s < f->n_switches; s++)
		for (uint32_t lid = 0; lid < f->lid_count; lid++)
			if (f->lid_switch[lid] != ODO_NONE &&
			    (has[s] || h->lid_row[lid] == ODO_NONE))
				h->held[odo_history_entry(h, s, lid)] |= (uint16_t)sls;
	free(has);
	return has ? 0 : ODO_ENOMEM;
}

int odo_connections_begin(odo_connections *c, const odo_fabric *f, odo_error *err)
{
	unsigned hints = atomic_exchange(&c->free_hints, 0);
	unsigned strange = atomic_exchange(&c->strange, 0);
	odo_history *h = NULL;
	if (!c->history && !strange)
		return 0;
	unshare_history(c);
	if (c->history)
		c->unsaved |= odo_history_add(c->history, hints);
	int status = odo_history_continue(c->history, f, &h, err);
	if (!status && strange && add_strange(h, f, strange)) {
		odo_history_free(h);
		status = odo_fail(err, ODO_ENOMEM, "no memory for the SLs handed out");
	}
	if (status) {
		atomic_fetch_or(&c->strange, strange);
		return status;
	}
	odo_connections_replace(c, h);
	c->unsaved |= strange != 0;
	return 0;
}

void odo_connections_foreign(odo_connections *c, unsigned sls)
{
	unshare_history(c);
	if (c->history)
		c->unsaved |= odo_history_add(c->history, sls);
	atomic_fetch_or(&c->strange, sls);
}

int odo_connections_compare(const odo_connections *c, const odo_tables *t, odo_sl_update *update,
			    odo_error *err)
{
	int status = 0;
	if (c->history) {
		update->list = odo_new(ODO_MAX_RECONNECT, sizeof *update->list);
		status = update->list ? odo_history_compare(c->history, t, &update->changes,
							    update->list, ODO_MAX_RECONNECT, err)
				      : odo_fail(err, ODO_ENOMEM, "no memory to compare SLs");
	}
	return status ? status : odo_history_note(c->history, t, &update->history, err);
}

void odo_connections_update(odo_connections *c, odo_sl_update *update)
{
	odo_connections_replace(c, update->history);
	update->history = NULL;
}

void odo_sl_update_clear(odo_sl_update *update)
{
	odo_history_free(update->history);
	free(update->list);
	*update = (odo_sl_update){0};
}

void odo_connections_replace(odo_connections *c, odo_history *history)
{
	odo_history_free(c->history);
	c->history = history;
}
