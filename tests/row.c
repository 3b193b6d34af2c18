/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rows of tables that a test is in: unit.h prints them where an assertion fails. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#define MAX_NESTED 4

static struct {
	const char *table;
	char text[160];
} rows[MAX_NESTED]; /* the outer loop's first */
static unsigned n_rows;
static bool finished;

/* Forget the row of this table and those of loops inside it. */
static void leave_table(const char *table)
{
	for (unsigned i = 0; i < n_rows; i++)
		if (strcmp(rows[i].table, table) == 0)
			n_rows = i;
}

bool test_enter_row(const char *table, size_t i, const char *name)
{
	leave_table(table);
	if (n_rows < MAX_NESTED) {
		rows[n_rows].table = table;
		snprintf(rows[n_rows].text, sizeof rows->text, "%s[%zu]%s%s", table, i,
			 name ? ": " : "", name ? name : "");
		n_rows++;
	}
	return true;
}

bool test_no_row(const char *table)
{
	leave_table(table);
	return false;
}

void test_run(void **state)
{
	CMUnitTestFunction test;
	*(void **)&test = *state;
	n_rows = 0;
	finished = false;
	*state = NULL;
	test(state);
	finished = true;
}

int test_end(void **state)
{
	(void)state;
	for (unsigned i = 0; !finished && i < n_rows; i++)
		print_error("[   ROW    ] --- %s\n", rows[i].text);
	return 0;
}
