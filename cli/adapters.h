/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Adapters that the user chose: --adapters. */
#ifndef ODONATA_CLI_ADAPTERS_H
#define ODONATA_CLI_ADAPTERS_H

#include "cli/command.h"
#include "fabric/fabric.h"

/**
 * Let only the adapters of call->adapters send, remove parts in which none does, and set
 * call->left_out.
 * Errors: ODO_EINPUT for a list that is none, or chooses nothing.
 */
int cli_adapters_choose(cli_call *call, const odo_fabric *in, odo_fabric **out,
			odo_error *err);

#endif
