/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What subcommands find, for the report, which has it on one page. */
#ifndef ODONATA_CLI_COMMANDS_PARTS_H
#define ODONATA_CLI_COMMANDS_PARTS_H

#include <jansson.h>

#include "cli/commands/losses.h"
#include "cli/system.h"
#include "experiment/search/bound.h"

/** What `map` says of dimensions, parts, levels and faults. @return 0, or -1 out of memory */
int cli_map_answer(json_t *answer, const odo_fabric *f, const odo_coordinates *c);

/** The verdict on tables, as `verify` gives it.
 * @return ODO_EUNSAFE where that is the answer, and not a failure to give one */
int cli_verify_answer(const cli_call *call, const cli_system *system, json_t *answer,
		      odo_error *err);

/**
 * Follow a traffic, as `analyze` does.
 * @param pattern "uniform", "worst", or for odo_traffic_create()
 * @param a       for odo_analysis_clear(), also after a failure
 * @param split   of adaptive tables; `a` is of the even split then
 * @param worst   of the pattern "worst", for odo_worst_clear(); `slot` is ODO_NONE before
 * @param index   of the pattern "uniform" and static tables: its forwarding index
 */
int cli_analyze_pattern(const cli_system *system, const char *pattern, uint64_t seed,
			odo_analysis *a, odo_split *split, odo_worst *worst, double *index,
			odo_error *err);
/** What `analyze` says of a traffic, the `n_worst` fullest channels by name.
 * @return 0, or -1 out of memory */
int cli_analyze_answer(json_t *answer, const cli_system *system, const char *pattern,
		       const odo_analysis *a, const odo_split *split, uint32_t n_worst);
/** Rows of bounds: of static tables under every traffic that a routing is judged by, of adaptive
 * ones under some.
 * @param worst_shift the shift that is worst, 0 for adaptive tables
 * @return NULL on failure: ODO_ENOMEM, or what odo_bounds_find() says */
json_t *cli_analyze_bounds_of(const cli_system *system, unsigned permutations, uint64_t seed,
			      uint32_t *worst_shift, odo_error *err);
/** What ports counted beside what a traffic would have put on them, if as much was sent in all; the
 * fullest cable first. @return 0, or -1 out of memory */
int cli_counters_answer(json_t *answer, const cli_system *system, const char *pattern,
			const odo_analysis *a);

/** Room for the tables of a comparison. */
enum { CLI_MOST_IMPORTED = 16 };

typedef struct cli_compare_settings {
	char *engines; /**< "NAME,NAME", or NULL */
	char *with[CLI_MOST_IMPORTED];
	unsigned n_with, permutations, vls;
	uint64_t seed;
	bool svg;
	const odo_watch *watch; /**< or NULL */
	bool hosts_only; /**< paths to switches' own LIDs are not judged */
} cli_compare_settings;

/**
 * A routing as a row of `compare`.
 * @param partial   the tables are not known in all that matters
 * @param n_changed entries; below 0: no such column
 */
int cli_compare_row(json_t *row, const char *name, odo_tables *t, const odo_coordinates *c,
		    bool partial, json_int_t n_changed, const cli_compare_settings *own,
		    odo_error *err);
/** Add "routings" and "declined", as `compare` does, of a fabric that is mapped. */
int cli_compare_answer(const cli_call *call, const cli_system *system,
		       const cli_compare_settings *own, json_t *answer, odo_error *err);

typedef struct cli_whatif_settings {
	cli_loss_settings losses;
	uint32_t worst;
} cli_whatif_settings;

/** Add what `whatif` finds, of tables that Odonata made. */
int cli_whatif_answer(const cli_call *call, const cli_system *system,
		      const cli_whatif_settings *own, json_t *answer, odo_error *err);

#endif
