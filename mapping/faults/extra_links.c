/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mapping/faults/extra_links.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strategies.h"

/* Passes over the pairs. Pairs rejected in the first pass do not count in the second. */
enum { PASSES = 2 };

/* A link is ordinary if its score is well above the average for links that run anywhere. The limit
 * is 1 / TOWARDS_USUAL of the distance from that average to the usual score. */
enum { TOWARDS_USUAL = 4 };

/* A pair of groups with a link more than others. */
typedef struct doubt {
	uint32_t pair;
	int64_t likely; /* likelihood that the additional link is right */
	bool suits;     /* it suits the arrangement too well for a link that runs anywhere */
} doubt;

typedef struct wide {
	const odo_finding *h;
	odo_parallel_pairs *beside; /* marked pairs are not rejected */
	doubt *doubt;
	uint32_t n;
	uint32_t *count; /* [groups] such pairs of each group */
} wide;

static bool has_more(const odo_finding *h, uint32_t pair)
{
	return h->pair[pair].n_cables >= h->width[0];
}

static int list_wide_pairs(const odo_finding *h, wide *w)
{
	for (uint32_t i = 0; i < h->n_pairs; i++)
		w->n += has_more(h, i);
	w->doubt = odo_new(w->n, sizeof *w->doubt);
	w->count = odo_new(h->placement.size[0], sizeof *w->count);
	if (!w->doubt || !w->count)
		return ODO_ENOMEM;
	for (uint32_t i = 0, d = 0; i < h->n_pairs; i++)
		if (has_more(h, i))
			w->doubt[d++].pair = i;
	return 0;
}

static const uint32_t *groups_of(const wide *w, uint32_t d)
{
	return w->h->pair[w->doubt[d].pair].group;
}

static void start_pass(wide *w, const bool *narrow)
{
	memset(w->count, 0, w->h->placement.size[0] * sizeof *w->count);
	for (uint32_t d = 0; d < w->n; d++) {
		const uint32_t *group = groups_of(w, d);
		odo_parallel_pairs_mark(w->beside, group, !narrow[w->doubt[d].pair]);
		w->count[group[0]]++;
		w->count[group[1]]++;
	}
}

static void weigh_doubt(const wide *w, doubt *d, const odo_link_fit *suits)
{
	int64_t link = suits->pair[d->pair];
	d->likely = odo_parallel_pairs_count(w->beside, w->h->pair[d->pair].group) *
			    (suits->anywhere + 1) +
		    link;
	d->suits = odo_uses("pairs with a link more: suit") &&
		   TOWARDS_USUAL * (link - suits->anywhere) > suits->usual - suits->anywhere;
}

static int by_likelihood(const void *a, const void *b)
{
	const doubt *x = a, *y = b;
	if (x->likely != y->likely)
		return x->likely < y->likely ? -1 : 1;
	return x->pair < y->pair ? -1 : x->pair > y->pair;
}

/* Reject the least likely pair first, if both groups have too many such pairs. A group without a
 * surplus proves nothing about its pairs, because it may have lost one. */
static void reject_links(wide *w, bool *narrow)
{
	uint32_t right = w->h->n_wide;
	for (uint32_t d = 0; d < w->n; d++) {
		const uint32_t *group = groups_of(w, d);
		bool surplus = !w->doubt[d].suits && w->count[group[0]] > right &&
			       w->count[group[1]] > right;
		narrow[w->doubt[d].pair] = surplus;
		w->count[group[0]] -= surplus;
		w->count[group[1]] -= surplus;
	}
}

int odo_extra_links_check(const odo_finding *h, odo_parallel_pairs *beside,
			  const odo_link_fit *suits, bool *narrow)
{
	wide w = {.h = h, .beside = beside};
	int status = list_wide_pairs(h, &w);
	memset(narrow, 0, h->n_pairs * sizeof *narrow);
	for (int pass = 0; pass < PASSES && !status; pass++) {
		if (pass && !odo_uses("pairs with a link more: again"))
			break;
		start_pass(&w, narrow);
		for (uint32_t d = 0; d < w.n; d++)
			weigh_doubt(&w, &w.doubt[d], suits);
		qsort(w.doubt, w.n, sizeof *w.doubt, by_likelihood);
		reject_links(&w, narrow);
	}
	odo_parallel_pairs_unmark_all(beside);
	free(w.doubt);
	free(w.count);
	return status;
}
