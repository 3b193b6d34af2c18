/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Absurd specs, a line each behind the name of its table: every option of every topology, pattern,
 * workload, model and policy at its least, its most and beyond; alone, and with all others at their
 * most. For test_sizes.sh. */
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "emulator/model.h"
#include "emulator/policy.h"
#include "emulator/traffic/pattern.h"
#include "emulator/traffic/workload.h"
#include "fabric/topology/topology.h"

enum { LEAST, HUNDREDS, THOUSANDS, MOST, BEYOND, N_HOW };

static void print_number(const odo_option *o, int how)
{
	static const unsigned values[N_HOW] = {0, 200, 3000};
	unsigned v = how == LEAST ? o->min : how >= MOST ? o->max : values[how];
	if (how == BEYOND)
		printf("%llu", (unsigned long long)o->max + 1);
	else
		printf("%u", v < o->min ? o->min : v > o->max ? o->max : v);
}

static void print_option(const odo_option *o, int how, const char *before)
{
	if (o->type == ODO_OPTION_WORD) {
		printf("%s%s=%s", before, o->name, how == BEYOND ? "absurd" : o->words[0]);
		return;
	}
	unsigned n = o->type == ODO_OPTION_NUMBER ? 1 : how == HUNDREDS ? 2 : how == BEYOND ? 17 : 4;
	printf("%s%s=", before, o->name);
	for (unsigned i = 0; i < n; i++) {
		fputs(i ? "x" : "", stdout);
		print_number(o, how);
	}
}

static void print_one(const char *table, const char *name, const odo_option *rows, unsigned which,
		      int how)
{
	const char *before = ":";
	printf("%s %s", table, name);
	for (unsigned i = 0; rows[i].name; i++) {
		if (i != which && rows[i].fallback)
			continue;
		print_option(&rows[i], i == which ? how : LEAST, before);
		before = ",";
	}
	putchar('\n');
}

static void print_all(const char *table, const char *name, const odo_option *rows, int how)
{
	printf("%s %s", table, name);
	for (unsigned i = 0; rows[i].name; i++)
		print_option(&rows[i], how, i ? "," : ":");
	putchar('\n');
}

static void print_row(const char *table, const char *name, const odo_option *rows)
{
	for (int how = 0; how < N_HOW; how++) {
		for (unsigned i = 0; rows[i].name; i++)
			print_one(table, name, rows, i, how);
		print_all(table, name, rows, how);
	}
}

static void print_models(void)
{
	for (const odo_model_option *o = odo_model_options; o->row.name; o++)
		for (int how = 0; how < N_HOW; how++) {
			fputs("model ", stdout);
			print_option(&o->row, how, "");
			putchar('\n');
		}
}

int main(void)
{
	for (const odo_topology *const *t = odo_topologies; *t; t++)
		print_row("topology", (*t)->name, (*t)->options);
	for (const odo_pattern *p = odo_patterns; p->name; p++)
		print_row("pattern", p->name, p->options);
	for (const odo_step_workload *w = odo_step_workloads; w->name; w++)
		print_row("workload", w->name, w->options);
	for (const odo_policy *const *p = odo_policies; *p; p++)
		print_row("policy", (*p)->name, (*p)->options);
	print_models();
	return 0;
}
