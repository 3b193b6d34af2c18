/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "live/live.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <infiniband/ibnetdisc.h>

#include "base/memory.h"
#include "base/order.h"
#include "fabric/port_info.h"
#include "live/adapters.h"
#include "live/installed.h"

/* PortInfo's CapabilityMask: the extended link speed means something (InfiniBand volume 1,
 * 14.2.5.6). */
#define HAS_EXTENDED_SPEEDS (1u << 14)

/* A node that was discovered, at place `id` of the builder. */
typedef struct found {
	uint64_t guid;
	uint32_t id;
} found;

typedef struct reading {
	odo_builder *b;
	odo_error *err;
	found *nodes; /* sorted by GUID after discovery */
	size_t n, room;
	bool in_operation; /* use VLs in operation, not those that ports are capable of */
} reading;

static uint32_t id_of(const reading *r, uint64_t guid)
{
	found key = {.guid = guid};
	const found *at = bsearch(&key, r->nodes, r->n, sizeof *r->nodes, odo_by_u64);
	return at ? at->id : ODO_NONE;
}

/* The capabilities of a switch's ports are those of its port 0. */
static uint32_t capabilities(ibnd_port_t *p)
{
	ibnd_port_t *own = p->node->type == IB_NODE_SWITCH ? p->node->ports[0] : NULL;
	return mad_get_field((own ? own : p)->info, 0, IB_PORT_CAPMASK_F);
}

static odo_speed speed_of(ibnd_port_t *p)
{
	bool fdr10 = mad_get_field(p->ext_info, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F) & 1;
	return odo_port_speed(p->info, capabilities(p) & HAS_EXTENDED_SPEEDS, fdr10);
}

static uint8_t port_vls(const reading *r, ibnd_port_t *p)
{
	return odo_port_vls(
		mad_get_field(p->info, 0, r->in_operation ? IB_PORT_OPER_VLS_F : IB_PORT_VL_CAP_F));
}

static int add_live_node(reading *r, const ibnd_node_t *n)
{
	static const odo_node_type types[] = {[IB_NODE_CA] = ODO_CA,
					      [IB_NODE_SWITCH] = ODO_SWITCH,
					      [IB_NODE_ROUTER] = ODO_ROUTER};
	if (n->type < IB_NODE_CA || n->type > IB_NODE_ROUTER)
		return odo_fail(
			r->err, ODO_EINPUT,
			"node 0x%016llx: expected a switch, adapter or router, found type %d",
			(unsigned long long)n->guid, n->type);
	odo_node_info info = {.type = types[n->type],
			      .n_ports = (unsigned)n->numports,
			      .guid = n->guid,
			      .name = n->nodedesc,
			      .lid = n->smalid,
			      .lmc = n->smaenhsp0 ? n->smalmc : 0};
	uint32_t id;
	int status = odo_builder_add(r->b, &info, &id, r->err);
	for (int i = 1; i <= n->numports && info.type != ODO_SWITCH && !status; i++)
		if (n->ports[i])
			status = odo_builder_port(r->b, id, (unsigned)i, n->ports[i]->guid,
						  n->ports[i]->base_lid, n->ports[i]->lmc, r->err);
	if (!status && odo_grow(&r->nodes, &r->room, r->n + 1, sizeof *r->nodes))
		status = odo_fail(r->err, ODO_ENOMEM, "no memory for a subnet");
	if (!status)
		r->nodes[r->n++] = (found){n->guid, id};
	return status;
}

static int add_live_link(const reading *r, ibnd_port_t *p)
{
	ibnd_port_t *far = p->remoteport;
	uint8_t near_vls = port_vls(r, p), far_vls = port_vls(r, far);
	odo_link_info info = {.width = odo_port_lanes(p->info),
			      .speed = (uint8_t)speed_of(p),
			      .n_vls = near_vls && near_vls < far_vls ? near_vls : far_vls};
	return odo_builder_link(r->b, id_of(r, p->node->guid), (unsigned)p->portnum,
				id_of(r, far->node->guid), (unsigned)far->portnum, info, r->err);
}

static int add_live_links(const reading *r, const ibnd_node_t *n)
{
	int status = 0;
	for (int i = 1; i <= n->numports && !status; i++)
		if (n->ports[i] && n->ports[i]->remoteport)
			status = add_live_link(r, n->ports[i]);
	return status;
}

/* The libraries print several lines if there is no adapter. Our message suffices then, so these
 * lines are suppressed. If the subnet was read, they are printed afterwards. */
typedef struct hush {
	int standard, said;
} hush;

static hush hush_begin(void)
{
	hush h = {dup(STDERR_FILENO), memfd_create("said", MFD_CLOEXEC)};
	if (h.standard >= 0 && h.said >= 0)
		dup2(h.said, STDERR_FILENO);
	return h;
}

static void hush_end(const hush *h, bool repeat)
{
	char text[4096];
	ssize_t n;
	if (h->standard >= 0)
		dup2(h->standard, STDERR_FILENO);
	if (h->said >= 0 && repeat && !lseek(h->said, 0, SEEK_SET))
		while ((n = read(h->said, text, sizeof text)) > 0)
			if (write(STDERR_FILENO, text, (size_t)n) != n)
				break;
	if (h->standard >= 0)
		close(h->standard);
	if (h->said >= 0)
		close(h->said);
}

/* Choose the first active InfiniBand port of libibverbs. If there is none, leave the choice to
 * libibumad, which may find one, for example under ibsim. */
static int choose_port(odo_live_options *options, char *name, size_t size, odo_error *err)
{
	odo_adapter_port *ports;
	size_t n, n_closed, i = 0;
	if (options->adapter || options->port)
		return 0;
	int status = odo_adapters_list(&ports, &n, &n_closed, err);
	if (status)
		return status;
	while (i < n && !ports[i].usable)
		i++;
	if (i < n) {
		snprintf(name, size, "%s", ports[i].adapter);
		options->adapter = name;
		options->port = ports[i].port;
	}
	free(ports);
	return 0;
}

/* Report the most likely reason why a subnet cannot be read. */
static int fail_to_discover(const odo_live_options *options, odo_error *err)
{
	const char
		*folder = "/dev/infiniband",
		*why = "is it there, and up? 'odonata list adapters' tells; and do its nodes want "
		       "an M_Key?";
	if (access(folder, F_OK))
		why = "there is no /dev/infiniband: no adapter, or no driver (ib_umad) for it";
	else if (geteuid())
		why = "is it there, and up, and are you allowed to use /dev/infiniband/umad*, as "
		      "root is?";
	return odo_fail(err, ODO_EIO, "cannot discover the subnet at adapter %s port %u: %s",
			options->adapter ? options->adapter : "(any)", options->port, why);
}

int odo_live_discover(odo_live_options *options, char *name, size_t size, ibnd_fabric_t **out,
		      odo_error *err)
{
	ibnd_config_t config = {.flags = IBND_CONFIG_MLX_EPI,
				.timeout_ms = options->timeout_ms,
				.retries = options->retries,
				.mkey = options->key};
	int status = choose_port(options, name, size, err);
	if (status)
		return status;
	hush quiet = hush_begin();
	/* The library takes a plain char *, but does not write to it. */
	*out = ibnd_discover_fabric((char *)(uintptr_t)options->adapter, (int)options->port, NULL,
				    &config);
	hush_end(&quiet, *out != NULL);
	return *out ? 0 : fail_to_discover(options, err);
}

int odo_live_read(const odo_live_options *given, odo_builder *b, odo_live_tables *installed,
		  odo_error *err)
{
	char name[64];
	odo_live_options chosen = *given, *options = &chosen;
	reading r = {.b = b, .err = err, .in_operation = installed != NULL};
	ibnd_fabric_t *subnet;
	int status = odo_live_discover(options, name, sizeof name, &subnet, err);
	if (status)
		return status;
	for (ibnd_node_t *n = subnet->nodes; n && !status; n = n->next)
		status = add_live_node(&r, n);
	if (!status && r.n)
		qsort(r.nodes, r.n, sizeof *r.nodes, odo_by_u64);
	for (ibnd_node_t *n = subnet->nodes; n && !status; n = n->next)
		status = add_live_links(&r, n);
	if (!status && installed)
		status = odo_installed_read(subnet, options, installed, err);
	free(r.nodes);
	ibnd_destroy_fabric(subnet);
	return status;
}
