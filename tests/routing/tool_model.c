/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Explores what connections hold (explore.h), for scripts:
 *
 *   tool_model SWITCHES DEPTH KINDS ASKS [nosym]
 *
 * SWITCHES is a number, or from-to. KINDS names rows of events by their first letters, "all" all of
 * them. ASKS has a letter for each way to ask that is tried: n(obody), a(ll), h(int). A line for
 * each graph; exit code 1 if something is wrong. */
#include <time.h>

#include "explore.h"

static unsigned kinds_of(const char *text)
{
	unsigned kinds = 0;
	for (unsigned row = 0; row < EXPLORE_N_ROWS; row++) {
		const char *name = explore_rows[row].name, *at = strstr(text, name);
		size_t n = strlen(name);
		if (!strcmp(text, "all") ||
		    (at && (at == text || at[-1] == ',') && (!at[n] || at[n] == ',')))
			kinds |= 1u << row;
	}
	return kinds;
}

int main(int argc, char **argv)
{
	static model_graph graphs[32];
	if (argc < 5)
		return 2;
	unsigned from = (unsigned)atoi(argv[1]), to = from, depth = (unsigned)atoi(argv[2]),
		 bad = 0;
	const char *dash = strchr(argv[1], '-');
	if (dash)
		to = (unsigned)atoi(dash + 1);
	explorer all = {.kinds = kinds_of(argv[3])};
	for (unsigned i = 0; i < MODEL_N_ASKS; i++)
		all.asks |= (unsigned)(strchr(argv[4], "nah"[i]) != NULL) << i;
	for (unsigned n = from; n <= to; n++) {
		unsigned n_graphs = model_list_graphs(n, graphs);
		for (unsigned i = 0; i < n_graphs; i++) {
			explorer e = {.g = &graphs[i],
				      .kinds = all.kinds,
				      .asks = all.asks,
				      .no_symmetry = argc > 5};
			clock_t start = clock();
			explore_graph(&e, depth);
			printf("%u switches %u cables %u symmetries: depth %u, %zu states, %llu "
			       "steps, %llu told, %llu foreign, "
			       "%llu changes that the log warns of, %.1f s%s%s\n",
			       n, graphs[i].n_cables, graphs[i].n_perms, depth, e.n_seen,
			       (unsigned long long)e.n_steps, (unsigned long long)e.n_told,
			       (unsigned long long)e.n_foreign, (unsigned long long)e.n_changing,
			       (double)(clock() - start) / CLOCKS_PER_SEC, *e.found ? ": " : "",
			       e.found);
			fflush(stdout);
			bad += *e.found != 0;
			free(e.seen);
		}
	}
	return bad != 0;
}
