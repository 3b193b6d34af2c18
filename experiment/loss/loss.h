/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What becomes of a routed fabric when parts of it fail: it is mapped, routed and proved again, as
 * the subnet manager would after the failure. */
#ifndef ODONATA_EXPERIMENT_LOSS_LOSS_H
#define ODONATA_EXPERIMENT_LOSS_LOSS_H

#include "routing/engine.h"
#include "routing/reroute/history.h"
#include "routing/transition/transition.h"

/** A switch with its hosts, or a cable between switches. */
typedef struct odo_lost_part {
	uint32_t node; /**< ODO_NONE: a cable */
	uint32_t slot; /**< either end of the cable */
} odo_lost_part;

/** Parts that fail together. */
typedef struct odo_loss {
	const odo_lost_part *part;
	uint32_t n;
} odo_loss;

typedef struct odo_loss_effect {
	bool declined;   /**< nothing could be routed; the rest is 0 but for hosts and pairs */
	odo_kind kind;   /**< what is recognised then */
	char engine[48]; /**< that serves then */
	uint8_t n_vls;
	uint64_t hosts_off;  /**< hosts that were on the switches */
	uint64_t pairs_cut;  /**< (host, host) of those left that no cables connect any more */
	uint64_t n_changed;  /**< LFT entries of those left, for LIDs of those left, that change */
	uint64_t sl_changed; /**< (switch, LID) pairs whose path has another SL */
	odo_rating rating;   /**< static bounds */
	odo_transition transition; /**< where asked for, and `rating` is left out then */
} odo_loss_effect;

/** Losses to try, by some threads. */
typedef struct odo_losses {
	const odo_tables *before; /**< proved */
	const char *engine;       /**< as for odo_route() */
	odo_route_options options;
	const odo_loss *loss; /**< [n] */
	uint32_t n;
	unsigned threads; /**< 0: as many as there are processors */
	bool transitions; /**< count what the change of tables can do, and rate nothing */
	bool hosts_only;  /**< count no LIDs of switches then */
	bool new_sls;     /**< as if no connection kept the SL that it was given */
	void *context;
	/** Called with a lock held, after each loss, if not NULL. */
	void (*progress)(void *context, uint32_t done, uint32_t n);
} odo_losses;

/**
 * @param effect [n] in the order of the losses, whatever the threads do
 * Errors: ODO_ENOMEM; ODO_EIO where no thread starts; ODO_EDECLINE for adaptive tables.
 */
int odo_losses_run(const odo_losses *losses, odo_loss_effect *effect, odo_error *err);

/** Each switch and each cable between switches, one at a time. @param part, loss for free() */
int odo_losses_single(const odo_fabric *f, odo_lost_part **part, odo_loss **loss, uint32_t *n,
		      odo_error *err);

/** `n` times `together` of them, drawn at random. @param part, loss for free() */
int odo_losses_random(const odo_fabric *f, uint32_t n, uint32_t together, uint64_t seed,
		      odo_lost_part **part, odo_loss **loss, odo_error *err);

#endif
