/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/mapping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapping/labels/canonical.h"
#include "mapping/faults/certainty.h"
#include "mapping/faults/slow.h"
#include "mapping/peel.h"
#include "mapping/judge/hypotheses.h"
#include "mapping/tree/tree.h"
#include "base/strategies.h"

typedef struct hypothesis {
	const char *name;
	int (*try)(odo_mapper *w, odo_finding *best, odo_error *err);
} hypothesis;

/* Hypotheses in order of preference. If several fit, the first is taken: a dragonfly with two
 * groups and one global link per switch is a FlatFly. */
static const hypothesis hypotheses[] = {
	{"product", odo_try_product},
	{"Slim Fly, searched", odo_try_slimfly_search},
	{"dragonfly", odo_try_dragonfly},
};

enum { N_HYPOTHESES = sizeof hypotheses / sizeof *hypotheses };

/* Completeness of the least complete dimension, as a share of that of the most complete one. */
#define AS_COMPLETE 0.8
/* At most one cable in this many may be wrong. */
enum { NEXT_TO_NOTHING = 30 };
/* Switches from which on a further search takes much longer than finding a product. */
enum { FEWER_LOOKS = 128 };
/* Share of a product's links that must exist. */
static const odo_share nearly_all = {39, 40};

/* Return true if no cable is wrong, and almost none are missing, as after a failure. */
static bool has_lost_little(const odo_finding *h)
{
	return h->g->n > FEWER_LOOKS && !h->n_wrong &&
	       odo_reaches(h->n_fitting, nearly_all, h->n_expected);
}

/* Return true if no other finding can be as good: a complete one, or a product with almost nothing
 * wrong and equally complete dimensions. The fabric must be large, so that a further search takes
 * long, or nearly undamaged. In a dragonfly mistaken for a FlatFly, with several cables between
 * groups, the dimension across groups is less complete. */
static bool is_certain(const odo_finding *h)
{
	double least = 1, most = 0;
	for (unsigned i = 0; i < h->placement.n_dims; i++) {
		double share = h->expected[i] ? (double)h->fitting[i] / (double)h->expected[i] : 1;
		least = share < least ? share : least;
		most = share > most ? share : most;
	}
	bool even = !odo_finding_grouped(h) && least > AS_COMPLETE * most;
	bool large = h->g->n > ODO_LARGE / 2 || h->placement.q; /* a Slim Fly is no other kind */
	bool product = odo_uses("certain products") && even &&
		       (has_lost_little(h) || (large && odo_few_wrong(h, NEXT_TO_NOTHING)));
	return product || odo_finding_whole(h);
}

static int report_finding(odo_mapper *mapper, odo_finding *h, odo_coordinates **out, odo_error *err)
{
	int status = odo_canonical(h, err);
	if (!status)
		status = odo_coordinates_create(mapper->f, h->placement.n_dims, out, err);
	if (!status)
		status = odo_finding_report(h, mapper->f, mapper->slot_edge, *out, err);
	return status;
}

static int report_unknown(odo_mapper *mapper, const char *reason, odo_coordinates **out,
			  odo_error *err)
{
	int status = odo_coordinates_create(mapper->f, 0, out, err);
	if (!status)
		snprintf((*out)->reason, sizeof(*out)->reason, "%.230s", reason);
	return status;
}

static void note_gave_up(odo_coordinates *c)
{
	size_t used = strlen(c->reason), room = sizeof c->reason;
	size_t most = room - sizeof "; " ODO_GAVE_UP;
	used = used < most ? used : most;
	snprintf(c->reason + used, room - used, "%s%s", used ? "; " : "", ODO_GAVE_UP);
}

/* Weigh hypotheses until one is certain. `best` gets the one that saves most bits. */
static int weigh_hypotheses(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	for (const hypothesis *try = hypotheses; try < hypotheses + N_HYPOTHESES; try++) {
		odo_finding h = {0};
		odo_error why = {0};
		if (!odo_uses(try->name))
			continue;
		uint64_t reserved = odo_budget_reserve(&mapper->budget);
		int status = try->try(mapper, &h, &why);
		odo_budget_release(&mapper->budget, reserved);
		if (status && status != ODO_EUNKNOWN) {
			odo_finding_clear(&h);
			return odo_fail(err, status, "%s", why.text);
		}
		if (status)
			odo_finding_clear(&h);
		else
			odo_keep_better(best, &h);
		if (!status && is_certain(best))
			break;
	}
	return 0;
}

static int choose_finding(odo_mapper *mapper, odo_coordinates **out, odo_error *err)
{
	char reason[240];
	odo_finding best = {0};
	int status = odo_uses("Slim Fly, read") ? odo_try_slimfly_read(mapper, &best, err) : 0;
	bool open = !status && !(best.g && is_certain(&best));
	if (open)
		status = odo_walk_make(&mapper->g, &mapper->walk, err);
	if (open && !status)
		status = odo_support_find(&mapper->walk, &mapper->support, err);
	if (open && !status)
		status = weigh_hypotheses(mapper, &best, err);
	odo_nearest_explain(&mapper->nearest, reason, sizeof reason);
	if (mapper->levels.divided) /* more useful than the reasons of single hypotheses */
		odo_levels_explain(&mapper->levels, mapper->no_tree, reason, sizeof reason);
	else if (!status && !best.g)
		status = odo_levels_explain_unhosted(&mapper->g, reason, sizeof reason, err);
	if (!status && !best.g && open && !mapper->nearest.product[0])
		odo_nearest_explain_twisted(&mapper->g, &mapper->support, reason, sizeof reason);
	if (!best.g && odo_fabric_parts(mapper->f, NULL, NULL) == 1)
		odo_levels_explain_acyclic(&mapper->g, reason, sizeof reason);
	bool gave_up = mapper->budget.spent && !(best.g && is_certain(&best));
	mapper->g.budget = NULL; /* no limit for reporting the result */
	odo_tell_unknown(mapper->budget.watch, "naming faults");
	if (!status)
		status = best.g ? report_finding(mapper, &best, out, err)
				: report_unknown(mapper, reason, out, err);
	if (!status && gave_up)
		note_gave_up(*out);
	odo_finding_clear(&best);
	return status;
}

static int prepare_mapper(odo_mapper *mapper, odo_error *err)
{
	mapper->slot_edge = odo_new(mapper->f->n_slots, sizeof *mapper->slot_edge);
	if (!mapper->slot_edge)
		return odo_fail(err, ODO_ENOMEM, "no memory for the links");
	int status = odo_links_make(mapper->f, &mapper->g, mapper->slot_edge, err);
	mapper->g.budget = &mapper->budget;
	mapper->g.nearest = &mapper->nearest;
	return status ? status : odo_levels_find(mapper->f, &mapper->g, &mapper->levels, err);
}

/* Minimum budget: about a second at 2,048 switches. Large fabrics get LOOKS times the work of
 * following all paths of two links, so that several methods can be tried. */
#define LEAST_WORK 500000000u
enum { LOOKS = 8 };

odo_budget odo_map_budget(const odo_fabric *f)
{
	uint64_t paths = 0;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint64_t ports = f->first_slot[s + 1] - f->first_slot[s];
		paths += ports * ports;
	}
	return (odo_budget){.left = LEAST_WORK + LOOKS * paths};
}

int odo_map(const odo_fabric *f, odo_coordinates **out, odo_error *err)
{
	odo_budget budget = odo_map_budget(f);
	return odo_map_within(f, &budget, out, err);
}

static int map_whole(const odo_fabric *f, odo_budget *budget, odo_coordinates **out, odo_error *err)
{
	odo_mapper mapper = {.f = f, .budget = *budget};
	mapper.budget.all = budget->left;
	*out = NULL;
	int status = prepare_mapper(&mapper, err);
	if (!status && !f->n_switches)
		status = report_unknown(&mapper, "there are no switches", out, err);
	else if (!status && odo_levels_open(&mapper.levels, &mapper.g))
		status = odo_clos_map(f, &mapper.g, mapper.slot_edge, out, &mapper.no_tree, err);
	if (!status && !*out)
		status = choose_finding(&mapper, out, err);
	if (!status)
		status = odo_faults_of_rates(f, *out, err);
	if (!status)
		status = odo_certainty_find(f, mapper.nearest.product, *out, err);
	if (status) {
		odo_coordinates_free(*out);
		*out = NULL;
	}
	odo_placement_clear(&mapper.spare.placement);
	odo_support_clear(&mapper.support);
	odo_walk_clear(&mapper.walk);
	odo_links_clear(&mapper.g);
	free(mapper.slot_edge);
	*budget = mapper.budget;
	return status;
}

int odo_map_within(const odo_fabric *f, odo_budget *budget, odo_coordinates **out, odo_error *err)
{
	int status = map_whole(f, budget, out, err);
	bool due = !status && odo_peel_is_due(*out) && odo_uses("peeling");
	if (due && odo_fabric_parts(f, NULL, NULL) == 1)
		status = odo_peel(f, map_whole, budget, out, err);
	if (status) {
		odo_coordinates_free(*out);
		*out = NULL;
	}
	return status;
}
