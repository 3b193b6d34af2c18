/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_EXPORT_PROFILE_H
#define ODONATA_EXPORT_PROFILE_H

#include "routing/tables.h"

/** Return "ib", "ib-ar", "ib-ext" or "algorithmic". */
static inline const char *odo_write_profile(odo_profile profile)
{
	static const char *const names[] = {"ib", "ib-ar", "ib-ext", "algorithmic"};
	return names[profile];
}

#endif
