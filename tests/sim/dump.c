/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tests/sim/dump.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* main() of tools/check_certificate.c. It ends the process. */
int check_certificate(int argc, char **argv);

static FILE *open_dump(const char *folder, const char *name)
{
	char path[600];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *to = fopen(path, "w");
	if (!to)
		exit((fprintf(stderr, "sim: cannot write %s\n", path), 2));
	return to;
}

static void print_end(const sim_hardware *hw, uint32_t slot, FILE *to)
{
	const odo_fabric *f = hw->f;
	uint32_t v = f->owner[slot];
	bool is_switch = v < f->n_switches;
	uint64_t guid = is_switch ? f->node_guid[v] : f->port_guid[slot];
	fprintf(to,
		"{ %s Ports:%02x SystemGUID:%016" PRIx64 " NodeGUID:%016" PRIx64
		" PortGUID:%016" PRIx64 " VenID:000000 DevID:0000 Rev:00000000 {%s} LID:%04x "
		"PN:%02x } ",
		is_switch ? "SW" : "CA", odo_n_ports(f, v), f->node_guid[v], f->node_guid[v], guid,
		odo_name(f, v), hw->lid[v], odo_port(f, slot));
}

static void dump_cables(const sim_world *w, FILE *to)
{
	const sim_hardware *hw = &w->hw;
	for (uint32_t slot = 0; slot < hw->f->n_slots; slot++) {
		uint32_t peer = hw->peer[slot];
		if (!sim_is_up(hw, slot) || peer < slot ||
		    !sim_manager_knows(w, hw->f->owner[slot]))
			continue;
		print_end(hw, slot, to);
		print_end(hw, peer, to);
		fputs("PHY=4x LOG=ACT SPD=10\n", to);
	}
}

static void dump_lft(const sim_world *w, uint32_t s, FILE *to)
{
	const sim_hardware *hw = &w->hw;
	const uint8_t *lft = hw->lft + (size_t)s * hw->f->lid_count;
	fprintf(to, "Unicast lids [0-%u] of switch Lid %u guid 0x%016" PRIx64 " ('%s'):\n",
		hw->f->lid_count - 1, hw->lid[s], hw->f->node_guid[s], odo_name(hw->f, s));
	for (uint32_t lid = 1; lid < hw->f->lid_count; lid++)
		if (lft[lid] != SIM_NO_PORT)
			fprintf(to, "0x%04x %03u #\n", lid, lft[lid]);
}

static void dump_maps(const sim_world *w, uint32_t s, FILE *to)
{
	const sim_hardware *hw = &w->hw;
	unsigned n = odo_n_ports(hw->f, s);
	fprintf(to, "Switch 0x%016" PRIx64 ", base LID %u, \"%s\"\n", hw->f->node_guid[s],
		hw->lid[s], odo_name(hw->f, s));
	for (unsigned out = 1; out <= n; out++)
		for (unsigned in = 0; in <= n; in++) {
			const uint8_t *map = sim_map_of(hw, s, in, out);
			if (!sim_is_up(hw, odo_slot(hw->f, s, out)))
				continue;
			fprintf(to, "%u %u :", in, out);
			for (unsigned sl = 0; sl < SIM_SLS; sl++)
				fprintf(to, " %u", map[sl]);
			fputc('\n', to);
		}
}

void sim_dump(const sim_world *w, const char *folder)
{
	FILE *cables = open_dump(folder, "opensm-subnet.lst");
	FILE *lfts = open_dump(folder, "opensm-lfts.dump");
	FILE *maps = open_dump(folder, "opensm-sl2vl.dump");
	dump_cables(w, cables);
	for (uint32_t s = 0; s < w->hw.f->n_switches; s++)
		if (sim_manager_knows(w, s)) {
			dump_lft(w, s, lfts);
			dump_maps(w, s, maps);
		}
	fclose(cables);
	fclose(lfts);
	fclose(maps);
}

/* Run the checker. With one VL OpenSM has maps of its own, in which an SL has the same VL
 * everywhere: the certificate is then for packets that are all on VL 0, and no maps are given.
 * @return the checker's exit code */
static int run_checker(const char *folder, char *certificate, bool has_maps, int to)
{
	char cables[600], lfts[600], maps[600];
	snprintf(cables, sizeof cables, "%s/opensm-subnet.lst", folder);
	snprintf(lfts, sizeof lfts, "%s/opensm-lfts.dump", folder);
	snprintf(maps, sizeof maps, "%s/opensm-sl2vl.dump", folder);
	char *argv[] = {"check_certificate",    certificate, cables, lfts,
			has_maps ? maps : NULL, NULL};
	fflush(NULL);
	pid_t child = fork();
	if (!child) {
		dup2(to, STDOUT_FILENO);
		exit(check_certificate(has_maps ? 5 : 4, argv));
	}
	int status;
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
		       ? WEXITSTATUS(status)
		       : SIM_CANNOT;
}

sim_answer sim_check_certificate(const sim_world *w, char *said, size_t room)
{
	char pattern[600];
	glob_t found;
	int answer = SIM_NO_CERTIFICATE, ends[2];
	snprintf(pattern, sizeof pattern, "%s/odonata-*.certificate", w->folder);
	snprintf(said, room, "there is no certificate, or there are several");
	if (!glob(pattern, 0, NULL, &found) && found.gl_pathc == 1 && !pipe(ends)) {
		sim_dump(w, w->folder);
		answer = run_checker(w->folder, found.gl_pathv[0], sim_manager_has_maps(w),
				     ends[1]);
		ssize_t n = read(ends[0], said, room - 1);
		said[n > 0 ? n : 0] = '\0';
		said[strcspn(said, "\n")] = '\0';
		close(ends[0]);
		close(ends[1]);
	}
	globfree(&found);
	return (sim_answer)answer;
}
