/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** A run at every load, reported as soon as it ends. */
#ifndef ODONATA_CLI_PARTS_CURVE_H
#define ODONATA_CLI_PARTS_CURVE_H

#include "cli/emulation/emulation.h"

/**
 * Run at every load. Text of several loads is printed row by row, and call->result is then NULL. On
 * Ctrl-C the program ends with CLI_INTERRUPTED and keeps the runs that have ended.
 * @param stuck out: true if some run did not end normally
 */
int cli_curve_answer(cli_call *call, cli_emulation *made, const cli_loads *loads,
		     const cli_details *details, bool *stuck, odo_error *err);

#endif
