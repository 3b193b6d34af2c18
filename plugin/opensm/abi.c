/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/opensm/abi.h"

#include <stddef.h>
#include <string.h>

/* Sizes in the packaged 3.3.23 for x86-64, measured in its binary. Headers that give other ones
 * were not included in the right order, or are of another version. */
#if ODO_OPENSM_VERSION == 30323 && defined(__x86_64__)
_Static_assert(sizeof(osm_opensm_t) == 189016, "osm_opensm_t is not that of OpenSM 3.3.23");
_Static_assert(offsetof(osm_opensm_t, routing_engine_list) == 188584, "engine list has moved");
#endif

int odo_abi_check(const osm_opensm_t *osm, odo_error *err)
{
	/* Parts in the order of their position: each is read only if those before it are in place.
	 */
	const struct part {
		const char *name;
		size_t at;
		const void *expected;
	} parts[] = {
		{"subn.p_osm", offsetof(osm_opensm_t, subn.p_osm), osm},
		{"sm.p_subn", offsetof(osm_opensm_t, sm.p_subn), &osm->subn},
		{"sm.ucast_mgr.p_subn", offsetof(osm_opensm_t, sm.ucast_mgr.p_subn), &osm->subn},
		{"sa.p_subn", offsetof(osm_opensm_t, sa.p_subn), &osm->subn},
		{"sa.sm", offsetof(osm_opensm_t, sa.sm), &osm->sm},
		{"sm.p_log", offsetof(osm_opensm_t, sm.p_log), &osm->log},
		{"sm.p_disp", offsetof(osm_opensm_t, sm.p_disp), &osm->disp},
		{"sm.p_lock", offsetof(osm_opensm_t, sm.p_lock), &osm->lock},
		{"vl15.p_log", offsetof(osm_opensm_t, vl15.p_log), &osm->log},
		{"vl15.p_subn", offsetof(osm_opensm_t, vl15.p_subn), &osm->subn},
	};
	if (strcmp(osm->osm_version, OSM_VERSION))
		return odo_fail(err, ODO_EDECLINE, "built for \"%s\", but this is \"%s\"",
				OSM_VERSION, osm->osm_version);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const void *found;
		memcpy(&found, (const char *)osm + parts[i].at, sizeof found);
		if (found != parts[i].expected)
			return odo_fail(err, ODO_EDECLINE,
					"this OpenSM's structures differ from the headers that "
					"Odonata was built with: %s is not where they say",
					parts[i].name);
	}
	return 0;
}
