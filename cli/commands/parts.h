/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Results of subcommands for the report, which shows them on one page. */
#ifndef ODONATA_CLI_COMMANDS_PARTS_H
#define ODONATA_CLI_COMMANDS_PARTS_H

#include <jansson.h>

#include "cli/parts/losses.h"
#include "cli/system.h"
#include "saturation/bound.h"

/** Add dimensions, parts, levels and faults, as `map` does. */
void cli_map_answer(json_t **answer, const odo_fabric *f, const odo_coordinates *c);

/** Add the verdict on tables, as `verify` does.
 * @return ODO_EUNSAFE if that is the verdict */
int cli_verify_answer(const cli_call *call, const cli_system *system, json_t **answer,
		      odo_error *err);

/** A traffic that was followed through tables. */
typedef struct cli_followed {
	odo_analysis analysis; /**< of the even split, if tables are adaptive */
	odo_split split;       /**< of adaptive tables */
	odo_worst worst;       /**< of the pattern "worst"; else `slot` is ODO_NONE */
	double index;          /**< forwarding index, of uniform traffic and static tables */
} cli_followed;

/**
 * Follow a traffic, as `analyze` does.
 * @param pattern "uniform", "worst", or for odo_traffic_create()
 * @param x for cli_followed_clear(), also after a failure
 */
int cli_analyze_pattern(const cli_system *system, const char *pattern, uint64_t seed,
			cli_followed *x, odo_error *err);
void cli_followed_clear(cli_followed *x);
/** Add the results of `analyze` for a traffic, with the `n_worst` fullest channels by name.
 * @param real also loads in GB/s, if every host sends at its full rate */
void cli_analyze_answer(json_t **answer, const cli_system *system, const char *pattern,
			const cli_followed *x, uint32_t n_worst, bool real);
/** Make rows of bounds: for static tables under every traffic by which a routing is judged, for
 * adaptive ones under some.
 * @param worst_shift gets the worst shift, 0 for adaptive tables
 * @return NULL on failure: ODO_ENOMEM, or an error of odo_bounds_find() */
json_t *cli_analyze_bounds_of(const cli_system *system, unsigned permutations, uint64_t seed,
			      uint32_t *worst_shift, odo_error *err);
/** Add counters of ports beside the load of a traffic, scaled to the same sum, the fullest cable
 * first; and the error counters above their thresholds, the most above first.
 * @param thresholds file of ibqueryerrors with others than the usual ones, or NULL
 * Errors: ODO_EINPUT, ODO_EIO, ODO_ENOMEM. */
int cli_counters_answer(json_t **answer, const cli_system *system, const char *pattern,
			const char *thresholds, const odo_analysis *a, odo_error *err);
/** Write the counters and the predicted load of each port as series of Prometheus. Errors:
 * ODO_ENOMEM. */
int cli_counters_write(const cli_system *system, const odo_analysis *a, FILE *to, odo_error *err);

/** Maximum number of imported tables in a comparison. */
enum { CLI_MOST_IMPORTED = 16 };

typedef struct cli_compare_settings {
	char *engines; /**< "NAME,NAME", or NULL */
	char *with[CLI_MOST_IMPORTED];
	unsigned n_with, permutations, vls;
	uint64_t seed;
	bool svg;
	const odo_watch *watch; /**< may be NULL */
	bool hosts_only;        /**< do not judge paths to switches' own LIDs */
} cli_compare_settings;

/**
 * Make a row of `compare`; NULL on failure.
 * @param partial important parts of the tables are unknown
 * @param n_changed changed entries; below 0: no such column
 */
int cli_compare_row(json_t **row, const char *name, odo_tables *t, const odo_coordinates *c,
		    bool partial, json_int_t n_changed, const cli_compare_settings *own,
		    odo_error *err);
/** Add "routings" and "declined" of a mapped fabric, as `compare` does. */
int cli_compare_answer(const cli_call *call, const cli_system *system,
		       const cli_compare_settings *own, json_t **answer, odo_error *err);

typedef struct cli_whatif_settings {
	cli_loss_settings losses;
	uint32_t worst;
} cli_whatif_settings;

/** Add the results of `whatif` for tables that Odonata made. */
int cli_whatif_answer(const cli_call *call, const cli_system *system,
		      const cli_whatif_settings *own, json_t **answer, odo_error *err);

#endif
