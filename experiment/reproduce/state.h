/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What is there of a figure: its CSV, how old that is, and what it says about the claims. */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_STATE_H
#define ODONATA_EXPERIMENT_REPRODUCE_STATE_H

#include "experiment/reproduce/asked.h"
#include "experiment/reproduce/manifest.h"
#include "experiment/reproduce/record.h"
#include "experiment/reproduce/verdict.h"

typedef struct odo_figure_state {
	const odo_manifest *manifest;
	const odo_figure *figure;
	const odo_record_row *again; /**< NULL where nobody tried */
	odo_asked asked;             /**< what is to be run */
	/** [odo_experiment_points(&asked.x)] which of its points are to be there: seeds beyond
	 * asked.seeds where a claim is in doubt, or was before they were run */
	bool *wanted;
	uint32_t n_asked, n_has; /**< points wanted, and how many of them there are */
	bool there;
	odo_result result;     /**< where it is there */
	odo_judgement *judged; /**< [claims_count] */
	unsigned count[3];     /**< by odo_verdict */
	unsigned hang;         /**< of these, on the seed: odo_judgement_hangs() */
	char *bounds;          /**< text of the file of bounds, or NULL */
	bool stale;            /**< to be run anew */
	bool others;           /**< the CSV was run for other curves, patterns, loads or seeds */
	bool whole;            /**< all is there but seeds of points in doubt */
	char age[300];         /**< in words: whether this version makes the same */
} odo_figure_state;

/**
 * @param record what is known of results that were run again
 * @param out    for odo_figure_state_clear(), also after a failure; borrows the others
 * Errors: those of odo_asked_read(), of reading the CSV, and ODO_EINPUT for claims that do not go
 * with it.
 */
int odo_figure_state_make(const odo_manifest *m, const odo_figure *f, const odo_record *record,
			  odo_figure_state *out, odo_error *err);
void odo_figure_state_clear(odo_figure_state *s);

/** What no split over the ways that a curve's tables allow can carry of a pattern; 0: not known. */
double odo_figure_state_bound(const odo_figure_state *s, uint32_t curve, uint32_t pattern);

/** What is there of it: "not run", "in part", "withdrawn", "stale", "same again" where a point of
 * it was run again, or "not tried". */
const char *odo_figure_state_word(const odo_figure_state *s);

/** "agrees", "differs", "cannot be told", or how many of each. @param out [size] */
void odo_figure_state_verdict(const odo_figure_state *s, char *out, size_t size);

#endif
