/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Asks the emulated fabric itself, by the MADs that infiniband-diags sends, but in one process:
 *
 *   lfts    every forwarding table
 *   sl2vl   every SL2VL table of switches and adapters
 *   sls     path records for the pairs "source destination ..." on standard input
 *   join    joins this host to the IPv4 broadcast group of IPoIB, as a full member or in the state
 *           given
 *   wipe    empties the tables of the node of that name, as one that has lost power: a switch
 * forwards no LID and no multicast, and every SL is sent to VL 0. With "wait" it does so at once
 * when a line comes on standard input, and says "ready" before
 *   wipe-entry  empties the entry of a LID in the switch of that name
 *
 * All in the form that readback.sh describes.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/ibnetdisc.h>
#include <infiniband/mad.h>

static struct ibmad_port *open_port(void)
{
	int classes[] = {IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS};
	return mad_rpc_open_port(NULL, 0, classes, 3);
}

static int print_table(ib_portid_t *to, uint64_t guid, unsigned in, unsigned out,
		       const struct ibmad_port *port)
{
	uint8_t table[IB_SMP_DATA_SIZE] = {0};
	if (!smp_query_via(table, to, IB_ATTR_SLVL_TABLE, in << 8 | out, 0, port)) {
		fprintf(stderr, "no SL2VL table from %016" PRIx64 " %u %u\n", guid, in, out);
		return 1;
	}
	printf("%016" PRIx64 " %u %u", guid, in, out);
	for (unsigned sl = 0; sl < 16; sl++)
		printf(" %u", sl % 2 ? table[sl / 2] & 0xf : table[sl / 2] >> 4);
	putchar('\n');
	return 0;
}

static int print_node(const ibnd_node_t *node, const struct ibmad_port *port)
{
	int failed = 0;
	ib_portid_t to = node->path_portid;
	for (int out = 1; out <= node->numports; out++) {
		const ibnd_port_t *end = node->ports[out];
		if (!end || !end->remoteport)
			continue;
		if (node->type == IB_NODE_SWITCH)
			for (int in = 0; in <= node->numports; in++)
				failed |= print_table(&to, node->guid, (unsigned)in, (unsigned)out,
						      port);
		else
			failed |= print_table(&to, end->guid, 0, 0, port);
	}
	return failed;
}

static int print_lft(const ibnd_node_t *node, const struct ibmad_port *port)
{
	uint8_t info[IB_SMP_DATA_SIZE] = {0}, block[IB_SMP_DATA_SIZE];
	ib_portid_t to = node->path_portid;
	if (!smp_query_via(info, &to, IB_ATTR_SWITCH_INFO, 0, 0, port))
		return 1;
	unsigned top = mad_get_field(info, 0, IB_SW_LINEAR_FDB_TOP_F);
	for (unsigned lid = 0; lid <= top; lid++) {
		if (lid % 64 == 0 &&
		    !smp_query_via(block, &to, IB_ATTR_LINEARFORWTBL, lid / 64, 0, port))
			return 1;
		if (lid && block[lid % 64] != 0xff)
			printf("%016" PRIx64 " 0x%04x %03u\n", node->guid, lid, block[lid % 64]);
	}
	return 0;
}

static int read_tables(const ibnd_fabric_t *fabric, bool lfts, const struct ibmad_port *port)
{
	int failed = 0;
	for (const ibnd_node_t *node = fabric->nodes; node; node = node->next)
		if (!lfts)
			failed |= print_node(node, port);
		else if (node->type == IB_NODE_SWITCH)
			failed |= print_lft(node, port);
	return failed;
}

static int empty_table(ib_portid_t *to, unsigned attribute, unsigned modifier, int byte,
		       const struct ibmad_port *port)
{
	uint8_t table[IB_SMP_DATA_SIZE];
	memset(table, byte, sizeof table);
	return !smp_set_via(table, to, attribute, modifier, 0, port);
}

static int wipe_switch(const ibnd_node_t *node, const struct ibmad_port *port)
{
	uint8_t info[IB_SMP_DATA_SIZE] = {0};
	ib_portid_t to = node->path_portid;
	if (!smp_query_via(info, &to, IB_ATTR_SWITCH_INFO, 0, 0, port))
		return 1;
	unsigned blocks = mad_get_field(info, 0, IB_SW_LINEAR_FDB_TOP_F) / 64 + 1;
	unsigned groups = mad_get_field(info, 0, IB_SW_MCAST_FDB_CAP_F) / 32;
	unsigned n = (unsigned)node->numports;
	int failed = 0;
	for (unsigned i = 0; i < groups; i++)
		failed |= empty_table(&to, IB_ATTR_MULTICASTFORWTBL, i, 0, port);
	for (unsigned out = 1; out <= n; out++)
		for (unsigned in = 0; in <= n; in++)
			failed |= empty_table(&to, IB_ATTR_SLVL_TABLE, in << 8 | out, 0, port);
	for (unsigned i = 0; i < blocks; i++)
		failed |= empty_table(&to, IB_ATTR_LINEARFORWTBL, i, 0xff, port);
	return failed;
}

static int wipe_tables(const ibnd_node_t *node, const struct ibmad_port *port)
{
	ib_portid_t to = node->path_portid;
	return node->type == IB_NODE_SWITCH ? wipe_switch(node, port)
					    : empty_table(&to, IB_ATTR_SLVL_TABLE, 0, 0, port);
}

static int wipe_entry(const ibnd_fabric_t *fabric, const char *name, unsigned lid,
		      const struct ibmad_port *port)
{
	uint8_t block[IB_SMP_DATA_SIZE];
	const ibnd_node_t *node = fabric->nodes;
	while (node && strcmp(node->nodedesc, name))
		node = node->next;
	if (!node)
		return 1;
	ib_portid_t to = node->path_portid;
	if (!smp_query_via(block, &to, IB_ATTR_LINEARFORWTBL, lid / 64, 0, port))
		return 1;
	block[lid % 64] = 0xff;
	return !smp_set_via(block, &to, IB_ATTR_LINEARFORWTBL, lid / 64, 0, port);
}

static void wait_for_line(void)
{
	puts("ready");
	fflush(stdout);
	while (getchar() != '\n' && !feof(stdin))
		;
}

static int wipe(const ibnd_fabric_t *fabric, const char *name, bool waits,
		const struct ibmad_port *port)
{
	for (const ibnd_node_t *node = fabric->nodes; node; node = node->next)
		if (!strcmp(node->nodedesc, name)) {
			if (waits)
				wait_for_line();
			return wipe_tables(node, port);
		}
	fprintf(stderr, "no node \"%s\"\n", name);
	return 1;
}

/* umad2sim answers for the SA by its LID; the GIDs carry the default prefix and port GUIDs. */
static int read_sls(const struct ibmad_port *port)
{
	ib_portid_t sm = {0}, self = {0};
	ibmad_gid_t own;
	int own_port;
	unsigned from, to;
	char rest[64];
	if (ib_resolve_self_via(&self, &own_port, &own, port) || ib_resolve_smlid_via(&sm, 0, port))
		return 1;
	while (scanf("%u %u%63[^\n]", &from, &to, rest) == 3) {
		uint8_t record[IB_SA_DATA_SIZE] = {0};
		ib_rpc_t rpc = {.mgtclass = IB_SA_CLASS,
				.method = IB_MAD_METHOD_GET,
				.attr = {.id = IB_SA_ATTR_PATHRECORD},
				.mask = 1ull << 4 | 1ull << 5 | 1ull << 12, /* DLID SLID NumbPath */
				.timeout = 1000,
				.datasz = IB_SA_DATA_SIZE,
				.dataoffs = IB_SA_DATA_OFFS};
		mad_set_field(record, 0, IB_SA_PR_DLID_F, to);
		mad_set_field(record, 0, IB_SA_PR_SLID_F, from);
		mad_set_field(record, 0, IB_SA_PR_NPATH_F, 1);
		sm.qp = 1;
		sm.qkey = IB_DEFAULT_QP1_QKEY;
		if (!mad_rpc(port, &rpc, &sm, record, record) ||
		    mad_get_field(record, 0, IB_SA_PR_DLID_F) != to) {
			fprintf(stderr, "no path record for %u %u\n", from, to);
			return 1;
		}
		printf("%u %u %u\n", from, to, mad_get_field(record, 0, IB_SA_PR_SL_F));
	}
	return 0;
}

static int join(const struct ibmad_port *port, unsigned state)
{
	ib_portid_t sm = {0}, self = {0};
	ibmad_gid_t own;
	int own_port;
	uint8_t record[IB_SA_DATA_SIZE] = {0};
	/* The broadcast group of the default partition (RFC 4391, section 4). */
	uint8_t mgid[16] = {0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, [12] = 0xff, 0xff, 0xff, 0xff};
	if (ib_resolve_self_via(&self, &own_port, &own, port) || ib_resolve_smlid_via(&sm, 0, port))
		return 1;
	ib_rpc_t rpc = {.mgtclass = IB_SA_CLASS,
			.method = IB_MAD_METHOD_SET,
			.attr = {.id = 0x38},                       /* MCMemberRecord */
			.mask = 1ull << 0 | 1ull << 1 | 1ull << 16, /* MGID PortGID JoinState */
			.timeout = 2000,
			.datasz = IB_SA_DATA_SIZE,
			.dataoffs = IB_SA_DATA_OFFS};
	mad_set_array(record, 0, IB_SA_MCM_MGID_F, mgid);
	mad_set_array(record, 0, IB_SA_MCM_PORTGID_F, own);
	mad_set_field(record, 0, IB_SA_MCM_JOIN_STATE_F, state);
	sm.qp = 1;
	sm.qkey = IB_DEFAULT_QP1_QKEY;
	if (!mad_rpc(port, &rpc, &sm, record, record))
		return 1;
	printf("0x%04x\n", mad_get_field(record, 0, IB_SA_MCM_MLID_F));
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc >= 2 ? argv[1] : "";
	bool lfts = !strcmp(what, "lfts"), tables = lfts || !strcmp(what, "sl2vl");
	bool wipes = argc > 2 && !strcmp(what, "wipe");
	bool wipes_entry = argc > 3 && !strcmp(what, "wipe-entry");
	struct ibnd_config config = {0};
	ibnd_fabric_t *fabric = NULL;
	int failed = 1;
	/* umad2sim serves one open port at a time, and discovery opens its own. */
	if (tables || wipes || wipes_entry)
		fabric = ibnd_discover_fabric(NULL, 0, NULL, &config);
	struct ibmad_port *port = open_port();
	if (port && fabric && wipes)
		failed = wipe(fabric, argv[2], argc > 3 && !strcmp(argv[3], "wait"), port);
	else if (port && fabric && wipes_entry)
		failed = wipe_entry(fabric, argv[2], (unsigned)strtoul(argv[3], NULL, 0), port);
	else if (port && fabric)
		failed = read_tables(fabric, lfts, port);
	else if (port && !strcmp(what, "sls"))
		failed = read_sls(port);
	else if (port && !strcmp(what, "join"))
		failed = join(port, argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 1);
	if (fabric)
		ibnd_destroy_fabric(fabric);
	if (port)
		mad_rpc_close_port(port);
	return failed;
}
