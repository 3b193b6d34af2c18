/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * For test scripts: tool_set NAME MLID [XOR] shows to which of its ports 0 to 15 the switch of this
 * name sends a multicast LID, a bit each, once those in XOR have been changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/ibnetdisc.h>
#include <infiniband/mad.h>

static ibnd_node_t *find(const ibnd_fabric_t *subnet, const char *name)
{
	for (ibnd_node_t *node = subnet->nodes; node; node = node->next)
		if (node->type == IB_NODE_SWITCH && !strcmp(node->nodedesc, name))
			return node;
	return NULL;
}

int main(int argc, char **argv)
{
	int classes[] = {IB_SMI_CLASS, IB_SMI_DIRECT_CLASS};
	uint8_t block[IB_SMP_DATA_SIZE];
	ibnd_config_t config = {0};
	ibnd_fabric_t *subnet = argc >= 3 ? ibnd_discover_fabric(NULL, 0, NULL, &config) : NULL;
	ibnd_node_t *node = subnet ? find(subnet, argv[1]) : NULL;
	struct ibmad_port *port = node ? mad_rpc_open_port(NULL, 0, classes, 2) : NULL;
	if (!port)
		return 2;
	unsigned mlid = (unsigned)strtoul(argv[2], NULL, 0) - IB_MIN_MCAST_LID;
	unsigned change = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 0;
	uint8_t *entry = block + mlid % 32 * 2;
	if (!smp_query_via(block, &node->path_portid, IB_ATTR_MULTICASTFORWTBL, mlid / 32, 0, port))
		return 2;
	entry[0] ^= (uint8_t)(change >> 8);
	entry[1] ^= (uint8_t)change;
	if (change &&
	    !smp_set_via(block, &node->path_portid, IB_ATTR_MULTICASTFORWTBL, mlid / 32, 0, port))
		return 2;
	printf("0x%04x\n", (unsigned)entry[0] << 8 | entry[1]);
	ibnd_destroy_fabric(subnet);
	mad_rpc_close_port(port);
	return 0;
}
