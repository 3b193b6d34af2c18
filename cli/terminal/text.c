/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Answers as text: the same document that --json prints, as lines and tables. */
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/output.h"
#include "base/memory.h"

#define BOLD "\033[1m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define PLAIN "\033[0m"

typedef struct printer {
	FILE *to;
	bool colour;
	bool failed; /**< memory ran out */
} printer;

/** Return the columns of a terminal that a text takes. Characters of names may have several
 * bytes. */
static int columns_of(const char *text)
{
	int n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80;
	return n;
}

/** Print a text right-aligned in `width` columns, or left-aligned if `width` is negative. */
static void put_padded(FILE *to, const char *text, int width)
{
	int pad = abs(width) - columns_of(text);
	fprintf(to, "%*s%s%*s", width > 0 && pad > 0 ? pad : 0, "", text,
		width < 0 && pad > 0 ? pad : 0, "");
}

/** Convert a scalar, or an array of scalars, to text for free(). */
static char *value_text(printer *p, const json_t *value)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	if (!to) {
		p->failed = true;
		return NULL;
	}
	size_t i;
	json_t *item;
	switch (json_typeof(value)) {
	case JSON_STRING:
		fputs(json_string_value(value), to);
		break;
	case JSON_INTEGER:
		fprintf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
		break;
	case JSON_REAL:
		fprintf(to, "%.5g", json_real_value(value));
		break;
	case JSON_TRUE:
		fputs("yes", to);
		break;
	case JSON_FALSE:
		fputs("no", to);
		break;
	case JSON_ARRAY:
		json_array_foreach(value, i, item)
		{
			char *part = value_text(p, item);
			fprintf(to, "%s%s", i ? " " : "", part ? part : "");
			free(part);
		}
		break;
	default: /* null prints nothing */
		break;
	}
	if (odo_text_close(to, &text))
		p->failed = true;
	return text;
}

static void print_key(printer *p, const char *key, int width)
{
	if (p->colour)
		fputs(BOLD, p->to);
	int used = 0;
	for (; key[used]; used++)
		fputc(key[used] == '_' ? ' ' : key[used], p->to);
	if (p->colour)
		fputs(PLAIN, p->to);
	if (used < width)
		fprintf(p->to, "%*s", width - used, "");
}

static void print_value(printer *p, const json_t *value, int width)
{
	char *text = value_text(p, value);
	const char *colour = json_is_true(value) ? GREEN : json_is_false(value) ? RED : NULL;
	if (p->colour && colour)
		fputs(colour, p->to);
	put_padded(p->to, text ? text : "", width);
	if (p->colour && colour)
		fputs(PLAIN, p->to);
	free(text);
}

static bool is_table(const json_t *value)
{
	return json_is_array(value) && json_is_object(json_array_get(value, 0));
}

typedef struct table_column {
	const char *key;
	int width; /**< negative for left-aligned text */
} table_column;

typedef struct table_columns {
	table_column *column; /**< for free() */
	unsigned n;
	size_t capacity;
} table_columns;

static bool has_column(const table_columns *all, const char *key)
{
	for (unsigned c = 0; c < all->n; c++)
		if (!strcmp(all->column[c].key, key))
			return true;
	return false;
}

/** Add the columns of a row that earlier rows lack, as wide as their heads. */
static void add_row_columns(printer *p, const json_t *row, table_columns *all)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)row, key, value)
	{
		if (has_column(all, key))
			continue;
		if (odo_grow(&all->column, &all->capacity, all->n + 1, sizeof *all->column)) {
			p->failed = true;
			return;
		}
		all->column[all->n++] = (table_column){key, (int)strlen(key)};
	}
}

static void widen_column(printer *p, const json_t *rows, table_column *c)
{
	bool number = true;
	size_t i;
	json_t *row;
	json_array_foreach(rows, i, row)
	{
		json_t *value = json_object_get(row, c->key);
		char *text = value ? value_text(p, value) : NULL;
		int length = text ? columns_of(text) : 0;
		c->width = length > c->width ? length : c->width;
		number &= !value || json_is_number(value) || json_is_null(value);
		free(text);
	}
	c->width = number ? c->width : -c->width;
}

static void print_heads(printer *p, const table_column *columns, unsigned n, int indent)
{
	fprintf(p->to, "%*s", indent, "");
	for (unsigned c = 0; c < n; c++) {
		const char *key = columns[c].key;
		int width = columns[c].width, pad = abs(width) - (int)strlen(key);
		if (width > 0)
			fprintf(p->to, "%*s", pad, "");
		print_key(p, key, width > 0 || c + 1 == n ? 0 : -width);
		fputs(c + 1 < n ? "  " : "\n", p->to);
	}
}

static void print_cells(printer *p, const json_t *row, const table_column *columns, unsigned n,
			int indent)
{
	fprintf(p->to, "%*s", indent, "");
	for (unsigned c = 0; c < n; c++) {
		const json_t *value = json_object_get(row, columns[c].key);
		int width = columns[c].width;
		bool last = c + 1 == n;
		if (value)
			print_value(p, value, last && width < 0 ? 0 : width);
		else if (!last)
			fprintf(p->to, "%*s", width, "");
		fputs(last ? "\n" : "  ", p->to);
	}
}

static void print_table(printer *p, const json_t *rows, int indent)
{
	table_columns all = {0};
	size_t i;
	json_t *row;
	json_array_foreach(rows, i, row)
	{
		add_row_columns(p, row, &all);
	}
	for (unsigned c = 0; c < all.n; c++)
		widen_column(p, rows, &all.column[c]);
	print_heads(p, all.column, all.n, indent);
	json_array_foreach(rows, i, row)
	{
		print_cells(p, row, all.column, all.n, indent);
	}
	free(all.column);
}

static bool says_nothing(const json_t *value)
{
	const char *key;
	json_t *part;
	if (!json_is_object(value))
		return json_is_null(value) || (json_is_array(value) && !json_array_size(value));
	json_object_foreach((json_t *)value, key, part)
	{
		if (!says_nothing(part))
			return false;
	}
	return true;
}

/** Print the first line after its key, and the others below it. */
static void print_lines(printer *p, const json_t *lines, int column)
{
	size_t i;
	json_t *line;
	json_array_foreach(lines, i, line)
	{
		fprintf(p->to, "%*s", i ? column : 0, "");
		print_value(p, line, 0);
		fputc('\n', p->to);
	}
}

static void print_members(printer *p, const json_t *object, int indent)
{
	int width = 0;
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)object, key, value)
	{
		if (!is_table(value) && !json_is_object(value) && (int)strlen(key) > width)
			width = (int)strlen(key);
	}
	json_object_foreach((json_t *)object, key, value)
	{
		if (says_nothing(value))
			continue;
		fprintf(p->to, "%*s", indent, "");
		if (is_table(value)) {
			print_key(p, key, 0);
			fputc('\n', p->to);
			print_table(p, value, indent + 2);
		} else if (json_is_object(value)) {
			print_key(p, key, 0);
			fputc('\n', p->to);
			print_members(p, value, indent + 2);
		} else {
			print_key(p, key, width + 2);
			if (json_is_string(json_array_get(value, 0))) {
				print_lines(p, value, indent + width + 2);
				continue;
			}
			print_value(p, value, 0);
			fputc('\n', p->to);
		}
	}
}

int cli_print_text(const json_t *answer, FILE *to, bool colour, odo_error *err)
{
	printer p = {.to = to, .colour = colour};
	if (is_table(answer))
		print_table(&p, answer, 0);
	else
		print_members(&p, answer, 0);
	return p.failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : ODO_OK;
}

int cli_print_row(const json_t *row, const char *title, FILE *to, bool colour, odo_error *err)
{
	printer p = {.to = to, .colour = colour};
	table_columns all = {0};
	add_row_columns(&p, row, &all);
	for (unsigned c = 0; c < all.n; c++) {
		table_column *column = &all.column[c];
		int least = column->width < 8 ? 8 : column->width;
		bool text = json_is_string(json_object_get(row, column->key));
		column->width = text ? -least : least;
	}
	if (title) {
		print_key(&p, title, 0);
		fputc('\n', to);
		print_heads(&p, all.column, all.n, 2);
	}
	print_cells(&p, row, all.column, all.n, 2);
	free(all.column);
	return p.failed ? odo_fail(err, ODO_ENOMEM, "out of memory") : ODO_OK;
}
