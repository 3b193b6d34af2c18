/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the writers share. Not for use outside export/. */
#ifndef ODONATA_EXPORT_WRITE_H
#define ODONATA_EXPORT_WRITE_H

#include "base/arena.h"
#include "export/export.h"

int odo_write_lfts(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_lid_matrix(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_fdbs(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_sl2vl(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_slvl(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_psl(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_lst(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_json(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_text(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_dot(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_certificate(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);
int odo_write_slurm(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err);

/** Bytes of a node description (InfiniBand volume 1, 14.2.5.2) and a NUL. */
#define ODO_NAME_SIZE 65

/** A node's name as files can hold it: as long as a node description may be, with anything
 * that is not printable, or is one of `bad`, turned into '_'.
 * @param to [ODO_NAME_SIZE] @return `to` */
const char *odo_write_name(const odo_fabric *f, uint32_t node, const char *bad, char *to);

/** "Switch", "Channel Adapter" or "Router", as OpenSM has it. */
const char *odo_write_type(const odo_fabric *f, uint32_t node);

/** GUID of the port that has a LID, as OpenSM counts it: a switch's own for its port 0. */
uint64_t odo_write_lid_guid(const odo_fabric *f, uint32_t lid);
/** The node that has a LID, or ODO_NONE. */
uint32_t odo_write_lid_node(const odo_fabric *f, uint32_t lid);

/** An end with a LID: a switch, or an adapter's cabled port. */
typedef struct odo_write_end {
	uint64_t guid;
	uint32_t node;
	uint32_t host; /**< ODO_NONE for a switch */
} odo_write_end;

/** Switches (and hosts too if asked) by port GUID, in the order of OpenSM's maps, which is
 * not quite ascending.
 * @param memory gets the list */
int odo_write_by_guid(const odo_fabric *f, bool hosts, odo_arena *memory, odo_write_end **out,
		      size_t *n, odo_error *err);

/** Sort ends by ascending GUID. */
void odo_write_sort(odo_write_end *ends, size_t n);

/** Status of a finished file: 0, or ODO_EIO where a write failed. */
int odo_write_done(FILE *to, odo_error *err);

/** The warning of files that are only part of a routing; `what` names the file's content.
 * Writes nothing where the part is safe by itself. */
void odo_write_warning(const odo_tables *t, const char *what, FILE *to);

#endif
