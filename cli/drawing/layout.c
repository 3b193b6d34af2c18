/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/drawing/layout.h"

#include <math.h>

#include "base/memory.h"

/** Preferred width by height of pictures. */
#define SHAPE 1.6

/** Arrange dimensions first .. n_dims-1 as a nested grid, the last along x. A Slim Fly is a
 * separate, innermost grid, with (t, x) along x and y along y. If the grid becomes too long, the
 * first dimension is folded.
 * @return the size of the grid */
static cli_point lay_grid(cli_layout *l, unsigned first)
{
	const odo_coordinates *c = l->c;
	cli_point size = {CLI_STEP, CLI_STEP};
	bool across = true, slim = c->factor[first] == ODO_MMS;
	if (slim) {
		l->step[first] = size;
		size = (cli_point){CLI_STEP * (2 * c->q + 1), CLI_STEP * (c->q + 1)};
		first++;
	}
	for (unsigned i = c->n_dims; i-- > first; across = !across) {
		bool wide = i == first && c->n_dims > 1 && size.x * c->size[i] > 3 * size.y;
		l->fold[i] = across ? c->size[i] : 1;
		if (across && wide && c->size[i] > 4)
			l->fold[i] = (uint32_t)ceil(sqrt(c->size[i] * size.y / size.x * SHAPE));
		l->step[i] = size;
		size.x = size.x * l->fold[i] + (l->fold[i] > 1 ? CLI_STEP : 0);
		uint32_t rows = (c->size[i] + l->fold[i] - 1) / l->fold[i];
		size.y = size.y * rows + (rows > 1 ? CLI_STEP : 0);
	}
	return size;
}

static cli_point grid_place(const cli_layout *l, const uint32_t *at, unsigned first)
{
	cli_point p = {0, 0};
	for (unsigned i = first; i < l->c->n_dims; i++) {
		bool slim = l->c->factor[i] == ODO_MMS;
		uint32_t x = slim ? at[i] / l->c->q : at[i] % l->fold[i];
		uint32_t y = slim ? at[i] % l->c->q : at[i] / l->fold[i];
		p.x += l->step[i].x * x;
		p.y += l->step[i].y * y;
	}
	return p;
}

/** Return the middle of a dragonfly's group. */
static cli_point centre_of(const cli_layout *l, uint32_t group)
{
	if (l->columns)
		return (cli_point){l->cell.x * (group % l->columns + .5),
				   l->cell.y * (group / l->columns + .5)};
	double angle = 2 * M_PI * group / l->c->size[0] - M_PI / 2;
	double reach = hypot(l->cell.x, l->cell.y) / 2;
	return (cli_point){l->ring + reach + l->ring * cos(angle),
			   l->ring + reach + l->ring * sin(angle)};
}

/** Distance between rows of levels, as a share of the picture's width, but at least ROW_STEPS
 * steps. */
#define ROW_SHARE 0.2
#define ROW_STEPS 6

/* Place the switches of one level and pod by plane, then by index. */
static void lay_tree(cli_layout *l)
{
	const odo_coordinates *c = l->c;
	uint32_t top = c->size[ODO_TREE_LEVEL] - 1, most = 1;
	for (uint32_t s = 0; s < c->n_switches; s++) {
		const uint32_t *at = odo_at(c, s);
		if (at[ODO_TREE_LEVEL] != ODO_NONE &&
		    at[ODO_TREE_INDEX] >= l->seats[at[ODO_TREE_LEVEL]])
			l->seats[at[ODO_TREE_LEVEL]] = at[ODO_TREE_INDEX] + 1;
	}
	for (uint32_t level = 1; level <= top; level++)
		l->seats[level] *= c->size[ODO_TREE_PLANE];
	for (uint32_t level = 0; level < top || (level == top && top == 1); level++)
		most = l->seats[level] > most ? l->seats[level] : most;
	l->cell = (cli_point){CLI_STEP * (most + 1), 0};
	l->size.x = l->cell.x * c->size[ODO_TREE_POD];
	l->cell.y = fmax(ROW_STEPS * CLI_STEP, l->size.x * ROW_SHARE);
	l->size.y = l->cell.y * top + CLI_STEP;
}

static cli_point tree_place(const cli_layout *l, const uint32_t *at)
{
	uint32_t level = at[ODO_TREE_LEVEL], top = l->c->size[ODO_TREE_LEVEL] - 1;
	uint32_t planes = l->c->size[ODO_TREE_PLANE], seats = l->seats[level];
	uint32_t seat = at[ODO_TREE_INDEX] + (level ? seats / planes * at[ODO_TREE_PLANE] : 0);
	double width = (level == top ? l->size.x : l->cell.x) - CLI_STEP;
	return (cli_point){(level == top ? 0 : l->cell.x * at[ODO_TREE_POD]) +
				   width * (seat + .5) / fmax(seats, 1),
			   l->cell.y * (top - level)};
}

cli_point cli_place(const cli_layout *l, const uint32_t *at)
{
	const odo_coordinates *c = l->c;
	if (cli_is_tree(c))
		return tree_place(l, at);
	if (!odo_grouped(c))
		return grid_place(l, at, 0);
	cli_point centre = centre_of(l, at[0]);
	if (c->n_dims == 2) { /* a complete graph is drawn as a circle */
		double turn = 2 * M_PI * at[1] / c->size[1] - M_PI / 2;
		double radius = l->cell.x / 2 - CLI_STEP / 2;
		return (cli_point){centre.x + radius * cos(turn), centre.y + radius * sin(turn)};
	}
	cli_point p = grid_place(l, at, 1);
	return (cli_point){centre.x - l->cell.x / 2 + p.x, centre.y - l->cell.y / 2 + p.y};
}

static uint32_t count_class_cables(const odo_fabric *f, const odo_coordinates *c, unsigned dim)
{
	uint32_t n = 0;
	for (uint32_t slot = 0; slot < f->first_slot[f->n_switches]; slot++)
		n += c->port_class[slot] == dim && f->peer[slot] > slot &&
		     odo_next_switch(f, slot) != ODO_NONE;
	return n;
}

static void lay_groups(cli_layout *l)
{
	const odo_coordinates *c = l->c;
	l->cell = lay_grid(l, 1);
	if (c->n_dims == 2)
		l->cell.x = l->cell.y = CLI_STEP * (c->size[1] / M_PI + 1.5);
	if (count_class_cables(l->f, c, 0) > CLI_MAX_ARCS) {
		l->columns = (uint32_t)ceil(sqrt(c->size[0] * l->cell.y / l->cell.x * SHAPE));
		l->size.x = l->cell.x * l->columns;
		l->size.y = l->cell.y * ((c->size[0] + l->columns - 1) / l->columns);
		return;
	}
	double reach = hypot(l->cell.x, l->cell.y);
	l->ring = c->size[0] > 1 ? reach * 1.05 / (2 * sin(M_PI / c->size[0])) : 0;
	l->size.x = l->size.y = 2 * l->ring + reach;
}

static void find_sizes(cli_layout *l)
{
	if (cli_is_tree(l->c)) {
		lay_tree(l);
	} else if (odo_grouped(l->c)) {
		lay_groups(l);
	} else if (l->c->n_dims) {
		l->size = lay_grid(l, 0);
	} else { /* unknown kind: all switches on one circle */
		l->ring = CLI_STEP * l->f->n_switches / (2 * M_PI) + CLI_STEP;
		l->size.x = l->size.y = 2 * l->ring;
	}
}

static void place_drawn_switches(cli_layout *l)
{
	const odo_coordinates *c = l->c;
	uint32_t columns = (uint32_t)fmax(1, l->size.x / CLI_STEP);
	for (uint32_t s = 0; s < l->f->n_switches; s++) {
		if (!c->n_dims) {
			double angle = 2 * M_PI * s / l->f->n_switches;
			l->at[s] = (cli_point){l->ring * (1 + cos(angle)),
					       l->ring * (1 + sin(angle))};
		} else if (odo_at(c, s)[0] != ODO_NONE) {
			l->at[s] = cli_place(l, odo_at(c, s));
		} else {
			l->at[s] = (cli_point){CLI_STEP * (l->lost % columns),
					       l->size.y + CLI_STEP * (l->lost / columns + 1)};
			l->lost++;
		}
	}
	if (l->lost)
		l->size.y += CLI_STEP * (l->lost / columns + 2);
}

static void include_point(cli_layout *l, cli_point p)
{
	cli_point end = {fmax(l->corner.x + l->size.x, p.x), fmax(l->corner.y + l->size.y, p.y)};
	l->corner = (cli_point){fmin(l->corner.x, p.x), fmin(l->corner.y, p.y)};
	l->size = (cli_point){end.x - l->corner.x, end.y - l->corner.y};
}

/** Crop the picture: rows have a step of space around them, and circles of few groups do not reach
 * every side. */
static void crop(cli_layout *l)
{
	if (!l->f->n_switches)
		return;
	l->corner = l->at[0];
	l->size = (cli_point){0, 0};
	for (uint32_t s = 1; s < l->f->n_switches; s++)
		include_point(l, l->at[s]);
	for (uint32_t i = 0; i < l->c->n_faults; i++)
		if (l->c->faults[i].type == ODO_FAULT_MISSING_SWITCH)
			include_point(l, cli_place(l, l->c->faults[i].at));
}

int cli_lay_out(const odo_fabric *f, const odo_coordinates *c, cli_layout *l, odo_error *err)
{
	*l = (cli_layout){.f = f, .c = c};
	l->at = odo_new(f->n_switches, sizeof *l->at);
	if (!l->at)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	find_sizes(l);
	place_drawn_switches(l);
	l->middle = (cli_point){l->size.x / 2, l->size.y / 2};
	crop(l);
	return ODO_OK;
}
