/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/topology/field.h"

#include <stdbool.h>

/* Return the prime of which q is a power, or 0. */
static uint32_t prime_of(uint32_t q)
{
	uint32_t p = 2;
	while (p * p <= q && q % p)
		p++;
	if (p * p > q)
		return q;
	for (uint32_t rest = q; rest > 1; rest /= p)
		if (rest % p)
			return 0;
	return p;
}

uint32_t odo_field_add(const odo_field *field, uint32_t a, uint32_t b)
{
	uint32_t sum = 0;
	for (uint32_t unit = 1; unit < field->q; unit *= field->p, a /= field->p, b /= field->p)
		sum += (a % field->p + b % field->p) % field->p * unit;
	return sum;
}

uint32_t odo_field_negative(const odo_field *field, uint32_t a)
{
	uint32_t result = 0;
	for (uint32_t unit = 1; unit < field->q; unit *= field->p, a /= field->p)
		result += (field->p - a % field->p) % field->p * unit;
	return result;
}

uint32_t odo_field_multiply(const odo_field *field, uint32_t a, uint32_t b)
{
	return a && b ? field->power[(field->log[a] + field->log[b]) % (field->q - 1)] : 0;
}

/* Compute a * x modulo x^m - tail; a and tail are polynomials of degree below m. */
static uint32_t times_x(const odo_field *field, uint32_t a, uint32_t tail)
{
	uint32_t top = a / (field->q / field->p), result = a % (field->q / field->p) * field->p;
	for (; top; top--)
		result = odo_field_add(field, result, tail);
	return result;
}

/* Return true if x generates all non-zero polynomials modulo x^m - tail. They are then a field, and
 * x is primitive in it. The powers of x are stored. */
static bool is_primitive(odo_field *field, uint32_t tail)
{
	uint32_t a = 1;
	for (uint32_t i = 0; i < field->q - 1; i++) {
		if (!a || (i && a == 1))
			return false;
		field->power[i] = (uint16_t)a;
		field->log[a] = (uint16_t)i;
		a = times_x(field, a, tail);
	}
	return a == 1;
}

int odo_field_make(odo_field *field, uint32_t q, odo_error *err)
{
	*field = (odo_field){.q = q};
	if (q >= 2 && q <= ODO_MAX_FIELD)
		field->p = prime_of(q);
	if (!field->p)
		return odo_fail(err, ODO_EINPUT, "expected a prime power up to %d, found %u",
				ODO_MAX_FIELD, q);
	uint32_t tail = 1;
	while (!is_primitive(field, tail)) /* primitive polynomials exist for all p and m */
		tail++;
	return 0;
}
