/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** OpenSM's headers, in the one order that gives the structures of the packaged binary. */
#ifndef ODONATA_PLUGIN_OPENSM_OPENSM_H
#define ODONATA_PLUGIN_OPENSM_OPENSM_H

/* First: osm_opensm.h leaves out members of osm_opensm_t unless this has been seen. */
#include <opensm/osm_config.h>

#include <stdint.h>
#include <time.h>

#include <opensm/osm_event_plugin.h>
#include <opensm/osm_log.h>
#include <opensm/osm_node.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_port.h>
#include <opensm/osm_sm.h>
#include <opensm/osm_subnet.h>
#include <opensm/osm_switch.h>
#include <opensm/osm_version.h>

/** Return the ms of a clock that nobody sets. */
static inline uint64_t odo_steady_ms(void)
{
	struct timespec now = {0};
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/** Request a full sweep. OpenSM starts it once the present work has ended. */
static inline void odo_request_sweep(osm_opensm_t *osm)
{
	osm->subn.force_heavy_sweep = TRUE;
	osm_sm_signal(&osm->sm, OSM_SIGNAL_SWEEP);
}

#endif
