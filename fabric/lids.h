/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_FABRIC_LIDS_H
#define ODONATA_FABRIC_LIDS_H

#include "fabric/fabric.h"

/** Last step of freezing: check the LIDs, repair and fill them by policy, build the index by LID.
 * @param ledger is told of repairs */
int odo_fabric_index_lids(odo_fabric *f, odo_lid_policy policy, uint8_t lmc, odo_ledger *ledger,
			  odo_error *err);

#endif
