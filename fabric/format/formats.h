/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Readers and writers: the functions in the rows of odo_fabric_formats[]. */
#ifndef ODONATA_FABRIC_FORMAT_FORMATS_H
#define ODONATA_FABRIC_FORMAT_FORMATS_H

#include "fabric/format/format.h"

/** Return "SDR", ...; "???" for an unknown speed, as ibnetdiscover writes it. */
const char *odo_speed_name(odo_speed speed);
/** Return the speed with a name of `n` characters, or ODO_SPEED_UNKNOWN. */
odo_speed odo_speed_named(const char *name, size_t n);

/** ibnetdiscover's output and ibsim's net files, which differ only in how they are written. */
int odo_net_read(const char *text, size_t size, const char *origin, odo_builder *b, odo_error *err);
bool odo_net_recognise(const char *text, size_t size);
bool odo_ibnetdiscover_recognise(const char *text, size_t size);
int odo_net_write(const odo_fabric *f, FILE *to, odo_error *err);
int odo_ibnetdiscover_write(const odo_fabric *f, FILE *to, odo_error *err);

/** Lists of cables as CSV with named columns, such as 'odonata plan --cabling' writes. */
int odo_cabling_read(const char *text, size_t size, const char *origin, odo_builder *b,
		     odo_error *err);
bool odo_cabling_recognise(const char *text, size_t size);

/** Plans, as docs/reference/plan-file.md describes them.
 * @param c coordinates to write with the switches; NULL for none */
int odo_plan_file_read(const char *text, size_t size, const char *origin, odo_builder *b,
		       odo_error *err);
bool odo_plan_file_recognise(const char *text, size_t size);
int odo_plan_file_write(const odo_fabric *f, const odo_coordinates *c, FILE *to, odo_error *err);

/** iblinkinfo's output. */
int odo_linkinfo_read(const char *text, size_t size, const char *origin, odo_builder *b,
		      odo_error *err);
bool odo_linkinfo_recognise(const char *text, size_t size);

/** Topology files of ibdm and ibdiagnet. */
int odo_ibdm_read(const char *text, size_t size, const char *origin, odo_builder *b,
		  odo_error *err);
bool odo_ibdm_recognise(const char *text, size_t size);

/** ibdiagnet's db_csv and net_dump. */
int odo_db_csv_read(const char *text, size_t size, const char *origin, odo_builder *b,
		    odo_error *err);
bool odo_db_csv_recognise(const char *text, size_t size);
int odo_net_dump_read(const char *text, size_t size, const char *origin, odo_builder *b,
		      odo_error *err);
bool odo_net_dump_recognise(const char *text, size_t size);

/** BookSim's anynet. */
int odo_anynet_read(const char *text, size_t size, const char *origin, odo_builder *b,
		    odo_error *err);
bool odo_anynet_recognise(const char *text, size_t size);

/** OpenSM's opensm-subnet.lst. */
int odo_lst_read(const char *text, size_t size, const char *origin, odo_builder *b, odo_error *err);
bool odo_lst_recognise(const char *text, size_t size);
int odo_lst_write(const odo_fabric *f, FILE *to, odo_error *err);

#endif
