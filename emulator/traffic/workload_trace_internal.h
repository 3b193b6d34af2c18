/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_EMULATOR_TRAFFIC_WORKLOAD_TRACE_INTERNAL_H
#define ODONATA_EMULATOR_TRAFFIC_WORKLOAD_TRACE_INTERNAL_H

#include <stdbool.h>

#include "emulator/traffic/workload_trace.h"

/** Find the receive of every send. ODO_EINPUT if a send or receive has no partner, or another
 * size. */
int odo_trace_match(const char *path, odo_trace *trace, odo_error *err);

/** ODO_EINPUT if operations wait for each other in a circle. */
int odo_trace_prove(const char *path, const odo_trace *trace, odo_error *err);

#endif
