/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Judges what switches have by all SLs that were ever handed out to ports that are there, apart
 * from the verifier and from what the plugin remembers:
 *
 *   tool_held STATE FABRIC LFTS SL2VL SLS TOLD
 *
 * STATE has what ports hold, a line "port-GUID switch-GUID LID SLs" each, SLs as a bit mask. It is
 * written anew and need not exist. The switch is 0 for a port that was away. FABRIC is what
 * ibnetdiscover found; LFTS, SL2VL and SLS are what the switches and the SA say (readback.sh). TOLD
 * has a line "switch-GUID LID" for each pair that was reported since STATE was written; 0 stands
 * for all. Ports that were at that switch before, or are there now, then hold the SL of SLS alone.
 * Ports that are away all the time hear of nothing.
 *
 * Packets go wherever entries lead them, to whomever their LID belongs. The answer is
 *
 *   yes|no|dropped PORTS AWAY PAIRS SEVERAL CHANNELS
 *
 * ports that ever were, those away, pairs (port, LID), pairs that hold several SLs, and channels in
 * or before a cycle. Dropped: some SL that is held has no VL on the way.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/format/format.h"

enum { SLS = 16, VLS = 16, PORTS = 256, LIDS = 0x10000 };

typedef struct port {
	uint64_t guid, was_at, at; /* switches; 0: away */
	uint32_t host;             /* ODO_NONE: away */
	uint16_t held[LIDS];
} port;

typedef struct judge {
	odo_fabric *f;
	uint8_t *lft;       /* [n_switches * LIDS] */
	uint8_t (*vl)[SLS]; /* [n_switches * PORTS * PORTS]: switch, input, output */
	uint16_t *waits;    /* [n * PORTS] VLs at the next switch's ports, a bit each */
	uint32_t n;         /* channels: slot, VL */
	port *ports;
	uint32_t n_ports;
	bool dropped;
} judge;

static void *get(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);
	if (!p)
		exit(2);
	return p;
}

static FILE *open_file(const char *path)
{
	FILE *from = fopen(path, "r");
	if (!from) {
		perror(path);
		exit(2);
	}
	return from;
}

static uint32_t switch_of(const odo_fabric *f, uint64_t guid)
{
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (f->node_guid[s] == guid)
			return s;
	return ODO_NONE;
}

static void read_lfts(judge *j, const char *path)
{
	FILE *from = open_file(path);
	uint64_t guid;
	unsigned lid, to;
	while (fscanf(from, "%" SCNx64 " %x %u", &guid, &lid, &to) == 3) {
		uint32_t s = switch_of(j->f, guid);
		if (s != ODO_NONE && lid < LIDS)
			j->lft[(size_t)s * LIDS + lid] = (uint8_t)to;
	}
	fclose(from);
}

static uint8_t *maps_of(const judge *j, uint32_t s, unsigned in, unsigned out)
{
	return j->vl[((size_t)s * PORTS + in) * PORTS + out];
}

static void read_maps(judge *j, const char *path)
{
	FILE *from = open_file(path);
	uint64_t guid;
	unsigned in, out, vl;
	while (fscanf(from, "%" SCNx64 " %u %u", &guid, &in, &out) == 3) {
		uint32_t s = switch_of(j->f, guid);
		for (unsigned sl = 0; sl < SLS; sl++)
			if (fscanf(from, "%u", &vl) == 1 && s != ODO_NONE && in < PORTS &&
			    out < PORTS)
				maps_of(j, s, in, out)[sl] = (uint8_t)vl;
	}
	fclose(from);
}

static port *port_of(judge *j, uint64_t guid)
{
	for (uint32_t i = 0; i < j->n_ports; i++)
		if (j->ports[i].guid == guid)
			return &j->ports[i];
	j->ports = realloc(j->ports, (j->n_ports + 1) * sizeof *j->ports);
	if (!j->ports)
		exit(2);
	port *p = &j->ports[j->n_ports++];
	memset(p, 0, sizeof *p);
	p->guid = guid;
	p->host = ODO_NONE;
	return p;
}

static void read_state(judge *j, const char *path)
{
	FILE *from = fopen(path, "r");
	uint64_t guid, at;
	unsigned lid, held;
	while (from &&
	       fscanf(from, "%" SCNx64 " %" SCNx64 " %u %u", &guid, &at, &lid, &held) == 4) {
		port *p = port_of(j, guid);
		p->was_at = at;
		if (lid < LIDS)
			p->held[lid] = (uint16_t)held;
	}
	if (from)
		fclose(from);
}

static void find_ports(judge *j)
{
	const odo_fabric *f = j->f;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		port *p = port_of(j, f->port_guid[f->host_slot[h]]);
		p->host = h;
		p->at = f->node_guid[odo_host_switch(f, h)];
	}
}

static void read_told(judge *j, const char *path)
{
	FILE *from = open_file(path);
	uint64_t guid;
	unsigned lid;
	while (fscanf(from, "%" SCNx64 " %u", &guid, &lid) == 2) {
		for (uint32_t i = 0; i < j->n_ports; i++) {
			port *p = &j->ports[i];
			bool hears = guid ? p->was_at == guid || p->at == guid : p->was_at || p->at;
			if (hears && !lid)
				memset(p->held, 0, sizeof p->held);
			else if (hears && lid < LIDS)
				p->held[lid] = 0;
		}
	}
	fclose(from);
}

static void read_sls(judge *j, const char *path)
{
	const odo_fabric *f = j->f;
	FILE *from = open_file(path);
	unsigned a, b, sl;
	while (fscanf(from, "%u %u %u", &a, &b, &sl) == 3) {
		if (a >= f->lid_count || f->lid_host[a] == ODO_NONE || b >= LIDS || sl >= SLS)
			exit(2);
		port_of(j, f->port_guid[f->host_slot[f->lid_host[a]]])
			->held[b] |= (uint16_t)(1u << sl);
	}
	fclose(from);
}

static void walk(judge *j, uint32_t host, uint32_t lid, unsigned sl)
{
	const odo_fabric *f = j->f;
	uint32_t slot = f->peer[f->host_slot[host]], held = ODO_NONE;
	for (uint32_t hops = 0; hops <= f->n_switches; hops++) {
		uint32_t s = f->owner[slot];
		unsigned to = j->lft[(size_t)s * LIDS + lid];
		if (to < 1 || to > odo_n_ports(f, s))
			return;
		uint32_t out = odo_slot(f, s, to);
		unsigned vl = maps_of(j, s, odo_port(f, slot), to)[sl];
		if (f->peer[out] == ODO_NONE)
			return;
		if (vl >= f->n_vls[out]) {
			j->dropped = true;
			return;
		}
		if (odo_next_switch(f, out) == ODO_NONE)
			return;
		if (held != ODO_NONE)
			j->waits[(size_t)held * PORTS + to] |= (uint16_t)(1u << vl);
		held = out * VLS + vl;
		slot = f->peer[out];
	}
}

static void walk_all(judge *j)
{
	for (uint32_t i = 0; i < j->n_ports; i++)
		for (uint32_t lid = 1; j->ports[i].host != ODO_NONE && lid < LIDS; lid++)
			for (unsigned held = j->ports[i].held[lid]; held; held &= held - 1)
				walk(j, j->ports[i].host, lid, (unsigned)__builtin_ctz(held));
}

/* Does a channel wait for one that is left? */
static bool waits(const judge *j, uint32_t channel, const uint8_t *gone)
{
	const odo_fabric *f = j->f;
	uint32_t s = odo_next_switch(f, channel / VLS);
	for (unsigned to = 1; s != ODO_NONE && to <= odo_n_ports(f, s); to++)
		for (unsigned vls = j->waits[(size_t)channel * PORTS + to]; vls; vls &= vls - 1)
			if (!gone[odo_slot(f, s, to) * VLS + (unsigned)__builtin_ctz(vls)])
				return true;
	return false;
}

/* Channels that wait for none are taken away, again and again. */
static uint32_t count_cycles(const judge *j)
{
	uint8_t *gone = get(j->n, 1);
	uint32_t left = j->n, before;
	do {
		before = left;
		left = 0;
		for (uint32_t i = 0; i < j->n; i++) {
			gone[i] = gone[i] || !waits(j, i, gone);
			left += !gone[i];
		}
	} while (left && left != before);
	free(gone);
	return left;
}

static void write_state(const judge *j, const char *path)
{
	FILE *to = fopen(path, "w");
	if (!to)
		exit(2);
	for (uint32_t i = 0; i < j->n_ports; i++)
		for (unsigned lid = 1; lid < LIDS; lid++)
			if (j->ports[i].held[lid])
				fprintf(to, "%016" PRIx64 " %016" PRIx64 " %u %u\n",
					j->ports[i].guid, j->ports[i].at, lid,
					j->ports[i].held[lid]);
	if (fclose(to))
		exit(2);
}

static void answer(const judge *j)
{
	uint32_t n_away = 0, n_pairs = 0, n_several = 0, n_cycles = count_cycles(j);
	for (uint32_t i = 0; i < j->n_ports; i++) {
		n_away += j->ports[i].host == ODO_NONE;
		for (unsigned lid = 1; lid < LIDS; lid++) {
			unsigned held = j->ports[i].held[lid];
			n_pairs += held != 0;
			n_several += (held & (held - 1)) != 0;
		}
	}
	printf("%s %u %u %u %u %u\n",
	       n_cycles     ? "no"
	       : j->dropped ? "dropped"
			    : "yes",
	       j->n_ports, n_away, n_pairs, n_several, n_cycles);
}

int main(int argc, char **argv)
{
	judge j = {0};
	odo_error err;
	if (argc < 7 || odo_fabric_read(argv[2], 0, &j.f, &err)) {
		fprintf(stderr, "tool_held: %s\n", argc < 7 ? "too few files" : err.text);
		return 2;
	}
	size_t n = j.f->n_switches;
	j.n = j.f->first_slot[n] * VLS;
	j.lft = memset(get(n * LIDS, 1), 0xFF, n * LIDS);
	j.vl = get(n * PORTS * PORTS, sizeof *j.vl);
	j.waits = get((size_t)j.n * PORTS, sizeof *j.waits);
	read_lfts(&j, argv[3]);
	read_maps(&j, argv[4]);
	read_state(&j, argv[1]);
	find_ports(&j);
	read_told(&j, argv[6]);
	read_sls(&j, argv[5]);
	walk_all(&j);
	answer(&j);
	write_state(&j, argv[1]);
	return 0;
}
