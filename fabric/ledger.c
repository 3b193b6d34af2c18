/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/ledger.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

static const struct row {
	const char *text;
	bool matters; /* the fabric may differ from the intended one */
} rows[ODO_N_REPAIRS] = {
	[ODO_REPAIR_TALK] = {"passed over a line that no tool writes into such a file", false},
	[ODO_REPAIR_FRAME] = {"took off what stands before each line", false},
	[ODO_REPAIR_BYTES] = {"left out a zero byte", false},
	[ODO_REPAIR_SCANS] = {"found two scans of one subnet in one file: the last one counts",
			      false},
	[ODO_REPAIR_NO_LID] = {"passed over LID 65535, of a port that initialises", false},
	[ODO_REPAIR_SUBNETS] = {"found subnets with the same LIDs: LIDs count within each part",
				false},
	[ODO_REPAIR_SILENT] = {"passed over a query that failed: nodes behind it may be missing",
			       true},
	[ODO_REPAIR_LINE] = {"passed over a line that is not understood", true},
	[ODO_REPAIR_NODE] = {"found a node twice: the last one counts", true},
	[ODO_REPAIR_PORT] = {"left out a port that contradicts its node or itself", true},
	[ODO_REPAIR_ONE_END] = {"took a cable that only one of its ends lists (is the file cut "
				"off?)",
				true},
	[ODO_REPAIR_UNDEFINED] = {"took a node that only its peers' lines name", true},
	[ODO_REPAIR_UNKNOWN_END] = {"left out a cable to a node that the file does not define",
				    true},
	[ODO_REPAIR_DISAGREE] = {"left out a cable on which its ends disagree", true},
	[ODO_REPAIR_RATE] = {"took the lower rate of a cable whose ends disagree", true},
	[ODO_REPAIR_LID] = {"passed over a LID or LMC that no port can have", true},
	[ODO_REPAIR_LID_TWICE] = {"gave another LID where two ends have the same", true},
	[ODO_REPAIR_GUID] = {"gave another GUID where two nodes have the same", true},
};

void odo_ledger_add(odo_ledger *ledger, odo_repair sort, uint32_t line, const char *format, ...)
{
	odo_ledger_entry *entry = &ledger->of[sort];
	if (entry->n++)
		return;
	entry->line = line;
	if (!format)
		return;
	va_list args;
	va_start(args, format);
	vsnprintf(entry->example, sizeof entry->example, format, args);
	va_end(args);
	for (char *at = entry->example; *at; at++)
		*at = *at == '\t' ? ' ' : *at;
	/* The example quotes a file, and is printed to logs and terminals. */
	odo_tame(entry->example);
}

void odo_ledger_join(odo_ledger *ledger, const odo_ledger *more)
{
	for (unsigned i = 0; i < ODO_N_REPAIRS; i++) {
		uint32_t before = ledger->of[i].n;
		if (!before)
			ledger->of[i] = more->of[i];
		else
			ledger->of[i].n += more->of[i].n;
	}
}

const char *odo_repair_text(odo_repair sort)
{
	return rows[sort].text;
}

bool odo_repair_matters(odo_repair sort)
{
	return rows[sort].matters;
}

bool odo_ledger_is_empty(const odo_ledger *ledger)
{
	for (unsigned i = 0; i < ODO_N_REPAIRS; i++)
		if (ledger->of[i].n)
			return false;
	return true;
}

bool odo_ledger_matters(const odo_ledger *ledger)
{
	for (unsigned i = 0; ledger && i < ODO_N_REPAIRS; i++)
		if (ledger->of[i].n && rows[i].matters)
			return true;
	return false;
}

void odo_ledger_write(const odo_ledger *ledger, odo_repair sort, FILE *to)
{
	const odo_ledger_entry *entry = &ledger->of[sort];
	fputs(rows[sort].text, to);
	if (entry->n > 1)
		fprintf(to, " (%u times)", entry->n);
	if (*entry->example)
		fprintf(to, ": %s", entry->example);
}

/* Write all entries.
 * @param inner separator between two entries; NULL: a line for each */
static char *write_entries(const odo_ledger *ledger, const char *origin, const char *inner)
{
	char *text = NULL;
	size_t size;
	bool first = true;
	FILE *to = odo_ledger_is_empty(ledger) ? NULL : open_memstream(&text, &size);
	for (unsigned i = 0; i < ODO_N_REPAIRS && to; i++) {
		const odo_ledger_entry *entry = &ledger->of[i];
		if (!entry->n)
			continue;
		if (first || !inner)
			fprintf(to, entry->line ? "%.80s:%u: " : "%.80s: ", origin, entry->line);
		else
			fprintf(to, entry->line ? "%sline %u: " : "%s", inner, entry->line);
		odo_ledger_write(ledger, (odo_repair)i, to);
		if (!inner)
			putc('\n', to);
		first = false;
	}
	if (to && odo_text_close(to, &text)) {
		free(text);
		text = NULL;
	}
	return text;
}

char *odo_ledger_notes(const odo_ledger *ledger, const char *origin)
{
	return write_entries(ledger, origin, NULL);
}

char *odo_ledger_warning(const odo_ledger *ledger, const char *origin)
{
	return write_entries(ledger, origin, "; ");
}
