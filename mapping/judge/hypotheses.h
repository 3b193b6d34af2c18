/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Hypotheses about the kind of a fabric. Each is placed, weighed and judged, and the best is
 * kept. */
#ifndef ODONATA_MAPPING_JUDGE_HYPOTHESES_H
#define ODONATA_MAPPING_JUDGE_HYPOTHESES_H

#include "mapping/graph/levels.h"
#include "mapping/graph/squares.h"
#include "mapping/judge/nearest.h"

/** Number of switches from which on a good finding ends the search early. */
enum { ODO_LARGE = 1024 };

/** A guess at a dragonfly's groups from which others may grow. */
typedef struct odo_spare {
	odo_placement placement; /**< owned; empty without vertices */
	double saving;
} odo_spare;

/** State of mapping a fabric. */
typedef struct odo_mapper {
	const odo_fabric *f;
	odo_links g;
	odo_budget budget;
	odo_levels levels;
	/** Reason why it is no tree although `levels` look like one, or NULL. */
	const char *no_tree;
	odo_walk walk;
	odo_support support;
	uint32_t *slot_edge;
	unsigned n_dims;   /**< dimensions that odo_try_product() found */
	bool slimfly_read; /**< a Slim Fly was read, and judged to be one */
	odo_spare spare;
	odo_nearest nearest;
} odo_mapper;

/**
 * Try a hypothesis, or several of a sort, and keep the best of them and of `best`, which may be
 * empty.
 * Errors: ODO_EUNKNOWN with the reason if none is confirmed; `best` is then unchanged.
 */
int odo_try_product(odo_mapper *mapper, odo_finding *best, odo_error *err);
/** Read the finite field of a Slim Fly. It needs neither walk nor support. */
int odo_try_slimfly_read(odo_mapper *mapper, odo_finding *best, odo_error *err);
/** Search for a Slim Fly if it was not read. */
int odo_try_slimfly_search(odo_mapper *mapper, odo_finding *best, odo_error *err);
int odo_try_dragonfly(odo_mapper *mapper, odo_finding *best, odo_error *err);
/** Weigh, polish and judge a product. */
int odo_settle_product(odo_finding *h, odo_error *err);

/** Keep the better of two findings in `best`: the complete one, or else the one that saves most
 * bits. `h` is cleared. */
void odo_keep_better(odo_finding *best, odo_finding *h);

/** Return true if at most one cable in `share` is wrong. Cables are counted because wrong ones are
 * rarely parallel, right ones often. */
bool odo_few_wrong(const odo_finding *h, uint64_t share);

/** Return true if all switches are placed, and almost no links are wrong. */
bool odo_finding_clean(const odo_finding *h);

#endif
