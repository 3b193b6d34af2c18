/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** State of a figure: its CSV, the CSV's age, and the verdicts on the claims. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_STATE_H
#define ODONATA_EXPERIMENT_REPRODUCE_STATE_H

#include "experiment/experiment.h"
#include "experiment/reproduce/manifest.h"
#include "experiment/reproduce/record.h"
#include "experiment/reproduce/verdict.h"

/** Experiment of a figure, as the manifest requests it. */
typedef struct odo_asked {
	odo_experiments all;            /**< all experiments of the configuration */
	odo_experiment *stated;         /**< experiment of the figure in it */
	odo_experiment_options options; /**< options of the manifest, which replace values of
					 * `stated` */
	odo_experiment x;               /**< both together; borrows from this struct */
	uint32_t seeds;                 /**< seeds of every point */
	uint32_t seeds_in_doubt;        /**< seeds of points in doubt; 0: no more than of others */
} odo_asked;

typedef struct odo_figure_state {
	const odo_manifest *manifest;
	const odo_figure *figure;
	const odo_record_row *again; /**< NULL if no point was run again */
	odo_asked asked;             /**< the experiment to be run */
	/** [odo_experiment_points(&asked.x)] the wanted points. Seeds beyond asked.seeds are wanted
	 * if a claim is in doubt, or was before they were run */
	bool *wanted;
	uint32_t n_asked, n_has; /**< points that are wanted, and those of them that exist */
	bool there;
	odo_result result;     /**< if it exists */
	odo_judgement *judged; /**< [claims_count] */
	unsigned count[3];     /**< by odo_claim_verdict */
	unsigned doubtful;     /**< verdicts that depend on the seed: odo_judgement_is_doubtful() */
	char *bounds;          /**< text of the file of bounds, or NULL */
	bool stale;            /**< it must be run again */
	bool others;           /**< the CSV was run for other curves, patterns, loads or seeds */
	bool whole;            /**< everything exists except further seeds of points in doubt */
	char age[300];         /**< in words: does this version give the same figures? */
} odo_figure_state;

/**
 * Find the state of a figure.
 * @param record results that were run again
 * @param out    for odo_figure_state_clear(), also after a failure; borrows the others
 * Errors: those of odo_experiments_read() and of reading the CSV; ODO_EINPUT if manifest,
 * configuration and CSV do not match.
 */
int odo_figure_state_make(const odo_manifest *m, const odo_figure *f, const odo_record *record,
			  odo_figure_state *out, odo_error *err);
void odo_figure_state_clear(odo_figure_state *s);

/** Load of a pattern that no split over the ways of a curve's tables can exceed; 0: unknown. */
double odo_figure_state_bound(const odo_figure_state *s, uint32_t curve, uint32_t pattern);

/** State in a word: "not run", "in part", "withdrawn", "stale", "same again" if a point was run
 * again with the same figures, or "not tried". */
const char *odo_figure_state_word(const odo_figure_state *s);

/** Write "agrees", "differs", "cannot be told", or how many of each. @param out [size] */
void odo_figure_state_verdict(const odo_figure_state *s, char *out, size_t size);

#endif
