/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/reroute/past.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void odo_past_clear(odo_past *past)
{
	free(past->held);
	free(past->last);
	*past = (odo_past){0};
}

uint64_t odo_past_guid(const odo_fabric *f, uint32_t lid)
{
	uint32_t s = f->lid_switch[lid], host = f->lid_host[lid];
	return host != ODO_NONE ? f->port_guid[f->host_slot[host]]
	       : s != ODO_NONE  ? f->node_guid[s]
				: 0;
}

uint64_t *odo_past_ports(const odo_fabric *f)
{
	uint64_t *guid = odo_new(f->n_hosts, sizeof *guid);
	for (uint32_t i = 0; guid && i < f->n_hosts; i++)
		guid[i] = f->port_guid[f->host_slot[i]];
	return guid;
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

uint32_t *odo_past_find(const uint64_t *guid, uint32_t n, const uint64_t *among, uint32_t m)
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

int odo_past_reader_init(odo_past_reader *r, const odo_history *h, const odo_fabric *f)
{
	uint64_t *guid = odo_past_ports(f);
	*r = (odo_past_reader){
		h, f, odo_past_find(f->node_guid, f->n_switches, h->switch_guid, h->n_switches),
		guid ? odo_past_find(guid, f->n_hosts, h->port_guid, h->n_ports) : NULL};
	free(guid);
	return r->row && r->port ? 0 : ODO_ENOMEM;
}

void odo_past_reader_clear(odo_past_reader *r)
{
	free(r->row);
	free(r->port);
}

void odo_past_add_row(const odo_history *h, uint32_t from, bool owed, const odo_past_rows *to,
		      uint32_t at)
{
	uint32_t n = h->lid_count < to->lid_count ? h->lid_count : to->lid_count;
	size_t old = (size_t)(h->by_pair ? from : 0) * h->lid_count;
	size_t row = (size_t)at * to->lid_count;
	for (uint32_t lid = 0; lid < n; lid++) {
		to->held[row + lid] |= h->held[old + lid];
		if (owed && h->owed)
			to->held[row + lid] |= h->owed[old + lid];
		if (to->last[row + lid] == ODO_SL_NONE)
			to->last[row + lid] = h->last[old + lid];
	}
}

/* Add rows of ports that were elsewhere. A port that was absent received no notices, so it may also
 * use the SLs owed to it. */
static void add_ports(const odo_past_reader *r, bool by_pair, const odo_past_rows *to)
{
	for (uint32_t i = 0; i < r->f->n_hosts; i++) {
		uint32_t s = odo_host_switch(r->f, i), port = r->port[i];
		if (port == ODO_NONE)
			continue;
		uint32_t was = r->h->port_switch[port];
		bool back = port >= r->h->n_here;
		if (back || (r->h->by_pair && was != r->row[s]))
			odo_past_add_row(r->h, was, back, to, by_pair ? s : 0);
	}
}

/* Read a switch's own row first: it decides which SL was assigned last. */
void odo_past_read(const odo_past_reader *r, bool by_pair, const odo_past_rows *to)
{
	for (uint32_t s = 0; s < (by_pair ? r->f->n_switches : 1); s++)
		if (!r->h->by_pair || r->row[s] != ODO_NONE)
			odo_past_add_row(r->h, r->row[s], false, to, s);
	add_ports(r, by_pair, to);
}

/* Leave out unused LIDs. If a LID belongs to another port than before, no source was assigned an SL
 * for it, but connections to its earlier owner may still send to it. */
static void leave_out_lids(const odo_past_reader *r, uint32_t n_rows, const odo_past_rows *of)
{
	for (uint32_t lid = 0; lid < of->lid_count; lid++) {
		bool known = r->f->lid_switch[lid] != ODO_NONE;
		if (known && lid < r->h->lid_count &&
		    r->h->lid_guid[lid] == odo_past_guid(r->f, lid))
			continue;
		for (uint32_t i = 0; i < n_rows; i++) {
			of->last[(size_t)i * of->lid_count + lid] = ODO_SL_NONE;
			if (!known)
				of->held[(size_t)i * of->lid_count + lid] = 0;
		}
	}
}

int odo_history_past(const odo_history *h, const odo_fabric *f, odo_past *past, odo_error *err)
{
	uint32_t n_rows = h->by_pair ? f->n_switches : 1;
	size_t n = (size_t)n_rows * f->lid_count;
	odo_past_reader r;
	*past = (odo_past){.by_pair = h->by_pair,
			   .lid_count = f->lid_count,
			   .held = odo_new(n, sizeof *past->held),
			   .last = odo_new(n, 1)};
	bool room = !odo_past_reader_init(&r, h, f) && past->held && past->last;
	if (room) {
		const odo_past_rows to = {f->lid_count, past->held, past->last};
		memset(past->last, ODO_SL_NONE, n);
		odo_past_read(&r, h->by_pair, &to);
		leave_out_lids(&r, n_rows, &to);
	}
	odo_past_reader_clear(&r);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for the SLs handed out");
}
