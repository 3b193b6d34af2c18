/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Experiments: figures and tables of papers as YAML files (configs/README.md tells their keys),
 * each run into one CSV file, with a gnuplot script beside it. Resumable, and the same bytes for
 * any number of threads and ranks (sweep.h).
 */
#ifndef ODONATA_EXPERIMENT_EXPERIMENT_H
#define ODONATA_EXPERIMENT_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emulator/emulator.h"
#include "experiment/search/saturation.h"
#include "experiment/text/plain.h"

/** One line of a figure: a routing, on the experiment's model with changes of its own. */
typedef struct odo_curve {
	const char *name;
	const char *routing; /**< a policy with its options, or an engine of tables */
	const char *model;   /**< options added to the experiment's model, "" for none */
	const char *vlarb;   /**< file of VL arbitration tables (vlarb.h), or NULL */
} odo_curve;

/** What a point is. */
typedef enum odo_experiment_kind {
	ODO_EXPERIMENT_LOAD,       /**< one run at a load */
	ODO_EXPERIMENT_SATURATION, /**< a search, both figures of saturation.h */
	ODO_EXPERIMENT_BURST,      /**< cycles until every host's packets have arrived */
	ODO_EXPERIMENT_WORKLOAD,   /**< cycles until a workload is done */
	ODO_EXPERIMENT_BOUND,      /**< a search in shares of the analyser's bound (bound.h) */
} odo_experiment_kind;

enum odo_experiment_detail {
	ODO_DETAIL_SERIES = 1,   /**< by interval: loads and latency over time */
	ODO_DETAIL_PATH = 2,     /**< packets by number of hops */
	ODO_DETAIL_SWITCHES = 4, /**< packets injected by each switch */
	ODO_DETAIL_LATENCY = 8,  /**< packets by latency */
	ODO_DETAIL_CHANNELS = 16 /**< phits by each channel */
};

/** As read, every value checked for its form. Owns all it points to. */
typedef struct odo_experiment {
	const char *path; /**< of the file, for messages */
	const char *text; /**< the file, or what stands for it where it includes or has variants */
	const char *name, *title, *paper;
	const char *fabric, *model;
	odo_experiment_kind kind;
	uint32_t details; /**< odo_experiment_detail */
	uint32_t lmc;
	bool shuffled;
	uint64_t shuffle; /**< seed */
	double damage_switches, damage_links;
	uint64_t damage_seed;
	const odo_curve *curves;
	const char *const *patterns; /**< or workloads */
	const double *loads;
	uint32_t n_curves, n_patterns, n_loads, n_seeds;
	uint64_t first_seed, warmup, measured;
	bool steady; /**< measure only once batches of `warmup` cycles hold still */
	odo_saturation_search search;
	uint32_t packets;     /**< per host, of a burst */
	uint64_t burst_bytes; /**< the same in bytes, in the packets of each curve's model; 0:
				 `packets` */
	uint32_t series;      /**< cycles of an interval */
	uint32_t ranks;       /**< of a workload; 0: all hosts */
	const char *placement;
	const char *columns; /**< of its CSV, where another version wrote it; NULL: today's */
	bool real;           /**< some curve's model knows bytes and time: figures in GB/s, too */
	struct odo_experiment_file *file;
} odo_experiment;

/** All experiments of a file: one, or one for each of its variants. Owns all it points to. */
typedef struct odo_experiments {
	odo_experiment **experiment; /**< [n], each with a name of its own */
	uint32_t n;
	struct odo_source *files;
} odo_experiments;

/**
 * Read an experiment file and those that it includes.
 * @param path "-" is standard input
 * @param out  for odo_experiments_free(); untouched by a failure
 * Errors: ODO_EINPUT as "file:line: expected ..., found ..."; ODO_EIO; ODO_ENOMEM.
 */
int odo_experiments_read(const char *path, odo_experiments *out, odo_error *err);
/** The same with the file in memory. What it includes is looked for where `path` is.
 * @param text NUL-terminated at text[size] */
int odo_experiments_parse(const char *path, const char *text, size_t size, odo_experiments *out,
			  odo_error *err);
void odo_experiments_free(odo_experiments *all);

/**
 * The experiment of that name.
 * @param out borrowed from `all`
 * Errors: ODO_EINPUT where there is none.
 */
int odo_experiments_find(const odo_experiments *all, const char *name, odo_experiment **out,
			 odo_error *err);

/**
 * Read the text of one experiment, which neither includes nor has variants.
 * @param path for messages
 * @param text NUL-terminated at text[size]
 * @param out  for odo_experiment_free()
 * Errors: ODO_EINPUT as "file:line: expected ..., found ..."; ODO_ENOMEM.
 */
int odo_experiment_parse(const char *path, const char *text, size_t size, odo_experiment **out,
			 odo_error *err);
void odo_experiment_free(odo_experiment *x);

/** Where `value` of `key` stands; for messages about what it means. */
odo_experiment_place odo_experiment_find(const odo_experiment *x, const char *key,
					 const char *value);

typedef struct odo_experiment_options {
	const char *folder;  /**< where <name>.csv and the rest go; it exists */
	unsigned threads;    /**< points under way at a time; 0: 1 */
	uint64_t measured;   /**< above 0: cycles instead of the file's (warm-up alike in
				  proportion), for a quick look */
	uint32_t seeds;      /**< above 0: so many instead of the file's, alike */
	uint32_t packets;    /**< above 0: packets of a host's burst instead of the file's */
	const double *loads; /**< [n_loads] instead of the file's, for measure: load */
	uint32_t n_loads;    /**< 0: the file's */
	const char *pattern; /**< run no points but those whose pattern begins so; NULL: all */
	const bool *only;    /**< [points] run no others; NULL: all */
	/** NULL, or a CSV of the same experiment with other curves, patterns, loads or seeds:
	 * points that are in it are taken from there. */
	const struct odo_result *known;
	/** NULL, or told what is done, the shares of points under way included: by one thread at a
	 * time, while others work. */
	void (*progress)(void *context, double done, uint32_t n_points);
	void *context;
} odo_experiment_options;

/** What may have become of a point, as its line says. */
#define ODO_EXPERIMENT_OUTCOMES 5
extern const char *const odo_experiment_outcomes[ODO_EXPERIMENT_OUTCOMES];

/** Number of points. */
uint32_t odo_experiment_points(const odo_experiment *x);

/**
 * Run what is missing of it, and write <name>.csv, <name>.gp (gnuplot, which makes <name>.svg
 * of it) and a file for each detail and point.
 */
int odo_experiment_run(const odo_experiment *x, const odo_experiment_options *options,
		       odo_error *err);

/**
 * Run one point by itself, without files of details.
 * @param line [ODO_SWEEP_LINE] its line without its number (sweep/sweep.h), today's columns
 */
int odo_experiment_run_point(const odo_experiment *x, uint32_t point, char *line, odo_error *err);

/**
 * Run nothing, but draw anew what a CSV holds, all of it or not, whichever version wrote it:
 * <name>.gp and, for tables, <name>.md beside it.
 * @param path <name>.csv
 * @param out  the experiment in its head, for odo_experiment_free()
 * Errors: ODO_EINPUT where it is no such CSV; ODO_EIO.
 */
int odo_experiment_redraw(const char *path, odo_experiment **out, odo_error *err);

/**
 * What became of the points of a finished experiment.
 * @param count [ODO_EXPERIMENT_OUTCOMES] points, in the order of odo_experiment_outcomes
 * Errors: those of reading <folder>/<name>.csv.
 */
int odo_experiment_count(const odo_experiment *x, const char *folder, uint32_t *count,
			 odo_error *err);

#endif
