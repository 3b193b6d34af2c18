/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/reroute/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void odo_history_free(odo_history *h)
{
	if (!h)
		return;
	free(h->switch_guid);
	free(h->lid_guid);
	free(h->lid_switch);
	free(h->held);
	free(h->last);
	free(h);
}

void odo_past_clear(odo_past *past)
{
	free(past->held);
	free(past->last);
	*past = (odo_past){0};
}

static size_t n_entries(const odo_history *h)
{
	return (size_t)(h->by_pair ? h->n_switches : 1) * h->lid_count;
}

void odo_history_add(odo_history *h, unsigned sls)
{
	for (size_t i = 0; i < n_entries(h); i++)
		if (h->last[i] != ODO_SL_NONE)
			h->held[i] |= (uint16_t)sls;
}

/* Who has a LID: a port, or a switch. */
static uint64_t guid_of_lid(const odo_fabric *f, uint32_t lid)
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

/* For each of `n` GUIDs its place among those of `m`, or ODO_NONE. @return for free(), or NULL */
static uint32_t *find_guids(const uint64_t *guid, uint32_t n, const uint64_t *among, uint32_t m)
{
	uint32_t *place = odo_new(n, sizeof *place);
	named *index = odo_new(m, sizeof *index);
	for (uint32_t i = 0; index && i < m; i++)
		index[i] = (named){among[i], i};
	if (place && index) {
		qsort(index, m, sizeof *index, by_guid);
		for (uint32_t i = 0; i < n; i++) {
			named wanted = {guid[i], 0};
			const named *found = bsearch(&wanted, index, m, sizeof *index, by_guid);
			place[i] = found ? found->at : ODO_NONE;
		}
		free(index);
		return place;
	}
	free(index);
	free(place);
	return NULL;
}

/* A history on its way to the names of a fabric. */
typedef struct reader {
	const odo_history *h;
	const odo_fabric *f;
	uint32_t *row; /* [n_switches] of each switch, or ODO_NONE */
	uint8_t *same; /* [lid_count] the LID is still the same port's */
	odo_past *past;
} reader;

/* Adds row `from` of the history to row `to` of the past. A switch's own row comes first, and says
 * what was given last. */
static void add_row(const reader *r, uint32_t from, uint32_t to)
{
	size_t row = (size_t)to * r->f->lid_count, old = (size_t)from * r->h->lid_count;
	for (uint32_t lid = 0; lid < r->f->lid_count; lid++) {
		if (!r->same[lid])
			continue;
		r->past->held[row + lid] |= r->h->held[old + lid];
		if (r->past->last[row + lid] == ODO_SL_NONE)
			r->past->last[row + lid] = r->h->last[old + lid];
	}
}

/* Hosts that were at another switch bring what they were given there. */
static void add_moved(const reader *r)
{
	for (uint32_t lid = 0; lid < r->f->lid_count; lid++) {
		uint32_t s = r->f->lid_switch[lid];
		uint32_t was = r->same[lid] ? r->h->lid_switch[lid] : ODO_NONE;
		if (was != ODO_NONE && was != r->row[s])
			add_row(r, was, s);
	}
}

static void find_same(const reader *r)
{
	for (uint32_t lid = 0; lid < r->f->lid_count && lid < r->h->lid_count; lid++)
		r->same[lid] = r->f->lid_switch[lid] != ODO_NONE &&
			       r->h->lid_guid[lid] == guid_of_lid(r->f, lid);
}

int odo_history_past(const odo_history *h, const odo_fabric *f, odo_past *past, odo_error *err)
{
	uint32_t rows = h->by_pair ? f->n_switches : 1;
	size_t n = (size_t)rows * f->lid_count;
	*past = (odo_past){.by_pair = h->by_pair,
			   .lid_count = f->lid_count,
			   .held = odo_new(n, sizeof *past->held),
			   .last = odo_new(n, 1)};
	reader r = {h, f, find_guids(f->node_guid, f->n_switches, h->switch_guid, h->n_switches),
		    odo_new(f->lid_count, 1), past};
	bool room = past->held && past->last && r.row && r.same;
	if (room) {
		memset(past->last, ODO_SL_NONE, n);
		find_same(&r);
		for (uint32_t s = 0; s < rows; s++)
			if (!h->by_pair || r.row[s] != ODO_NONE)
				add_row(&r, h->by_pair ? r.row[s] : 0, s);
		if (h->by_pair)
			add_moved(&r);
	}
	free(r.row);
	free(r.same);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for the SLs handed out");
}

/* Room for the switches and LIDs of a fabric and for those gone since the history before. */
static int make_room(odo_history *h, const odo_history *before, const odo_fabric *f)
{
	uint32_t most = f->n_switches + (before ? before->n_switches : 0);
	h->n_switches = f->n_switches;
	h->lid_count = before && before->lid_count > f->lid_count ? before->lid_count
								  : f->lid_count;
	h->switch_guid = odo_new(most, sizeof *h->switch_guid);
	h->lid_guid = odo_new(h->lid_count, sizeof *h->lid_guid);
	h->lid_switch = odo_new(h->lid_count, sizeof *h->lid_switch);
	if (!h->switch_guid || !h->lid_guid || !h->lid_switch)
		return ODO_ENOMEM;
	memcpy(h->switch_guid, f->node_guid, f->n_switches * sizeof *h->switch_guid);
	return 0;
}

/* Appends the switches that are gone. @param place [of before] what each is called now */
static void append_gone(odo_history *h, const odo_history *before, uint32_t *place)
{
	for (uint32_t i = 0; i < before->n_switches; i++) {
		if (place[i] != ODO_NONE)
			continue;
		place[i] = h->n_switches;
		h->switch_guid[h->n_switches++] = before->switch_guid[i];
	}
}

static void name_lids(odo_history *h, const odo_history *before, const uint32_t *place,
		      const odo_fabric *f)
{
	for (uint32_t lid = 0; lid < h->lid_count; lid++) {
		uint64_t guid = lid < f->lid_count ? guid_of_lid(f, lid) : 0;
		bool known = before && lid < before->lid_count;
		uint32_t was = known ? before->lid_switch[lid] : ODO_NONE;
		h->lid_guid[lid] = guid ? guid : known ? before->lid_guid[lid] : 0;
		h->lid_switch[lid] = guid              ? f->lid_switch[lid]
				     : was != ODO_NONE ? place[was]
						       : ODO_NONE;
	}
}

/* What is remembered of pairs whose LID or switch the fabric lacks now. */
static void copy_old(odo_history *h, const odo_history *before, const uint32_t *place)
{
	for (uint32_t i = 0; i < (h->by_pair ? before->n_switches : 1); i++) {
		size_t to = h->by_pair ? (size_t)place[i] * h->lid_count : 0;
		size_t from = before->by_pair ? (size_t)i * before->lid_count : 0;
		memcpy(h->held + to, before->held + from, before->lid_count * sizeof *h->held);
		memcpy(h->last + to, before->last + from, before->lid_count);
	}
}

/* A LID that is another port's now was never given to anybody. */
static void forget_old(odo_history *h, const odo_history *before)
{
	for (uint32_t lid = 0; lid < before->lid_count; lid++) {
		if (before->lid_guid[lid] == h->lid_guid[lid])
			continue;
		for (uint32_t i = 0; i < (h->by_pair ? h->n_switches : 1); i++) {
			h->held[(size_t)i * h->lid_count + lid] = 0;
			h->last[(size_t)i * h->lid_count + lid] = ODO_SL_NONE;
		}
	}
}

static void note_tables(odo_history *h, const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t s = 0; s < (h->by_pair ? f->n_switches : 1); s++) {
		size_t row = (size_t)s * h->lid_count;
		for (uint32_t lid = 0; lid < f->lid_count; lid++) {
			if (f->lid_switch[lid] == ODO_NONE)
				continue;
			uint8_t sl = odo_path_sl(t, s, lid);
			h->held[row + lid] = (uint16_t)(odo_held_sls(t, s, lid) | 1u << sl);
			h->last[row + lid] = sl;
		}
	}
}

static int note(odo_history *h, const odo_history *before, const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	uint32_t *place = NULL;
	if (make_room(h, before, f))
		return ODO_ENOMEM;
	if (before) {
		place = find_guids(before->switch_guid, before->n_switches, f->node_guid,
				   f->n_switches);
		if (!place)
			return ODO_ENOMEM;
		append_gone(h, before, place);
	}
	name_lids(h, before, place, f);
	h->by_pair = (before && before->by_pair) || t->sl_of_pair || t->held_of_pair;
	h->held = odo_new(n_entries(h), sizeof *h->held);
	h->last = odo_new(n_entries(h), 1);
	if (!h->held || !h->last) {
		free(place);
		return ODO_ENOMEM;
	}
	memset(h->last, ODO_SL_NONE, n_entries(h));
	if (before) {
		copy_old(h, before, place);
		forget_old(h, before);
	}
	note_tables(h, t);
	free(place);
	return 0;
}

int odo_history_note(const odo_history *before, const odo_tables *t, odo_history **out,
		     odo_error *err)
{
	odo_history *h = odo_new(1, sizeof *h);
	if (!h || note(h, before, t)) {
		odo_history_free(h);
		return odo_fail(err, ODO_ENOMEM, "no memory for the SLs handed out");
	}
	*out = h;
	return 0;
}

/* Switches with hosts, a byte each; NULL without memory. */
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
			if (f->lid_host[lid] != ODO_NONE && odo_next_port(t, s, lid) != ODO_NO_PORT)
				compare_pair(t, &past, s, lid, changes, list, room);
	odo_past_clear(&past);
	free(has_hosts);
	return status;
}
