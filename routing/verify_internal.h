/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the verifier's files share. */
#ifndef ODONATA_ROUTING_VERIFY_INTERNAL_H
#define ODONATA_ROUTING_VERIFY_INTERNAL_H

#include "routing/verify.h"

/** Record a failure's text if it is the first. */
void odo_verdict_fail(odo_verdict *v, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));

#endif
