/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Arithmetic in the finite field of q elements, for any prime power q = p^m. An element is a number
 * 0 .. q-1 whose digits to base p are the coefficients of a polynomial. So 0 and 1 have their usual
 * meaning, and for m = 1 the arithmetic is modulo p.
 */
#ifndef ODONATA_FABRIC_TOPOLOGY_FIELD_H
#define ODONATA_FABRIC_TOPOLOGY_FIELD_H

#include <stdint.h>

#include "base/error.h"

#define ODO_MAX_FIELD 512

typedef struct odo_field {
	uint32_t q, p;
	uint16_t power[ODO_MAX_FIELD]; /**< [q - 1] powers of a primitive element, from 1 */
	uint16_t log[ODO_MAX_FIELD];   /**< exponents of 1 .. q-1 */
} odo_field;

/** ODO_EINPUT if q is no prime power from 2 to ODO_MAX_FIELD. */
int odo_field_make(odo_field *field, uint32_t q, odo_error *err);

uint32_t odo_field_add(const odo_field *field, uint32_t a, uint32_t b);
uint32_t odo_field_negative(const odo_field *field, uint32_t a);
uint32_t odo_field_multiply(const odo_field *field, uint32_t a, uint32_t b);

#endif
