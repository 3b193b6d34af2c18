/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What a fabric may be: each hypothesis is placed, weighed and judged, and the best is kept. */
#ifndef ODONATA_MAPPING_JUDGE_HYPOTHESES_H
#define ODONATA_MAPPING_JUDGE_HYPOTHESES_H

#include "mapping/graph/levels.h"
#include "mapping/graph/squares.h"
#include "mapping/judge/nearest.h"

/** Switches from which on not everything is tried where something fits well. */
enum { ODO_LARGE = 1024 };

/** A guess at a dragonfly's groups, from which others may grow. */
typedef struct odo_spare {
	odo_placement placement; /**< owned; none where it has no vertices */
	double saving;
} odo_spare;

/** A fabric that is being mapped. */
typedef struct odo_mapper {
	const odo_fabric *f;
	odo_links g;
	odo_budget budget;
	odo_levels levels;
	const char *no_tree; /**< why, where `levels` look like one; or NULL */
	odo_walk walk;
	odo_support support;
	uint32_t *slot_edge;
	unsigned n_dims;   /**< that odo_try_product() found */
	bool slimfly_read; /**< at first, and judged to be one */
	odo_spare spare;
	odo_nearest nearest;
} odo_mapper;

/**
 * Try one, or several of a sort, and keep the best of them and of `best`, which may be empty.
 * Errors: ODO_EUNKNOWN with the reason where none is borne out; `best` is then as it was.
 */
int odo_try_product(odo_mapper *mapper, odo_finding *best, odo_error *err);
/** By what it shows of its field: needs neither walk nor support. */
int odo_try_slimfly_read(odo_mapper *mapper, odo_finding *best, odo_error *err);
/** By search, where it was not read. */
int odo_try_slimfly_search(odo_mapper *mapper, odo_finding *best, odo_error *err);
int odo_try_dragonfly(odo_mapper *mapper, odo_finding *best, odo_error *err);
/** Groups of two. */
int odo_try_pairs(odo_mapper *mapper, odo_finding *best, odo_error *err);

/** Keep what was guessed and weighed, if it says most. */
int odo_keep_spare(odo_mapper *mapper, const odo_finding *h, odo_error *err);
/** Grow the groups of the spare anew. */
int odo_try_regrown(odo_mapper *mapper, odo_finding *best, odo_error *err);

/** Index, weigh and judge a dragonfly's groups as they were placed. */
int odo_settle_groups(odo_mapper *mapper, odo_finding *h, odo_error *err);

/** Weigh, polish and judge a product as it was placed. */
int odo_settle_product(odo_finding *h, odo_error *err);

/** Keep the better of two findings in `best`: the one that is whole, or else the one that says most
 * in few words. `h` is cleared. */
void odo_keep_better(odo_finding *best, odo_finding *h);

/** At most one cable in `share` is wrong: wrong ones rarely lie side by side, right ones often. */
bool odo_few_wrong(const odo_finding *h, uint64_t share);

/** All switches have a place, and next to no links are wrong. */
bool odo_finding_clean(const odo_finding *h);

#endif
