/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/judge/hypotheses.h"

#include <string.h>

#include "mapping/judge/contradicting.h"
#include "mapping/product/factors.h"
#include "mapping/product/grid.h"
#include "mapping/judge/polish.h"
#include "base/strategies.h"

static odo_kind kind_of_product(const odo_placement *placement)
{
	return odo_kind_of_factors(placement->factor, placement->size, placement->n_dims);
}

/* Remove dimensions of one value. Positions do not change. */
static void drop_single_values(odo_placement *p)
{
	for (unsigned dim = p->n_dims; dim-- > 0 && p->n_dims > 1;) {
		if (p->size[dim] != 1)
			continue;
		unsigned left = --p->n_dims, behind = left - dim;
		for (size_t v = 0; v < p->n; v++) {
			memmove(p->at + v * left, p->at + v * (left + 1), dim * sizeof *p->at);
			memmove(p->at + v * left + dim, p->at + v * (left + 1) + dim + 1,
				behind * sizeof *p->at);
		}
		memmove(p->size + dim, p->size + dim + 1, behind * sizeof *p->size);
		memmove(p->factor + dim, p->factor + dim + 1, behind * sizeof *p->factor);
		memmove(p->width + dim, p->width + dim + 1, behind * sizeof *p->width);
	}
}

/* Weigh, polish and judge a product. Polishing may change its kind. */
int odo_settle_product(odo_finding *h, odo_error *err)
{
	drop_single_values(&h->placement);
	h->kind = kind_of_product(&h->placement);
	int status = odo_finding_weigh(h, err);
	if (!status)
		status = odo_polish(h, err);
	if (status)
		return status;
	h->kind = kind_of_product(&h->placement);
	if (h->kind == ODO_KIND_UNKNOWN) {
		odo_nearest_product(h);
		return odo_fail(err, ODO_EUNKNOWN, "no topology is such a product");
	}
	return odo_finding_judge(h, err);
}

static int try_factors(odo_mapper *mapper, odo_trust trust, odo_finding *h, odo_error *err)
{
	h->g = &mapper->g;
	int status = odo_factors_find(&mapper->g, &mapper->walk, &mapper->support, trust,
				      trust == ODO_TRUST_USUAL ? &mapper->n_dims : NULL,
				      &h->placement, err);
	return status ? status : odo_settle_product(h, err);
}

bool odo_few_wrong(const odo_finding *h, uint64_t share)
{
	return share * h->n_wrong <= odo_links_cables(h->g);
}

/* A finding is clean if at most one cable in CLEAN is wrong. With so few, a better placement of
 * some switches always exists. */
enum { CLEAN = 60 };

bool odo_finding_clean(const odo_finding *h)
{
	return h->g && h->n_placed == h->g->n && odo_few_wrong(h, CLEAN);
}

/* Return true if all positions without a switch have the same value in some dimension. */
static bool lacks_one_row(const odo_placement *placement)
{
	for (size_t dim = placement->n_dims, step = 1; dim-- > 0; step *= placement->size[dim]) {
		size_t row = ODO_NONE;
		bool one = true;
		for (size_t i = 0; i < placement->n_positions && one; i++) {
			if (placement->occupant[i] != ODO_NONE)
				continue;
			one = row == ODO_NONE || row == i / step % placement->size[dim];
			row = i / step % placement->size[dim];
		}
		if (one)
			return true;
	}
	return false;
}

/* At most one cable in this many is missing from a nearly complete FlatFly. */
enum { NEARLY_WHOLE = 10 };

/* Return true if no switch is missing and few cables, or nothing except a part of the last row. */
static bool is_nearly_whole(const odo_finding *h)
{
	uint64_t missing = h->cables_expected - h->cables_fitting;
	if (h->n_placed < h->placement.n_positions)
		return odo_uses("last row of a FlatFly") && !missing && !h->n_wrong &&
		       lacks_one_row(&h->placement);
	return NEARLY_WHOLE * missing <= h->cables_expected;
}

/* Return true if a FlatFly and a dragonfly must be compared by their description. The planes of any
 * FlatFly are groups of a complete dragonfly, for which any cables between groups are right. So a
 * small FlatFly with all switches and a few wrong cables also looks like a complete dragonfly. */
static bool are_comparable(const odo_finding *h, const odo_finding *than)
{
	bool clean = odo_finding_clean(than) ||
		     (than->n_placed == than->g->n && than->n_wrong <= ODO_ONE_SWAP);
	return odo_uses("FlatFly or whole dragonfly") && odo_finding_grouped(h) &&
	       !odo_finding_grouped(than) && clean && is_nearly_whole(than);
}

/* Return true if contradictions make the finding a guess. A FlatFly that was bought in part has
 * very many positions. So a dragonfly with several cables between groups may have a shorter
 * description as such a FlatFly. */
static bool is_far(const odo_finding *h)
{
	return odo_uses("no guess for a kind") && odo_finding_certainty(h) == ODO_NEAREST;
}

/* Return true if `h` is better: first a finding that is no guess, then a complete one, then the one
 * that saves most bits. */
static bool is_better_finding(const odo_finding *h, const odo_finding *than)
{
	bool a = odo_finding_whole(h), b = odo_finding_whole(than);
	if (is_far(h) != is_far(than))
		return is_far(than);
	if (a == b || (a ? are_comparable(h, than) : are_comparable(than, h)))
		return odo_finding_saving(h) > odo_finding_saving(than);
	return a;
}

void odo_keep_better(odo_finding *best, odo_finding *h)
{
	if (!best->g || is_better_finding(h, best)) {
		odo_finding swapped = *best;
		*best = *h;
		*h = swapped;
	}
	odo_finding_clear(h);
}

static const char *const trusts[] = {
	[ODO_TRUST_USUAL] = "usual links",        [ODO_TRUST_ALIKE] = "links alike",
	[ODO_TRUST_BONDED] = "bonded links",      [ODO_TRUST_STRICT] = "strict links",
	[ODO_TRUST_TOP] = "links that stand out", [ODO_TRUST_ALL] = "all links"};

/* Return true if all switches with links are placed, and almost no cables are wrong. */
static bool places_all(const odo_finding *h)
{
	uint32_t alone = 0;
	for (uint32_t v = 0; v < h->g->n; v++)
		alone += !odo_degree(h->g, v);
	return h->n_placed + alone >= h->g->n && odo_few_wrong(h, CLEAN);
}

/* Steps between the ends of a link that is wrong only because a switch beside it is misplaced. */
enum { NEAR = 3 };

static uint32_t steps_between(const odo_placement *placement, uint32_t u, uint32_t v)
{
	const uint32_t *a = odo_placement_at(placement, u), *b = odo_placement_at(placement, v);
	uint32_t steps = 0;
	for (unsigned i = 0; i < placement->n_dims; i++) {
		uint32_t apart = a[i] < b[i] ? b[i] - a[i] : a[i] - b[i];
		if (placement->factor[i] == ODO_CYCLE && 2 * apart > placement->size[i])
			apart = placement->size[i] - apart;
		steps += apart;
	}
	return steps;
}

/* Return true if switches look misplaced: wrong cables lead anywhere, but links of misplaced
 * switches lead to near ones. Or a path may be too long. */
static bool looks_misplaced(const odo_finding *h)
{
	uint32_t near = 0;
	for (uint32_t e = 0; e < h->g->n_edges; e++)
		near += h->edge_class[e] == ODO_PORT_WRONG &&
			steps_between(&h->placement, h->g->end[e][0], h->g->end[e][1]) <= NEAR;
	return 2 * near > h->n_wrong || (!h->n_wrong && h->kind == ODO_KIND_MESH);
}

/* Return the result for which a grid search is useful. In two dimensions there are few rectangles,
 * so another placement may be better even with wrong links. In more dimensions a placement of all
 * switches is beaten only by one that fits all links. A hypercube has neither paths nor cycles. */
static odo_grid_wish wish_for(const odo_finding *best)
{
	if (best->g && best->kind == ODO_KIND_HYPERCUBE)
		return ODO_GRID_NONE;
	if (!best->g ||
	    (!odo_finding_whole(best) && (odo_grid_dims(best->g) == 2 || !places_all(best))))
		return ODO_GRID_ANY;
	return odo_finding_whole(best) || !looks_misplaced(best) ? ODO_GRID_NONE : ODO_GRID_ALL_FIT;
}

/* Try a grid, position by position, if links do not determine a product. */
static int try_grid(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	odo_finding h = {.g = &mapper->g};
	odo_error why = {0};
	odo_grid_wish wish = wish_for(best);
	if (wish == ODO_GRID_NONE || !odo_uses("grid"))
		return ODO_EUNKNOWN;
	int status = odo_grid_place(&mapper->g, &mapper->walk, &mapper->support, wish, &h.placement,
				    &why);
	if (!status)
		status = odo_settle_product(&h, &why);
	if (!status)
		odo_keep_better(best, &h);
	odo_finding_clear(&h);
	return status && status != ODO_EUNKNOWN ? odo_fail(err, status, "%s", why.text) : status;
}

/* Try products with several degrees of trust, if there are any dimensions, or two that may
 * alternate. The error has the reason for the usual trust. */
int odo_try_product(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	int status = ODO_EUNKNOWN;
	for (odo_trust i = 0; i < ODO_N_TRUSTS && !odo_finding_clean(best); i++) {
		odo_finding h = {0};
		odo_error why = {0};
		if ((i && !mapper->n_dims) || !odo_uses(trusts[i]) ||
		    (i == ODO_TRUST_ALIKE && mapper->g.n <= ODO_LARGE))
			continue;
		if (!odo_may_go_on(&mapper->budget))
			break;
		int one = try_factors(mapper, i, &h, i ? &why : err);
		if (!one) {
			odo_keep_better(best, &h);
			status = 0;
		}
		odo_finding_clear(&h);
		if (one && one != ODO_EUNKNOWN)
			return i ? odo_fail(err, one, "%s", why.text) : one;
	}
	int grid = try_grid(mapper, best, err);
	return grid == ODO_EUNKNOWN ? status : grid;
}

static int place_slimfly(odo_mapper *mapper, bool search, odo_finding *h, odo_error *err)
{
	h->g = &mapper->g;
	h->kind = ODO_KIND_SLIMFLY;
	int status = odo_factors_slimfly(&mapper->g, search, &h->placement, err);
	if (!status)
		status = odo_finding_weigh(h, err);
	return status ? status : odo_finding_judge(h, err);
}

/* Search for a Slim Fly if it was not read at first. */
int odo_try_slimfly_search(odo_mapper *mapper, odo_finding *h, odo_error *err)
{
	if (mapper->slimfly_read)
		return odo_fail(err, ODO_EUNKNOWN, "the Slim Fly was read already");
	return place_slimfly(mapper, true, h, err);
}

/* Read a Slim Fly without rectangles, of which it has few. */
int odo_try_slimfly_read(odo_mapper *mapper, odo_finding *best, odo_error *err)
{
	odo_finding h = {0};
	odo_error why;
	int status = place_slimfly(mapper, false, &h, &why);
	mapper->slimfly_read = !status;
	if (!status)
		odo_keep_better(best, &h);
	odo_finding_clear(&h);
	return status && status != ODO_EUNKNOWN ? odo_fail(err, status, "%s", why.text) : 0;
}
