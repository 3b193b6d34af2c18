/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "mapping/labels/pins.h"

typedef struct reader {
	const odo_fabric *f;
	odo_pins *pins;
	const char *at;
	uint32_t line;
	size_t room;
} reader;

static void skip_blanks(reader *r)
{
	while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
		r->at++;
}

static bool line_ends(const reader *r)
{
	return !*r->at || *r->at == '\n' || *r->at == '#';
}

static int fail_expecting(const reader *r, const char *what, odo_error *err)
{
	int n = 0;
	while (n < 40 && r->at[n] && r->at[n] != '\n' && isprint((unsigned char)r->at[n]))
		n++;
	return odo_fail(err, ODO_EINPUT, "%s:%u: expected %s, found \"%.*s\"", r->pins->origin,
			r->line, what, n, r->at);
}

static uint32_t switch_of_guid(const odo_fabric *f, uint64_t guid)
{
	for (uint32_t s = 0; s < f->n_switches; s++)
		if (f->node_guid[s] == guid)
			return s;
	return ODO_NONE;
}

/* Return the first switch with a description, from `s` on. Several switches may have the same
 * factory description. */
static uint32_t switch_of_name(const odo_fabric *f, uint32_t s, const char *name, size_t length)
{
	for (; s < f->n_switches; s++)
		if (strlen(odo_name(f, s)) == length && !memcmp(odo_name(f, s), name, length))
			return s;
	return ODO_NONE;
}

static int read_pinned_switch(reader *r, uint32_t *node, odo_error *err)
{
	const char *start = r->at;
	*node = ODO_NONE;
	if (*r->at == '"') {
		size_t length = strcspn(r->at + 1, "\"\n");
		if (r->at[1 + length] != '"')
			return fail_expecting(r, "a closing quote", err);
		*node = switch_of_name(r->f, 0, r->at + 1, length);
		if (*node != ODO_NONE &&
		    switch_of_name(r->f, *node + 1, r->at + 1, length) != ODO_NONE)
			return fail_expecting(r, "a description that one switch alone has", err);
		r->at += length + 2;
	} else if (!strncmp(r->at, "0x", 2) && isxdigit((unsigned char)r->at[2])) {
		uint64_t guid;
		r->at += 2;
		if (odo_take_digits(&r->at, NULL, 16, &guid))
			*node = switch_of_guid(r->f, guid);
	} else {
		return fail_expecting(r, "a switch's GUID or its description in quotes", err);
	}
	if (*node != ODO_NONE)
		return 0;
	r->at = start;
	return fail_expecting(r, "a switch of this fabric", err);
}

static int read_coordinates(reader *r, odo_pin *pin, odo_error *err)
{
	unsigned n = 0;
	for (skip_blanks(r); !line_ends(r); skip_blanks(r)) {
		const char *start = r->at;
		uint64_t x;
		if (n == ODO_MAX_DIMS || !odo_take_digits(&r->at, NULL, 10, &x) || x >= ODO_NONE) {
			r->at = start;
			return fail_expecting(r, "a coordinate", err);
		}
		pin->at[n++] = (uint32_t)x;
	}
	if (!n)
		return fail_expecting(r, "coordinates", err);
	if (r->pins->n && n != r->pins->n_dims)
		return odo_fail(err, ODO_EINPUT,
				"%s:%u: expected %u coordinates as on line %u, found %u",
				r->pins->origin, r->line, r->pins->n_dims, r->pins->pin[0].line, n);
	r->pins->n_dims = n;
	return 0;
}

static int read_pin(reader *r, odo_error *err)
{
	odo_pins *pins = r->pins;
	odo_pin pin = {.line = r->line};
	const char *start = r->at;
	int status = read_pinned_switch(r, &pin.node, err);
	if (!status)
		status = read_coordinates(r, &pin, err);
	for (uint32_t i = 0; i < pins->n && !status; i++) {
		if (pins->pin[i].node == pin.node) {
			r->at = start;
			status = fail_expecting(r, "each switch once", err);
		}
	}
	if (!status && odo_grow(&pins->pin, &r->room, (size_t)pins->n + 1, sizeof pin))
		status = odo_fail(err, ODO_ENOMEM, "no memory for pins");
	if (!status)
		pins->pin[pins->n++] = pin;
	return status;
}

int odo_pins_read(const odo_fabric *f, const char *text, const char *origin, odo_pins *pins,
		  odo_error *err)
{
	*pins = (odo_pins){.origin = strdup(origin)};
	reader r = {.f = f, .pins = pins, .at = text, .line = 1};
	int status = pins->origin ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for pins");
	while (!status && *r.at) {
		skip_blanks(&r);
		if (!line_ends(&r))
			status = read_pin(&r, err);
		if (status)
			break;
		r.at += strcspn(r.at, "\n");
		if (*r.at == '\n') {
			r.at++;
			r.line++;
		}
	}
	if (status)
		odo_pins_clear(pins);
	return status;
}

void odo_pins_clear(odo_pins *pins)
{
	free(pins->origin);
	free(pins->pin);
	*pins = (odo_pins){0};
}
