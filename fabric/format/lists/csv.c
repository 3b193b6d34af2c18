/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/format/lists/csv.h"

#include <string.h>

bool csv_take(odo_scan *s, char comma, odo_text *cell)
{
	if (s->at > s->end)
		return false;
	odo_skip_blanks(s);
	if (odo_peek(s) == '"' && odo_take_quoted(s, cell)) {
		odo_skip_blanks(s);
	} else {
		const char *to = memchr(s->at, comma, (size_t)(s->end - s->at));
		*cell = (odo_text){s->at, (size_t)((to ? to : s->end) - s->at)};
		s->at += cell->n;
		while (cell->n && (cell->at[cell->n - 1] == ' ' || cell->at[cell->n - 1] == '\t'))
			cell->n--;
	}
	s->at++; /* past the comma, or past the end */
	return true;
}

bool csv_find_columns(odo_scan s, char comma, const char *const *names, unsigned n,
		      unsigned *column)
{
	odo_text cell;
	uint32_t found = 0;
	for (unsigned i = 0; i < CSV_COLUMNS && csv_take(&s, comma, &cell); i++)
		for (unsigned k = 0; k < n; k++)
			if (cell.n == strlen(names[k]) && !memcmp(cell.at, names[k], cell.n)) {
				column[k] = i;
				found |= 1u << k;
			}
	return found == (1u << n) - 1;
}

bool csv_take_columns(odo_scan s, char comma, const unsigned *column, unsigned n, odo_text *cell)
{
	odo_text one;
	uint32_t found = 0;
	for (unsigned i = 0; i < CSV_COLUMNS && csv_take(&s, comma, &one); i++)
		for (unsigned k = 0; k < n; k++)
			if (column[k] == i) {
				cell[k] = one;
				found |= 1u << k;
			}
	return found == (1u << n) - 1;
}
