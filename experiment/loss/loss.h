/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Effects of failures on a routed fabric: the fabric is mapped, routed and proved again, as the
 * subnet manager would do after the failure. */
#ifndef ODONATA_EXPERIMENT_LOSS_LOSS_H
#define ODONATA_EXPERIMENT_LOSS_LOSS_H

#include "routing/engine.h"
#include "routing/reroute/connections.h"
#include "routing/transition/transition.h"

/** A switch with its hosts, or a cable between switches. */
typedef struct odo_lost_part {
	uint32_t node; /**< ODO_NONE for a cable */
	uint32_t slot; /**< either end of the cable */
} odo_lost_part;

/** Parts that fail together. */
typedef struct odo_loss {
	const odo_lost_part *part;
	uint32_t n;
} odo_loss;

typedef struct odo_loss_effect {
	bool declined;   /**< no engine could route it; the other fields are 0, except hosts and
			  * pairs */
	odo_kind kind;   /**< kind that mapping recognises after the loss */
	char engine[48]; /**< engine that routes after the loss */
	uint8_t n_vls;
	uint64_t hosts_off;  /**< hosts that were on the switches */
	uint64_t pairs_cut;  /**< (host, host) pairs of remaining hosts that no cables connect any
			      * more */
	uint64_t n_changed;  /**< changed LFT entries of remaining switches, for remaining LIDs */
	uint64_t sl_changed; /**< (switch, LID) pairs whose path has another SL */
	odo_rating rating;   /**< static bounds */
	odo_transition transition; /**< if requested; `rating` is then left out */
} odo_loss_effect;

/** Losses to try, with several threads. */
typedef struct odo_losses {
	const odo_tables *before; /**< proved */
	const char *engine;       /**< as for odo_route() */
	odo_route_options options;
	const odo_loss *loss; /**< [n] */
	uint32_t n;
	unsigned threads; /**< 0: one for each processor */
	bool transitions; /**< count the effects of changing the tables, and rate nothing */
	bool hosts_only;  /**< with `transitions`: do not count LIDs of switches */
	bool new_sls;     /**< as if no connection kept its earlier SL */
	void *context;
	/** Called with a lock held, after each loss, if not NULL. */
	void (*progress)(void *context, uint32_t done, uint32_t n);
} odo_losses;

/**
 * @param effect [n] in the order of the losses, independent of threads
 * Errors: ODO_ENOMEM; ODO_EIO if no thread starts; ODO_EDECLINE for adaptive tables.
 */
int odo_losses_run(const odo_losses *losses, odo_loss_effect *effect, odo_error *err);

/** Make losses of each switch and each cable between switches, one at a time.
 * @param part, loss for free() */
int odo_losses_single(const odo_fabric *f, odo_lost_part **part, odo_loss **loss, uint32_t *n,
		      odo_error *err);

/** Make `n` losses of `together` parts each, drawn at random.
 * @param part, loss for free() */
int odo_losses_random(const odo_fabric *f, uint32_t n, uint32_t together, uint64_t seed,
		      odo_lost_part **part, odo_loss **loss, odo_error *err);

#endif
