/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Search for a running subnet manager. A standby counts too, because it may become
 * master. */
#include "live/query.h"

/* PortInfo's CapabilityMask; SMInfo's state (InfiniBand volume 1, 14.2.5.6 and 14.2.5.13). */
enum { IS_SM = 1 << 1, NOT_ACTIVE = 0 };

typedef struct managers {
	odo_query *q;
	ibnd_port_t **port; /* [n] ports that report a subnet manager */
	size_t n;
	const ibnd_port_t *running;
	bool answered; /* the LID answered that this port stores as the manager's */
} managers;

static bool ask_sm_info(void *context, size_t i, odo_mad *mad)
{
	const managers *r = context;
	*mad = odo_smp_to(r->port[i]->node, IB_ATTR_SMINFO, 0);
	return true;
}

static void take_sm_info(void *context, size_t i, const uint8_t *data)
{
	managers *r = context;
	if (odo_mad_field(data, IB_SMINFO_STATE_F) != NOT_ACTIVE)
		r->running = r->port[i];
}

static void miss_sm_info(void *context, size_t i, unsigned status)
{
	(void)context;
	(void)i;
	(void)status;
}

static bool ask_administration(void *context, size_t i, odo_mad *mad)
{
	managers *r = context;
	(void)i;
	*mad = (odo_mad){.rpc = {.mgtclass = IB_SA_CLASS,
				 .method = IB_MAD_METHOD_GET,
				 .attr = {.id = CLASS_PORT_INFO},
				 .datasz = IB_SA_DATA_SIZE,
				 .dataoffs = IB_SA_DATA_OFFS}};
	return odo_query_manager(r->q, &mad->to);
}

static void take_administration(void *context, size_t i, const uint8_t *data)
{
	(void)i;
	(void)data;
	((managers *)context)->answered = true;
}

static void miss_administration(void *context, size_t i, unsigned status)
{
	(void)i;
	/* A refusal is an answer too, except the one of a kernel without a subnet manager above
	 * it. */
	((managers *)context)->answered |= status && status != IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED;
}

static bool has_manager(const ibnd_node_t *node, int port)
{
	return odo_mad_field(node->ports[port]->info, IB_PORT_CAPMASK_F) & IS_SM;
}

int odo_managers_refuse(odo_query *q, const ibnd_fabric_t *subnet)
{
	managers r = {.q = q};
	r.port = odo_query_ports(q, subnet, has_manager, &r.n);
	int status = r.port ? 0 : ODO_ENOMEM;
	if (!status)
		status = odo_query_try(q, "subnet managers", r.n, &r, ask_sm_info, take_sm_info,
				       miss_sm_info);
	if (!status)
		status = odo_query_try(q, "subnet managers", 1, &r, ask_administration,
				       take_administration, miss_administration);
	if (status)
		return odo_query_fail(q, status);
	if (r.running)
		return odo_fail(
			q->err, ODO_EUNSAFE,
			"a subnet manager runs at port %d of \"%.64s\": expected none, since "
			"it would write its own tables over these",
			r.running->portnum, r.running->node->nodedesc);
	return r.answered
		       ? odo_fail(q->err, ODO_EUNSAFE,
				  "a subnet manager answers: expected none, since it would write "
				  "its own tables over these")
		       : 0;
}
