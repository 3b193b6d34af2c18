/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/units.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

/** GB/s that no cable reaches. */
#define MOST_GB 1e6

uint32_t odo_data_rate(const odo_fabric *f, uint32_t slot)
{
	uint32_t lane = odo_lane_rate(f->speed[slot]), lanes = f->width[slot];
	return (lane ? lane : odo_lane_rate(ODO_SDR)) * (lanes ? lanes : 4);
}

/** Return the first slot of the fastest cable. */
static uint32_t find_fastest_cable(const odo_fabric *f)
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
	uint32_t fastest = find_fastest_cable(f);
	/* Mb/s are bits per microsecond. */
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

bool odo_take_load(const char **at, double *load, bool *gb)
{
	static const char unit[] = "GB/s";
	if (!odo_take_real(at, 0, MOST_GB, load))
		return false;
	*gb = !strncmp(*at, unit, sizeof unit - 1);
	*at += *gb ? sizeof unit - 1 : 0;
	if (**at == '%' && !*gb) {
		*load /= 100;
		++*at;
	}
	return true;
}

int odo_gb_load(const odo_units *units, double gb, double *load, odo_error *err)
{
	if (gb > units->gb_per_s * (1 + 1e-9))
		return odo_fail(err, ODO_EINPUT,
				"expected up to %gGB/s, the data rate of the fastest cable, found "
				"%gGB/s",
				units->gb_per_s, gb);
	*load = fmin(gb / units->gb_per_s, 1);
	return 0;
}

double odo_packets_per_s(const odo_units *units, double packets, double cycles)
{
	return cycles > 0 ? packets / (cycles * units->cycle_ns) * 1e9 : 0;
}

double odo_cable_metres(const odo_units *units, uint32_t cycles)
{
	return cycles * units->cycle_ns / ODO_NS_A_METRE;
}
