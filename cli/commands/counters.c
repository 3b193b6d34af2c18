/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counters of the ports of a live subnet, beside the predicted load of a traffic. */
#include <stdlib.h>

#include "base/memory.h"
#include "cli/answers.h"
#include "cli/commands/parts.h"

#define MEGABYTE 1e6

typedef struct channel {
	const odo_live_counters *counted;
	uint32_t slot;
	double fill; /* bytes divided by the cable's rate; the highest comes first */
} channel;

typedef struct measured {
	const cli_system *system;
	const odo_analysis *a;
	channel *channel;
	size_t n;
	double scale; /* bytes for each unit of predicted load */
} measured;

static int compare_counter_ports(const void *a, const void *b)
{
	const odo_live_counters *x = a, *y = b;
	return x->guid != y->guid ? (x->guid > y->guid) - (x->guid < y->guid) : x->port - y->port;
}

static int compare_channels(const void *a, const void *b)
{
	const channel *x = a, *y = b;
	if (x->fill != y->fill)
		return x->fill < y->fill ? 1 : -1;
	return (x->slot > y->slot) - (x->slot < y->slot);
}

/** Assign counters to slots, and scale the predicted load so that the sum of sent bytes is
 * equal. */
static int find_channels(measured *m)
{
	const odo_fabric *f = m->system->fabric;
	const odo_live_tables *in = &m->system->installed;
	double sent = 0, predicted = 0;
	m->channel = odo_new(f->n_slots, sizeof *m->channel);
	if (!m->channel)
		return ODO_ENOMEM;
	qsort(in->counters, in->n_counters, sizeof *in->counters, compare_counter_ports);
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		odo_live_counters key = {.guid = f->node_guid[f->owner[slot]],
					 .port = (uint8_t)odo_port(f, slot)};
		const odo_live_counters *c = bsearch(&key, in->counters, in->n_counters,
						     sizeof *in->counters, compare_counter_ports);
		uint32_t rate = odo_cable_rate(f, slot);
		if (!c || !c->read || f->peer[slot] == ODO_NONE)
			continue;
		sent += (double)c->sent;
		predicted += m->a->load[slot];
		m->channel[m->n++] = (channel){c, slot, (double)c->sent / (rate ? rate : 1)};
	}
	m->scale = predicted > 0 ? sent / predicted : 0;
	qsort(m->channel, m->n, sizeof *m->channel, compare_channels);
	return 0;
}

static json_t *counter_row(const measured *m, const channel *x)
{
	const odo_fabric *f = m->system->fabric;
	double seconds = m->system->installed.counted_seconds;
	uint32_t rate = odo_cable_rate(f, x->slot);
	json_t *row = cli_json_cable(f, x->slot);
	cli_put_real(&row, "sent_mb", (double)x->counted->sent / MEGABYTE);
	cli_put_real(&row, "predicted_mb", m->a->load[x->slot] * m->scale / MEGABYTE);
	if (seconds > 0) /* rates are in Mb/s */
		cli_put(&row, "load",
			rate ? json_real(8 * (double)x->counted->sent / MEGABYTE / seconds / rate)
			     : json_null());
	cli_put_count(&row, "wait", x->counted->wait);
	cli_put_count(&row, "symbol_errors", x->counted->symbol_errors);
	cli_put_count(&row, "link_downed", x->counted->link_downed);
	return row;
}

int cli_counters_answer(json_t **answer, const cli_system *system, const char *pattern,
			const odo_analysis *a, odo_error *err)
{
	measured m = {.system = system, .a = a};
	double seconds = system->installed.counted_seconds;
	if (find_channels(&m))
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	json_t *rows = json_array();
	for (size_t i = 0; i < m.n; i++)
		cli_append(&rows, counter_row(&m, &m.channel[i]));
	free(m.channel);
	cli_put_text(answer, "traffic", pattern);
	cli_put(answer, "seconds", seconds > 0 ? json_real(seconds) : json_null());
	cli_live_answer_unread(answer, &system->installed, system->fabric);
	cli_put(answer, "counters", rows);
	return cli_check_answer(*answer, err);
}
