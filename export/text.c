/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables as text for people: LFTs, or groups and tables by VL of each switch. */
#include <inttypes.h>

#include "export/groups.h"
#include "export/profile.h"
#include "export/write.h"

static void write_ways(const odo_switch_tables *st, const odo_port_group *g, FILE *to)
{
	for (unsigned i = 0; i < g->n; i++) {
		const odo_candidate *w = &st->ways[g->first + i];
		bool rises = i == 0 || w->priority != w[-1].priority;
		if (rises)
			fprintf(to, "%s%s", i ? "; " : "",
				w->escape          ? "escape"
				: w->priority == 0 ? "first"
				: w->priority == 1 ? "then"
						   : "last");
		fprintf(to, " %u/%u", w->port, w->vl);
	}
	putc('\n', to);
}

static void write_vl_table(const odo_tables *t, uint32_t s, const odo_vl_table *v, FILE *to)
{
	fprintf(to, "  vl %u inputs", v->vl);
	for (unsigned p = 1; p <= odo_n_ports(t->fabric, s); p++)
		if (v->inputs[p / 8] >> p % 8 & 1)
			fprintf(to, " %u", p);
	fprintf(to, "\n   ");
	for (uint32_t lid = 0; lid < t->fabric->lid_count; lid++)
		if (v->group[lid] != ODO_NO_GROUP)
			fprintf(to, " %u:%u", lid, v->group[lid]);
	putc('\n', to);
}

static int write_adaptive(const odo_tables *t, FILE *to, odo_error *err)
{
	odo_reach reach;
	int status = odo_reach_find(t, &reach, err);
	if (status)
		return status;
	fprintf(to, "# group N: port/VL of each way, by priority; "
		    "vl V inputs P...: lid:group of packets that come in so\n");
	for (uint32_t s = 0; s < t->fabric->n_switches && !status; s++) {
		odo_switch_tables st;
		char name[ODO_NAME_SIZE];
		odo_tell(t->watch, "writing groups", s, t->fabric->n_switches);
		status = odo_switch_tables_make(&reach, s, &st, err);
		fprintf(to, "switch 0x%016" PRIx64 " lid %u \"%s\"\n", t->fabric->node_guid[s],
			t->fabric->switch_lid[s], odo_write_name(t->fabric, s, "\"", name));
		for (size_t i = 0; i < st.n_groups && !status; i++) {
			fprintf(to, "  group %zu: ", i);
			write_ways(&st, &st.groups[i], to);
		}
		for (size_t i = 0; i < st.n_tables && !status; i++)
			write_vl_table(t, s, &st.tables[i], to);
		odo_switch_tables_clear(&st);
	}
	odo_reach_clear(&reach);
	return status;
}

static void write_static(const odo_tables *t, FILE *to)
{
	const odo_fabric *f = t->fabric;
	fprintf(to, "# lid:port of each switch\n");
	for (uint32_t s = 0; s < f->n_switches; s++) {
		char name[ODO_NAME_SIZE];
		odo_tell(t->watch, "writing LFTs as text", s, f->n_switches);
		fprintf(to, "switch 0x%016" PRIx64 " lid %u \"%s\"\n ", f->node_guid[s],
			f->switch_lid[s], odo_write_name(f, s, "\"", name));
		for (uint32_t lid = 1; lid < f->lid_count; lid++)
			if (odo_next_port(t, s, lid) != ODO_NO_PORT)
				fprintf(to, " %u:%u", lid, odo_next_port(t, s, lid));
		putc('\n', to);
	}
}

int odo_write_text(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	fprintf(to, "# routing %s, profile %s, %u VLs\n", t->engine, odo_write_profile(t->profile),
		t->n_vls);
	int status = 0;
	if (t->adaptive)
		status = write_adaptive(t, to, err);
	else
		write_static(t, to);
	return status ? status : odo_write_done(to, err);
}
