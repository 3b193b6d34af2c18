/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/ring.h"

#include <string.h>

#include "base/gcd.h"

/* Cables used by rings found earlier, and working memory to search for the next ring. */
typedef struct finder {
	const odo_ways *w;
	odo_arena memory;        /* of the arrays */
	uint8_t *used_local;     /* [n_switches * a] cable from a switch to a position is used */
	uint8_t *used_global;    /* [gateways] */
	uint32_t *enter, *leave; /* [n_groups] positions */
	uint32_t *gate;          /* [n_groups] gateway by which the ring leaves each group */
	uint32_t *path;          /* [n_groups * a] positions in the order of the ring, by group */
	uint8_t *visited;        /* [a] */
} finder;

static int finder_make(finder *f, const odo_ways *ways)
{
	size_t gateways = ways->first_gateway[(size_t)ways->n_groups * ways->n_groups];
	odo_arena *memory = &f->memory;
	*f = (finder){.w = ways};
	f->used_local = odo_arena_new(memory, (size_t)ways->n_switches * ways->a, 1);
	f->used_global = odo_arena_new(memory, gateways, 1);
	f->enter = odo_arena_new(memory, ways->n_groups, sizeof *f->enter);
	f->leave = odo_arena_new(memory, ways->n_groups, sizeof *f->leave);
	f->gate = odo_arena_new(memory, ways->n_groups, sizeof *f->gate);
	f->path = odo_arena_new(memory, (size_t)ways->n_groups * ways->a, sizeof *f->path);
	f->visited = odo_arena_new(memory, ways->a, 1);
	return memory->failed ? ODO_ENOMEM : 0;
}

/* Index of the gateway at the other end of a gateway's cable. */
static uint32_t gate_back(const odo_ways *ways, uint32_t gate)
{
	const odo_gateway *gateway = &ways->gateways[gate];
	uint32_t slot = ways->fabric->peer[odo_slot(ways->fabric, gateway->node, gateway->port)];
	uint32_t there = ways->fabric->owner[slot];
	uint8_t port = (uint8_t)odo_port(ways->fabric, slot);
	size_t pair = (size_t)ways->group[there] * ways->n_groups + ways->group[gateway->node];
	uint32_t i = ways->first_gateway[pair];
	while (ways->gateways[i].node != there || ways->gateways[i].port != port)
		i++;
	return i;
}

/* Choose a free cable from every group to the group `offset` further on, so that no group is
 * entered and left at the same switch. If there are several cables, take the first that fits. */
static bool choose_gates(finder *f, uint32_t offset)
{
	const odo_ways *ways = f->w;
	uint32_t group = 0;
	for (uint32_t i = 0; i < ways->n_groups; i++) {
		uint32_t next = (group + offset) % ways->n_groups;
		size_t pair = (size_t)group * ways->n_groups + next;
		uint32_t gate = ways->first_gateway[pair];
		for (; gate < ways->first_gateway[pair + 1]; gate++) {
			uint32_t from = ways->position[ways->gateways[gate].node];
			uint32_t to = ways->position[ways->gateways[gate].there];
			bool same = i > 0 && f->enter[group] == from;
			bool closing = i + 1 == ways->n_groups && f->leave[next] == to;
			if (!f->used_global[gate] && (ways->a == 1 || (!same && !closing)))
				break;
		}
		if (gate == ways->first_gateway[pair + 1])
			return false;
		f->gate[group] = gate;
		f->leave[group] = ways->position[ways->gateways[gate].node];
		f->enter[next] = ways->position[ways->gateways[gate].there];
		group = next;
	}
	return true;
}

static bool local_free(const finder *f, uint32_t group, uint32_t from, uint32_t to)
{
	const odo_ways *ways = f->w;
	uint32_t s = ways->member[group * ways->a + from];
	return from != to && ways->local_port[s * ways->a + to] && !f->used_local[s * ways->a + to];
}

static uint32_t *path_of(finder *f, uint32_t group)
{
	return f->path + (size_t)group * f->w->a;
}

/* Count free neighbours that are not visited yet. */
static uint32_t count_free_neighbours(const finder *f, uint32_t group, uint32_t at)
{
	uint32_t n = 0;
	for (uint32_t to = 0; to < f->w->a; to++)
		n += !f->visited[to] && local_free(f, group, at, to);
	return n;
}

/* Search depth first, always to the neighbour with the fewest ways on (Warnsdorff), with `end` as
 * the last switch. `budget` bounds the steps. */
static bool extend_path(finder *f, uint32_t group, uint32_t length, uint32_t end, uint32_t *budget)
{
	uint32_t a = f->w->a, *path = path_of(f, group), at = path[length - 1];
	if (length == a)
		return at == end;
	if (!*budget || at == end)
		return false;
	--*budget;
	uint8_t tried[256] = {0};
	for (;;) {
		uint32_t best = ODO_NONE, least = ODO_NONE;
		for (uint32_t to = 0; to < a; to++) {
			if (f->visited[to] || tried[to] || !local_free(f, group, at, to) ||
			    (to == end && length + 1 < a))
				continue;
			uint32_t d = count_free_neighbours(f, group, to);
			if (d < least) {
				least = d;
				best = to;
			}
		}
		if (best == ODO_NONE)
			return false;
		tried[best] = 1;
		f->visited[best] = 1;
		path[length] = best;
		if (extend_path(f, group, length + 1, end, budget))
			return true;
		f->visited[best] = 0;
	}
}

static bool path_by_search(finder *f, uint32_t group)
{
	uint32_t budget = 100000;
	memset(f->visited, 0, f->w->a);
	path_of(f, group)[0] = f->enter[group];
	f->visited[f->enter[group]] = 1;
	return extend_path(f, group, 1, f->leave[group], &budget);
}

static bool path_by_step(finder *f, uint32_t group, uint32_t step)
{
	uint32_t a = f->w->a, *path = path_of(f, group), at = f->enter[group];
	for (uint32_t i = 0; i < a; i++, at = (at + step) % a) {
		path[i] = at;
		if (i && !local_free(f, group, path[i - 1], at))
			return false;
	}
	return path[a - 1] == f->leave[group];
}

/* Write one group's section of the ring, after the groups before it. */
static void lay_section(finder *f, odo_ring *ring, uint32_t group, uint32_t first_place)
{
	const odo_ways *ways = f->w;
	const uint32_t *path = path_of(f, group);
	for (uint32_t i = 0; i < ways->a; i++) {
		uint32_t s = ways->member[group * ways->a + path[i]];
		ring->place[s] = first_place + i;
		if (i + 1 == ways->a)
			break;
		uint32_t t = ways->member[group * ways->a + path[i + 1]];
		ring->port[0][s] = ways->local_port[s * ways->a + path[i + 1]];
		ring->port[1][t] = ways->local_port[t * ways->a + path[i]];
		f->used_local[s * ways->a + path[i + 1]] = 1;
		f->used_local[t * ways->a + path[i]] = 1;
	}
	const odo_gateway *out = &ways->gateways[f->gate[group]];
	uint32_t back = gate_back(ways, f->gate[group]);
	ring->port[0][out->node] = out->port;
	ring->port[1][ways->gateways[back].node] = ways->gateways[back].port;
	f->used_global[f->gate[group]] = f->used_global[back] = 1;
}

/* Try a ring at a fixed offset. Cables are marked as used only after every group has a path, so a
 * ring that fails uses none. */
static bool ring_at(finder *f, odo_ring *ring, uint32_t offset, uint32_t step)
{
	const odo_ways *ways = f->w;
	if (odo_gcd(offset, ways->n_groups) != 1 || !choose_gates(f, offset))
		return false;
	uint32_t group = 0;
	for (uint32_t i = 0; i < ways->n_groups; i++, group = (group + offset) % ways->n_groups)
		if (step ? !path_by_step(f, group, step) : !path_by_search(f, group))
			return false;
	for (uint32_t i = 0; i < ways->n_groups; i++, group = (group + offset) % ways->n_groups)
		lay_section(f, ring, group, i * ways->a);
	return true;
}

/* The paper's offsets and steps; 0 if it gives none for this h, or if those it gives are wrong. */
static void paper_steps(uint32_t h, char letter, uint32_t *offset, uint32_t *step)
{
	*offset = *step = 0;
	if (letter == 'a') {
		*offset = 1;
		*step = 1;
	} else if (letter == 'b' && h % 2 == 0 && h >= 4) {
		*offset = h * h / 2 + 2;
		*step = h + 1;
	} else if (letter == 'b' && h % 2 == 1 && h >= 5) {
		/* The paper gives R_in = (h+1)/2 but no offset; any offset from R_in * h + 1 to
		 * R_in * h + h has its links there. */
		*offset = (h + 1) / 2 * h + 2;
		*step = h + 2;
	}
}

static bool ring_by_formula(finder *f, odo_ring *ring, char letter)
{
	const odo_ways *ways = f->w;
	uint32_t h = ways->a / 2, offset, step;
	paper_steps(h, letter, &offset, &step);
	if (ways->a % 2 || !step || ways->n_groups != ways->a * h + 1)
		return false;
	uint32_t last = letter == 'b' && h % 2 ? offset + h - 2 : offset;
	for (; offset <= last; offset++)
		if (ring_at(f, ring, offset, step))
			return true;
	return false;
}

static bool ring_by_search(finder *f, odo_ring *ring)
{
	for (uint32_t offset = 1; offset < f->w->n_groups; offset++)
		if (ring_at(f, ring, offset, 0))
			return true;
	return false;
}

static int ring_alloc(odo_ring *ring, uint32_t n)
{
	ring->n = n;
	ring->place = odo_arena_new(&ring->memory, n, sizeof *ring->place);
	ring->port[0] = odo_arena_new(&ring->memory, n, 1);
	ring->port[1] = odo_arena_new(&ring->memory, n, 1);
	return ring->memory.failed ? ODO_ENOMEM : 0;
}

void odo_ring_clear(odo_ring *ring)
{
	odo_arena_free(&ring->memory);
	*ring = (odo_ring){0};
}

/* Find a switch's last two ports that are cabled to switches, leaving out `skip` ports behind them.
 * False if there are none. */
static bool last_ports(const odo_fabric *f, uint32_t s, unsigned skip, unsigned port[2])
{
	unsigned n = 0;
	for (uint32_t slot = f->first_slot[s + 1]; slot-- > f->first_slot[s] && n < 2;)
		if (odo_next_switch(f, slot) != ODO_NONE && !(skip && skip--))
			port[n++] = odo_port(f, slot);
	return n == 2;
}

static int no_own_ring(const odo_fabric *f, uint32_t at, odo_error *err)
{
	return odo_fail(err, ODO_EDECLINE,
			"expected the last cables of every switch to make rings through all, as in "
			"dragonfly:...,escape=ring, found none at \"%s\"",
			odo_name(f, at));
}

int odo_ring_own(const odo_fabric *f, unsigned n_rings, unsigned which, odo_ring *out,
		 odo_error *err)
{
	unsigned port[2], skip = 2 * (n_rings - 1 - which);
	*out = (odo_ring){0};
	if (ring_alloc(out, f->n_switches))
		return odo_fail(err, ODO_ENOMEM, "no memory for a ring");
	if (!last_ports(f, 0, skip, port))
		return no_own_ring(f, 0, err);
	uint32_t at = 0, came = port[0]; /* ports are listed from the last */
	for (uint32_t i = 0; i < out->n; i++) {
		if (!last_ports(f, at, skip, port) || (came != port[0] && came != port[1]) ||
		    (i && at == 0))
			return no_own_ring(f, at, err);
		unsigned on = port[came == port[0]];
		uint32_t back = f->peer[odo_slot(f, at, on)];
		out->place[at] = i;
		out->port[0][at] = (uint8_t)on;
		out->port[1][at] = (uint8_t)came;
		at = f->owner[back];
		came = odo_port(f, back);
	}
	return at == 0 && came == out->port[1][0] ? 0 : no_own_ring(f, at, err);
}

int odo_rings_find(const odo_ways *ways, const char *letters, odo_ring *out, odo_error *err)
{
	finder f;
	memset(out, 0, strlen(letters) * sizeof *out);
	if (ways->a > 256)
		return odo_fail(err, ODO_EDECLINE,
				"expected groups of at most 256 switches, found %u", ways->a);
	int status = finder_make(&f, ways);
	for (size_t i = 0; letters[i] && !status; i++) {
		status = ring_alloc(&out[i], ways->n_switches);
		if (status || ring_by_formula(&f, &out[i], letters[i]))
			continue;
		out[i].searched = true;
		if (!ring_by_search(&f, &out[i]))
			status = odo_fail(err, ODO_EDECLINE,
					  "no Hamiltonian ring '%c' that shares no cable with the "
					  "rings before it",
					  letters[i]);
	}
	if (status == ODO_ENOMEM)
		odo_fail(err, status, "no memory for rings");
	odo_arena_free(&f.memory);
	return status;
}
