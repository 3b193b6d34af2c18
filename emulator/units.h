/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Cycles and phits as nanoseconds and bytes, for models whose links are as fast as the fabric says
 * (link-rates=1): a cycle is the time in which the fastest cable carries a phit.
 */
#ifndef ODONATA_EMULATOR_UNITS_H
#define ODONATA_EMULATOR_UNITS_H

#include <stdbool.h>

#include "emulator/model.h"
#include "fabric/fabric.h"

/** Nanoseconds that a signal takes for a metre of cable, copper or fibre. */
#define ODO_NS_A_METRE 5.0

typedef struct odo_units {
	uint32_t phit_bytes;
	uint32_t fastest; /**< a slot whose cable has the highest rate; ODO_NONE without cables */
	double cycle_ns;  /**< nanoseconds of a cycle */
	double gb_per_s;  /**< for a phit in each cycle: load 1, the fastest cable's data rate */
} odo_units;

/** Data rate of a cable in Mb/s; unknown width counts as 4 lanes, unknown speed as SDR. */
uint32_t odo_data_rate(const odo_fabric *f, uint32_t slot);

/** @return false if the model defines no bytes and nanoseconds: link-rates=0 */
bool odo_units_of(const odo_fabric *f, const odo_model *model, odo_units *out);

/** Convert cycles to microseconds. */
double odo_cycles_us(const odo_units *units, double cycles);

/** Convert phits per cycle to GB/s (1e9 bytes). */
double odo_load_gb(const odo_units *units, double load);

/** Convert packets in a number of cycles to packets per second; 0 if no cycle has passed. */
double odo_packets_per_s(const odo_units *units, double packets, double cycles);

/** Read a load: "0.5", "50%" or "10GB/s". *at moves behind it, or stays if there is no load.
 * @param gb out: `load` is GB/s */
bool odo_take_load(const char **at, double *load, bool *gb);

/** Convert GB/s to phits per cycle. Errors: ODO_EINPUT if it is more than the fastest cable
 * carries. */
int odo_gb_load(const odo_units *units, double gb, double *load, odo_error *err);

/** Metres of cable that correspond to a link of so many cycles. */
double odo_cable_metres(const odo_units *units, uint32_t cycles);

#endif
