/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the readers of tables share. Not for use outside export/. */
#ifndef ODONATA_EXPORT_READ_H
#define ODONATA_EXPORT_READ_H

#include "export/import.h"
#include "export/write.h"
#include "fabric/format/lines.h"

/** SL of a pair that no file has given yet. */
#define ODO_SL_UNSET 0xFF

struct odo_import {
	odo_tables *t;
	odo_write_end *by_port; /**< switches and hosts, by port GUID */
	size_t n_by_port;
	odo_write_end *by_node; /**< hosts, by node GUID */
	uint8_t *has_lft;       /**< [n_switches] */
	uint16_t last_row;      /**< row of the map read last: the next is mostly the same */
	bool for_proof;         /**< odo_import_for_proof() */
};

/** First of the ends with a GUID; those that share it follow. NULL for none. */
const odo_write_end *odo_read_find(const odo_write_end *ends, size_t n, uint64_t guid);

/** The switch that a GUID names, or ODO_NONE. */
uint32_t odo_read_switch(const odo_import *in, uint64_t guid);

/** Set the SL from a switch, or hosts on it, to a LID. ODO_EDECLINE where hosts of one switch
 * disagree, unless the tables are only to be proved. */
int odo_read_set_sl(odo_import *in, const odo_scan *s, uint32_t sw, uint32_t lid, unsigned sl,
		    odo_error *err);

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
