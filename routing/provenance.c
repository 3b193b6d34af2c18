/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "routing/provenance.h"

#include <stdio.h>

const char *odo_standing_text(odo_standing standing)
{
	static const char *const text[] = {
		[ODO_CHOSEN] = "chosen",     [ODO_REPLACED] = "replaced",
		[ODO_NOT_WORTH] = "no gain", [ODO_HOPELESS] = "cannot gain",
		[ODO_DECLINED] = "declined", [ODO_UNPROVED] = "not proved"};
	return text[standing];
}

void odo_write_portfolio(const odo_provenance *from, char *to, size_t size)
{
	size_t n = 0;
	for (unsigned i = 0; i < from->n_judged && n < size; i++) {
		const odo_judged *x = &from->judged[i];
		n += (size_t)snprintf(to + n, size - n, "%s%s (%s) needs %s: %s", i ? "; " : "",
				      x->engine, x->candidate, x->needs,
				      odo_standing_text(x->standing));
		if (n < size && x->rating.uniform > 0)
			n += (size_t)snprintf(to + n, size - n, ", %s%.3f uniform, %.3f shifts",
					      x->at_most ? "at most " : "", x->rating.uniform,
					      x->rating.shifts);
	}
}
