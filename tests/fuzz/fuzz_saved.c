/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No file crashes the reader of what a manager left. What it takes, the next routing takes too, and
 * it is written back as the same. */
#include "fabric/topology/topology.h"
#include "fuzz.h"
#include "routing/engine.h"
#include "routing/reroute/saved.h"

static void check_route(const odo_saved *saved, const odo_fabric *f, const char *engine)
{
	odo_error err = {0};
	odo_tables *t = NULL;
	odo_route_options options = {.before = saved->tables, .history = saved->history};
	if (!fuzz_refused(odo_route(f, NULL, engine, &options, &t, &err), &err))
		odo_tables_free(t);
}

static void check_back(const odo_saved *saved)
{
	char *text[2] = {0}, path[32];
	size_t size[2];
	const odo_saved *from = saved;
	odo_saved again = {0};
	odo_error err = {0};
	for (int i = 0; i < 2; i++) {
		FILE *to = open_memstream(&text[i], &size[i]);
		hold(to && !odo_saved_write(from->tables, from->history, from->choice, to, &err) && !fclose(to),
		     "it is written");
		int file = fuzz_file((uint8_t *)text[i], size[i], path);
		FILE *back = fopen(path, "r");
		odo_saved_clear(&again);
		hold(back && !odo_saved_read(back, path, &again, &err),
		     "what is written can be read");
		from = &again;
		fclose(back);
		close(file);
	}
	hold(size[0] == size[1] && !memcmp(text[0], text[1], size[0]), "and is the same");
	odo_saved_clear(&again);
	free(text[0]);
	free(text[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static odo_fabric *f;
	char path[32];
	odo_error err = {0};
	odo_saved saved = {0};
	int file = fuzz_file(data, size, path);
	FILE *from = fopen(path, "r");
	hold(f || !odo_topology_generate("random:n=6,d=3,c=1", 0, &f, NULL, &err), "a fabric");
	if (from && !fuzz_refused(odo_saved_read(from, path, &saved, &err), &err)) {
		check_route(&saved, f, "layered");
		check_route(&saved, saved.fabric, "layered");
		check_route(&saved, f, "updown");
		check_back(&saved);
	}
	odo_saved_clear(&saved);
	fclose(from);
	close(file);
	return 0;
}
