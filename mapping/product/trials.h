/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Switches of a grid placed by guess where their neighbours leave more than one position. For
 * grid.h. */
#ifndef ODONATA_MAPPING_PRODUCT_TRIALS_H
#define ODONATA_MAPPING_PRODUCT_TRIALS_H

#include "mapping/product/spots.h"

/** Guesses that can be taken back: an older one stands. */
enum { ODO_TRIAL_DEPTH = 24 };

/** A switch that was put somewhere by guess. */
typedef struct odo_guess {
	odo_spots before;
	uint32_t v, next; /**< switch; the option to try next */
} odo_guess;

typedef struct odo_trials {
	odo_spots now;
	odo_guess guess[ODO_TRIAL_DEPTH]; /**< a ring */
	unsigned first, depth;
	uint32_t *failures; /**< [n] one more than contradictions at a switch: tried first next time
			     */
	odo_spot *open;     /**< [n_room] positions to try for one switch */
	uint32_t n_open, n_room;
	bool *added; /**< [n_edges] */
	unsigned attempt;
} odo_trials;

/** @param t  gets room, nothing placed; for odo_trials_clear(), after an error too. ODO_ENOMEM */
int odo_trials_make(const odo_links *g, const odo_support *support, int dims, odo_trials *t);
void odo_trials_clear(odo_trials *t);

/** From the first corners on, each time with what was learned before. True if all fits. */
bool odo_trials_attempt(odo_trials *t);

/** Guess what is left, taking back what contradicts. t->now.failed: it always does. */
void odo_trials_rest(odo_trials *t);

#endif
