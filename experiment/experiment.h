/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Experiments: figures and tables of papers as YAML files (configs/README.md lists their keys).
 * Each is run into one CSV file, with a gnuplot script beside it. A run can be resumed, and gives
 * the same bytes for any number of threads and ranks (sweep.h).
 */
#ifndef ODONATA_EXPERIMENT_EXPERIMENT_H
#define ODONATA_EXPERIMENT_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emulator/emulator.h"
#include "saturation/saturation.h"
#include "yaml/plain.h"

/** A line of a figure: a routing, on the experiment's model with the curve's own changes. */
typedef struct odo_curve {
	const char *name;
	const char *routing; /**< a policy with its options, or an engine of tables */
	const char *model;   /**< options added to the experiment's model, "" for none */
	const char *vlarb;   /**< file of VL arbitration tables (vlarb.h), or NULL */
} odo_curve;

/** Kind of a point. */
typedef enum odo_experiment_kind {
	ODO_EXPERIMENT_LOAD,       /**< one run at a load */
	ODO_EXPERIMENT_SATURATION, /**< a search for both figures of saturation.h */
	ODO_EXPERIMENT_BURST,      /**< cycles until all packets of every host have arrived */
	ODO_EXPERIMENT_WORKLOAD,   /**< cycles until a workload is done */
	ODO_EXPERIMENT_BOUND,      /**< a search in shares of the bound that the analyser finds
				    * (bound.h) */
} odo_experiment_kind;

enum odo_experiment_detail {
	ODO_DETAIL_SERIES = 1,   /**< by interval: loads and latency over time */
	ODO_DETAIL_PATH = 2,     /**< packets by number of hops */
	ODO_DETAIL_SWITCHES = 4, /**< packets injected by each switch */
	ODO_DETAIL_LATENCY = 8,  /**< packets by latency */
	ODO_DETAIL_CHANNELS = 16 /**< phits by each channel */
};

/** An experiment as read, with the form of every value checked. It owns all it points to. */
typedef struct odo_experiment {
	const char *path; /**< of the file, for messages */
	const char *text; /**< the file, or its expansion if it includes files or has variants */
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
	bool steady; /**< measure only once batches of `warmup` cycles are steady */
	odo_saturation_search search;
	uint32_t packets;     /**< per host, of a burst */
	uint64_t burst_bytes; /**< the same in bytes, sent in the packets of each curve's model; 0:
			       * use `packets` */
	uint32_t series;      /**< cycles of an interval of time series */
	uint32_t ranks;       /**< number of ranks of a workload; 0: all hosts */
	const char *placement;
	const char *columns; /**< columns of its CSV, if another version wrote it; NULL: today's */
	bool real;           /**< some curve's model defines bytes and time: figures in GB/s too */
	struct odo_experiment_file *file;
} odo_experiment;

/** Experiments of a file: a single one, or one for each variant. It owns all it points to. */
typedef struct odo_experiments {
	odo_experiment **experiment; /**< [n], each with its own name */
	uint32_t n;
	struct odo_source *files;
} odo_experiments;

/**
 * Read an experiment file and the files that it includes.
 * @param path "-" is standard input
 * @param out  for odo_experiments_free(); untouched by a failure
 * Errors: ODO_EINPUT as "file:line: expected ..., found ..."; ODO_EIO; ODO_ENOMEM.
 */
int odo_experiments_read(const char *path, odo_experiments *out, odo_error *err);
/** The same with the file in memory. Included files are searched in the folder of `path`.
 * @param text NUL-terminated at text[size] */
int odo_experiments_parse(const char *path, const char *text, size_t size, odo_experiments *out,
			  odo_error *err);
void odo_experiments_free(odo_experiments *all);

/**
 * Find the experiment of a name.
 * @param out borrowed from `all`
 * Errors: ODO_EINPUT if there is none.
 */
int odo_experiments_find(const odo_experiments *all, const char *name, odo_experiment **out,
			 odo_error *err);

/**
 * Read the text of an experiment that neither includes files nor has variants.
 * @param path for messages
 * @param text NUL-terminated at text[size]
 * @param out  for odo_experiment_free()
 * Errors: ODO_EINPUT as "file:line: expected ..., found ..."; ODO_ENOMEM.
 */
int odo_experiment_parse(const char *path, const char *text, size_t size, odo_experiment **out,
			 odo_error *err);
void odo_experiment_free(odo_experiment *x);

/** Find the place of `value` of `key`, for messages about its meaning. */
odo_text_place odo_experiment_find(const odo_experiment *x, const char *key, const char *value);

typedef struct odo_experiment_options {
	const char *folder;  /**< folder of <name>.csv and the other files; it exists */
	unsigned threads;    /**< points that run at a time; 0: 1 */
	uint64_t measured;   /**< above 0: measured cycles instead of the file's, for a quick look;
			      * the warm-up changes in proportion */
	uint32_t seeds;      /**< above 0: number of seeds instead of the file's */
	uint32_t packets;    /**< above 0: packets of each host's burst instead of the file's */
	const double *loads; /**< [n_loads] instead of the file's, for measure: load */
	uint32_t n_loads;    /**< 0: those of the file */
	const char *pattern; /**< run only points whose pattern begins with this text; NULL: all */
	const bool *only;    /**< [points] run only these; NULL: all */
	/** NULL, or a CSV of the same experiment with other curves, patterns, loads or seeds:
	 * points that it contains are copied from it. */
	const struct odo_result *known;
	/** NULL, or called to report progress, including shares of running points: by one thread at
	 * a time, while others work. */
	void (*progress)(void *context, double done, uint32_t n_points);
	void *context;
} odo_experiment_options;

/** Possible outcomes of a point, as its line names them. */
#define ODO_EXPERIMENT_OUTCOMES 5
extern const char *const odo_experiment_outcomes[ODO_EXPERIMENT_OUTCOMES];

/** Number of points. */
uint32_t odo_experiment_points(const odo_experiment *x);

/**
 * Run the points that are missing, and write <name>.csv, <name>.gp (from which gnuplot makes
 * <name>.svg) and a file for each detail and point.
 */
int odo_experiment_run(const odo_experiment *x, const odo_experiment_options *options,
		       odo_error *err);

/**
 * Run a single point, without files of details.
 * @param line [ODO_SWEEP_LINE] out: its line without its number (sweep/sweep.h), with today's
 * columns
 */
int odo_experiment_run_point(const odo_experiment *x, uint32_t point, char *line, odo_error *err);

/**
 * Draw the plots of a CSV again without running any point. The CSV may be incomplete, and any
 * version may have written it: <name>.gp and, for tables, <name>.md beside it.
 * @param path <name>.csv
 * @param out  the experiment of its head, for odo_experiment_free(); unchanged by a failure; or
 * NULL Errors: ODO_EINPUT if it is not a CSV of an experiment; ODO_EIO.
 */
int odo_experiment_redraw(const char *path, odo_experiment **out, odo_error *err);

/**
 * Count the outcomes of the points of a finished experiment.
 * @param count [ODO_EXPERIMENT_OUTCOMES] points, in the order of odo_experiment_outcomes
 * Errors: same as for reading <folder>/<name>.csv.
 */
int odo_experiment_count(const odo_experiment *x, const char *folder, uint32_t *count,
			 odo_error *err);

#endif
