/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What is installed on a live subnet, asked of its switches, adapters and subnet manager. */
#ifndef ODONATA_LIVE_INSTALLED_H
#define ODONATA_LIVE_INSTALLED_H

#include <infiniband/ibnetdisc.h>

#include "live/live.h"

/**
 * Fill in *out for a subnet that has just been discovered: LFTs; SL2VL tables between ports that
 * are cabled; SLs where some table tells SLs apart.
 * Errors: ODO_EIO where one does not answer, with its name.
 */
int odo_installed_read(ibnd_fabric_t *subnet, const odo_live_options *options, odo_live_tables *out,
		       odo_error *err);

#endif
