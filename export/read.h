/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the readers of tables share. Not for use outside export/. */
#ifndef ODONATA_EXPORT_READ_H
#define ODONATA_EXPORT_READ_H

#include "export/import.h"
#include "export/write.h"
#include "fabric/format/lines.h"

struct odo_import {
	odo_tables *t;
	odo_write_end *by_port; /**< switches and hosts, by port GUID */
	size_t n_by_port;
	odo_write_end *by_node; /**< hosts, by node GUID */
	uint8_t *has_lft;       /**< [n_switches] */
	uint64_t *mapped;       /**< bits of the tables' `sl2vl` that were read */
	uint16_t *stray_at;     /**< [65536] 1 + place of a LID among the strays, or 0; or NULL */
	bool has_maps;          /**< of switches or adapters */
	uint64_t *heard;   /**< bits (source, LID) of SLs that were read; NULL before the first */
	uint16_t last_row; /**< row of the map read last: the next is mostly the same */
	bool for_proof;    /**< odo_import_for_proof() */
	size_t size;       /**< of the text that is read */
	odo_ledger ledger; /**< lines that are passed over */
};

/** odo_lines_next(), past what terminals and libraries say between tables; and now and then it is
 * told how far the text is read. */
bool odo_read_next(odo_import *in, odo_scan *s);

/** The same before it is known what a text is. */
bool odo_read_first(odo_scan *s);

/** A line that needs to know nothing of those before it. */
typedef int odo_read_line(odo_import *in, odo_scan *s, odo_error *err);
/** All lines of a text, until one fails. */
int odo_read_lines(odo_import *in, const char *text, size_t size, const char *origin,
		   odo_read_line *read, odo_error *err);

/** First of the ends with a GUID; those that share it follow. NULL for none. */
const odo_write_end *odo_read_find(const odo_write_end *ends, size_t n, uint64_t guid);

/** The switch that a GUID names, or ODO_NONE. */
uint32_t odo_read_switch(const odo_import *in, uint64_t guid);

/** Fails: the fabric has no such node. */
int odo_read_unknown(const odo_scan *s, const char *what, uint64_t guid, odo_error *err);

/** All path SLs are read: pairs that no file named get SL 0, and are counted (odo_unheard). */
int odo_read_end_psl(odo_import *in, odo_error *err);

bool odo_is_lfts(const char *text, size_t size);
bool odo_is_fdbs(const char *text, size_t size);
bool odo_is_sl2vl(const char *text, size_t size);
bool odo_is_slvl(const char *text, size_t size);
bool odo_is_psl(const char *text, size_t size);
int odo_read_lfts(odo_import *in, const char *text, size_t size, const char *origin,
		  odo_error *err);
int odo_read_fdbs(odo_import *in, const char *text, size_t size, const char *origin,
		  odo_error *err);
int odo_read_sl2vl(odo_import *in, const char *text, size_t size, const char *origin,
		   odo_error *err);
int odo_read_slvl(odo_import *in, const char *text, size_t size, const char *origin,
		  odo_error *err);
int odo_read_psl(odo_import *in, const char *text, size_t size, const char *origin, odo_error *err);

#endif
