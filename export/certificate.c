/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Certificates: a proof of tables that tools/check_certificate.c repeats without this program. Each
 * channel has a level, and each packet climbs from level to level.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "export/write.h"
#include "routing/verify/verify.h"

static void write_channel_levels(const odo_tables *t, const uint32_t *level, FILE *to)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++)
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
			for (unsigned vl = 0; vl < t->n_vls; vl++)
				if (level[(size_t)slot * t->n_vls + vl])
					fprintf(to, "channel 0x%016" PRIx64 " %u %u %u\n",
						f->node_guid[s], odo_port(f, slot), vl,
						level[(size_t)slot * t->n_vls + vl]);
}

/* Return the SLs of packets from a switch and its hosts to a LID, a bit each. None where no cables
 * lead to the LID, or where the tables leave out LIDs of switches. */
static unsigned sls_of_pair(const odo_tables *t, uint32_t s, uint32_t lid)
{
	bool is_left_out = t->hosts_only && t->fabric->lid_host[lid] == ODO_NONE;
	if (is_left_out || odo_next_port(t, s, lid) == ODO_NO_PORT)
		return 0;
	return 1u << odo_path_sl(t, s, lid) | odo_held_sls(t, s, lid);
}

/* Write sets of SLs, in the order of switches, as SET*COUNT. */
static void write_sl_sets(const odo_tables *t, uint32_t lid, FILE *to)
{
	fprintf(to, "lid %u 0x%016" PRIx64, lid, odo_write_lid_guid(t->fabric, lid));
	for (uint32_t s = 0, n = 1; s < t->fabric->n_switches; s += n, n = 1) {
		unsigned sls = sls_of_pair(t, s, lid);
		while (s + n < t->fabric->n_switches && sls_of_pair(t, s + n, lid) == sls)
			n++;
		fprintf(to, " %x*%u", sls, n);
	}
	putc('\n', to);
}

int odo_write_certificate(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	const odo_fabric *f = t->fabric;
	uint32_t *level;
	int status = odo_verify_levels(t, &level, err);
	if (status)
		return status;
	fprintf(to, "# certificate, version 1; routing %s\n# channel GUID PORT VL LEVEL\n",
		t->engine);
	write_channel_levels(t, level, to);
	free(level);
	fputs("# switch GUID, in the order of columns\n", to);
	for (uint32_t s = 0; s < f->n_switches; s++)
		fprintf(to, "switch 0x%016" PRIx64 "\n", f->node_guid[s]);
	fputs("# lid LID OWNER SLS*SWITCHES ..., a bit for each SL\n", to);
	for (uint32_t lid = 1; lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE)
			write_sl_sets(t, lid, to);
	return odo_write_done(to, err);
}
