/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A live subnet as a FABRIC argument: "live", "live:ADAPTER" or "live:ADAPTER:PORT". */
#ifndef ODONATA_CLI_LIVE_H
#define ODONATA_CLI_LIVE_H

#include "fabric/fabric.h"

bool cli_is_live(const char *spec);

/** Read the subnet. Ends without LIDs get free ones, as in a file. */
int cli_live_open(const char *spec, uint8_t lmc, odo_fabric **out, odo_error *err);

#endif
