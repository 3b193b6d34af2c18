/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/analyze/path.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/analyze/internal.h"

static void end_path(odo_path *path, uint32_t at, odo_path_end end)
{
	path->at = at;
	path->end = end;
}

/* Append the hop over a port. @return false if the path ends before it */
static bool add_hop(const odo_tables *t, uint32_t s, unsigned in, unsigned out, unsigned sl,
		    odo_path *path)
{
	uint8_t vl = odo_vl(t, s, in, out, sl);
	odo_path_end end = vl == ODO_VL_DROP          ? ODO_PATH_DROPPED
			   : path->n == ODO_MOST_HOPS ? ODO_PATH_LOOPS
						      : ODO_PATH_ARRIVES;
	if (end)
		end_path(path, s, end);
	else
		path->hop[path->n++] = (odo_channel){odo_slot(t->fabric, s, out), vl};
	return !end;
}

void odo_path_find(const odo_tables *t, uint32_t host, uint32_t s, uint32_t lid, unsigned sl,
		   odo_path *path)
{
	const odo_fabric *f = t->fabric;
	unsigned in = 0;
	*path = (odo_path){.at = s};
	if (host != ODO_NONE) {
		uint32_t slot = f->host_slot[host];
		uint8_t vl = t->rows[t->host_row[host]].vl[sl];
		path->hop[path->n++] = (odo_channel){slot, vl};
		in = odo_port(f, f->peer[slot]);
		if (vl == ODO_VL_DROP) {
			end_path(path, ODO_NONE, ODO_PATH_DROPPED);
			return;
		}
	}
	while (s != f->lid_switch[lid]) {
		unsigned out = odo_next_port(t, s, lid);
		bool is_port = out && out <= odo_n_ports(f, s);
		uint32_t next = is_port ? odo_next_switch(f, odo_slot(f, s, out)) : ODO_NONE;
		if (next == ODO_NONE) {
			end_path(path, s, is_port ? ODO_PATH_NO_CABLE : ODO_PATH_NO_ENTRY);
			return;
		}
		if (!add_hop(t, s, in, out, sl, path))
			return;
		in = odo_port(f, f->peer[odo_slot(f, s, out)]);
		s = next;
	}
	unsigned out = odo_next_port(t, s, lid);
	path->at = s;
	if (out != f->lid_port[lid])
		end_path(path, s, out == ODO_NO_PORT ? ODO_PATH_NO_ENTRY : ODO_PATH_NO_CABLE);
	else if (out)
		add_hop(t, s, in, out, sl, path);
}

/* ---- Crossing ---- */

typedef enum reach { UNKNOWN, MISSES, CROSSES } reach;

/* Find whether the path of each switch to a LID goes over a switch at which the channel begins. */
static void find_switches_over(const odo_tables *t, uint32_t lid, uint32_t begin, uint8_t *known,
			       uint32_t *trail)
{
	const odo_fabric *f = t->fabric;
	memset(known, UNKNOWN, f->n_switches);
	known[begin] = CROSSES;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t n = 0, at = s;
		while (at != ODO_NONE && known[at] == UNKNOWN && n < f->n_switches) {
			unsigned out = odo_next_port(t, at, lid);
			trail[n++] = at;
			at = at != f->lid_switch[lid] && out && out <= odo_n_ports(f, at)
				     ? odo_next_switch(f, odo_slot(f, at, out))
				     : ODO_NONE;
		}
		uint8_t found = at == ODO_NONE || known[at] == UNKNOWN ? MISSES : known[at];
		while (n)
			known[trail[--n]] = found;
	}
}

static void count_crossing(const odo_tables *t, uint32_t lid, const uint8_t *known,
			   odo_crossing *out)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t h = 0; h < f->n_senders; h++) {
		if (h == f->lid_host[lid] || known[odo_host_switch(f, h)] != CROSSES)
			continue;
		out->sends[h]++;
		out->gets[f->lid_host[lid]]++;
		out->n_pairs++;
	}
}

/* A host's own cable: all LIDs of other hosts that its switch has a way to. */
static void count_own_cable(const odo_tables *t, uint32_t host, odo_crossing *out)
{
	const odo_fabric *f = t->fabric;
	uint32_t path[ODO_MAX_PATH + 3];
	for (uint32_t lid = 1; lid < f->lid_count && host < f->n_senders; lid++) {
		uint32_t to = f->lid_switch[lid] == ODO_NONE ? ODO_NONE : f->lid_host[lid];
		if (to == ODO_NONE || to == host || !odo_follow(t, host, lid, path))
			continue;
		out->sends[host]++;
		out->gets[to]++;
		out->n_pairs++;
	}
}

int odo_crossing_find(const odo_tables *t, uint32_t slot, odo_crossing *out, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	uint32_t s = f->owner[slot], *trail = odo_new(f->n_switches, sizeof *trail);
	uint8_t *known = odo_new(f->n_switches, 1);
	*out = (odo_crossing){.sends = odo_new(f->n_hosts, sizeof *out->sends),
			      .gets = odo_new(f->n_hosts, sizeof *out->gets)};
	bool room = trail && known && out->sends && out->gets;
	if (room && !odo_is_switch(f, s) && f->slot_host[slot] != ODO_NONE)
		count_own_cable(t, f->slot_host[slot], out);
	for (uint32_t lid = 1; room && odo_is_switch(f, s) && lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE && f->lid_host[lid] != ODO_NONE &&
		    odo_next_port(t, s, lid) == odo_port(f, slot)) {
			find_switches_over(t, lid, s, known, trail);
			count_crossing(t, lid, known, out);
		}
	free(trail);
	free(known);
	return room ? 0 : odo_fail(err, ODO_ENOMEM, "out of memory");
}

void odo_crossing_clear(odo_crossing *crossing)
{
	free(crossing->sends);
	free(crossing->gets);
	*crossing = (odo_crossing){0};
}
