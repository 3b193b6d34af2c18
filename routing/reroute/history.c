/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/reroute/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/reroute/past.h"

/* Switches and ports that a history may have in addition to twice those of its largest fabric. */
#define SPARE 64u

void odo_history_free(odo_history *h)
{
	if (!h)
		return;
	free(h->switch_guid);
	free(h->lid_guid);
	free(h->held);
	free(h->owed);
	free(h->last);
	free(h->port_guid);
	free(h->port_switch);
	free(h);
}

static uint32_t n_rows(const odo_history *h)
{
	return h->by_pair ? h->n_switches : 1;
}

static size_t n_entries(const odo_history *h)
{
	return (size_t)n_rows(h) * h->lid_count;
}

void odo_history_add(odo_history *h, unsigned sls)
{
	for (size_t i = 0; i < n_entries(h); i++)
		if (h->last[i] != ODO_SL_NONE)
			h->held[i] |= (uint16_t)sls;
}

/* State while the next history is written. */
typedef struct writer {
	odo_history *h;
	const odo_history *before;
	const odo_tables *t;
	const odo_fabric *f;
	odo_past_reader r; /* of `before` */
	uint32_t *place;   /* [switches of before] current row of each */
	uint8_t *here;     /* [ports of before] the port is in the fabric */
	uint8_t *lacks;    /* [rows] some port of the row is absent */
} writer;

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
	w->place = odo_past_find(before->switch_guid, before->n_switches, w->f->node_guid, n);
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
		if (w->r.port[i] != ODO_NONE)
			w->here[w->r.port[i]] = 1;
	}
	h->n_here = h->n_ports = n;
	for (uint32_t i = 0; i < before->n_ports && h->n_ports < most; i++) {
		if (w->here[i])
			continue;
		h->port_guid[h->n_ports] = before->port_guid[i];
		h->port_switch[h->n_ports++] = w->place[before->port_switch[i]];
	}
	return 0;
}

static int name_lids(writer *w)
{
	odo_history *h = w->h;
	const odo_history *before = w->before;
	h->lid_count = before->lid_count > w->f->lid_count ? before->lid_count : w->f->lid_count;
	h->lid_guid = odo_new(h->lid_count, sizeof *h->lid_guid);
	if (!h->lid_guid)
		return ODO_ENOMEM;
	for (uint32_t lid = 0; lid < before->lid_count; lid++)
		h->lid_guid[lid] = before->lid_guid[lid];
	for (uint32_t lid = 0; lid < w->f->lid_count; lid++) {
		uint64_t guid = odo_past_guid(w->f, lid);
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

static void copy_owed(writer *w, uint32_t from, uint32_t to)
{
	const odo_history *before = w->before;
	size_t old = (size_t)(before->by_pair ? from : 0) * before->lid_count;
	size_t row = (size_t)to * w->h->lid_count;
	for (uint32_t lid = 0; before->owed && w->lacks[to] && lid < before->lid_count; lid++)
		w->h->owed[row + lid] |= before->owed[old + lid];
}

/* Copy everything known about LIDs, by their numbers, as packets carry these. */
static void copy_rows(writer *w)
{
	odo_history *h = w->h;
	const odo_past_rows to = {h->lid_count, h->held, h->last};
	odo_past_read(&w->r, h->by_pair, &to);
	if (!h->by_pair)
		copy_owed(w, 0, 0);
	for (uint32_t i = 0; h->by_pair && i < w->before->n_switches; i++) {
		copy_owed(w, i, w->place[i]);
		if (w->place[i] >= w->f->n_switches)
			odo_past_add_row(w->before, i, false, &to, w->place[i]);
	}
	for (uint32_t lid = 0; lid < w->before->lid_count; lid++)
		for (uint32_t i = 0; h->lid_guid[lid] != w->before->lid_guid[lid] && i < n_rows(h);
		     i++)
			h->last[(size_t)i * h->lid_count + lid] = ODO_SL_NONE;
}

/* Record a pair that the tables connect. Drop SLs that are not proved, because present ports have
 * been notified. Keep them for absent ports. */
static void note_pair(writer *w, uint32_t s, uint32_t lid)
{
	odo_history *h = w->h;
	size_t i = (size_t)s * h->lid_count + lid;
	uint8_t sl = odo_path_sl(w->t, s, lid);
	unsigned proved = odo_held_sls(w->t, s, lid) | 1u << sl;
	if (w->lacks[s])
		h->owed[i] = (uint16_t)((h->owed[i] | h->held[i]) & ~proved);
	h->held[i] = (uint16_t)proved;
}

static void note_tables(writer *w)
{
	odo_history *h = w->h;
	for (uint32_t s = 0; s < (h->by_pair ? w->f->n_switches : 1); s++) {
		for (uint32_t lid = 0; lid < w->f->lid_count; lid++) {
			if (w->f->lid_switch[lid] == ODO_NONE)
				continue;
			h->last[(size_t)s * h->lid_count + lid] = odo_path_sl(w->t, s, lid);
			if (!h->by_pair || odo_next_port(w->t, s, lid) != ODO_NO_PORT)
				note_pair(w, s, lid);
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

static int fill_history(writer *w)
{
	odo_history *h = w->h;
	if (odo_past_reader_init(&w->r, w->before, w->f) || name_switches(w) || name_ports(w) ||
	    name_lids(w))
		return ODO_ENOMEM;
	h->by_pair = w->before->by_pair || w->t->sl_of_pair || w->t->held_of_pair;
	h->held = odo_new(n_entries(h), sizeof *h->held);
	h->last = odo_new(n_entries(h), 1);
	if (!h->held || !h->last || find_lacking(w))
		return ODO_ENOMEM;
	memset(h->last, ODO_SL_NONE, n_entries(h));
	copy_rows(w);
	note_tables(w);
	drop_empty(h);
	return 0;
}

int odo_history_note(const odo_history *before, const odo_tables *t, odo_history **out,
		     odo_error *err)
{
	static const odo_history none = {0};
	writer w = {.h = odo_new(1, sizeof *w.h),
		    .before = before ? before : &none,
		    .t = t,
		    .f = t->fabric};
	bool room = w.h && !fill_history(&w);
	odo_past_reader_clear(&w.r);
	free(w.place);
	free(w.here);
	free(w.lacks);
	if (!room) {
		odo_history_free(w.h);
		return odo_fail(err, ODO_ENOMEM, "no memory for the SLs handed out");
	}
	*out = w.h;
	return 0;
}

/* Mark switches with hosts, a byte each. @return NULL without memory */
static uint8_t *find_homes(const odo_fabric *f)
{
	uint8_t *has = odo_new(f->n_switches, 1);
	for (uint32_t h = 0; has && h < f->n_hosts; h++)
		has[odo_host_switch(f, h)] = 1;
	return has;
}

static void compare_pair(const odo_tables *t, const odo_past *past, uint32_t s, uint32_t lid,
			 odo_sl_changes *changes, odo_reconnect *list, uint32_t room)
{
	unsigned now = odo_path_sl(t, s, lid), proved = odo_held_sls(t, s, lid) | 1u << now;
	unsigned held = odo_past_held(past, s, lid) & ~proved;
	uint8_t last = odo_past_last(past, s, lid);
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

int odo_history_compare(const odo_history *h, const odo_tables *t, odo_sl_changes *changes,
			odo_reconnect *list, uint32_t room, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	odo_past past;
	uint8_t *has_hosts = find_homes(f);
	int status = odo_history_past(h, f, &past, err);
	*changes = (odo_sl_changes){0};
	if (!status && !has_hosts)
		status = odo_fail(err, ODO_ENOMEM, "no memory to compare SLs");
	for (uint32_t s = 0; s < f->n_switches && !status; s++)
		for (uint32_t lid = 0; has_hosts[s] && lid < f->lid_count; lid++)
			if (is_proved(t, lid) && odo_next_port(t, s, lid) != ODO_NO_PORT)
				compare_pair(t, &past, s, lid, changes, list, room);
	odo_past_clear(&past);
	free(has_hosts);
	return status;
}
