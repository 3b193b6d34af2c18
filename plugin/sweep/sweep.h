/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Sweep of an engine. Not for use outside plugin/sweep. */
#ifndef ODONATA_PLUGIN_SWEEP_SWEEP_H
#define ODONATA_PLUGIN_SWEEP_SWEEP_H

#include <time.h>

#include "plugin/sweep/engine.h"

/** Results of one sweep, until the engine adopts them. */
typedef struct odo_sweep {
	odo_routed *routed;
	double translate, map, route, install; /**< ms of processor time */
	odo_lft_changes lfts;
	odo_sl_update sls; /**< of existing connections */
} odo_sweep;

/** OpenSM's ucast_build_fwd_tables: route the subnet. @param context an odo_osm_engine
 * @return 0, or -1: OpenSM asks the next engine */
int odo_sweep_build_tables(void *context);

/** OpenSM's update_sl2vl: set the VLs of an output port. @param context an odo_osm_engine */
void odo_sweep_update_sl2vl(void *context, osm_physp_t *port, uint8_t in, uint8_t out,
			    ib_slvl_table_t *table);

/** Write the state file.
 * @param outcome as in odo_state
 * @param why reason of an outcome other than "installed"
 * @param routed tables in use, or NULL */
void odo_sweep_write_outcome(odo_osm_engine *engine, const char *outcome, const char *why,
			     const odo_routed *routed, const odo_sweep *sweep);

/** Return the processor time of this thread. */
static inline struct timespec odo_cpu_time(void)
{
	struct timespec now = {0};
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now;
}

/** Return the ms of processor time since *last, and move it on. Processor time shows what a sweep
 * costs, however busy the machine is. */
static inline double odo_lap_ms(struct timespec *last)
{
	struct timespec now = odo_cpu_time();
	double ms = (double)(now.tv_sec - last->tv_sec) * 1e3 +
		    (double)(now.tv_nsec - last->tv_nsec) * 1e-6;
	*last = now;
	return ms;
}

#endif
