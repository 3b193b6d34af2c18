/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/mapping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/memory.h"
#include "mapping/canonical.h"
#include "mapping/dragonfly.h"
#include "mapping/factors.h"
#include "mapping/finding.h"
#include "mapping/locals.h"
#include "mapping/polish.h"
#include "mapping/slimfly.h"

/* Switches from which on not everything is tried where something fits well. */
enum { LARGE = 1024 };

typedef struct work {
	const odo_fabric *f;
	odo_links g;
	odo_walk walk;
	odo_support support;
	uint32_t *slot_edge;
	unsigned n_dims;   /* that try_product() found */
	bool slimfly_read; /* at first, and judged to be one */
} work;

/* Cycles of up to four are complete graphs and pairs of K_2: a torus has a longer one. */
static odo_kind kind_of_product(const odo_placement *p)
{
	unsigned pairs = 0, cycles = 0, mms = 0;
	for (unsigned i = 0; i < p->n_dims; i++) {
		pairs += p->size[i] == 2;
		cycles += p->factor[i] == ODO_CYCLE;
		mms += p->factor[i] == ODO_MMS;
	}
	if (cycles)
		return ODO_KIND_TORUS;
	if (mms)
		return p->n_dims == 1 ? ODO_KIND_SLIMFLY : ODO_KIND_SLIMFLY_FLATFLY;
	return pairs == p->n_dims && pairs > 1 ? ODO_KIND_HYPERCUBE : ODO_KIND_FLATFLY;
}

/* A product as it was placed: weighed, polished, which may make it another kind, and judged. */
static int settle_product(odo_finding *h, odo_error *err)
{
	h->kind = kind_of_product(&h->placement);
	int status = odo_finding_weigh(h, err);
	if (!status)
		status = odo_polish(h, err);
	if (status)
		return status;
	h->kind = kind_of_product(&h->placement);
	return odo_finding_judge(h, err);
}

static int try_factors(work *w, odo_trust trust, odo_finding *h, odo_error *err)
{
	h->g = &w->g;
	int status = odo_factors_find(&w->g, &w->walk, &w->support, trust, &w->n_dims,
				      &h->placement, err);
	return status ? status : settle_product(h, err);
}

/* At most one cable in `share` is wrong: wrong ones rarely lie side by side, right ones often. */
static bool few_wrong(const odo_finding *h, uint64_t share)
{
	uint64_t cables = 0;
	for (uint32_t e = 0; e < h->g->n_edges; e++)
		cables += h->g->n_cables[e];
	return share * h->n_wrong <= cables;
}

/* All switches have a place, and next to no links are wrong. */
static bool clean(const odo_finding *h)
{
	return h->g && h->n_placed == h->g->n && few_wrong(h, 60);
}

/* The one that is whole, or else the one that says most in few words. */
static bool better(const odo_finding *h, const odo_finding *than)
{
	bool a = odo_finding_whole(h), b = odo_finding_whole(than);
	return a != b ? a : odo_finding_saving(h) > odo_finding_saving(than);
}

/* Keep the better of two findings in `best`. */
static void keep_better(odo_finding *best, odo_finding *h)
{
	if (!best->g || better(h, best)) {
		odo_finding held = *best;
		*best = *h;
		*h = held;
	}
	odo_finding_clear(h);
}

/* Going by more or fewer links, where there are dimensions to be seen at all. The reason is that of
 * the usual ones. */
static int try_product(work *w, odo_finding *best, odo_error *err)
{
	int status = ODO_EUNKNOWN;
	for (int trust = 0; trust < ODO_N_TRUSTS && !clean(best) && (!trust || w->n_dims);
	     trust++) {
		odo_finding h = {0};
		odo_error why = {0};
		int one = try_factors(w, (odo_trust)trust, &h, trust ? &why : err);
		if (!one) {
			keep_better(best, &h);
			status = 0;
		}
		odo_finding_clear(&h);
		if (one && one != ODO_EUNKNOWN)
			return trust ? odo_fail(err, one, "%s", why.text) : one;
	}
	return status;
}

static int place_slimfly(work *w, bool search, odo_finding *h, odo_error *err)
{
	h->g = &w->g;
	h->kind = ODO_KIND_SLIMFLY;
	int status = odo_factors_slimfly(&w->g, search, &h->placement, err);
	if (!status)
		status = odo_finding_weigh(h, err);
	return status ? status : odo_finding_judge(h, err);
}

/* Where it was not read at first. */
static int try_slimfly(work *w, odo_finding *h, odo_error *err)
{
	if (w->slimfly_read)
		return odo_fail(err, ODO_EUNKNOWN, "the Slim Fly was read already");
	return place_slimfly(w, true, h, err);
}

/* Judge the groups that were placed, if they were. */
static int judge_groups(work *w, int status, odo_finding *h, odo_error *err)
{
	h->g = &w->g;
	h->kind = ODO_KIND_DRAGONFLY;
	if (!status)
		status = odo_placement_index(&w->g, &h->placement, 8 * (size_t)w->g.n + 64, err);
	if (!status)
		status = odo_finding_weigh(h, err);
	return status ? status : odo_finding_judge(h, err);
}

/* `strictness` 0: groups that are complete graphs. */
static int try_groups(work *w, unsigned strictness, odo_finding *h, odo_error *err)
{
	int status = strictness ? odo_dragonfly_flat(&w->g, &w->support, strictness, &h->placement,
						     err)
				: odo_dragonfly_find(&w->g, &w->support, &h->placement, err);
	return judge_groups(w, status, h, err);
}

/* Keep what `h` turned out to be if its `status` is 0. ODO_EUNKNOWN is no error. */
static int keep_if(int status, odo_finding *best, odo_finding *h)
{
	if (!status)
		keep_better(best, h);
	odo_finding_clear(h);
	return status == ODO_EUNKNOWN ? 0 : status;
}

/* Groups of which next to no link is missing need no other dimensions. */
static bool dense(const odo_finding *h)
{
	return h->g && (odo_finding_whole(h) || 20 * h->n_fitting >= 17 * h->n_expected);
}

/* Nothing is missing, or little in a fabric so large that looking further takes long. */
static bool enough(const odo_finding *h)
{
	return h->g && (odo_finding_whole(h) || (h->g->n > LARGE && dense(h)));
}

/* Groups that are FlatFlies, with whatever limit serves best. */
static int try_flat(work *w, odo_finding *best, odo_error *err)
{
	int status = 0;
	for (unsigned strict = ODO_FLAT_STRICTEST - 1; strict > 0 && !status && !enough(best);
	     strict--) {
		odo_finding h = {0};
		status = keep_if(try_groups(w, strict, &h, err), best, &h);
	}
	return status;
}

/* Groups by links that are weighed until they are local or global: as in a whole fabric, then as in
 * a damaged one. What comes out as local then may be the global links, where these are many and
 * regular: so once more without them. */
static int try_weighed(work *w, odo_finding *best, odo_error *err)
{
	uint8_t *weight = odo_new(w->g.n_edges, sizeof *weight);
	bool *without = odo_new(w->g.n_edges, sizeof *without);
	int status = weight && without ? 0 : odo_fail(err, ODO_ENOMEM, "no memory to weigh links");
	for (int again = 0; again < 3 && !status && !enough(best); again++) {
		status = odo_locals_weigh(&w->g, &w->walk, again == 2 ? without : NULL,
					  again == 1 ? ODO_DECIDE_DAMAGED : ODO_DECIDE_WHOLE,
					  weight, err);
		for (int strict = 7; strict > 0 && !status && !enough(best); strict -= 2) {
			odo_finding h = {0};
			int placed = odo_dragonfly_weighed(&w->g, weight, (unsigned)strict,
							   &h.placement, err);
			status = keep_if(judge_groups(w, placed, &h, err), best, &h);
		}
		for (uint32_t e = 0; e < w->g.n_edges && !status; e++)
			without[e] = weight[e] > 127;
	}
	free(weight);
	free(without);
	return status;
}

/* The product that the groups of a dragonfly may be. */
static int try_aligned(const odo_finding *groups, odo_finding *h, odo_error *err)
{
	h->g = groups->g;
	int status = odo_polish_align(groups, &h->placement, err);
	return status ? status : settle_product(h, err);
}

/* Groups that are complete graphs, and the FlatFly whose rows they may be. */
static int try_clusters(work *w, odo_finding *best, odo_error *err)
{
	odo_finding groups = {0}, aligned = {0};
	int status = try_groups(w, 0, &groups, err);
	if ((!status || status == ODO_EUNKNOWN) && groups.edge_class &&
	    !odo_finding_whole(&groups)) {
		odo_error why;
		int also = try_aligned(&groups, &aligned, &why);
		if (!also)
			keep_better(best, &aligned);
		else if (also != ODO_EUNKNOWN)
			status = odo_fail(err, also, "%s", why.text);
	}
	if (!status)
		keep_better(best, &groups);
	odo_finding_clear(&groups);
	odo_finding_clear(&aligned);
	return status == ODO_EUNKNOWN && best->g ? 0 : status;
}

/* Groups of two: only of a fabric that is whole, since little else speaks for them. */
static int try_pairs(work *w, odo_finding *best, odo_error *err)
{
	odo_finding h = {0};
	int status = odo_dragonfly_pairs(&w->g, &h.placement, err);
	status = judge_groups(w, status, &h, err);
	if (!status && !odo_finding_whole(&h))
		status = odo_fail(err, ODO_EUNKNOWN, "groups of two have links missing");
	if (!status)
		keep_better(best, &h);
	odo_finding_clear(&h);
	return status;
}

/* Groups that are complete graphs, or else FlatFlies. The reason is that of the former. */
static int try_dragonfly(work *w, odo_finding *best, odo_error *err)
{
	odo_error why = {0};
	int status = try_clusters(w, best, err), more = 0;
	bool product = best->g && best->kind != ODO_KIND_DRAGONFLY;
	if ((status && status != ODO_EUNKNOWN) || product || dense(best))
		return status;
	more = try_flat(w, best, &why);
	if (!more)
		more = try_weighed(w, best, &why);
	if (more)
		return odo_fail(err, more, "%s", why.text);
	return best->g ? 0 : status;
}

/* Hypotheses in order of preference. A fabric that is several of them (a dragonfly with two
 * groups and one global link a switch is a FlatFly) is the first. The last is for what is none of
 * the others, whole or damaged. */
static int (*const hypotheses[])(work *, odo_finding *, odo_error *) = {
	try_product,
	try_slimfly,
	try_dragonfly,
	try_pairs,
};

enum { N_HYPOTHESES = sizeof hypotheses / sizeof *hypotheses };

/* Nothing else can be as good: anything whole, or a product with next to nothing wrong and
 * all dimensions equally complete, in a fabric so large that looking further takes long. Of a
 * dragonfly taken for a FlatFly, with several cables between groups, the dimension across groups is
 * less so. */
static bool certain(const odo_finding *h)
{
	double least = 1, most = 0;
	for (unsigned i = 0; i < h->placement.n_dims; i++) {
		double share = h->expected[i] ? (double)h->fitting[i] / (double)h->expected[i] : 1;
		least = share < least ? share : least;
		most = share > most ? share : most;
	}
	bool even = h->kind != ODO_KIND_DRAGONFLY && least > 0.8 * most;
	bool large = h->g->n > LARGE / 2 || h->kind == ODO_KIND_SLIMFLY;
	return (even && large && few_wrong(h, 30)) || odo_finding_whole(h);
}

static int adopt(work *w, odo_finding *h, odo_coordinates **out, odo_error *err)
{
	int status = odo_canonical(h, err);
	if (!status)
		status = odo_coordinates_create(w->f, h->placement.n_dims, out, err);
	if (!status)
		status = odo_finding_report(h, w->f, w->slot_edge, *out, err);
	return status;
}

static int decline(work *w, const char *reason, odo_coordinates **out, odo_error *err)
{
	int status = odo_coordinates_create(w->f, 0, out, err);
	if (!status)
		snprintf((*out)->reason, sizeof(*out)->reason, "%.230s", reason);
	return status;
}

/* Weigh hypotheses until one is certain; `best` gets the one that says most in few words. */
static int weigh(work *w, odo_finding *best, char *reason, size_t room, odo_error *err)
{
	for (int i = 0; i < N_HYPOTHESES && (i < N_HYPOTHESES - 1 || !best->g); i++) {
		odo_finding h = {0};
		odo_error why = {0};
		int status = hypotheses[i](w, &h, &why);
		if (status && status != ODO_EUNKNOWN) {
			odo_finding_clear(&h);
			return odo_fail(err, status, "%s", why.text);
		}
		if (status) {
			size_t used = strlen(reason);
			snprintf(reason + used, room - used, "%s%.75s", used ? "; " : "", why.text);
			odo_finding_clear(&h);
		} else {
			keep_better(best, &h);
		}
		if (!status && certain(best))
			break;
	}
	return 0;
}

/* A Slim Fly is read without a look at rectangles, of which it has few. */
static int read_slimfly(work *w, odo_finding *best, odo_error *err)
{
	odo_finding h = {0};
	odo_error why;
	int status = place_slimfly(w, false, &h, &why);
	w->slimfly_read = !status;
	if (!status)
		keep_better(best, &h);
	odo_finding_clear(&h);
	return status && status != ODO_EUNKNOWN ? odo_fail(err, status, "%s", why.text) : 0;
}

static int choose(work *w, odo_coordinates **out, odo_error *err)
{
	char reason[240] = "";
	odo_finding best = {0};
	int status = read_slimfly(w, &best, err);
	bool open = !status && !(best.g && certain(&best));
	if (open)
		status = odo_walk_make(&w->g, &w->walk, err);
	if (open && !status)
		status = odo_support_find(&w->walk, &w->support, err);
	if (open && !status)
		status = weigh(w, &best, reason, sizeof reason, err);
	if (!status)
		status = best.g ? adopt(w, &best, out, err) : decline(w, reason, out, err);
	odo_finding_clear(&best);
	return status;
}

static int prepare(work *w, odo_error *err)
{
	w->slot_edge = odo_new(w->f->n_slots, sizeof *w->slot_edge);
	if (!w->slot_edge)
		return odo_fail(err, ODO_ENOMEM, "no memory for the links");
	return odo_links_make(w->f, &w->g, w->slot_edge, err);
}

int odo_map(const odo_fabric *f, odo_coordinates **out, odo_error *err)
{
	work w = {.f = f};
	*out = NULL;
	int status = prepare(&w, err);
	if (!status && !f->n_switches)
		status = decline(&w, "there are no switches", out, err);
	else if (!status)
		status = choose(&w, out, err);
	if (status) {
		odo_coordinates_free(*out);
		*out = NULL;
	}
	odo_support_clear(&w.support);
	odo_walk_clear(&w.walk);
	odo_links_clear(&w.g);
	free(w.slot_edge);
	return status;
}
