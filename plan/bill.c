/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Count, price and list the cables of a fabric in its racks. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "fabric/topology/topology.h"
#include "plan/racks.h"

static void count_cable(const odo_plan_racks *racks, const odo_plan_prices *p, uint32_t a,
			uint32_t b, odo_plan_bill *bill)
{
	double metres = odo_plan_metres(racks, p, a, b);
	bill->longest = fmax(bill->longest, metres);
	if (racks->rack[a] == racks->rack[b]) {
		bill->inside++;
		bill->cables += odo_plan_inside_price(p);
		return;
	}
	bill->metres += metres;
	*(metres <= p->electrical_most ? &bill->electrical : &bill->optical) += 1;
	bill->cables += odo_plan_cable_price(p, metres);
}

void odo_plan_count(const odo_plan_racks *racks, const odo_fabric *f, const odo_plan_prices *p,
		    double ports, odo_plan_bill *out)
{
	*out = (odo_plan_bill){.racks = racks->n,
			       .rows = (racks->n + racks->columns - 1) / racks->columns,
			       .columns = racks->columns,
			       .longest = p->inside,
			       .switches = f->n_switches *
					   (p->switch_fixed + p->switch_port * ports),
			       .cables = f->n_hosts * odo_plan_inside_price(p)};
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++) {
			uint32_t next = odo_next_switch(f, slot);
			if (next != ODO_NONE && next > s)
				count_cable(racks, p, s, next, out);
		}
	uint64_t between = out->electrical + out->optical;
	out->metres = between ? out->metres / (double)between : 0;
}

/* Build a fabric and its racks; the caller frees both, also on failure. */
static int build_in_racks(const char *spec, const odo_plan_prices *p, odo_fabric **f,
			  odo_plan_racks *racks, odo_error *err)
{
	odo_coordinates *c = NULL;
	*f = NULL;
	*racks = (odo_plan_racks){0};
	int status = odo_topology_generate(spec, 0, f, &c, err);
	if (!status)
		status = odo_plan_racks_make(*f, c, p, racks, err);
	odo_coordinates_free(c);
	return status;
}

int odo_plan_bill_of(const char *spec, double ports, const odo_plan_prices *p, odo_plan_bill *out,
		     odo_error *err)
{
	odo_fabric *f;
	odo_plan_racks racks;
	int status = build_in_racks(spec, p, &f, &racks, err);
	if (!status)
		odo_plan_count(&racks, f, p, ports, out);
	odo_plan_racks_clear(&racks);
	odo_fabric_free(f);
	return status;
}

static void write_end(const odo_plan_racks *racks, const odo_fabric *f, uint32_t slot, FILE *to)
{
	uint32_t node = f->owner[slot], rack = racks->rack[node];
	fprintf(to, ",\"%s\",%u,%u,%u,%u", odo_name(f, node), rack / racks->columns + 1,
		rack % racks->columns + 1, racks->position[node], odo_port(f, slot));
}

static void write_cables(const odo_plan_racks *racks, const odo_fabric *f, const odo_plan_prices *p,
			 FILE *to)
{
	unsigned n = 0;
	fputs("cable,kind,metres,from,from_row,from_rack,from_position,from_port,to,to_row,"
	      "to_rack,to_position,to_port\n",
	      to);
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		uint32_t peer = f->peer[slot];
		if (peer == ODO_NONE || peer < slot)
			continue;
		double metres = odo_plan_metres(racks, p, f->owner[slot], f->owner[peer]);
		bool inside = racks->rack[f->owner[slot]] == racks->rack[f->owner[peer]];
		fprintf(to, "%u,%s,%.1f", ++n,
			inside || metres <= p->electrical_most ? "electrical" : "optical", metres);
		write_end(racks, f, slot, to);
		write_end(racks, f, peer, to);
		fputc('\n', to);
	}
}

int odo_plan_cabling(const char *spec, const odo_plan_prices *p, FILE *to, odo_error *err)
{
	odo_fabric *f;
	odo_plan_racks racks;
	int status = build_in_racks(spec, p, &f, &racks, err);
	if (!status) {
		write_cables(&racks, f, p, to);
		if (fflush(to) || ferror(to))
			status = odo_fail(err, ODO_EIO, "cannot write: %s", strerror(errno));
	}
	odo_plan_racks_clear(&racks);
	odo_fabric_free(f);
	return status;
}
