/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Declarations shared by the files of the report. docs/reference/report.md describes the
 * document. */
#ifndef ODONATA_CLI_REPORT_PARTS_H
#define ODONATA_CLI_REPORT_PARTS_H

#include "cli/system.h"

enum {
	REPORT_SCHEMA = 1,       /**< increased when a field changes its meaning or is removed */
	REPORT_MOST_PATTERNS = 8 /**< of --pattern */
};

typedef struct report_settings {
	/** In addition to the patterns of every report. */
	const char *pattern[REPORT_MOST_PATTERNS];
	unsigned n_patterns;
	bool complete; /**< include parts that take minutes on a large fabric */
	bool emulate;
	const char *model; /**< model of --emulate */
	uint32_t whatif;   /**< losses to name; 0: none are tried */
	unsigned threads;
	size_t tables; /**< maximum bytes of forwarding tables in the page */
	uint64_t seed;
	bool hosts_only; /**< do not judge paths to switches' own LIDs */
} report_settings;

/** State while a report is made. */
typedef struct report {
	cli_call *call;
	const report_settings *own;
	cli_system system; /**< `tables` is NULL if the fabric could not be routed */
	json_t *document, *left_out;
	uint32_t worst_shift; /**< worst shift found by the bounds; 0: not searched */
	bool unsafe;
} report;

/** Hosts of a fabric whose bounds take seconds. Every shift is followed, so the time grows with the
 * square of the hosts. */
#define REPORT_MOST_HOSTS 4096u

/* ---- Parts of the document. Each returns 0 or an error. ODO_EDECLINE omits the part, with the
 * reason in err ---- */

/** Add "switches", "hosts" and "cables": columns with one entry for each. */
int report_add_fabric(report *r, odo_error *err);
/** Add "tables": LFTs, SLs and SL2VL maps, from which the page follows paths. */
int report_add_tables(report *r, odo_error *err);
/** Add "bounds", and find the worst shift. */
int report_add_bounds(report *r, odo_error *err);
/** Add "traffics": the load of each cable. */
int report_add_traffics(report *r, odo_error *err);
/** Add "saturations": emulations of the same traffics. */
int report_add_saturations(report *r, odo_error *err);
/** Add the "comparison" of engines. */
int report_add_comparison(report *r, odo_error *err);
/** Add "whatif". */
int report_add_whatif(report *r, odo_error *err);

/** Put a part into the document, or free it if `status` is a failure. Return the status. */
int report_finish_part(report *r, const char *key, json_t *part, int status, odo_error *err);

/** Record that a part is not in the document.
 * @return 0, or -1 without memory */
int report_leave_out(report *r, const char *what, const char *why);

/** Write one page with a table of parts, and the page of each.
 * @param answer the sum of all parts, each with its "document" */
int report_write_parts(const json_t *answer, FILE *to, odo_error *err);

/** Return true if this program contains the page and d3. */
bool report_has_page(void);
/** Write the page with the document in it. Errors: ODO_EIO; ODO_EDECLINE if this program lacks the
 * page. */
int report_write_page(const json_t *document, FILE *to, odo_error *err);
/** Write the document alone. */
int report_write_json(const json_t *document, FILE *to, odo_error *err);

#endif
