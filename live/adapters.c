/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "live/adapters.h"

#include <stdio.h>
#include <stdlib.h>

#include <infiniband/verbs.h>

#include "base/memory.h"

typedef struct list {
	odo_adapter_port *port;
	size_t n, room, n_closed;
} list;

static const char *state_of(enum ibv_port_state state)
{
	static const char *const states[] = {[IBV_PORT_DOWN] = "down",
					     [IBV_PORT_INIT] = "initialising",
					     [IBV_PORT_ARMED] = "armed",
					     [IBV_PORT_ACTIVE] = "active",
					     [IBV_PORT_ACTIVE_DEFER] = "active, deferred"};
	bool known = (unsigned)state < sizeof states / sizeof *states && states[state];
	return known ? states[state] : "unknown";
}

/* Drivers older than RoCE report the link layer as unspecified. */
static bool is_infiniband(uint8_t layer)
{
	return layer == IBV_LINK_LAYER_INFINIBAND || layer == IBV_LINK_LAYER_UNSPECIFIED;
}

static const char *layer_of(uint8_t layer)
{
	return is_infiniband(layer)               ? "InfiniBand"
	       : layer == IBV_LINK_LAYER_ETHERNET ? "Ethernet"
						  : "unknown";
}

static int add_adapter_port(list *to, struct ibv_context *context, unsigned port)
{
	struct ibv_port_attr attributes;
	if (ibv_query_port(context, (uint8_t)port, &attributes))
		return 0;
	if (odo_grow(&to->port, &to->room, to->n + 1, sizeof *to->port))
		return ODO_ENOMEM;
	odo_adapter_port *x = &to->port[to->n++];
	*x = (odo_adapter_port){.port = port,
				.state = state_of(attributes.state),
				.link_layer = layer_of(attributes.link_layer),
				.lid = attributes.lid,
				.usable = attributes.state == IBV_PORT_ACTIVE &&
					  is_infiniband(attributes.link_layer)};
	snprintf(x->adapter, sizeof x->adapter, "%.63s", ibv_get_device_name(context->device));
	return 0;
}

static int add_device_ports(list *to, struct ibv_device *device)
{
	struct ibv_context *context = ibv_open_device(device);
	struct ibv_device_attr attributes;
	int status = 0;
	if (!context) {
		to->n_closed++;
		return 0;
	}
	if (!ibv_query_device(context, &attributes))
		for (unsigned port = 1; port <= attributes.phys_port_cnt && !status; port++)
			status = add_adapter_port(to, context, port);
	ibv_close_device(context);
	return status;
}

int odo_adapters_list(odo_adapter_port **out, size_t *n, size_t *n_closed, odo_error *err)
{
	list found = {0};
	int count = 0, status = 0;
	struct ibv_device **devices = ibv_get_device_list(&count);
	for (int i = 0; devices && i < count && !status; i++)
		status = add_device_ports(&found, devices[i]);
	if (devices)
		ibv_free_device_list(devices);
	if (status) {
		free(found.port);
		return odo_fail(err, status, "no memory for a list of adapters");
	}
	*out = found.port;
	*n = found.n;
	*n_closed = found.n_closed;
	return 0;
}
