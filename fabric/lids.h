/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_FABRIC_LIDS_H
#define ODONATA_FABRIC_LIDS_H

#include "fabric/fabric.h"

/** Finish a fabric: check the LIDs, repair and assign them by policy, build the index by LID.
 * @param ledger records repairs */
int odo_fabric_index_lids(odo_fabric *f, odo_lid_policy policy, uint8_t lmc, odo_ledger *ledger,
			  odo_error *err);

#endif
