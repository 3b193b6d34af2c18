/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Copy points from a CSV whose experiment had other curves, patterns, loads or seeds. */
#include <math.h>
#include <string.h>

#include "experiment/point.h"
#include "experiment/result.h"

static bool search_differs(const odo_saturation_search *a, const odo_saturation_search *b)
{
	return a->steps != b->steps || a->first != b->first || a->last != b->last ||
	       a->scaled != b->scaled || a->near != b->near || a->full != b->full;
}

static bool damage_differs(const odo_experiment *a, const odo_experiment *b)
{
	return a->damage_switches < b->damage_switches || a->damage_switches > b->damage_switches ||
	       a->damage_links < b->damage_links || a->damage_links > b->damage_links ||
	       a->damage_seed != b->damage_seed;
}

const char *odo_experiment_differs(const odo_experiment *a, const odo_experiment *b)
{
	const struct {
		const char *key;
		bool differs;
	} all[] = {
		{"fabric", strcmp(a->fabric, b->fabric)},
		{"model", strcmp(a->model, b->model)},
		{"measure", a->kind != b->kind},
		{"details", a->details != b->details},
		{"lmc", a->lmc != b->lmc},
		{"shuffle", a->shuffled != b->shuffled || a->shuffle != b->shuffle},
		{"damage", damage_differs(a, b)},
		{"warmup", a->warmup != b->warmup},
		{"measured", a->measured != b->measured},
		{"steady", a->steady != b->steady},
		{"search", search_differs(&a->search, &b->search)},
		{"packets", a->packets != b->packets || a->burst_bytes != b->burst_bytes},
		{"series", a->series != b->series},
		{"ranks", a->ranks != b->ranks},
		{"placement", strcmp(a->placement, b->placement)},
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].differs)
			return all[i].key;
	return NULL;
}

static bool is_same_curve(const odo_curve *a, const odo_curve *b)
{
	bool vlarb = a->vlarb && b->vlarb ? !strcmp(a->vlarb, b->vlarb) : a->vlarb == b->vlarb;
	return vlarb && !strcmp(a->name, b->name) && !strcmp(a->routing, b->routing) &&
	       !strcmp(a->model, b->model);
}

/** Compare loads; a CSV has them with six digits. */
static bool is_same_load(double a, double b)
{
	return fabs(a - b) < 1e-5 * a;
}

uint32_t odo_result_point_of(const odo_result *r, const odo_experiment *x, uint32_t number)
{
	const odo_experiment *has = &r->x;
	const odo_point p = odo_point_of(x, number);
	const uint64_t seed = x->first_seed + p.seed;
	uint32_t curve = 0, pattern = 0, load = 0;
	const bool loads = x->kind == ODO_EXPERIMENT_LOAD;
	while (curve < has->n_curves && !is_same_curve(&has->curves[curve], &x->curves[p.curve]))
		curve++;
	while (pattern < has->n_patterns && strcmp(has->patterns[pattern], x->patterns[p.pattern]))
		pattern++;
	while (loads && load < has->n_loads && !is_same_load(has->loads[load], x->loads[p.load]))
		load++;
	if (curve == has->n_curves || pattern == has->n_patterns ||
	    (loads && load == has->n_loads) || seed < has->first_seed ||
	    seed - has->first_seed >= has->n_seeds)
		return ODO_NONE;
	uint32_t point = curve * has->n_patterns + pattern;
	return (loads ? point * has->n_loads + load : point) * has->n_seeds +
	       (uint32_t)(seed - has->first_seed);
}

uint32_t odo_result_has(const odo_result *r, const odo_experiment *x, const bool *wanted,
			bool *same)
{
	uint32_t n = 0, of = odo_experiment_points(x);
	*same = of == r->n_points;
	for (uint32_t i = 0; i < of; i++) {
		uint32_t point = odo_result_point_of(r, x, i);
		*same &= point == i;
		n += wanted[i] && point != ODO_NONE && r->line[point];
	}
	return n;
}

bool odo_result_carry(const odo_result *r, const odo_experiment *x, uint32_t number,
		      const char *folder, char *line)
{
	uint32_t point = odo_result_point_of(r, x, number);
	if (point == ODO_NONE || !r->line[point] ||
	    odo_point_copy_details(r, point, x, number, folder, NULL))
		return false;
	const char *at = strchr(r->line[point], ',') + 1;
	return !odo_result_arrange(at, r->columns, odo_point_columns(x), line, ODO_POINT_LINE);
}
