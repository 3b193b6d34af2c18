/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Reading of the installed tables of a live subnet, by queries to its switches, adapters and
 * subnet manager. */
#ifndef ODONATA_LIVE_INSTALLED_H
#define ODONATA_LIVE_INSTALLED_H

#include <infiniband/ibnetdisc.h>
#include <infiniband/mad.h>

#include "live/live.h"

/**
 * Discover the subnet by the adapter and port of the options, or by a chosen one if these are
 * unset.
 * @param name [size] gets the chosen adapter, to which the options then point
 * @param out for ibnd_destroy_fabric()
 * Errors: ODO_EIO with the most likely reason.
 */
int odo_live_discover(odo_live_options *options, char *name, size_t size, ibnd_fabric_t **out,
		      odo_error *err);

/**
 * Fill in *out for a subnet that has just been discovered: LFTs; SL2VL tables between cabled ports;
 * SLs if some table distinguishes SLs.
 * Errors: ODO_EIO with the name of a node that does not answer.
 */
int odo_installed_read(ibnd_fabric_t *subnet, const odo_live_options *options, odo_live_tables *out,
		       odo_error *err);

#endif
