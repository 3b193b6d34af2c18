/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "live/probe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fabric/port_info.h"
#include "live/guard.h"
#include "live/installed.h"
#include "live/query.h"

/* PortInfo's CapabilityMask: IsSLMappingSupported (InfiniBand volume 1, 14.2.5.6). */
enum { HAS_SL2VL = 1 << 6, MAP_BYTES = 8 };
/* PortInfo's PortState. */
enum { LINK_DOWN = 1 };

typedef struct prober {
	odo_query q;
	ibnd_fabric_t *subnet;
	ibnd_node_t **node; /* [n] switches */
	odo_probe *probe;   /* [n] */
	size_t n;
} prober;

/* Record the fewest VLs of a switch's cabled ports. */
static void measure_ports(odo_probe *probe, const ibnd_node_t *node)
{
	for (int port = 1; port <= node->numports; port++) {
		if (!odo_is_cabled(node, port))
			continue;
		const void *info = node->ports[port]->info;
		uint8_t vls = odo_port_vls(odo_mad_field(info, IB_PORT_VL_CAP_F));
		uint8_t operational = odo_port_vls(odo_mad_field(info, IB_PORT_OPER_VLS_F));
		if (!probe->cabled || vls < probe->vls)
			probe->vls = vls;
		if (!probe->cabled || operational < probe->operational_vls)
			probe->operational_vls = operational;
		probe->cabled++;
	}
}

static void describe_switch(odo_probe *probe, const ibnd_node_t *node)
{
	const ibnd_port_t *own = node->ports[0];
	*probe = (odo_probe){.guid = node->guid, .ports = (uint8_t)node->numports};
	snprintf(probe->name, sizeof probe->name, "%.64s", node->nodedesc);
	probe->vendor = odo_mad_field(node->info, IB_NODE_VENDORID_F);
	probe->device = odo_mad_field(node->info, IB_NODE_DEVID_F);
	probe->lft_capacity = odo_mad_field(node->switchinfo, IB_SW_LINEAR_FDB_CAP_F);
	probe->multicast_capacity = odo_mad_field(node->switchinfo, IB_SW_MCAST_FDB_CAP_F);
	probe->optimized_sl2vl = odo_mad_field(node->switchinfo, IB_SW_OPT_SLTOVL_MAPPING_F) & 1;
	probe->has_sl2vl = own && odo_mad_field(own->info, IB_PORT_CAPMASK_F) & HAS_SL2VL;
	measure_ports(probe, node);
}

static int list_switches(prober *p)
{
	for (const ibnd_node_t *node = p->subnet->nodes; node; node = node->next)
		p->n += node->type == IB_NODE_SWITCH;
	p->node = odo_new(p->n, sizeof(ibnd_node_t *));
	p->probe = odo_new(p->n, sizeof *p->probe);
	if (!p->node || !p->probe)
		return ODO_ENOMEM;
	size_t i = 0;
	for (ibnd_node_t *node = p->subnet->nodes; node; node = node->next)
		if (node->type == IB_NODE_SWITCH) {
			p->node[i] = node;
			describe_switch(&p->probe[i++], node);
		}
	return 0;
}

/* Query a map of each switch: that it has maps is what it says, that it returns one is a fact. */
static bool ask_first_map(void *context, size_t i, odo_mad *mad)
{
	const prober *p = context;
	*mad = odo_smp_to(p->node[i], IB_ATTR_SLVL_TABLE, 1u << 8 | 2);
	return p->probe[i].has_sl2vl && p->probe[i].ports >= 2;
}

static void take_first_map(void *context, size_t i, const uint8_t *data)
{
	(void)context;
	(void)i;
	(void)data;
}

static void miss_first_map(void *context, size_t i, unsigned status)
{
	prober *p = context;
	p->probe[i].has_sl2vl = false;
	p->probe[i].is_silent = !status;
}

/* MAD to the switch of the trial. */
typedef struct exchange {
	ibnd_node_t *node;
	unsigned in, out;
	uint8_t *map; /* gets what was read */
	bool writes, answered;
} exchange;

static bool ask_exchange(void *context, size_t i, odo_mad *mad)
{
	const exchange *x = context;
	(void)i;
	*mad = odo_smp_to(x->node, IB_ATTR_SLVL_TABLE, x->in << 8 | x->out);
	if (x->writes) {
		mad->rpc.method = IB_MAD_METHOD_SET;
		memcpy(mad->data, x->map, MAP_BYTES);
	}
	return true;
}

static void take_exchange(void *context, size_t i, const uint8_t *data)
{
	exchange *x = context;
	(void)i;
	x->answered = true;
	if (!x->writes)
		memcpy(x->map, data, MAP_BYTES);
}

static void miss_exchange(void *context, size_t i, unsigned status)
{
	(void)context;
	(void)i;
	(void)status;
}

static bool send_exchange(prober *p, exchange x)
{
	return !odo_query_try(&p->q, "the trial", 1, &x, ask_exchange, take_exchange,
			      miss_exchange) &&
	       x.answered;
}

static bool read_map(prober *p, ibnd_node_t *node, unsigned in, unsigned out, uint8_t *map)
{
	return send_exchange(p, (exchange){.node = node, .in = in, .out = out, .map = map});
}

static bool write_map(prober *p, ibnd_node_t *node, unsigned in, unsigned out, uint8_t *map)
{
	return send_exchange(p, (exchange){node, in, out, map, .writes = true});
}

/* Write a map that has another VL for every SL, see what became of it and of its neighbour, and
 * write what was there. */
static int exchange_maps(prober *p, ibnd_node_t *node, odo_probe_trial *trial)
{
	uint8_t was[MAP_BYTES], other[MAP_BYTES], trial_map[MAP_BYTES], now[MAP_BYTES];
	unsigned in = trial->in, beside = trial->other_in, out = trial->out;
	if (!read_map(p, node, in, out, was) || !read_map(p, node, beside, out, other))
		return odo_fail(p->q.err, ODO_EIO,
				"\"%.64s\" returns no map of port %u: nothing was written",
				node->nodedesc, out);
	for (unsigned i = 0; i < MAP_BYTES; i++)
		trial_map[i] = (uint8_t)(was[i] >> 4 ? 0 : 1 << 4) | (was[i] & 15 ? 0 : 1);
	bool taken = write_map(p, node, in, out, trial_map) && read_map(p, node, in, out, now);
	trial->is_taken = taken && !memcmp(now, trial_map, MAP_BYTES);
	trial->is_by_input = trial->is_taken && read_map(p, node, beside, out, now) &&
			     !memcmp(now, other, MAP_BYTES);
	bool restored = write_map(p, node, in, out, was);
	if (!trial->is_by_input) /* it may have changed, even if the trial's map was not taken */
		restored &= write_map(p, node, beside, out, other);
	trial->is_restored = restored && read_map(p, node, in, out, now) &&
			     !memcmp(now, was, MAP_BYTES) && read_map(p, node, beside, out, now) &&
			     !memcmp(now, other, MAP_BYTES);
	return 0;
}

/* Return true for a port that no packet crosses. A cable to a node that does not answer keeps its
 * link up. */
static bool is_free(const ibnd_node_t *node, int port)
{
	const ibnd_port_t *p = node->ports[port];
	return p && !p->remoteport && odo_mad_field(p->info, IB_PORT_STATE_F) == LINK_DOWN;
}

/* Find the switch and a port of it that has no cable, so that no packet meets the trial's map. */
static int try_switch(prober *p, odo_probe_trial *trial)
{
	size_t i = 0;
	while (i < p->n && p->probe[i].guid != trial->guid)
		i++;
	if (i == p->n)
		return odo_fail(p->q.err, ODO_EINPUT,
				"expected the GUID of a switch of the subnet, found 0x%016" PRIx64,
				trial->guid);
	ibnd_node_t *node = p->node[i];
	int out = node->numports;
	while (out && !is_free(node, out))
		out--;
	if (!p->probe[i].has_sl2vl || !out || node->numports < 3)
		return odo_fail(p->q.err, ODO_EINPUT,
				"\"%.64s\" %s: nothing was written, expected another switch",
				node->nodedesc,
				p->probe[i].has_sl2vl ? "has no port without a cable"
						      : "maps no SLs");
	trial->out = (uint8_t)out;
	trial->in = out == 1 ? 2 : 1;
	trial->other_in = out <= 2 ? 3 : 2;
	odo_guard guard;
	odo_guard_begin(&guard);
	int status = exchange_maps(p, node, trial);
	odo_guard_end(&guard);
	return status;
}

static int probe_all(prober *p, odo_probe_trial *trial)
{
	int status = list_switches(p);
	if (!status)
		status = odo_query_try(&p->q, "switches", p->n, p, ask_first_map, take_first_map,
				       miss_first_map);
	if (status)
		return odo_query_fail(&p->q, status);
	return trial ? try_switch(p, trial) : 0;
}

int odo_live_probe(const odo_live_options *given, odo_probe **out, size_t *n,
		   odo_probe_trial *trial, odo_error *err)
{
	char name[64];
	odo_live_options options = *given;
	odo_live_tables none = {0};
	prober p = {.q = {.out = &none, .wanted = &options, .err = err}};
	int status = odo_live_discover(&options, name, sizeof name, &p.subnet, err);
	*out = NULL;
	if (status)
		return status;
	status = odo_query_open(&p.q);
	if (!status) {
		status = probe_all(&p, trial);
		odo_query_close(&p.q);
	}
	ibnd_destroy_fabric(p.subnet);
	free(p.node);
	if (status) {
		free(p.probe);
		return status;
	}
	*out = p.probe;
	*n = p.n;
	return 0;
}
