/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reader of the list of cables that 'odonata plan --cabling' writes: CSV with the columns from,
 * from_port, to and to_port. Hosts of generated fabrics are called H and a number. */
#include <ctype.h>
#include <string.h>

#include "fabric/format/cables.h"
#include "fabric/format/formats.h"
#include "fabric/format/lines.h"
#include "fabric/format/talk.h"

enum { FROM, FROM_PORT, TO, TO_PORT, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"from", "from_port", "to", "to_port"};

/* Take the text up to the next comma, without quotes around it.
 * @return false at the end of the line */
static bool take_cell(odo_scan *s, odo_text *field)
{
	if (s->at > s->end)
		return false;
	odo_skip_blanks(s);
	if (odo_peek(s) == '"' && odo_take_quoted(s, field)) {
		odo_skip_blanks(s);
	} else {
		const char *comma = memchr(s->at, ',', (size_t)(s->end - s->at));
		*field = (odo_text){s->at, (size_t)((comma ? comma : s->end) - s->at)};
		s->at += field->n;
	}
	s->at++; /* past the comma, or past the end */
	return true;
}

static bool is_column_name(odo_text field, const char *name)
{
	return field.n == strlen(name) && !memcmp(field.at, name, field.n);
}

/* Find the columns by their names.
 * @return false if one is missing */
static bool read_column_names(odo_scan s, unsigned *column)
{
	odo_text field;
	unsigned found = 0;
	for (unsigned i = 0; take_cell(&s, &field); i++) {
		for (unsigned k = 0; k < N_COLUMNS; k++) {
			if (!is_column_name(field, names[k]))
				continue;
			column[k] = i;
			found |= 1u << k;
		}
	}
	return found == (1u << N_COLUMNS) - 1;
}

static bool is_port(odo_text field, uint32_t *port)
{
	odo_scan s = {.at = field.at, .end = field.at + field.n};
	uint64_t n;
	if (!odo_take_number(&s, 10, &n) || !odo_at_end(&s) || n < 1 || n > ODO_MAX_PORTS)
		return false;
	*port = (uint32_t)n;
	return true;
}

static odo_node_type type_by_name(odo_text name)
{
	return name.n > 1 && *name.at == 'H' && isdigit((unsigned char)name.at[1]) ? ODO_CA
										   : ODO_SWITCH;
}

typedef struct row {
	odo_text field[N_COLUMNS];
	uint32_t port[2];
} row;

static bool read_cabling_row(odo_scan s, const unsigned *column, row *r)
{
	odo_text field;
	unsigned found = 0;
	for (unsigned i = 0; take_cell(&s, &field); i++) {
		for (unsigned k = 0; k < N_COLUMNS; k++) {
			if (column[k] != i)
				continue;
			r->field[k] = field;
			found |= 1u << k;
		}
	}
	return found == (1u << N_COLUMNS) - 1 && r->field[FROM].n && r->field[TO].n &&
	       is_port(r->field[FROM_PORT], &r->port[0]) && is_port(r->field[TO_PORT], &r->port[1]);
}

/* Add nodes in the order in which they begin rows: switches begin rows in the order of their
 * numbers. */
static int read_cabling_nodes(odo_scan s, const unsigned *column, cables_list *list)
{
	int status = 0;
	uint32_t id;
	row r;
	while (!status && odo_lines_next(&s))
		if (read_cabling_row(s, column, &r))
			status = cables_find(list, &s, r.field[FROM], type_by_name(r.field[FROM]),
					     &id);
	return status;
}

static int read_cabling_cables(odo_scan s, const unsigned *column, cables_list *list,
			       odo_ledger *ledger)
{
	int status = 0;
	uint32_t a, b;
	row r;
	while (!status && odo_lines_next(&s)) {
		if (!read_cabling_row(s, column, &r)) {
			odo_pass_over(&s, ledger);
			continue;
		}
		status = cables_find(list, &s, r.field[FROM], type_by_name(r.field[FROM]), &a);
		if (!status)
			status = cables_find(list, &s, r.field[TO], type_by_name(r.field[TO]), &b);
		if (!status)
			status = cables_add(list, &s, a, r.port[0], b, r.port[1]);
	}
	return status;
}

int odo_cabling_read(const char *text, size_t size, const char *origin, odo_builder *b,
		     odo_error *err)
{
	odo_scan s = odo_lines_make(text, size, origin);
	unsigned column[N_COLUMNS];
	cables_list list = {0};
	s.err = err;
	while (odo_lines_next(&s) && !read_column_names(s, column))
		odo_pass_over(&s, odo_builder_ledger(b));
	int status = read_cabling_nodes(s, column, &list);
	if (!status)
		status = read_cabling_cables(s, column, &list, odo_builder_ledger(b));
	if (!status && !list.n_cables)
		status = odo_scan_fail(&s,
				       "expected cables below the names of columns, found none");
	if (!status)
		status = cables_build(&list, &s, b);
	cables_clear(&list);
	return status;
}

bool odo_cabling_recognise(const char *text, size_t size)
{
	enum { FIRST_LINES = 20 };
	odo_scan s = odo_lines_make(text, size, "");
	unsigned column[N_COLUMNS];
	for (unsigned i = 0; i < FIRST_LINES && odo_lines_next(&s); i++)
		if (read_column_names(s, column))
			return true;
	return false;
}
