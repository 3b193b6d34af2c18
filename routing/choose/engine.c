/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/engine.h"

#include <string.h>

#include "routing/choose/portfolio.h"

const odo_engine *odo_engine_find(const char *name)
{
	for (const odo_engine *row = odo_engines; row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

int odo_route(const odo_fabric *f, const odo_coordinates *c, const char *engine,
	      const odo_route_options *options, odo_tables **out, odo_error *err)
{
	static const odo_route_options none = {0};
	odo_portfolio p = {.fabric = f,
			   .coordinates = c,
			   .named = engine ? odo_engine_find(engine) : NULL,
			   .options = options ? options : &none};
	if (engine && !p.named)
		return odo_fail(err, ODO_EINPUT, "no routing engine \"%s\"", engine);
	int status = odo_portfolio_judge(&p, err);
	if (status)
		return status;
	odo_provenance *from = &p.chosen.tables->from;
	memcpy(from->judged, p.judged, sizeof p.judged);
	from->n_judged = p.n_judged;
	*out = p.chosen.tables;
	return 0;
}
