/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** State and functions of the readers of tables. Not for use outside export/. */
#ifndef ODONATA_EXPORT_READ_H
#define ODONATA_EXPORT_READ_H

#include "export/import.h"
#include "export/write.h"
#include "fabric/format/lines.h"

/** Add the contents of a line of a table. */
typedef int odo_read_line(odo_import *in, odo_scan *s, odo_error *err);

struct odo_import {
	odo_tables *t;
	odo_arena memory;       /**< all arrays */
	odo_write_end *by_port; /**< switches and hosts, by port GUID */
	size_t n_by_port;
	odo_write_end *by_node; /**< hosts, by node GUID */
	uint8_t *has_lft;       /**< [n_switches] */
	uint64_t *mapped;       /**< bits of entries of the tables' `sl2vl` that were read */
	uint16_t *stray_at;     /**< [65536] 1 + place of a LID among the strays, or 0; or NULL */
	bool has_maps;          /**< some map of a switch or adapter was read */
	uint64_t *heard;   /**< bits (source, LID) of SLs that were read; NULL before the first */
	uint16_t last_row; /**< row of the last map; the next map is mostly equal */
	bool for_proof;    /**< odo_import_files() */
	bool of_part;      /**< the same: pass over nodes that the fabric lacks */
	size_t size;       /**< size of the text */
	/* The head that lines of the text belong to: */
	uint32_t sw;              /**< switch of an LFT, or ODO_NONE */
	const odo_write_end *end; /**< port of SL2VL maps; NULL if the fabric lacks it */
	bool has_head;            /**< some port was named */
	odo_ledger ledger;        /**< lines that were passed over */
};

/** Find the first line of a table, after messages of terminals and libraries. */
bool odo_read_first(odo_scan *s);

/** Find the first end with a GUID; further ends with this GUID follow it. @return NULL if there is
 * none */
const odo_write_end *odo_read_find(const odo_write_end *ends, size_t n, uint64_t guid);

/** Return the switch with a GUID, or ODO_NONE. */
uint32_t odo_read_switch(const odo_import *in, uint64_t guid);

/** Fail because the fabric lacks a node, unless the file may be about other subnets, too. */
int odo_read_unknown(const odo_import *in, const odo_scan *s, const char *what, uint64_t guid,
		     odo_error *err);

/** Give SL 0 to pairs that no file contains, and count them (odo_unheard). Call it at the end. */
int odo_read_end_psl(odo_import *in, odo_error *err);

bool odo_is_lfts(const char *text, size_t size);
bool odo_is_fdbs(const char *text, size_t size);
bool odo_is_sl2vl(const char *text, size_t size);
bool odo_is_slvl(const char *text, size_t size);
bool odo_is_psl(const char *text, size_t size);
odo_read_line odo_read_lft_line, odo_read_fdb_line, odo_read_sl2vl_line, odo_read_slvl_line,
	odo_read_psl_line;

#endif
