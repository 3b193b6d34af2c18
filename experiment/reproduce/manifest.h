/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The manifest: which figures of which papers there are results of, and what the papers say about
 * them. docs/results/papers.yaml is the project's; docs/results/manifest.md tells its keys.
 */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_MANIFEST_H
#define ODONATA_EXPERIMENT_REPRODUCE_MANIFEST_H

#include <stdint.h>

#include "base/error.h"
#include "experiment/text/plain.h"

/* What is not in the file is NULL. */

/** Another word for a name of the experiment's, which the paper has. */
typedef struct odo_paper_word {
	char *ours, *papers;
} odo_paper_word;

/** Points of a curve. */
typedef struct odo_pick {
	char *curve;
	char *pattern; /**< "all" is the mean over all patterns */
	char *load; /**< a load; "most" is the greatest figure over all loads; NULL: the last load
		     */
	char *rows; /**< of a file beside the CSV, "switch=0..11"; NULL: all */
} odo_pick;

/** What is made of several rows of a file beside the CSV. */
typedef enum odo_take { ODO_TAKE_MEAN, ODO_TAKE_SUM } odo_take;

typedef enum odo_rule {
	ODO_RULE_WITHIN,   /**< as the paper says, by the tolerance */
	ODO_RULE_AT_LEAST, /**< not below it */
	ODO_RULE_AT_MOST,  /**< not above it */
} odo_rule;

/** What a paper says, and which of our figures it is held against. */
typedef struct odo_claim {
	char *says, *where;
	char *figure;        /**< a column of the CSV, or of the files beside it */
	char *detail;        /**< which files: "switches"; NULL: the CSV */
	char *take;          /**< "mean", also if NULL, or "sum" */
	odo_pick *of, *over; /**< the figure, or its ratio to another's; over is NULL for none */
	char *paper;         /**< "0.36" or "0.43..0.82" */
	char *tolerance,
		*rule; /**< a share of the paper's figure, 0.15 if NULL; "within" if NULL */
	char *note;
	/* Of these texts: */
	double low, high, allowed;
	odo_rule judged_by;
	odo_take taken;
} odo_claim;

/** What was varied because ours and the paper differ, and what came out. */
typedef struct odo_variation {
	char *what, *found;
} odo_variation;

/** What is run instead of what the experiment states, as options of `odonata experiment`. */
typedef struct odo_reduced {
	char *measured, *seeds, *packets;
	char *seeds_in_doubt; /**< NULL: the manifest's */
	char **loads;
	uint32_t loads_count;
	/* As numbers; 0 or NULL where that is not stated. */
	uint32_t cycles, n_seeds, n_packets, in_doubt;
	double *at_loads;
} odo_reduced;

typedef struct odo_figure {
	char *name;   /**< of the page */
	char *paper;  /**< "000" */
	char *figure; /**< "Figure 8a" */
	char *title;
	char *config, *experiment; /**< NULL: that with the page's name */
	char *results;
	char *bounds; /**< CSV of tests/experiment/tool_split: fabric, engine, pattern, bound, ...
		       */
	char *unexplained;
	odo_reduced *run; /**< NULL: all that the experiment states */
	char **pictures;  /**< SVG files to show besides */
	odo_paper_word *words;
	odo_claim *claims;
	odo_variation *varied;
	uint32_t pictures_count, words_count, claims_count, varied_count;
} odo_figure;

typedef struct odo_paper {
	char *number, *title, *authors;
} odo_paper;

/** Owns all it points to. Files are named from the manifest's folder. */
typedef struct odo_manifest {
	odo_paper *papers;
	odo_figure *figures;
	uint32_t papers_count, figures_count;
	/** Of points that a claim names whose verdict hangs on the seed; NULL: no more than others.
	 */
	char *seeds_in_doubt;
	uint32_t in_doubt; /**< the same as a number, or 0 */
	char *folder;      /**< of the manifest, "." if it has none */
} odo_manifest;

/**
 * Read a manifest, and check every value for its form.
 * @param out for odo_manifest_free()
 * Errors: ODO_EINPUT as "file:line: expected ..., found ..."; ODO_EIO; ODO_ENOMEM.
 */
int odo_manifest_read(const char *path, odo_manifest **out, odo_error *err);
void odo_manifest_free(odo_manifest *m);

/** Errors: ODO_EINPUT where there is none of that name. */
int odo_manifest_find(const odo_manifest *m, const char *name, const odo_figure **out,
		      odo_error *err);

/** A file that the manifest names. @param path [size] */
void odo_manifest_path(const odo_manifest *m, const char *name, char *path, size_t size);

/** The paper's word for a pattern or curve; ours where it has none. */
const char *odo_figure_word(const odo_figure *f, const char *ours);

#endif
