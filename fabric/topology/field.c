/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/topology/field.h"

#include <stdbool.h>

/* The prime that q is a power of, or 0. */
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

uint32_t odo_field_add(const odo_field *f, uint32_t a, uint32_t b)
{
	uint32_t sum = 0;
	for (uint32_t unit = 1; unit < f->q; unit *= f->p, a /= f->p, b /= f->p)
		sum += (a % f->p + b % f->p) % f->p * unit;
	return sum;
}

uint32_t odo_field_negative(const odo_field *f, uint32_t a)
{
	uint32_t result = 0;
	for (uint32_t unit = 1; unit < f->q; unit *= f->p, a /= f->p)
		result += (f->p - a % f->p) % f->p * unit;
	return result;
}

uint32_t odo_field_multiply(const odo_field *f, uint32_t a, uint32_t b)
{
	return a && b ? f->power[(f->log[a] + f->log[b]) % (f->q - 1)] : 0;
}

/* a * x modulo x^m - tail, where a and tail are polynomials of degree below m. */
static uint32_t times_x(const odo_field *f, uint32_t a, uint32_t tail)
{
	uint32_t top = a / (f->q / f->p), result = a % (f->q / f->p) * f->p;
	for (; top; top--)
		result = odo_field_add(f, result, tail);
	return result;
}

/* True if x generates all non-zero polynomials modulo x^m - tail: then these are a field and x
 * is primitive in it. Notes its powers. */
static bool is_primitive(odo_field *f, uint32_t tail)
{
	uint32_t a = 1;
	for (uint32_t i = 0; i < f->q - 1; i++) {
		if (!a || (i && a == 1))
			return false;
		f->power[i] = (uint16_t)a;
		f->log[a] = (uint16_t)i;
		a = times_x(f, a, tail);
	}
	return a == 1;
}

int odo_field_make(odo_field *f, uint32_t q, odo_error *err)
{
	*f = (odo_field){.q = q};
	if (q >= 2 && q <= ODO_MAX_FIELD)
		f->p = prime_of(q);
	if (!f->p)
		return odo_fail(err, ODO_EINPUT, "expected a prime power up to %d, found %u",
				ODO_MAX_FIELD, q);
	uint32_t tail = 1;
	while (!is_primitive(f, tail)) /* primitive polynomials exist for all p and m */
		tail++;
	return 0;
}
