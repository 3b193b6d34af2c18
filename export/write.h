/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Functions of the writers. Not for use outside export/. */
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

/** Size of a node description (InfiniBand volume 1, 14.2.5.2) and a NUL. */
#define ODO_NAME_SIZE 65

/** Write a node's name, with '_' in place of characters that are not printable or are in `bad`.
 * @param to [ODO_NAME_SIZE] @return `to` */
const char *odo_write_name(const odo_fabric *f, uint32_t node, const char *bad, char *to);

/** Return "Switch", "Channel Adapter" or "Router", as OpenSM writes it. */
const char *odo_write_type(const odo_fabric *f, uint32_t node);

/** Return the GUID of the port with a LID; for port 0 of a switch, that of the switch. */
uint64_t odo_write_lid_guid(const odo_fabric *f, uint32_t lid);
/** Return the node with a LID, or ODO_NONE. */
uint32_t odo_write_lid_node(const odo_fabric *f, uint32_t lid);

/** An end with a LID: a switch, or an adapter's port with a cable. */
typedef struct odo_write_end {
	uint64_t guid;
	uint32_t node;
	uint32_t host; /**< ODO_NONE for a switch */
} odo_write_end;

/** List switches, and hosts if requested, by port GUID, in the order of OpenSM's maps
 * (compare_as_opensm()).
 * @param memory gets the list */
int odo_write_by_guid(const odo_fabric *f, bool hosts, odo_arena *memory, odo_write_end **out,
		      size_t *n, odo_error *err);

/** Sort ends by ascending GUID. */
void odo_write_sort(odo_write_end *ends, size_t n);

/** Finish a file. @return 0, or ODO_EIO if a write failed */
int odo_write_done(FILE *to, odo_error *err);

/** Write a warning into a file with only a part of a routing, unless the part is safe by itself.
 * @param what name of the part */
void odo_write_warning(const odo_tables *t, const char *what, FILE *to);

#endif
