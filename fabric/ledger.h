/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The ledger of a fabric's input: lines that were passed over and contradictions that were
 * repaired, counted by sort. Readers and the builder write it; answers name it beside whatever was
 * found.
 */
#ifndef ODONATA_FABRIC_LEDGER_H
#define ODONATA_FABRIC_LEDGER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Sorts of entries. Each has a row in ledger.c, which says it in words. */
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
	uint32_t n;       /**< how often */
	uint32_t line;    /**< of the first; 0 where it is about no line */
	char example[72]; /**< the first, in words; "" where the line says it */
} odo_ledger_entry;

typedef struct odo_ledger {
	odo_ledger_entry of[ODO_N_REPAIRS];
} odo_ledger;

/** Count one more of a sort. @param line 0 for none @param format of the example, NULL for none */
void odo_ledger_add(odo_ledger *ledger, odo_repair sort, uint32_t line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/** Add all entries of another ledger; examples of the first stay. */
void odo_ledger_join(odo_ledger *ledger, const odo_ledger *more);

/** What was done, as a phrase: "took a cable that only one of its ends lists". */
const char *odo_repair_text(odo_repair sort);

/** Could the fabric be another than the one that is read? Else only noise was passed over. */
bool odo_repair_matters(odo_repair sort);

bool odo_ledger_is_empty(const odo_ledger *ledger);
/** Has it an entry that matters? @param ledger NULL has none */
bool odo_ledger_matters(const odo_ledger *ledger);

/** Write an entry: "took ... (3 times): the first". */
void odo_ledger_write(const odo_ledger *ledger, odo_repair sort, FILE *to);

/** Lines "origin:line: entry" for free(), or NULL for an empty ledger or without memory. */
char *odo_ledger_notes(const odo_ledger *ledger, const char *origin);

/** The same in one line: "origin:line: entry; line 7: entry". */
char *odo_ledger_warning(const odo_ledger *ledger, const char *origin);

#endif
