/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tests/sim/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/clock.h"
#include "tests/sim/dump.h"

/* ms between two commands. */
enum { BETWEEN = 3000 };

static void pass_silently(sim_world *w, sim_point point)
{
	(void)w, (void)point;
}

static uint32_t find_name(const odo_fabric *f, const char *name, size_t n)
{
	for (uint32_t v = 0; v < f->n_nodes; v++)
		if (strlen(odo_name(f, v)) == n && !strncmp(odo_name(f, v), name, n))
			return v;
	fprintf(stderr, "sim: no node has the name %.*s\n", (int)n, name);
	exit(2);
}

static void change_port(sim_hardware *hw, uint32_t slot, bool in)
{
	uint32_t far = hw->f->peer[slot];
	if (in && far != ODO_NONE)
		sim_plug(hw, slot, far);
	else
		sim_unplug(hw, slot);
}

/* Do a line such as: Unlink "S1"[2] */
static void do_command(sim_hardware *hw, const char *line)
{
	const odo_fabric *f = hw->f;
	const char *name = strchr(line, '"'), *end = name ? strchr(name + 1, '"') : NULL;
	unsigned port = 0;
	bool in = !strncmp(line, "Relink", 6);
	if (!end || (!in && strncmp(line, "Unlink", 6)))
		exit((fprintf(stderr, "sim: expected Unlink or Relink, found %s", line), 2));
	uint32_t v = find_name(f, name + 1, (size_t)(end - name - 1));
	if (sscanf(end + 1, "[%u]", &port) == 1) {
		change_port(hw, odo_slot(f, v, port), in);
		return;
	}
	for (uint32_t slot = f->first_slot[v]; slot < f->first_slot[v + 1]; slot++)
		change_port(hw, slot, in);
}

/* Sweep as often as the real manager did, or more if the plugin asks for it. */
static void sweep_often(sim_world *w, uint64_t n, const char *folder)
{
	for (uint64_t end = w->n_sweeps + n; w->n_sweeps < end;)
		if (!sim_manager_sweep(w))
			exit((fputs("sim: it does not settle\n", stderr), 2));
	sim_dump(w, folder);
}

static void do_line(sim_world *w, const char *line, const char *folder)
{
	if (!strncmp(line, "Sweep ", 6)) {
		sweep_often(w, strtoull(line + 6, NULL, 10), folder);
		printf("%llu sweeps\n", (unsigned long long)w->n_sweeps);
	} else {
		sim_clock_pass(BETWEEN);
		do_command(&w->hw, line);
		puts(sim_manager_has_trap(w) ? "seen" : "unseen");
	}
	fflush(stdout);
}

void sim_replay(const odo_fabric *f, const char *at, const char *options, const char *folder,
		const char *log)
{
	char line[300];
	sim_world w = {.at = find_name(f, at, strlen(at)),
		       .options = options,
		       .folder = folder,
		       .at_point = pass_silently,
		       .log = log ? fopen(log, "w") : NULL};
	w.is_member = sim_new((size_t)SIM_GROUPS * f->n_nodes, sizeof *w.is_member);
	sim_hardware_init(&w.hw, f);
	sim_judge_init(&w.judge, &w.hw);
	sim_clock_reset();
	sim_manager_start(&w);
	while (fgets(line, sizeof line, stdin))
		do_line(&w, line, folder);
	sim_manager_stop(&w);
	sim_judge_clear(&w.judge);
	sim_hardware_clear(&w.hw);
	free(w.is_member);
	if (w.log)
		fclose(w.log);
}
