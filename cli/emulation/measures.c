/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Measures of an emulation in rows: by latency, by switch, by cable. */
#include <stdlib.h>

#include "cli/answers.h"
#include "cli/emulation/emulation.h"
#include "base/memory.h"

json_t *cli_histogram(const odo_histogram *histogram)
{
	json_t *rows = json_array();
	for (unsigned i = 0; i < ODO_HISTOGRAM_BUCKETS; i++)
		if (histogram->bucket[i])
			cli_append(&rows,
				   json_pack("{sI sI}", "up_to", (json_int_t)odo_histogram_top(i),
					     "packets", (json_int_t)histogram->bucket[i]));
	return rows;
}

json_t *cli_by_switch(const odo_fabric *f, const odo_measures *m)
{
	json_t *rows = json_array();
	for (uint32_t s = 0; s < f->n_switches; s++) {
		cli_append(&rows,
			   json_pack("{so so si si}", "switch", cli_json_text(odo_name(f, s)),
				     "guid", cli_json_guid(f->node_guid[s]), "generated",
				     m->born_by_switch[s], "injected", m->by_switch[s]));
	}
	return rows;
}

json_t *cli_hops(const odo_measures *m)
{
	return json_pack("{sI sI sI sI}", "local", (json_int_t)m->hops[ODO_LINK_LOCAL], "global",
			 (json_int_t)m->hops[ODO_LINK_GLOBAL], "host",
			 (json_int_t)m->hops[ODO_LINK_HOST], "escape", (json_int_t)m->escape_hops);
}

typedef struct busy {
	uint32_t slot;
	uint64_t cycles; /**< cycles in which the channel carried a phit */
} busy;

static int compare_busy(const void *a, const void *b)
{
	const busy *x = a, *y = b;
	if (x->cycles != y->cycles)
		return x->cycles < y->cycles ? 1 : -1;
	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static uint64_t busy_cycles(const odo_measures *m, uint32_t slot)
{
	return (uint64_t)m->channel[slot] * (m->channel_cycles ? m->channel_cycles[slot] : 1);
}

/** Return the share of time in which a channel carried a phit, for each interval. */
static json_t *over_time(const odo_emulation *e, const odo_measures *m, uint32_t slot)
{
	json_t *loads = json_array();
	for (uint32_t i = 0; i < m->n_intervals; i++) {
		uint64_t length = cli_interval_length(m, i, e->run.series);
		uint32_t cycles = m->channel_series[(size_t)i * e->fabric->n_slots + slot];
		cli_append(&loads, json_real((double)cycles / (double)length));
	}
	return loads;
}

json_t *cli_busiest(const odo_emulation *e, const odo_measures *m, uint32_t wanted)
{
	const odo_fabric *f = e->fabric;
	busy *all = odo_new(f->n_slots, sizeof *all);
	json_t *rows = all ? json_array() : NULL;
	uint32_t n = 0;
	for (uint32_t slot = 0; all && slot < f->first_slot[f->n_switches]; slot++)
		if (odo_next_switch(f, slot) != ODO_NONE)
			all[n++] = (busy){slot, busy_cycles(m, slot)};
	if (all)
		qsort(all, n, sizeof *all, compare_busy);
	for (uint32_t i = 0; i < n && i < wanted; i++) {
		json_t *row = cli_json_cable(f, all[i].slot);
		double share = m->cycles ? (double)all[i].cycles / (double)m->cycles : 0;
		double rate = odo_data_rate(f, all[i].slot) / 8e3;
		if (m->cycles)
			cli_put_real(&row, "load", share);
		if (m->cycles && e->model->link_rates)
			cli_put_real(&row, "GB_per_s", share * rate);
		if (m->channel_series)
			cli_put(&row, "loads", over_time(e, m, all[i].slot));
		cli_append(&rows, row);
	}
	free(all);
	return rows;
}
