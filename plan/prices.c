/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plan/prices.h"

#include <cyaml/cyaml.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "yaml/yaml.h"

const odo_plan_prices odo_plan_default_prices = {
#define PRICE(name, fallback, least, most) .name = fallback,
	ODO_PLAN_PRICES(PRICE)
#undef PRICE
};

/* Prices as texts, so that our own reader converts numbers. */
struct raw {
#define PRICE(name, fallback, least, most) char *name;
	ODO_PLAN_PRICES(PRICE)
#undef PRICE
};

static const cyaml_schema_field_t fields[] = {
#define PRICE(name, fallback, least, most)                                                         \
	CYAML_FIELD_STRING_PTR(#name, CYAML_FLAG_OPTIONAL, struct raw, name, 0, 100),
	ODO_PLAN_PRICES(PRICE)
#undef PRICE
		CYAML_FIELD_END};
static const cyaml_schema_value_t schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw, fields)};

static int read_price(const odo_plain *from, const char *name, const char *text, double least,
		      double most, double *out, odo_error *err)
{
	if (!text || !odo_read_real(text, least, most, out, err))
		return 0;
	odo_text_place place = odo_plain_find(from, name, NULL);
	return odo_fail_within(err, "%s:%u: %s", place.path, place.line, name);
}

static int read_prices(const odo_plain *from, const struct raw *raw, odo_plan_prices *out,
		       odo_error *err)
{
	int status = 0;
#define PRICE(name, fallback, least, most)                                                         \
	if (!status)                                                                               \
		status = read_price(from, #name, raw->name, least, most, &out->name, err);
	ODO_PLAN_PRICES(PRICE)
#undef PRICE
	return status;
}

int odo_plan_prices_read(const char *path, odo_plan_prices *out, odo_error *err)
{
	odo_plain plain;
	void *raw = NULL;
	*out = odo_plan_default_prices;
	int status = odo_plain_read(path, &plain, err);
	if (!status)
		status = odo_yaml_load(&plain, &schema, &raw, err);
	if (!status)
		status = read_prices(&plain, raw, out, err);
	odo_yaml_free(&schema, raw);
	odo_plain_free(&plain);
	return status;
}

double odo_plan_cable_price(const odo_plan_prices *p, double metres)
{
	double each = metres <= p->electrical_most
			      ? p->electrical_fixed + p->electrical_metre * metres
			      : p->optical_fixed + p->optical_metre * metres;
	return p->gbps * each;
}

double odo_plan_inside_price(const odo_plan_prices *p)
{
	return p->gbps * p->inside_price;
}
