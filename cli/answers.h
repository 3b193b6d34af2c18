/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Parts of answers that several subcommands give. */
#ifndef ODONATA_CLI_ANSWERS_H
#define ODONATA_CLI_ANSWERS_H

#include <jansson.h>

#include "cli/command.h"
#include "cli/terminal/answer.h"
#include "fabric/coordinates.h"
#include "fabric/fabric.h"
#include "routing/tables.h"
#include "routing/verify/sls.h"
#include "routing/verify/verify.h"

/** Add "tables": whether tables of a live subnet are the installed ones, or computed. */
void cli_answer_origin(json_t **answer, const cli_call *call);

/** Add the number of parts that no cable connects, if there are several. */
void cli_answer_parts(json_t **answer, const odo_fabric *f);

/** Add topology, size and parts of a fabric.
 * @param c NULL if not mapped */
void cli_answer_fabric(json_t **answer, const odo_fabric *f, const odo_coordinates *c);

/** Add a port as three columns of a row: node description, GUID, port number. */
void cli_answer_end(json_t **row, const odo_fabric *f, uint32_t slot, const char *name_key,
		    const char *guid_key, const char *port_key);
/** Return a row with both ends of a cable: from, from_guid, from_port, to, to_guid, to_port. */
json_t *cli_json_cable(const odo_fabric *f, uint32_t slot);

/** Return "description port 3", or null for ODO_NONE. */
json_t *cli_json_port(const odo_fabric *f, uint32_t slot);

/** Return width and speed of a cable: "4xHDR". */
json_t *cli_json_rate(const odo_fabric *f, uint32_t slot);

/** Unit of loads. */
typedef enum cli_load_unit {
	CLI_LOAD_OF_HOSTS,  /**< the fastest cable of a host */
	CLI_LOAD_OF_CABLES, /**< the fastest cable */
	CLI_LOAD_OF_PHITS   /**< a phit a cycle on any cable, however fast it is */
} cli_load_unit;

/** Add the unit of loads in words, if not all cables of the fabric have the same rate. */
void cli_answer_load_unit(json_t **answer, const odo_fabric *f, cli_load_unit unit);

/** Return coordinates; null for an unknown one. */
json_t *cli_json_place(const uint32_t *at, unsigned n_dims);

/** Add engine, profile, and the VLs, SLs and SL2VL maps that the tables need. */
void cli_answer_tables(json_t **answer, const odo_tables *t);

/** Return true if the SLs of some paths are unknown, and tables have several SLs. */
bool cli_lacks_sls(const odo_tables *t);
/** Return true also if SLs are guessed from those of another host on the same switch. */
bool cli_guesses_sls(const odo_tables *t);

/** Return true, false, or "incomplete" if neither would be true.
 * @param safe    verdict of the verifier
 * @param partial some tables that matter are not known */
json_t *cli_answer_safe(const odo_tables *t, bool safe, bool partial);
/** Add whether tables are safe with path SLs, and on which SLs they are safe for packets that do
 * not carry the SL of their path.
 * @param safe  value for path SLs, taken over; NULL if "safe" alone has it
 * @param known false if another fact than the SLs could change the verdict */
void cli_answer_sls(json_t **answer, const odo_tables *t, json_t *safe, const odo_sl_verdict *sls,
		    bool known);
/** Replace a verdict by "incomplete" if it covers only some packets, or if a no depends on guessed
 * SLs.
 * @param safe taken over */
json_t *cli_answer_within(json_t *safe, const odo_tables *t, const odo_verdict *verdict,
			  const odo_sl_verdict *sls);
/** Add the scope of a verdict in one line: pairs followed of how many, LIDs left out or without a
 * port, assumptions. */
void cli_answer_scope(json_t **answer, const odo_tables *t, const odo_verdict *verdict);
#define CLI_HOSTS_ADVICE                                                                           \
	"only paths to switches' own LIDs are wrong or missing; OpenSM's updn and ftree leave "    \
	"out "                                                                                     \
	"those between root switches unless connect_roots is TRUE; --hosts-only leaves them out "  \
	"here"
/** Add that hosts are safe, with advice, if only paths to switches' own LIDs are wrong.
 * @param status of odo_verify() */
void cli_answer_hosts(json_t **answer, const odo_tables *t, int status);
/** Add a verdict, with its cycle link by link. A property that depends on unread tables is null. */
void cli_answer_verdict(json_t **answer, const odo_tables *t, const odo_verdict *verdict);
/** Add the number of paths of a fat tree that go down and up again, if there are any. Errors:
 * ODO_ENOMEM. */
int cli_answer_turns(json_t **answer, const odo_tables *t, const odo_coordinates *c,
		     odo_error *err);

/** Return "ib", "ib-ar", ... */
const char *cli_profile_name(odo_profile profile);

#endif
