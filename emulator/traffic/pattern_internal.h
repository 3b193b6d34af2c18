/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Common declarations of the files of patterns; internal to them. */
#ifndef ODONATA_EMULATOR_TRAFFIC_PATTERN_INTERNAL_H
#define ODONATA_EMULATOR_TRAFFIC_PATTERN_INTERNAL_H

#include "emulator/traffic/pattern.h"

/** @return ODO_ENOMEM, with the message set */
static inline int odo_draw_no_memory(odo_error *err)
{
	return odo_fail(err, ODO_ENOMEM, "no memory for a traffic pattern");
}

/** Make room for n ranges, with every source silent. Errors: ODO_ENOMEM. */
int odo_draw_make(const odo_order *o, odo_draw *draw, size_t n, odo_error *err);

/** Errors: ODO_EDECLINE, if the fabric has no coordinates. */
int odo_draw_need_coordinates(const odo_order *o, odo_error *err);

/** Ranks of a switch. */
odo_range odo_hosts_of_place(const odo_order *o, uint32_t place);

/** Let all hosts of a switch send to a range. @param range index into the draw's ranges */
void odo_draw_place(const odo_order *o, odo_draw *draw, uint32_t place, uint32_t range);

/* Rows of odo_patterns. */
int odo_pattern_advg(const odo_pattern_setup *setup, odo_draw *out, odo_error *err);
int odo_pattern_advl(const odo_pattern_setup *setup, odo_draw *out, odo_error *err);
int odo_pattern_advp(const odo_pattern_setup *setup, odo_draw *out, odo_error *err);

#endif
