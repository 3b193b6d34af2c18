/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "export/certificate.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "export/write.h"
#include "routing/graph/dependency.h"
#include "routing/verify/sls.h"
#include "routing/verify/verify.h"

/* Find an order of channels: by levels, of which each is above those of all channels that packets
 * may come from. @param deps gets all dependencies, for odo_dependencies_clear() */
static int find_channel_levels(const odo_tables *t, const odo_mcast *mcast, odo_dependencies *deps,
			       uint32_t **level, odo_error *err)
{
	int status = odo_verify_graph(t, deps, err);
	if (!status && mcast)
		status = odo_mcast_depend(mcast, t, deps, err);
	return status ? status : odo_dependencies_levels(deps, level, err);
}

/* Channels that no packet enters from another channel are before all others, and left out. */
static int write_channel_order(const odo_tables *t, const odo_mcast *mcast, FILE *to,
			       odo_error *err)
{
	const odo_fabric *f = t->fabric;
	odo_dependencies deps;
	uint32_t *level = NULL;
	int status = find_channel_levels(t, mcast, &deps, &level, err);
	uint64_t *order = status ? NULL : odo_new(deps.n_channels, sizeof *order);
	if (!status && !order)
		status = odo_fail(err, ODO_ENOMEM, "no memory to order channels");
	for (uint32_t c = 0; !status && c < deps.n_channels; c++)
		order[c] = (uint64_t)level[c] << 32 | c;
	if (!status)
		qsort(order, deps.n_channels, sizeof *order, odo_by_u64);
	for (uint32_t i = 0; !status && i < deps.n_channels; i++) {
		uint32_t slot = (uint32_t)order[i] / t->n_vls;
		if (order[i] >> 32)
			fprintf(to, "channel %u %u %u\n", f->owner[slot], odo_port(f, slot),
				(uint32_t)order[i] % t->n_vls);
	}
	free(order);
	free(level);
	odo_dependencies_clear(&deps);
	return status;
}

static int write_certified_switches(const odo_fabric *f, FILE *to, odo_error *err)
{
	uint32_t *part = odo_new(f->n_switches, sizeof *part);
	int n = part ? odo_fabric_parts(f, part, err)
		     : odo_fail(err, ODO_ENOMEM, "no memory for a certificate");
	for (uint32_t s = 0; n >= 0 && s < f->n_switches; s++)
		fprintf(to, "switch 0x%016" PRIx64 " %u\n", f->node_guid[s], part[s] + 1);
	free(part);
	return n < 0 ? n : 0;
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

/* Write sets of SLs in the order of switches, a line for neighbours with the same. */
static void write_sl_sets(const odo_tables *t, uint32_t lid, FILE *to)
{
	for (uint32_t s = 0, n = 1; s < t->fabric->n_switches; s += n, n = 1) {
		unsigned sls = sls_of_pair(t, s, lid);
		while (s + n < t->fabric->n_switches && sls_of_pair(t, s + n, lid) == sls)
			n++;
		fprintf(to, "path %u %x %u\n", lid, sls, n);
	}
}

/* A switch without cables is in no list of cables, nor its LID. */
static bool has_cables(const odo_fabric *f, uint32_t s)
{
	for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
		if (f->peer[slot] != ODO_NONE)
			return true;
	return false;
}

int odo_certificate_text(const odo_tables *t, const odo_mcast *mcast, FILE *to, odo_error *err)
{
	const odo_fabric *f = t->fabric;
	fprintf(to, "# certificate, version 2; routing %s\n# switch GUID PART\n", t->engine);
	int status = write_certified_switches(f, to, err);
	fputs("# channel SWITCH PORT VL: switches from 0, channels in their order\n", to);
	if (!status)
		status = write_channel_order(t, mcast, to, err);
	if (status)
		return status;
	if (mcast)
		fprintf(to, "# SLs of multicast, a bit each\nmulticast %x\n",
			odo_tables_sls_alike(t) ? ODO_ALL_SLS : mcast->sls);
	fputs("# path LID SLS SWITCHES: SLs, a bit each, from the next switches\n", to);
	for (uint32_t lid = 1; lid < f->lid_count; lid++)
		if (f->lid_switch[lid] != ODO_NONE && has_cables(f, f->lid_switch[lid]))
			write_sl_sets(t, lid, to);
	return odo_write_done(to, err);
}

int odo_write_certificate(const odo_tables *t, const odo_coordinates *c, FILE *to, odo_error *err)
{
	(void)c;
	return odo_certificate_text(t, NULL, to, err);
}
