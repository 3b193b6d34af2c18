/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/memory/reconnect.h"

#include <stdio.h>

/* Maximum lines per sweep, and LIDs per line. */
#define MAX_LINES 64u
#define MAX_LIDS 128u

/* Log the pairs of the switch of list[i].
 * @return the index of the next switch's first pair */
static uint32_t log_switch(const odo_sl_update *update, const odo_fabric *f, uint32_t i, uint32_t n,
			   osm_log_t *log)
{
	char lids[MAX_LIDS * 6 + 1] = "", more[32] = "";
	uint32_t s = update->list[i].s, first = i, used = 0;
	for (; i < n && update->list[i].s == s; i++)
		if (i - first < MAX_LIDS)
			used += (uint32_t)snprintf(lids + used, sizeof lids - used, " %u",
						   update->list[i].lid);
	if (i - first > MAX_LIDS)
		snprintf(more, sizeof more, " and %u more", i - first - MAX_LIDS);
	osm_log(log, OSM_LOG_ERROR,
		"odonata: must reconnect: hosts of switch \"%s\" (0x%016" PRIx64
		") with LIDs%s%s\n",
		odo_name(f, s), f->node_guid[s], lids, more);
	return i;
}

void odo_sl_update_log(const odo_sl_update *update, const odo_tables *t, osm_log_t *log)
{
	uint64_t all = update->changes.n_reconnect;
	uint32_t n = all < ODO_MAX_RECONNECT ? (uint32_t)all : ODO_MAX_RECONNECT, i = 0;
	if (!all)
		return;
	osm_log(log, OSM_LOG_ERROR,
		"odonata: connections of %" PRIu64 " of %" PRIu64
		" pairs (switch, LID) may use earlier SLs that can deadlock now: they must "
		"reconnect\n",
		all, update->changes.n_pairs);
	for (uint32_t line = 0; i < n && line < MAX_LINES; line++)
		i = log_switch(update, t->fabric, i, n, log);
	if (i < all)
		osm_log(log, OSM_LOG_ERROR,
			"odonata: must reconnect: %" PRIu64 " more pairs, of other switches\n",
			all - i);
}
