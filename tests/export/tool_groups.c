/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tool_groups SPEC LMC SWITCHES LINKS SEED SL FOLDER: takes these shares of switches and cables
 * away, routes what is left, finds trees for multicast with this SL, and draws groups. FOLDER gets
 * the files that OpenSM would write of them, and their certificate. Exit code 4 if no tree is safe
 * beside these tables. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "export/certificate.h"
#include "export/export.h"
#include "fabric/topology/topology.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "routing/engine.h"
#include "routing/multicast/multicast.h"

enum { N_GROUPS = 6, FIRST_MLID = 0xC000 };

static void check(int status, const odo_error *err)
{
	if (!status)
		return;
	fprintf(stderr, "%s\n", err->text);
	exit(status == ODO_EDECLINE ? 4 : 2);
}

static FILE *open_in(const char *folder, const char *name)
{
	char path[1024];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *to = fopen(path, "w");
	if (!to)
		exit(2);
	return to;
}

/* Half of the groups are small; a switch is a member of some, too. */
static void draw_group(const odo_mcast *m, odo_rng *rng, unsigned i, uint8_t *on, uint32_t *own)
{
	const odo_fabric *f = m->fabric;
	uint32_t *member = calloc(f->n_hosts + 1ul, sizeof *member), n = 0;
	uint32_t of = i % 2 ? 1 + f->n_hosts / 3 : 1;
	for (uint32_t h = 0; h < f->n_hosts; h++)
		if (odo_rng_below(rng, of) == 0)
			member[n++] = f->peer[f->host_slot[h]];
	odo_error err;
	*own = i % 3 ? ODO_NONE : odo_rng_below(rng, f->n_switches);
	check(odo_mcast_ports(m, member, n, own, *own != ODO_NONE, on, &err), &err);
	if (n + (*own != ODO_NONE) < 2)
		*own = ODO_NONE;
	free(member);
}

static void write_groups(const odo_mcast *m, uint64_t seed, FILE *to)
{
	const odo_fabric *f = m->fabric;
	uint8_t *on[N_GROUPS];
	uint32_t own[N_GROUPS];
	odo_rng rng = odo_rng_make(seed, 0);
	for (unsigned i = 0; i < N_GROUPS; i++) {
		on[i] = calloc(f->first_slot[f->n_switches], 1);
		draw_group(m, &rng, i, on[i], &own[i]);
	}
	for (uint32_t s = 0; s < f->n_switches; s++) {
		fprintf(to, "\nSwitch 0x%016" PRIx64 "\nLID    : Out Port(s)\n", f->node_guid[s]);
		for (unsigned i = 0; i < N_GROUPS; i++) {
			fprintf(to, "0x%04X :%s", FIRST_MLID + i, own[i] == s ? " 0x000 " : "");
			for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
				if (on[i][slot])
					fprintf(to, " 0x%03X ", odo_port(f, slot));
			fputc('\n', to);
		}
	}
	for (unsigned i = 0; i < N_GROUPS; i++)
		free(on[i]);
}

int main(int argc, char **argv)
{
	odo_fabric *whole, *f;
	odo_coordinates *c;
	odo_tables *t;
	odo_mcast *m;
	odo_error err;
	if (argc != 8)
		return 2;
	uint64_t seed = strtoull(argv[5], NULL, 10);
	odo_damage damage = {.switches = atof(argv[3]), .links = atof(argv[4]), .seed = seed};
	odo_route_options options = {.spread_lids = atoi(argv[2]) > 0};
	check(odo_topology_generate(argv[1], (uint8_t)atoi(argv[2]), &whole, NULL, &err), &err);
	check(odo_fabric_damage(whole, &damage, &f, NULL, &err), &err);
	check(odo_map(f, &c, &err), &err);
	check(odo_route(f, c, NULL, &options, &t, &err), &err);
	check(odo_mcast_create(t, 1u << atoi(argv[6]), &m, &err), &err);
	FILE *to = open_in(argv[7], "certificate");
	check(odo_certificate_text(t, m, to, &err), &err);
	fclose(to);
	to = open_in(argv[7], "mcfdbs");
	write_groups(m, seed, to);
	fclose(to);
	const char *const forms[] = {"lst", "lfts", "sl2vl"};
	for (int i = 0; i < 3; i++) {
		to = open_in(argv[7], forms[i]);
		check(odo_export_find(forms[i])->write(t, c, to, &err), &err);
		fclose(to);
	}
	odo_mcast_free(m);
	odo_tables_free(t);
	odo_coordinates_free(c);
	odo_fabric_free(f);
	odo_fabric_free(whole);
	return 0;
}
