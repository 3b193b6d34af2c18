/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/topology/generators.h"

#include <stdarg.h>

int odo_check_switches(uint64_t n, odo_error *err)
{
	return n <= ODO_MAX_SWITCHES
		       ? 0
		       : odo_fail(err, ODO_EINPUT, "expected up to %u switches, found more",
				  ODO_MAX_SWITCHES);
}

int odo_switch_ports(uint32_t needed, uint32_t wanted, uint32_t *ports, odo_error *err)
{
	if (wanted && wanted < needed)
		return odo_fail(err, ODO_EINPUT, "expected switches of %u ports at least, found %u",
				needed, wanted);
	*ports = wanted ? wanted : needed;
	return 0;
}

static int add_named(odo_builder *b, odo_node_type type, uint32_t ports, const char *format,
		     va_list args, uint32_t *id, odo_error *err)
{
	char name[256];
	vsnprintf(name, sizeof name, format, args);
	odo_node_info info = {.type = type, .n_ports = ports, .name = name};
	return odo_builder_add(b, &info, id, err);
}

int odo_add_switch(odo_builder *b, uint32_t ports, odo_error *err, const char *name, ...)
{
	uint32_t id;
	va_list args;
	va_start(args, name);
	int status = add_named(b, ODO_SWITCH, ports, name, args, &id, err);
	va_end(args);
	return status;
}

int odo_add_host(odo_builder *b, uint32_t s, unsigned port, odo_error *err, const char *name, ...)
{
	uint32_t id;
	va_list args;
	va_start(args, name);
	int status = add_named(b, ODO_CA, 1, name, args, &id, err);
	va_end(args);
	return status ? status : odo_add_cable(b, s, port, id, 1, err);
}

int odo_add_hosts(odo_builder *b, uint32_t first, uint32_t n, uint32_t hosts, odo_error *err)
{
	int status = 0;
	for (uint32_t s = first; s < first + n; s++)
		for (uint32_t i = 0; i < hosts && !status; i++)
			status = odo_add_host(b, s, i + 1, err, "H%u_%u", s, i);
	return status;
}

int odo_add_cable(odo_builder *b, uint32_t v, unsigned port, uint32_t far, unsigned far_port,
		  odo_error *err)
{
	return odo_builder_link(b, v, port, far, far_port, (odo_link_info){.n_vls = 8}, err);
}
