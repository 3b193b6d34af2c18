/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/labels/pins.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "mapping/slimfly/slimfly.h"

/* A relabelling of some dimensions, for all switches or for a part of the fabric: a group, a level,
 * a pod. */
typedef struct relabel {
	const odo_pins *pins;
	odo_coordinates *c;
	uint8_t to[ODO_MAX_DIMS];       /* new dimension of each */
	uint32_t *number[ODO_MAX_DIMS]; /* [size] new value of each, ODO_NONE unset */
	uint32_t *taken;                /* [largest size] scratch */
	bool part;                      /* only switches with coordinates from `low` to `high` */
	uint32_t low[ODO_MAX_DIMS], high[ODO_MAX_DIMS];
} relabel;

static bool is_inside(const relabel *r, const uint32_t *at)
{
	bool inside = at[0] != ODO_NONE;
	for (unsigned i = 0; i < r->c->n_dims && r->part; i++)
		inside = inside && at[i] >= r->low[i] && at[i] <= r->high[i];
	return inside;
}

static bool in_scope(const relabel *r, uint32_t node)
{
	return is_inside(r, odo_at(r->c, node));
}

/* Select all switches, and then only those with a coordinate between two values. */
static void take_all(relabel *r)
{
	r->part = false;
	memset(r->low, 0, sizeof r->low);
	memset(r->high, 0xFF, sizeof r->high);
}

static void confine_to_range(relabel *r, unsigned dim, uint32_t low, uint32_t high)
{
	r->part = true;
	r->low[dim] = low;
	r->high[dim] = high;
}

/* Fill in number[i] for dimension i as the new dimension j. Return the line of a pin that
 * contradicts it, or 0. */
static uint32_t bind_value(relabel *r, unsigned i, unsigned j)
{
	uint32_t size = r->c->size[i];
	memset(r->number[i], 0xFF, size * sizeof *r->number[i]);
	memset(r->taken, 0xFF, size * sizeof *r->taken);
	for (uint32_t k = 0; k < r->pins->n; k++) {
		const odo_pin *pin = &r->pins->pin[k];
		uint32_t x = odo_at(r->c, pin->node)[i], y = pin->at[j];
		if (x == ODO_NONE || !in_scope(r, pin->node))
			continue;
		if (y >= size || (r->number[i][x] != ODO_NONE && r->number[i][x] != y) ||
		    (r->taken[y] != ODO_NONE && r->taken[y] != x))
			return pin->line;
		r->number[i][x] = y;
		r->taken[y] = x;
	}
	return 0;
}

/* Number the remaining values of a complete graph: each keeps its number, or gets the lowest free
 * one. */
static void fill_complete(relabel *r, unsigned i)
{
	uint32_t size = r->c->size[i], next = 0;
	for (uint32_t x = 0; x < size; x++) {
		if (r->number[i][x] == ODO_NONE && r->taken[x] == ODO_NONE) {
			r->number[i][x] = x;
			r->taken[x] = x;
		}
	}
	for (uint32_t x = 0; x < size; x++) {
		if (r->number[i][x] != ODO_NONE)
			continue;
		while (r->taken[next] != ODO_NONE)
			next++;
		r->number[i][x] = next;
		r->taken[next] = x;
	}
}

/* Number the remaining values of a cycle, which its pins determine: it is turned, and perhaps
 * reflected. A path is only reflected. */
static bool fill_cycle(relabel *r, unsigned i, bool turns)
{
	uint32_t size = r->c->size[i], first = 0, shift[2] = {0, size - 1};
	while (first < size && r->number[i][first] == ODO_NONE)
		first++;
	if (first < size && turns) {
		shift[0] = (r->number[i][first] + size - first) % size;
		shift[1] = (r->number[i][first] + first) % size;
	}
	for (int reflect = 0; reflect < 2; reflect++) {
		bool holds = true;
		for (uint32_t x = 0; x < size; x++) {
			uint32_t y = reflect ? (shift[1] + size - x) % size : (shift[0] + x) % size;
			holds = holds && (r->number[i][x] == ODO_NONE || r->number[i][x] == y);
		}
		if (!holds)
			continue;
		for (uint32_t x = 0; x < size; x++)
			r->number[i][x] = reflect ? (shift[1] + size - x) % size
						  : (shift[0] + x) % size;
		return true;
	}
	return false;
}

/* Number the remaining values of a Slim Fly or another graph: keep the numbers if possible, or else
 * follow its links. */
static bool fill_by_links(relabel *r, unsigned i)
{
	uint32_t size = r->c->size[i], *number = r->number[i];
	bool same = true;
	odo_error none;
	for (uint32_t x = 0; x < size; x++)
		same = same && (number[x] == ODO_NONE || number[x] == x);
	for (uint32_t x = 0; x < size && same; x++)
		number[x] = x;
	return same || (r->c->factor[i] == ODO_MMS && !odo_mms_relabel(r->c->q, number, &none));
}

static bool fill_numbers(relabel *r, unsigned i)
{
	switch (odo_factor_of(r->c->factor[i])->numbering) {
	case ODO_NUMBERED_AROUND:
		return fill_cycle(r, i, true);
	case ODO_NUMBERED_ALONG:
		return fill_cycle(r, i, false);
	case ODO_NUMBERED_BY_LINKS:
		return fill_by_links(r, i);
	case ODO_NUMBERED_FREELY:
		break;
	}
	fill_complete(r, i);
	return true;
}

/* Possible and chosen new places of dimensions. */
typedef struct exchange {
	unsigned from, end;
	/* Line of the pin that keeps i from becoming j, or 0. */
	uint32_t line[ODO_MAX_DIMS][ODO_MAX_DIMS];
	unsigned owner[ODO_MAX_DIMS]; /* dimension that becomes j; `end`: none */
} exchange;

static uint32_t in_the_way(relabel *r, unsigned i, unsigned j)
{
	if (r->part && r->c->size[i] != r->c->size[j])
		return r->pins->pin[0].line; /* all groups have the same order of dimensions */
	uint32_t line = bind_value(r, i, j);
	return line || fill_numbers(r, i) ? line : r->pins->pin[0].line;
}

/* Find a place for dimension i, preferably its own; other dimensions may have to move. */
static bool assign_dimension(exchange *x, unsigned i, bool *tried)
{
	unsigned n = x->end - x->from;
	for (unsigned k = 0; k < n; k++) {
		unsigned j = x->from + (i - x->from + k) % n;
		if (x->line[i][j] || tried[j])
			continue;
		tried[j] = true;
		if (x->owner[j] < x->end && !assign_dimension(x, x->owner[j], tried))
			continue;
		x->owner[j] = i;
		return true;
	}
	return false;
}

/* Find a new place for each dimension from `from` to below `end`, preferably its own. Return the
 * line of a contradicting pin, or 0. */
static uint32_t choose_dimensions(relabel *r, unsigned from, unsigned end)
{
	exchange x = {.from = from, .end = end};
	for (unsigned i = from; i < end; i++) {
		x.owner[i] = end;
		for (unsigned j = from; j < end; j++)
			x.line[i][j] = in_the_way(r, i, j);
	}
	for (unsigned i = from; i < end; i++) {
		bool tried[ODO_MAX_DIMS] = {0};
		if (!assign_dimension(&x, i, tried))
			return x.line[i][i] ? x.line[i][i] : r->pins->pin[0].line;
	}
	for (unsigned j = from; j < end; j++) {
		r->to[x.owner[j]] = (uint8_t)j;
		in_the_way(r, x.owner[j], j); /* called again for the numbers */
	}
	return 0;
}

static void relabel_at(const relabel *r, uint32_t *at, unsigned from, unsigned end)
{
	uint32_t held[ODO_MAX_DIMS];
	memcpy(held, at, r->c->n_dims * sizeof *held);
	for (unsigned i = from; i < end; i++)
		at[r->to[i]] = held[i] < r->c->size[i] ? r->number[i][held[i]] : held[i];
}

static void permute_shape(const relabel *r, unsigned from, unsigned end)
{
	const odo_coordinates old = *r->c;
	for (unsigned i = from; i < end; i++) {
		r->c->factor[r->to[i]] = old.factor[i];
		r->c->size[r->to[i]] = old.size[i];
		r->c->width[r->to[i]] = old.width[i];
	}
}

static void relabel_all(const relabel *r, const odo_fabric *f, unsigned from, unsigned end)
{
	odo_coordinates *c = r->c;
	for (uint32_t s = 0; s < c->n_switches; s++) {
		if (!in_scope(r, s))
			continue;
		for (uint32_t i = f->first_slot[s]; i < f->first_slot[s + 1]; i++)
			if (c->port_class[i] >= from && c->port_class[i] < end)
				c->port_class[i] = r->to[c->port_class[i]];
		relabel_at(r, c->at + (size_t)s * c->n_dims, from, end);
	}
	for (uint32_t k = 0; k < c->n_faults; k++) {
		odo_fault *fault = &c->faults[k];
		if (fault->type == ODO_FAULT_MISSING_SWITCH && is_inside(r, fault->at))
			relabel_at(r, fault->at, from, end);
	}
	if (!r->part)
		permute_shape(r, from, end);
}

static uint32_t choose_and_carry_out(relabel *r, const odo_fabric *f, unsigned from, unsigned end)
{
	uint32_t line = choose_dimensions(r, from, end);
	if (!line)
		relabel_all(r, f, from, end);
	return line;
}

/* Relabel the dimensions within each group while groups have their old numbers, then the groups. */
static uint32_t apply_groups(relabel *r, const odo_fabric *f)
{
	uint32_t line = 0;
	for (uint32_t g = 0; g < r->c->size[0] && !line; g++) {
		take_all(r);
		confine_to_range(r, 0, g, g);
		line = choose_and_carry_out(r, f, 1, r->c->n_dims);
	}
	take_all(r);
	return line ? line : choose_and_carry_out(r, f, 0, 1);
}

/* Relabel indices among switches that share all other coordinates, if a pin has another index than
 * its switch. */
static uint32_t apply_indices(relabel *r, const odo_fabric *f)
{
	unsigned index = r->c->n_dims - 1;
	uint32_t line = 0;
	for (uint32_t k = 0; k < r->pins->n && !line; k++) {
		const odo_pin *pin = &r->pins->pin[k];
		const uint32_t *at = odo_at(r->c, pin->node);
		if (at[0] == ODO_NONE || at[index] == pin->at[index])
			continue;
		take_all(r);
		for (unsigned i = 0; i < index; i++)
			confine_to_range(r, i, at[i], at[i]);
		line = choose_and_carry_out(r, f, index, index + 1);
	}
	return line;
}

/* Relabel pods below the top level and planes above the leaves; elsewhere both are 0. */
static uint32_t apply_pods_and_planes(relabel *r, const odo_fabric *f)
{
	uint32_t top = r->c->size[ODO_TREE_LEVEL] - 1;
	take_all(r);
	confine_to_range(r, ODO_TREE_LEVEL, 0, top - 1);
	uint32_t line = choose_and_carry_out(r, f, ODO_TREE_POD, ODO_TREE_POD + 1);
	confine_to_range(r, ODO_TREE_LEVEL, 1, top);
	return line ? line : choose_and_carry_out(r, f, ODO_TREE_PLANE, ODO_TREE_PLANE + 1);
}

/* Return the first pin that is not satisfied, such as one of a switch on another level. */
static uint32_t broken_pin(const relabel *r)
{
	for (uint32_t k = 0; k < r->pins->n; k++) {
		const odo_pin *pin = &r->pins->pin[k];
		const uint32_t *at = odo_at(r->c, pin->node);
		if (at[0] != ODO_NONE && memcmp(at, pin->at, r->c->n_dims * sizeof *at))
			return pin->line;
	}
	return 0;
}

/* Relabel trees and the like, where cables determine levels and the members of a pod, plane or
 * group. */
static uint32_t apply_numbers(relabel *r, const odo_fabric *f)
{
	uint32_t line = apply_indices(r, f);
	bool groups = r->c->factor[0] == ODO_GROUPS;
	take_all(r);
	if (!line)
		line = groups ? choose_and_carry_out(r, f, 0, 1) : apply_pods_and_planes(r, f);
	return line ? line : broken_pin(r);
}

static uint32_t apply_all_pins(relabel *r, const odo_fabric *f)
{
	if (r->c->factor[r->c->n_dims - 1] == ODO_LABELS)
		return apply_numbers(r, f);
	return odo_grouped(r->c) ? apply_groups(r, f) : choose_and_carry_out(r, f, 0, r->c->n_dims);
}

/* Work on copies, so that an unsatisfiable pin changes nothing. */
static int apply_to_copy(const odo_pins *pins, const odo_fabric *f, odo_coordinates *c,
			 uint32_t *line)
{
	odo_arena memory = {0};
	odo_coordinates copy = *c;
	relabel r = {.pins = pins, .c = &copy};
	size_t cells = (size_t)c->n_switches * c->n_dims, most = 1;
	copy.at = odo_new(cells, sizeof *copy.at);
	copy.port_class = odo_new(f->n_slots, sizeof *copy.port_class);
	copy.faults = odo_new(c->n_faults, sizeof *copy.faults);
	for (unsigned i = 0; i < c->n_dims; i++) {
		r.number[i] = odo_arena_new(&memory, c->size[i], sizeof *r.number[i]);
		most = c->size[i] > most ? c->size[i] : most;
	}
	r.taken = odo_arena_new(&memory, most, sizeof *r.taken);
	bool room = copy.at && copy.port_class && copy.faults && !memory.failed;
	if (room) {
		memcpy(copy.at, c->at, cells * sizeof *copy.at);
		memcpy(copy.port_class, c->port_class, f->n_slots);
		if (c->n_faults)
			memcpy(copy.faults, c->faults, c->n_faults * sizeof *copy.faults);
		*line = apply_all_pins(&r, f);
	}
	if (room && !*line) {
		odo_coordinates swapped = *c;
		*c = copy;
		copy = swapped;
	}
	free(copy.at);
	free(copy.port_class);
	free(copy.faults);
	odo_arena_free(&memory);
	return room ? 0 : ODO_ENOMEM;
}

int odo_pins_apply(const odo_pins *pins, const odo_fabric *f, odo_coordinates *c, odo_error *err)
{
	uint32_t line = 0;
	if (!pins->n || c->kind == ODO_KIND_UNKNOWN)
		return 0;
	if (pins->n_dims != c->n_dims)
		return odo_fail(err, ODO_EINPUT, "%s:%u: expected %u coordinates of a %s, found %u",
				pins->origin, pins->pin[0].line, c->n_dims, odo_kind_name(c->kind),
				pins->n_dims);
	if (apply_to_copy(pins, f, c, &line))
		return odo_fail(err, ODO_ENOMEM, "no memory for pins");
	if (line)
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected coordinates that agree with the cables and the "
				"other pins, found others",
				pins->origin, line);
	return 0;
}
