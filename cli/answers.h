/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Parts of answers that several subcommands give. Each returns 0, or -1 out of memory. */
#ifndef ODONATA_CLI_ANSWERS_H
#define ODONATA_CLI_ANSWERS_H

#include <jansson.h>

#include "cli/command.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"
#include "routing/tables.h"
#include "routing/verify/sls.h"
#include "routing/verify/verify.h"

/** Where tables of a live subnet come from: installed there, or computed. */
int cli_answer_origin(json_t *answer, const cli_call *call);

/** How many parts a fabric is in that no cable connects, where it is not in one. */
int cli_answer_parts(json_t *answer, const odo_fabric *f);

/** What a fabric is, how large, and its parts. @param c NULL if not mapped */
int cli_answer_fabric(json_t *answer, const odo_fabric *f, const odo_coordinates *c);

/** A port as three columns of a row: node description, GUID, port number. */
int cli_answer_end(json_t *row, const odo_fabric *f, uint32_t slot, const char *name_key,
		   const char *guid_key, const char *port_key);

/** Width and speed of a cable: "4xHDR". */
json_t *cli_json_rate(const odo_fabric *f, uint32_t slot);

/** What loads are shares of. */
typedef enum cli_load_unit {
	CLI_LOAD_OF_HOSTS,  /**< the fastest cable of a host */
	CLI_LOAD_OF_CABLES, /**< the fastest cable */
	CLI_LOAD_OF_PHITS   /**< a phit a cycle on any cable, however fast it is */
} cli_load_unit;

/** What load 1 is, in words, of a fabric whose cables do not all run alike; else nothing. */
int cli_answer_load_unit(json_t *answer, const odo_fabric *f, cli_load_unit unit);

/** Coordinates; null for one that is not known. */
json_t *cli_json_place(const uint32_t *at, unsigned n_dims);

/** Engine, profile, and what the tables ask of the switches. */
int cli_answer_tables(json_t *answer, const odo_tables *t);

/** Are there paths of whose SL nobody said anything, where others have several? */
bool cli_lacks_sls(const odo_tables *t);
/** The same, or of another host's on their switch alone. */
bool cli_guesses_sls(const odo_tables *t);

/** Whether tables are safe: true, false or "incomplete", where neither would be true.
 * @param safe    what the verifier found
 * @param partial the tables are not known in all that matters */
json_t *cli_answer_safe(const odo_tables *t, bool safe, bool partial);
/** For whom tables are safe: with path SLs as cli_answer_safe() says, and on which SLs for packets
 * that do not carry the SL of their path.
 * @param safe  of packets with path SLs, taken over; NULL where "safe" alone says so
 * @param known nothing but the SLs could make the verdict another one */
int cli_answer_sls(json_t *answer, const odo_tables *t, json_t *safe, const odo_sl_verdict *sls,
		   bool known);
/** Where a verdict is about less than all, or rests on a guess: "incomplete" in place of yes, and
 * of no where that hangs on guessed SLs. @param safe consumed @return the answer */
json_t *cli_answer_within(json_t *safe, const odo_tables *t, const odo_verdict *verdict,
			  const odo_sl_verdict *sls);
/** The scope of a verdict in one line: pairs followed of how many, LIDs left out or without a port,
 * what was assumed. */
int cli_answer_scope(json_t *answer, const odo_tables *t, const odo_verdict *verdict);
#define CLI_HOSTS_ADVICE                                                                           \
	"only paths to switches' own LIDs are wrong or missing; OpenSM's updn and ftree leave "    \
	"out "                                                                                     \
	"those between root switches unless connect_roots is TRUE; --hosts-only leaves them out "  \
	"here"
/** Where only paths to switches' own LIDs are wrong: that hosts are safe, and what to do.
 * @param status of odo_verify(). @return 0, -1 out of memory */
int cli_answer_hosts(json_t *answer, const odo_tables *t, int status);
/** A verdict, with its cycle link by link. What nobody knows, since tables were not read, is null.
 */
int cli_answer_verdict(json_t *answer, const odo_tables *t, const odo_verdict *verdict);
/** How many paths of a fat tree go down and up again, if any do. Errors: ODO_ENOMEM. */
int cli_answer_turns(json_t *answer, const odo_tables *t, const odo_coordinates *c, odo_error *err);

/** "ib", "ib-ar", ... */
const char *cli_profile_name(odo_profile profile);

#endif
