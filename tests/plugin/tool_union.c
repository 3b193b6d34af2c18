/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Judges a sweep as connections see it, apart from the verifier and from what the plugin remembers:
 *
 *   tool_union STATE FABRIC LFTS SL2VL SLS TOLD [PSL]
 *
 * STATE holds the SLs that connections may have, a line "source-LID destination-LID first-SL SLs"
 * each, SLs as a bit mask, and is written anew; it need not exist. FABRIC is what ibnetdiscover
 * found; LFTS, SL2VL and SLS are what the switches and the SA say (readback.sh). TOLD has a line
 * "switch-GUID LID" for each pair that was told to reconnect: its connections have the SL of now
 * alone. All packets that may be under way are walked hop by hop, and the answer is
 *
 *   yes|no|lost PAIRS CHANGED SEVERAL
 *
 * pairs, those whose SL is another than at the last call, and those that hold several. PSL gets the
 * first SL that each pair holds, as ibdmchk reads it, for all hosts of a switch.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/format/format.h"

enum { SLS = 16, VLS = 16 };

typedef struct pairs {
	uint16_t *held;
	uint8_t *first, *now; /* SL; SLS for none */
} pairs;

typedef struct judge {
	odo_fabric *f;
	uint8_t *lft;       /* [n_switches * lid_count] */
	uint8_t (*vl)[SLS]; /* [n_switches * 256 * 256]: switch, input, output */
	uint8_t *waits;     /* [n * n] channels */
	uint32_t n;
	pairs p; /* [lid_count * lid_count] */
	unsigned changed, several, n_pairs;
	int lost;
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
	unsigned lid, port;
	memset(j->lft, 0xFF, (size_t)j->f->n_switches * j->f->lid_count);
	while (fscanf(from, "%" SCNx64 " %x %u", &guid, &lid, &port) == 3) {
		uint32_t s = switch_of(j->f, guid);
		if (s != ODO_NONE && lid < j->f->lid_count)
			j->lft[(size_t)s * j->f->lid_count + lid] = (uint8_t)port;
	}
	fclose(from);
}

static void read_maps(judge *j, const char *path)
{
	FILE *from = open_file(path);
	uint64_t guid;
	unsigned in, out, vl;
	while (fscanf(from, "%" SCNx64 " %u %u", &guid, &in, &out) == 3) {
		uint32_t s = switch_of(j->f, guid);
		for (unsigned sl = 0; sl < SLS; sl++)
			if (fscanf(from, "%u", &vl) == 1 && s != ODO_NONE && in < 256 && out < 256)
				j->vl[(size_t)s << 16 | in << 8 | out][sl] = (uint8_t)vl;
	}
	fclose(from);
}

static void read_state(judge *j, const char *path)
{
	FILE *from = fopen(path, "r");
	unsigned a, b, first, now, held;
	while (from && fscanf(from, "%u %u %u %u %u", &a, &b, &first, &now, &held) == 5) {
		size_t i = (size_t)a * j->f->lid_count + b;
		if (a >= j->f->lid_count || b >= j->f->lid_count)
			continue;
		j->p.first[i] = (uint8_t)first;
		j->p.now[i] = (uint8_t)now;
		j->p.held[i] = (uint16_t)held;
	}
	if (from)
		fclose(from);
}

static void read_told(judge *j, const char *path)
{
	FILE *from = open_file(path);
	uint64_t guid;
	unsigned lid;
	while (fscanf(from, "%" SCNx64 " %u", &guid, &lid) == 2) {
		uint32_t s = switch_of(j->f, guid);
		for (uint32_t a = 0; a < j->f->lid_count && lid < j->f->lid_count; a++) {
			size_t i = (size_t)a * j->f->lid_count + lid;
			if (s == ODO_NONE || j->f->lid_switch[a] != s)
				continue;
			j->p.held[i] = 0;
			j->p.first[i] = SLS;
		}
	}
	fclose(from);
}

static void read_sls(judge *j, const char *path)
{
	FILE *from = open_file(path);
	unsigned a, b, sl;
	while (fscanf(from, "%u %u %u", &a, &b, &sl) == 3) {
		size_t i = (size_t)a * j->f->lid_count + b;
		if (a >= j->f->lid_count || b >= j->f->lid_count || sl >= SLS)
			exit(2);
		j->n_pairs++;
		j->changed += j->p.now[i] != SLS && j->p.now[i] != sl;
		j->p.now[i] = (uint8_t)sl;
		j->p.held[i] |= (uint16_t)(1u << sl);
		if (j->p.first[i] == SLS)
			j->p.first[i] = (uint8_t)sl;
		j->several += (j->p.held[i] & (j->p.held[i] - 1)) != 0;
	}
	fclose(from);
}

static void walk(judge *j, uint32_t a, uint32_t lid, unsigned sl)
{
	const odo_fabric *f = j->f;
	uint32_t host = f->lid_host[a], s = f->lid_switch[a], held = ODO_NONE;
	unsigned in = odo_port(f, f->peer[f->host_slot[host]]);
	for (uint32_t hops = 0; hops <= f->n_switches; hops++) {
		unsigned port = j->lft[(size_t)s * f->lid_count + lid];
		if (port < 1 || port > odo_n_ports(f, s))
			break;
		uint32_t slot = odo_slot(f, s, port);
		unsigned vl = j->vl[(size_t)s << 16 | in << 8 | port][sl];
		if (vl >= f->n_vls[slot])
			break;
		if (f->slot_host[slot] != ODO_NONE && f->slot_host[slot] == f->lid_host[lid])
			return;
		if (odo_next_switch(f, slot) == ODO_NONE)
			break;
		uint32_t channel = slot * VLS + vl;
		if (held != ODO_NONE)
			j->waits[(size_t)held * j->n + channel] = 1;
		held = channel;
		in = odo_port(f, f->peer[slot]);
		s = odo_next_switch(f, slot);
	}
	j->lost = 1;
}

static void walk_all(judge *j)
{
	const odo_fabric *f = j->f;
	for (uint32_t a = 0; a < f->lid_count; a++) {
		for (uint32_t b = 0; b < f->lid_count; b++) {
			unsigned held = j->p.held[(size_t)a * f->lid_count + b];
			bool there = f->lid_host[a] != ODO_NONE && f->lid_host[b] != ODO_NONE;
			for (; there && held; held &= held - 1)
				walk(j, a, b, (unsigned)__builtin_ctz(held));
		}
	}
}

/* Channels that wait for none are taken away, then those that wait for these alone. */
static bool is_acyclic(const judge *j)
{
	uint32_t *waits = get(j->n, sizeof *waits), *list = get(j->n, sizeof *list), n = 0;
	for (uint32_t a = 0; a < j->n; a++) {
		for (uint32_t b = 0; b < j->n; b++)
			waits[a] += j->waits[(size_t)a * j->n + b];
		if (!waits[a])
			list[n++] = a;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t a = 0; a < j->n; a++)
			if (j->waits[(size_t)a * j->n + list[i]] && !--waits[a])
				list[n++] = a;
	free(waits);
	free(list);
	return n == j->n;
}

static void write_state(const judge *j, const char *path)
{
	FILE *to = fopen(path, "w");
	if (!to)
		exit(2);
	for (uint32_t a = 0; a < j->f->lid_count; a++) {
		for (uint32_t b = 0; b < j->f->lid_count; b++) {
			size_t i = (size_t)a * j->f->lid_count + b;
			if (j->p.held[i])
				fprintf(to, "%u %u %u %u %u\n", a, b, j->p.first[i], j->p.now[i],
					j->p.held[i]);
		}
	}
	if (fclose(to))
		exit(2);
}

/* Paths of a host by those of host `a` of its switch. To that one itself no cable is passed, and
 * any SL will do. */
static void write_paths(const judge *j, uint32_t h, uint32_t a, FILE *to)
{
	const odo_fabric *f = j->f;
	uint64_t guid = f->node_guid[f->owner[f->host_slot[h]]];
	bool asked = false;
	for (uint32_t b = 0; b < f->lid_count; b++) {
		size_t i = (size_t)a * f->lid_count + b;
		if (!j->p.held[i])
			continue;
		asked = true;
		fprintf(to, "0x%016" PRIx64 " %u %u\n", guid, b, j->p.first[i]);
	}
	if (asked && f->lid_host[a] != h)
		fprintf(to, "0x%016" PRIx64 " %u 0\n", guid, a);
}

/* All hosts of a switch get what the one got that was asked for. */
static void write_psl(const judge *j, const char *path)
{
	const odo_fabric *f = j->f;
	FILE *to = fopen(path, "w");
	if (!to)
		exit(2);
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		for (uint32_t a = 0; a < f->lid_count; a++) {
			if (f->lid_switch[a] != odo_host_switch(f, h))
				continue;
			write_paths(j, h, a, to);
		}
	}
	if (fclose(to))
		exit(2);
}

int main(int argc, char **argv)
{
	judge j = {0};
	odo_error err;
	if (argc < 7 || odo_fabric_read(argv[2], 0, &j.f, &err)) {
		fprintf(stderr, "tool_union: %s\n", argc < 7 ? "too few files" : err.text);
		return 2;
	}
	size_t lids = j.f->lid_count;
	j.n = j.f->first_slot[j.f->n_switches] * VLS;
	j.lft = get(j.f->n_switches * lids, 1);
	j.vl = get((size_t)j.f->n_switches << 16, sizeof *j.vl);
	j.waits = get((size_t)j.n * j.n, 1);
	j.p.held = get(lids * lids, sizeof *j.p.held);
	j.p.first = memset(get(lids * lids, 1), SLS, lids * lids);
	j.p.now = memset(get(lids * lids, 1), SLS, lids * lids);
	read_lfts(&j, argv[3]);
	read_maps(&j, argv[4]);
	read_state(&j, argv[1]);
	read_told(&j, argv[6]);
	read_sls(&j, argv[5]);
	walk_all(&j);
	printf("%s %u %u %u\n",
	       j.lost           ? "lost"
	       : is_acyclic(&j) ? "yes"
				: "no",
	       j.n_pairs, j.changed, j.several);
	write_state(&j, argv[1]);
	if (argc > 7)
		write_psl(&j, argv[7]);
	return 0;
}
