/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the report's files share. The document is docs/reference/report.md. */
#ifndef ODONATA_CLI_REPORT_PARTS_H
#define ODONATA_CLI_REPORT_PARTS_H

#include "cli/system.h"

enum {
	REPORT_SCHEMA = 1,       /**< raised when a field changes its meaning or goes */
	REPORT_MOST_PATTERNS = 8 /**< of --pattern */
};

typedef struct report_settings {
	const char *pattern[REPORT_MOST_PATTERNS]; /**< beside those that every report has */
	unsigned n_patterns;
	bool complete; /**< also what takes minutes on a large fabric */
	bool emulate;
	const char *model; /**< of --emulate */
	uint32_t whatif;   /**< losses to name; 0: none are tried */
	unsigned threads;
	size_t tables; /**< bytes of forwarding tables that the page may hold */
	uint64_t seed;
	bool hosts_only; /**< paths to switches' own LIDs are not judged */
} report_settings;

/** A report in the making. */
typedef struct report {
	cli_call *call;
	const report_settings *own;
	cli_system system; /**< `tables` is NULL where the fabric could not be routed */
	json_t *document, *left_out;
	uint32_t worst_shift; /**< found by the bounds; 0: not looked for */
	bool unsafe;
} report;

/** Hosts of a fabric whose bounds take seconds. All shifts are followed: hosts squared. */
#define REPORT_MOST_HOSTS 4096u

/* Parts of the document. Each returns 0 or an error; ODO_EDECLINE, and err says why, leaves the
 * part out. */

/** "switches", "hosts", "cables": columns, one entry each. */
int report_add_fabric(report *r, odo_error *err);
/** "tables": LFTs, SLs and SL2VL maps, from which the page follows paths. */
int report_add_tables(report *r, odo_error *err);
/** "bounds"; finds the worst shift. */
int report_add_bounds(report *r, odo_error *err);
/** "traffics": the load of each cable. */
int report_add_traffics(report *r, odo_error *err);
/** "saturations": emulated, of the same traffics. */
int report_add_saturations(report *r, odo_error *err);
/** "comparison" of engines. */
int report_add_comparison(report *r, odo_error *err);
/** "whatif". */
int report_add_whatif(report *r, odo_error *err);

/** Note what is not in the document. @return 0, or -1 out of memory */
int report_leave_out(report *r, const char *what, const char *why);

/** True where this program has the page, and d3 in it. */
bool report_has_page(void);
/** The page with the document in it. Errors: ODO_EIO; ODO_EDECLINE where there is no page. */
int report_write_page(const json_t *document, FILE *to, odo_error *err);
/** The document alone. */
int report_write_json(const json_t *document, FILE *to, odo_error *err);

#endif
