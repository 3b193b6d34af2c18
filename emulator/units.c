/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/units.h"

uint32_t odo_data_rate(const odo_fabric *f, uint32_t slot)
{
	uint32_t lane = odo_lane_rate(f->speed[slot]), lanes = f->width[slot];
	return (lane ? lane : odo_lane_rate(ODO_SDR)) * (lanes ? lanes : 4);
}

/** A slot of the fastest cable, the first of them. */
static uint32_t find_fastest(const odo_fabric *f)
{
	uint32_t fastest = ODO_NONE;
	for (uint32_t s = 0; s < f->n_slots; s++)
		if (f->peer[s] != ODO_NONE &&
		    (fastest == ODO_NONE || odo_data_rate(f, s) > odo_data_rate(f, fastest)))
			fastest = s;
	return fastest;
}

bool odo_units_of(const odo_fabric *f, const odo_model *model, odo_units *out)
{
	if (!model->link_rates)
		return false;
	uint32_t fastest = find_fastest(f);
	/* Mb/s are bits in a microsecond. */
	double rate = fastest == ODO_NONE ? 4.0 * odo_lane_rate(ODO_SDR)
					  : (double)odo_data_rate(f, fastest);
	*out = (odo_units){.phit_bytes = model->phit_bytes,
			   .fastest = fastest,
			   .cycle_ns = model->phit_bytes * 8 * 1e3 / rate,
			   .gb_per_s = rate / 8e3};
	return true;
}

double odo_cycles_us(const odo_units *units, double cycles)
{
	return cycles * units->cycle_ns / 1e3;
}

double odo_load_gb(const odo_units *units, double load)
{
	return load * units->gb_per_s;
}

double odo_packets_per_s(const odo_units *units, double packets, double cycles)
{
	return cycles > 0 ? packets / (cycles * units->cycle_ns) * 1e9 : 0;
}

double odo_cable_metres(const odo_units *units, uint32_t cycles)
{
	return cycles * units->cycle_ns / ODO_NS_A_METRE;
}
