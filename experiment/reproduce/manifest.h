/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Manifest: the figures of papers for which there are results, and the papers' claims about them.
 * docs/results/papers.yaml is the project's; docs/results/manifest.md defines its keys.
 */
#ifndef ODONATA_EXPERIMENT_REPRODUCE_MANIFEST_H
#define ODONATA_EXPERIMENT_REPRODUCE_MANIFEST_H

#include <stdint.h>

#include "base/error.h"
#include "yaml/plain.h"

/* Keys missing in the file are NULL. */

/** The paper's word for a name of the experiment. */
typedef struct odo_paper_word {
	char *ours, *papers;
} odo_paper_word;

/** Points of a curve. */
typedef struct odo_pick {
	char *curve;
	char *pattern; /**< "all" is the mean over all patterns */
	char *load; /**< a load; "most" is the largest figure over all loads; NULL: the last load */
	char *rows; /**< rows of a file beside the CSV, "switch=0..11"; NULL: all */
} odo_pick;

/** Combination of several rows of a file beside the CSV. */
typedef enum odo_take { ODO_TAKE_MEAN, ODO_TAKE_SUM } odo_take;

typedef enum odo_rule {
	ODO_RULE_WITHIN,   /**< equal to the paper's value, within the tolerance */
	ODO_RULE_AT_LEAST, /**< not below the paper's value */
	ODO_RULE_AT_MOST,  /**< not above the paper's value */
} odo_rule;

/** A paper's claim, and the figure of ours that it is compared with. */
typedef struct odo_claim {
	char *says, *where;
	char *figure;        /**< a column of the CSV, or of the files beside it */
	char *detail;        /**< kind of the files, such as "switches"; NULL: the CSV */
	char *take;          /**< "mean", also if NULL, or "sum" */
	odo_pick *of, *over; /**< the figure, or its ratio to another figure; `over` is NULL for
			      * none */
	char *paper;         /**< "0.36" or "0.43..0.82" */
	char *tolerance,
		*rule; /**< a share of the paper's figure, 0.15 if NULL; "within" if NULL */
	char *note;
	/* The texts above, converted. */
	double low, high, allowed;
	odo_rule judged_by;
	odo_take taken;
} odo_claim;

/** A parameter that was varied because ours and the paper differ, and the result. */
typedef struct odo_variation {
	char *what, *found;
} odo_variation;

/** Values that replace those of the experiment, as options of `odonata experiment`. */
typedef struct odo_reduced {
	char *measured, *seeds, *packets;
	char *seeds_in_doubt; /**< NULL: that of the manifest */
	char **loads;
	uint32_t loads_count;
	/* Converted to numbers; 0 or NULL if absent. */
	uint32_t cycles, n_seeds, n_packets, in_doubt;
	double *at_loads;
} odo_reduced;

typedef struct odo_figure {
	char *name;   /**< name of the page */
	char *paper;  /**< "000" */
	char *figure; /**< "Figure 8a" */
	char *title;
	char *config, *experiment; /**< NULL: the experiment with the page's name */
	char *results;
	char *bounds; /**< CSV of tests/saturation/tool_split: fabric, engine, pattern, bound, ...
		       */
	char *unexplained;
	odo_reduced *run; /**< NULL: everything that the experiment states */
	char **pictures;  /**< further SVG files to show */
	odo_paper_word *words;
	odo_claim *claims;
	odo_variation *varied;
	uint32_t pictures_count, words_count, claims_count, varied_count;
} odo_figure;

typedef struct odo_paper {
	char *number, *title, *authors;
} odo_paper;

/** A manifest. It owns all it points to. Files are named relative to the manifest's folder. */
typedef struct odo_manifest {
	odo_paper *papers;
	odo_figure *figures;
	uint32_t papers_count, figures_count;
	/** Seeds of points that a claim names and whose verdict depends on the seed; NULL: no more
	 * than of others. */
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

/** Errors: ODO_EINPUT if there is no figure of that name. */
int odo_manifest_find(const odo_manifest *m, const char *name, const odo_figure **out,
		      odo_error *err);

/** Make the path of a file that the manifest names. @param path [size] */
void odo_manifest_path(const odo_manifest *m, const char *name, char *path, size_t size);

/** Return the paper's word for a pattern or curve; ours if it has none. */
const char *odo_figure_word(const odo_figure *f, const char *ours);

#endif
