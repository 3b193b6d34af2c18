/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Composition: phases of mixes of patterns, read from one line of text. */
#include "emulator/traffic/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/options.h"
#include "emulator/traffic/flows.h"

#define MAX_SPEC 1000
#define MOST_CYCLES 999999999 /**< latest end of a phase */

/** State while a traffic is read. */
struct reader {
	const char *spec; /**< the whole spec, for messages */
	odo_traffic *t;
	uint64_t seed;
	size_t parts_room, phases_room;
	odo_error *err;
};

static const odo_pattern *pattern_named(const char *name, size_t length)
{
	const odo_pattern *row = odo_patterns;
	while (row->name && (strlen(row->name) != length || memcmp(row->name, name, length)))
		row++;
	return row->name ? row : NULL;
}

static int unknown_pattern(const struct reader *r, const char *text)
{
	char all[300];
	size_t used = 0;
	for (const odo_pattern *row = odo_patterns; row->name && used < sizeof all; row++)
		used += (size_t)snprintf(all + used, sizeof all - used, "%s, ", row->name);
	for (const odo_traffic_name *n = odo_traffic_names; n->name && used < sizeof all; n++)
		used += (size_t)snprintf(all + used, sizeof all - used, "%s, ", n->name);
	return odo_fail(r->err, ODO_EINPUT,
			"expected a pattern of %sor " ODO_FLOWS_PREFIX
			"FILE alone; found \"%.60s\"",
			all, text);
}

/** Does a rank send to any host? */
static bool is_active(const odo_draw *draw, uint32_t rank)
{
	uint32_t index = draw->range_of ? draw->range_of[rank] : 0;
	if (index == ODO_NONE)
		return false;
	odo_range range = draw->ranges[index];
	return range.count > (rank - range.first < range.count);
}

static uint32_t count_active(const odo_order *o, const odo_draw *draw)
{
	uint32_t n = 0;
	for (uint32_t rank = 0; rank < o->n_hosts; rank++)
		n += is_active(draw, rank);
	return n;
}

/** Refuse a traffic in which no host sends: the fabric has no room for it. Patterns without targets
 * by design are allowed. */
static int expect_senders(const odo_order *o, const odo_draw *draw, odo_error *err)
{
	if (!draw->ranges || count_active(o, draw))
		return 0;
	return odo_fail(err, ODO_EDECLINE,
			"expected hosts to send to others, found none in this "
			"fabric");
}

/** Return the share of a range that lies in a part. A range of a single host in another part is
 * unchanged, and sets `apart`. */
static odo_range confine_range(const odo_order *o, uint32_t part, odo_range r, bool *apart)
{
	uint32_t first = o->part[part], end = o->part[part + 1];
	uint32_t from = r.first > first ? r.first : first;
	uint32_t to = r.first + r.count < end ? r.first + r.count : end;
	if (r.count == 1 && to <= from) {
		*apart = true;
		return r;
	}
	return (odo_range){from, to > from ? to - from : 0};
}

/** Confine hosts to draw destinations in their part of the fabric, since no cable leads to another
 * part. */
static int confine_draw(const odo_order *o, odo_draw *draw, bool *apart, odo_error *err)
{
	if (o->n_parts < 2 || !draw->ranges)
		return 0;
	odo_draw own = {.range_of = odo_new(o->n_hosts, sizeof *own.range_of),
			.ranges = odo_new(o->n_hosts, sizeof *own.ranges)};
	for (uint32_t rank = 0, part = 0; own.range_of && own.ranges && rank < o->n_hosts; rank++) {
		while (rank >= o->part[part + 1])
			part++;
		uint32_t index = draw->range_of ? draw->range_of[rank] : 0;
		own.range_of[rank] = index == ODO_NONE ? ODO_NONE : rank;
		if (index != ODO_NONE)
			own.ranges[rank] = confine_range(o, part, draw->ranges[index], apart);
	}
	free(draw->range_of);
	free(draw->ranges);
	*draw = own;
	return own.range_of && own.ranges ? 0
					  : odo_fail(err, ODO_ENOMEM, "no memory for a traffic");
}

static int prepare_pattern(struct reader *r, const char *text, odo_draw *draw)
{
	odo_value value[ODO_MAX_OPTIONS] = {{0}};
	const odo_pattern *row = pattern_named(text, odo_spec_name(text));
	if (!row)
		return unknown_pattern(r, text);
	int status = odo_spec_parse(text, row->options, value, r->err);
	if (status)
		return status;
	/* Parts of a mix draw their own permutations. */
	odo_pattern_setup setup = {r->t->order, value, r->seed + r->t->n_parts - 1};
	status = row->prepare(&setup, draw, r->err);
	if (!status)
		status = confine_draw(r->t->order, draw, &r->t->apart, r->err);
	if (!status)
		status = expect_senders(r->t->order, draw, r->err);
	return status ? odo_fail_within(r->err, "pattern %s", row->name) : 0;
}

static int read_part(struct reader *r, char *text, uint32_t *share)
{
	const char *at = text;
	uint64_t percent;
	if (odo_take_digits(&at, NULL, 10, &percent) && *at == '%')
		text = (char *)at + 1;
	else
		percent = 100;
	if (percent < 1 || percent > 100 - *share)
		return odo_fail(r->err, ODO_EINPUT,
				"%.100s: expected shares from 1%% that add up to 100%%, found "
				"%" PRIu64 "%%",
				r->spec, percent + *share);
	*share += (uint32_t)percent;
	if (odo_grow(&r->t->parts, &r->parts_room, r->t->n_parts + 1, sizeof *r->t->parts))
		return odo_fail(r->err, ODO_ENOMEM, "no memory for a traffic");
	odo_traffic_part *part = &r->t->parts[r->t->n_parts++];
	*part = (odo_traffic_part){.below = *share};
	return prepare_pattern(r, text, &part->draw);
}

static int read_mix(struct reader *r, char *text)
{
	odo_traffic *traffic = r->t;
	if (odo_grow(&traffic->phases, &r->phases_room, traffic->n_phases + 1,
		     sizeof *traffic->phases))
		return odo_fail(r->err, ODO_ENOMEM, "no memory for a traffic");
	odo_traffic_phase *phase = &traffic->phases[traffic->n_phases++];
	*phase = (odo_traffic_phase){.until = UINT64_MAX, .first_part = traffic->n_parts};
	char expanded[MAX_SPEC];
	for (const odo_traffic_name *name = odo_traffic_names; name->name; name++)
		if (!strcmp(name->name, text))
			text = strcpy(expanded, name->spec);
	uint32_t share = 0;
	for (char *part; (part = strsep(&text, "+"));) {
		int status = read_part(r, part, &share);
		if (status)
			return status;
	}
	phase->n_parts = traffic->n_parts - phase->first_part;
	return share == 100 ? 0
			    : odo_fail(r->err, ODO_EINPUT,
				       "%.100s: expected shares that add up to 100%%, found %u%%",
				       r->spec, share);
}

/** Read "mix/cycle/mix/cycle/mix". */
static int read_phases(struct reader *r, char *text)
{
	uint64_t last = 0;
	for (;;) {
		char *mix = strsep(&text, "/"), *cycle = strsep(&text, "/");
		int status = read_mix(r, mix);
		if (status || !cycle)
			return status;
		uint64_t until;
		if (!text || odo_read_number(cycle, 10, last + 1, MOST_CYCLES, &until, NULL))
			return odo_fail(r->err, ODO_EINPUT,
					"%.100s: expected pattern/cycle/pattern with rising "
					"cycles, found \"/%.40s\"",
					r->spec, cycle);
		r->t->phases[r->t->n_phases - 1].until = last = until;
	}
}

/** Read "flows:FILE"; the file's name may have any characters. */
static int read_flows(struct reader *r, const char *path)
{
	odo_traffic *traffic = r->t;
	if (odo_grow(&traffic->parts, &r->parts_room, 1, sizeof *traffic->parts) ||
	    odo_grow(&traffic->phases, &r->phases_room, 1, sizeof *traffic->phases))
		return odo_fail(r->err, ODO_ENOMEM, "no memory for a traffic");
	traffic->parts[traffic->n_parts++] = (odo_traffic_part){.below = 100};
	traffic->phases[traffic->n_phases++] = (odo_traffic_phase){.until = UINT64_MAX,
								   .n_parts = 1};
	odo_draw *draw = &traffic->parts[0].draw;
	int status = odo_flows_read(path, traffic->order, draw, r->err);
	return status ? status : expect_senders(traffic->order, draw, r->err);
}

int odo_traffic_create(const char *spec, const odo_fabric *f, const odo_coordinates *c,
		       uint64_t seed, odo_traffic **out, odo_error *err)
{
	char text[MAX_SPEC];
	if (strlen(spec) >= sizeof text)
		return odo_fail(err, ODO_EINPUT, "expected a pattern below %d letters, found %zu",
				MAX_SPEC, strlen(spec));
	odo_traffic *traffic = odo_new(1, sizeof *traffic);
	if (!traffic)
		return odo_fail(err, ODO_ENOMEM, "no memory for a traffic");
	struct reader r = {.spec = spec, .t = traffic, .seed = seed, .err = err};
	int status = odo_order_create(f, c, &traffic->order, err);
	if (!status && !strncmp(spec, ODO_FLOWS_PREFIX, strlen(ODO_FLOWS_PREFIX)))
		status = read_flows(&r, spec + strlen(ODO_FLOWS_PREFIX));
	else if (!status)
		status = read_phases(&r, strcpy(text, spec));
	if (status) {
		odo_traffic_free(traffic);
		return status;
	}
	*out = traffic;
	return 0;
}

void odo_traffic_free(odo_traffic *traffic)
{
	if (!traffic)
		return;
	for (uint32_t i = 0; i < traffic->n_parts; i++) {
		free(traffic->parts[i].draw.range_of);
		free(traffic->parts[i].draw.ranges);
	}
	free(traffic->parts);
	free(traffic->phases);
	odo_order_free(traffic->order);
	free(traffic);
}

double odo_traffic_active(const odo_traffic *traffic, uint32_t phase)
{
	const odo_traffic_phase *p = &traffic->phases[phase];
	uint64_t sum = 0;
	for (uint32_t i = 0, before = 0; i < p->n_parts; i++) {
		const odo_traffic_part *part = &traffic->parts[p->first_part + i];
		sum += (uint64_t)count_active(traffic->order, &part->draw) * (part->below - before);
		before = part->below;
	}
	return (double)sum / 100 / traffic->order->n_hosts;
}

static bool rank_sends(const odo_traffic *traffic, uint32_t rank)
{
	bool any = false;
	for (uint32_t i = 0; i < traffic->n_parts && !any; i++)
		any = is_active(&traffic->parts[i].draw, rank);
	return any;
}

uint32_t odo_traffic_sources(const odo_traffic *traffic)
{
	uint32_t n = 0;
	for (uint32_t rank = 0; rank < traffic->order->n_hosts; rank++)
		n += rank_sends(traffic, rank);
	return n;
}
