/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Ledger of a fabric's input: ignored lines and repaired contradictions, counted by sort. Readers
 * and the builder write it, and answers report it.
 */
#ifndef ODONATA_FABRIC_LEDGER_H
#define ODONATA_FABRIC_LEDGER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Sorts of entries. Each has a row in ledger.c with its text. */
typedef enum odo_repair {
	ODO_REPAIR_TALK,
	ODO_REPAIR_FRAME,
	ODO_REPAIR_BYTES,
	ODO_REPAIR_SCANS,
	ODO_REPAIR_NO_LID,
	ODO_REPAIR_SUBNETS,
	ODO_REPAIR_SILENT,
	ODO_REPAIR_LINE,
	ODO_REPAIR_NODE,
	ODO_REPAIR_PORT,
	ODO_REPAIR_ONE_END,
	ODO_REPAIR_UNDEFINED,
	ODO_REPAIR_UNKNOWN_END,
	ODO_REPAIR_DISAGREE,
	ODO_REPAIR_RATE,
	ODO_REPAIR_LID,
	ODO_REPAIR_LID_TWICE,
	ODO_REPAIR_GUID,
	ODO_N_REPAIRS
} odo_repair;

typedef struct odo_ledger_entry {
	uint32_t n;       /**< number of times */
	uint32_t line;    /**< line of the first; 0 if it concerns no line */
	char example[72]; /**< the first in words; "" if the line suffices */
} odo_ledger_entry;

typedef struct odo_ledger {
	odo_ledger_entry of[ODO_N_REPAIRS];
} odo_ledger;

/** Count an entry of a sort.
 * @param line 0 for none
 * @param format of the example, NULL for none */
void odo_ledger_add(odo_ledger *ledger, odo_repair sort, uint32_t line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/** Add all entries of another ledger. Examples already present are kept. */
void odo_ledger_join(odo_ledger *ledger, const odo_ledger *more);

/** Return the description of a sort, such as "took a cable that only one of its ends lists". */
const char *odo_repair_text(odo_repair sort);

/** Return true if the fabric may differ from the intended one. Otherwise only noise was ignored. */
bool odo_repair_matters(odo_repair sort);

bool odo_ledger_is_empty(const odo_ledger *ledger);
/** Return true if some entry matters.
 * @param ledger NULL has no entries */
bool odo_ledger_matters(const odo_ledger *ledger);

/** Write an entry: "took ... (3 times): the first". */
void odo_ledger_write(const odo_ledger *ledger, odo_repair sort, FILE *to);

/** Write lines "origin:line: entry", for free(). Return NULL for an empty ledger or without
 * memory. */
char *odo_ledger_notes(const odo_ledger *ledger, const char *origin);

/** Write the same in one line: "origin:line: entry; line 7: entry". */
char *odo_ledger_warning(const odo_ledger *ledger, const char *origin);

#endif
