/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Explores what connections hold (explore.h), for scripts:
 *
 *   tool_model SWITCHES DEPTH KINDS ASKS [nosym]
 *
 * SWITCHES is a number, or from-to; "ring4" and "ring5" are one graph. KINDS names rows of events,
 * separated by commas, or "all" of them. ASKS has a letter for each way to ask that is tried:
 * n(obody), a(ll), h(int). A line for each graph; exit code 1 if something is wrong.
 */
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

static bool explore_one(const explorer *like, const model_graph *g, unsigned depth)
{
	explorer e = *like;
	clock_t start = clock();
	e.g = g;
	explore_graph(&e, depth);
	printf("%u switches %u cables %u symmetries: depth %u, %zu states, %llu steps, %llu told, "
	       "%llu foreign, %llu changes that the log warns of, %.1f s%s%s\n",
	       g->n, g->n_cables, g->n_perms, depth, e.n_seen, (unsigned long long)e.n_steps,
	       (unsigned long long)e.n_told, (unsigned long long)e.n_foreign,
	       (unsigned long long)e.n_changing, (double)(clock() - start) / CLOCKS_PER_SEC,
	       *e.found ? ": " : "", e.found);
	fflush(stdout);
	free(e.seen);
	return !*e.found;
}

int main(int argc, char **argv)
{
	static model_graph graphs[32];
	if (argc < 5)
		return 2;
	bool ring = !strncmp(argv[1], "ring", 4), sound = true;
	const char *range = argv[1] + (ring ? 4 : 0), *dash = strchr(range, '-');
	unsigned from = (unsigned)atoi(range), to = dash ? (unsigned)atoi(dash + 1) : from;
	explorer like = {.kinds = kinds_of(argv[3]), .no_symmetry = argc > 5};
	for (unsigned i = 0; i < MODEL_N_ASKS; i++)
		like.asks |= (unsigned)(strchr(argv[4], "nah"[i]) != NULL) << i;
	if (from < 1 || to > MODEL_MOST || !like.kinds || !like.asks)
		return 2;
	for (unsigned n = from; n <= to; n++) {
		unsigned n_graphs = model_list_graphs(n, graphs);
		for (unsigned i = 0; i < n_graphs; i++)
			if (!ring || (graphs[i].n_cables == n && graphs[i].n_perms == 2 * n))
				sound &= explore_one(&like, &graphs[i], (unsigned)atoi(argv[2]));
	}
	return !sound;
}
