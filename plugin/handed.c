/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/handed.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* Lines of a sweep, and LIDs in a line. */
#define MAX_LINES 64u
#define MAX_LIDS 128u

void odo_handed_clear(odo_handed *h)
{
	odo_history_free(h->history);
	h->history = NULL;
}

void odo_handed_settle(odo_handed *h)
{
	unsigned hints = atomic_exchange(&h->free_hints, 0);
	if (h->history && hints)
		odo_history_add(h->history, hints);
}

void odo_handed_foreign(odo_handed *h)
{
	if (h->history)
		odo_history_add(h->history, 1u << OSM_DEFAULT_SL);
}

int odo_handed_compare(const odo_handed *h, const odo_tables *t, odo_told *told, odo_error *err)
{
	int status = 0;
	if (h->history) {
		told->list = odo_new(ODO_MAX_TOLD, sizeof *told->list);
		status = told->list ? odo_history_compare(h->history, t, &told->changes, told->list,
							  ODO_MAX_TOLD, err)
				    : odo_fail(err, ODO_ENOMEM, "no memory to compare SLs");
	}
	return status ? status : odo_history_note(h->history, t, &told->history, err);
}

void odo_handed_adopt(odo_handed *h, odo_told *told)
{
	odo_history_free(h->history);
	h->history = told->history;
	told->history = NULL;
}

void odo_told_clear(odo_told *told)
{
	odo_history_free(told->history);
	free(told->list);
	*told = (odo_told){0};
}

/* One switch's pairs, from list[i] on. @return the first that is another's */
static uint32_t log_switch(const odo_told *told, const odo_fabric *f, uint32_t i, uint32_t n,
			   osm_log_t *log)
{
	char lids[MAX_LIDS * 6 + 1] = "", more[32] = "";
	uint32_t s = told->list[i].s, first = i, used = 0;
	for (; i < n && told->list[i].s == s; i++)
		if (i - first < MAX_LIDS)
			used += (uint32_t)snprintf(lids + used, sizeof lids - used, " %u",
						   told->list[i].lid);
	if (i - first > MAX_LIDS)
		snprintf(more, sizeof more, " and %u more", i - first - MAX_LIDS);
	osm_log(log, OSM_LOG_ERROR,
		"odonata: must reconnect: hosts of switch \"%s\" (0x%016" PRIx64
		") with LIDs%s%s\n",
		odo_name(f, s), f->node_guid[s], lids, more);
	return i;
}

void odo_told_log(const odo_told *told, const odo_tables *t, osm_log_t *log)
{
	uint64_t all = told->changes.n_reconnect;
	uint32_t n = all < ODO_MAX_TOLD ? (uint32_t)all : ODO_MAX_TOLD, i = 0;
	if (!all)
		return;
	osm_log(log, OSM_LOG_ERROR,
		"odonata: connections of %" PRIu64 " of %" PRIu64
		" pairs (switch, LID) may hold SLs from before that can deadlock now: they must "
		"reconnect\n",
		all, told->changes.n_pairs);
	for (uint32_t line = 0; i < n && line < MAX_LINES; line++)
		i = log_switch(told, t->fabric, i, n, log);
	if (i < all)
		osm_log(log, OSM_LOG_ERROR,
			"odonata: must reconnect: %" PRIu64 " more pairs, of other switches\n",
			all - i);
}
