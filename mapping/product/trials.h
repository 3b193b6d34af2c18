/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Guessed positions of switches in a grid, where neighbours leave several. For grid.h. */
#ifndef ODONATA_MAPPING_PRODUCT_TRIALS_H
#define ODONATA_MAPPING_PRODUCT_TRIALS_H

#include "mapping/product/spots.h"

/** Guesses that can be undone; older ones are final. */
enum { ODO_TRIAL_DEPTH = 24 };

/** A switch with a guessed position. */
typedef struct odo_guess {
	odo_spots before;
	uint32_t v, next; /**< the switch; the option to try next */
} odo_guess;

typedef struct odo_trials {
	odo_spots now;
	odo_guess guess[ODO_TRIAL_DEPTH]; /**< a ring */
	unsigned first, depth;
	uint32_t *failures; /**< [n] 1 + contradictions at each switch; many are tried first next
			       time */
	odo_spot *open;     /**< [n_room] positions to try for one switch */
	uint32_t n_open, n_room;
	unsigned attempt;
} odo_trials;

/** @param t gets memory of the arena, with nothing placed. Errors: ODO_ENOMEM */
int odo_trials_make(const odo_links *g, const odo_support *support, int dims, odo_arena *memory,
		    odo_trials *t);

/** Start from the first corners several times, with the failure counts of earlier attempts. Return
 * true if all links fit. */
bool odo_trials_attempt(odo_trials *t);

/** Guess the remaining positions, and undo guesses that cause contradictions. t->now.failed: every
 * guess caused one. */
void odo_trials_rest(odo_trials *t);

#endif
