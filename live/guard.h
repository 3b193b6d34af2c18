/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Signals that would end the program wait while tables are half written. */
#ifndef ODONATA_LIVE_GUARD_H
#define ODONATA_LIVE_GUARD_H

#include <signal.h>
#include <stdbool.h>

enum { ODO_GUARDED = 3 }; /**< signals: SIGINT, SIGTERM, SIGHUP */

typedef struct odo_guard {
	sigset_t set;
	struct sigaction before[ODO_GUARDED];
} odo_guard;

void odo_guard_begin(odo_guard *guard);

/** Return true if such a signal waits. */
bool odo_guard_is_interrupted(void);

/** Discard pending signals, which the caller has already obeyed, and restore the handlers. */
void odo_guard_end(odo_guard *guard);

#endif
