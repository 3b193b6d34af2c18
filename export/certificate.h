/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Certificates: a proof of tables that tools/check_certificate.c repeats without this program. */
#ifndef ODONATA_EXPORT_CERTIFICATE_H
#define ODONATA_EXPORT_CERTIFICATE_H

#include <stdio.h>

#include "routing/multicast/multicast.h"
#include "routing/tables.h"

/**
 * Write an order of channels that all packets keep, and for each LID the SLs from each switch.
 * @param mcast trees of multicast groups, found beside these tables, or NULL: the certificate then
 *              says nothing of multicast
 * Errors: those of odo_verify_graph() and odo_mcast_depend(); ODO_EIO.
 */
int odo_certificate_text(const odo_tables *t, const odo_mcast *mcast, FILE *to, odo_error *err);

#endif
