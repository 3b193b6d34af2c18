/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Subnets: several inputs, and the parts of an input that no cable connects. Each subnet counts its
 * own LIDs. A subcommand whose row has `each` runs once for each subnet, and the answers become
 * one: a list "parts" with a row for each subnet, and their sum.
 */
#ifndef ODONATA_CLI_SUBNETS_H
#define ODONATA_CLI_SUBNETS_H

#include "cli/system.h"
#include "fabric/transform/transform.h"

/** Maximum number of parts of an input that are treated separately: twice the ports of a machine
 * with 8 adapters of 4 ports. */
enum { CLI_MOST_SUBNETS = 64 };

typedef struct cli_subnets {
	const char *input[CLI_MAX_ARGS]; /**< FABRIC arguments; none: the call's first argument */
	unsigned n_inputs, at_input;
	odo_fabric *whole;  /**< the current input, if it is in parts */
	odo_fabric *joined; /**< several inputs so far */
	uint32_t n, at;    /**< parts of the current input, 0 if it is one subnet; current one */
	bool torn;         /**< parts of an input may be one fabric that lost cables */
	uint64_t n_apart;  /**< pairs of hosts in different parts of such an input */
	uint32_t n_done;   /**< subnets that are answered */
	json_t *head;      /**< description of the current one: its number, its adapters */
	json_t *rows;      /**< answers */
	bool answered;     /**< some run gave an answer; others only wrote to call->out */
	int code;          /**< worst cli_exit of the answers */
	uint32_t n_failed; /**< subnets without an answer */
	int failed;        /**< status of the first failure */
	odo_error why;
} cli_subnets;

/** Take all arguments as inputs. Errors: ODO_EINPUT for several with --part. */
int cli_subnets_begin(cli_call *call, odo_error *err);

/** Return true if the answer is one of several. */
bool cli_is_one_of_several(const cli_call *call);

/** Return true if files about the input may be about other subnets, too. */
bool cli_is_of_part(const cli_call *call);

/** Split a fabric in parts, unless it is one subnet: replace system->fabric by its first part, and
 * keep the whole. A map of the whole that knows its topology keeps the parts together, because
 * they are then one fabric in which cables are missing.
 * @param c coordinates of the whole; NULL if it is not mapped yet */
int cli_subnets_split(cli_call *call, cli_system *system, const odo_coordinates *c, odo_error *err);

/** Return true if the call already has the next part of its input, and set system->fabric to it. */
bool cli_subnets_take(cli_call *call, cli_system *system, int *status, odo_error *err);

/** Note an input that is open. */
int cli_subnets_join(const cli_call *call, const odo_fabric *f, odo_error *err);

/** Describe the subnet that the next answer is about. */
void cli_subnets_describe(const cli_call *call, const odo_fabric *f);

/** Return the fabric of all subnets so far, or NULL if there is one subnet. */
const odo_fabric *cli_subnets_all(const cli_call *call);

/** Take the answer of a subnet, and go to the next one.
 * @param status of run()
 * @return true if run() must be called again */
bool cli_subnets_next(cli_call *call, int *status, odo_error *err);

/** Sum up the answers so far, with that of the current subnet, in call->result. */
void cli_subnets_interrupt(cli_call *call);

/** Sum up the answers in call->result. */
void cli_subnets_finish(cli_call *call, int *status, odo_error *err);

/** Maps of the parts of a fabric. */
typedef struct cli_part_maps {
	odo_coordinates *c[CLI_MOST_SUBNETS];
	odo_origin origin[CLI_MOST_SUBNETS];
	size_t n;
} cli_part_maps;

/** Map each part of a fabric, unless it is one fabric.
 * @param maps for cli_part_maps_clear(), also after a failure */
int cli_part_maps_make(const cli_system *system, cli_part_maps *maps, odo_error *err);
void cli_part_maps_clear(cli_part_maps *maps);

void cli_subnets_clear(cli_subnets *set);

#endif
