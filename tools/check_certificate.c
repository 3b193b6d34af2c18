/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Check tables by their certificate, with nothing of Odonata included; short enough to be read
 * before it is trusted: check_certificate CERTIFICATE LST LFTS [SL2VL], dumps of OpenSM.
 *
 * A certificate has a level for each channel (switch, port, VL), and for each LID its owner and the
 * SLs of packets from each switch. Tables deliver and cannot deadlock if every packet climbs from
 * level to level until the owner: no circle of channels climbs. Without SL2VL maps all packets are
 * on VL 0. Not judged: multicast, other SLs, and LIDs that no port has.
 * Answers: "yes" (exit code 0), "no" with the first failure (1), "cannot check" (2).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLS = 16, VLS = 16, LIDS = 0xC000, DROP = 15, NO_PORT = 255 };
#define NO(...) (printf("no: " __VA_ARGS__), putchar('\n'), exit(1))
#define CANNOT(...) (printf("cannot check: " __VA_ARGS__), putchar('\n'), exit(2))

typedef struct end { /* of a cable */
	uint64_t node, guid;
	unsigned lid, ports, port;
	struct node *at; /* NULL if it is no switch */
} end;
static struct node { /* a switch */
	uint64_t guid;
	unsigned ports, is_listed;
	end *peer;                 /* [ports + 1] */
	uint8_t *lft, (*vl)[SLS];  /* [LIDS]; [input * (ports + 1) + output] */
	int (*level)[VLS];         /* [ports + 1] 0 unless the certificate has it */
} nodes[LIDS], *now, *order[LIDS]; /* order: switches as columns of the certificate have them */
static unsigned n_nodes, n_order;
static char is_owned[LIDS], is_certified[LIDS], line_of_file[1 << 20];
static unsigned long n_paths, n_silent;

static struct node *find(uint64_t guid, unsigned ports) /* ports: 0 if it must be known */
{
	struct node *s = nodes;
	size_t n = ports + 1;
	while (s < nodes + n_nodes && s->guid != guid)
		s++;
	if (s < nodes + n_nodes)
		return s;
	if (!ports || ports >= NO_PORT || n_nodes++ == LIDS)
		CANNOT("switch 0x%" PRIx64 " has no cables, or too many ports", guid);
	*s = (struct node){guid,
			   ports,
			   0,
			   calloc(n, sizeof *s->peer),
			   malloc(LIDS),
			   calloc(n * n, SLS),
			   calloc(n, sizeof *s->level)};
	if (!s->peer || !s->lft || !s->vl || !s->level)
		CANNOT("no memory");
	return memset(s->lft, NO_PORT, LIDS), s;
}

static void read_cable(char *line)
{
	end e[2];
	char kind[8], *name;
	for (int i = 0; i < 2 && line && *line == '{'; i++, line = strstr(name, "{ ")) {
		name = strstr(line, "} LID:");
		if (!name ||
		    sscanf(line, "{ %7s Ports:%x %*s NodeGUID:%" SCNx64 " PortGUID:%" SCNx64, kind,
			   &e[i].ports, &e[i].node, &e[i].guid) != 4 ||
		    sscanf(name, "} LID:%x PN:%x", &e[i].lid, &e[i].port) != 2 ||
		    e[i].lid >= LIDS || e[i].port > e[i].ports)
			CANNOT("expected the end of a cable: %.70s", line);
		e[i].at = strcmp(kind, "SW") ? NULL : find(e[i].node, e[i].ports);
		is_owned[e[i].lid] = 1;
		for (int j = 0; j < 2 * i; j++)
			if (e[j].at)
				e[j].at->peer[e[j].port] = e[!j];
	}
}

static void read_dump(char *line) /* of LFTs or of SL2VL maps */
{
	unsigned a, b, vl;
	uint64_t guid;
	int n;
	if (*line == 'U' || *line == 'S' ||
	    *line == 'C') /* Unicast lids, Switch, Channel Adapter */
		now = sscanf(line, "Switch %" SCNx64, &guid) == 1 ||
				      sscanf(line,
					     "Unicast lids %*s of switch Lid %*u guid %" SCNx64,
					     &guid) == 1
			      ? find(guid, 0)
			      : NULL;
	else if (now && sscanf(line, "0x%x %u", &a, &b) == 2 && a < LIDS)
		now->lft[a] = (uint8_t)(b < NO_PORT ? b : NO_PORT);
	else if (now && sscanf(line, "%u %u :%n", &a, &b, &n) == 2 && a <= now->ports &&
		 b <= now->ports)
		for (int sl = 0; sl < SLS && sscanf(line += n, "%u%n", &vl, &n) == 1; sl++)
			now->vl[a * (now->ports + 1) + b][sl] = vl & DROP;
}

static void follow(const struct node *s, unsigned in, unsigned lid, uint64_t owner, unsigned sl)
{
	n_paths++;
	for (int level = -1; s->lft[lid] || s->guid != owner;) {
		unsigned out = s->lft[lid];
		const end *to = s->peer + out;
		if (!out || out > s->ports || !to->node)
			NO("switch 0x%" PRIx64 " has no way to LID %u", s->guid, lid);
		unsigned vl = s->vl[in * (s->ports + 1) + out][sl];
		if (vl == DROP)
			NO("switch 0x%" PRIx64 " drops SL %u, port %u to %u", s->guid, sl, in, out);
		if (!to->at && to->guid == owner)
			return;
		if (!to->at || s->level[out][vl] <= level)
			NO("switch 0x%" PRIx64 ", port %u, VL %u, LID %u, SL %u: level %d after %d",
			   s->guid, out, vl, lid, sl, s->level[out][vl], level);
		level = s->level[out][vl];
		in = to->port;
		s = to->at;
	}
}

static void follow_all(const struct node *s, unsigned lid, uint64_t owner, unsigned sls)
{
	for (unsigned in = 0; in <= s->ports; in++)
		if (!in ||
		    (s->peer[in].node && !s->peer[in].at)) /* the switch itself, and its hosts */
			for (int sl = 0; sl < SLS; sl++)
				if (sls >> sl & 1)
					follow(s, in, lid, owner, sl);
}

static void read_certificate(char *line)
{
	unsigned lid, sls, count, port, vl, column = 0;
	uint64_t guid;
	int n, level;
	if (sscanf(line, "switch %" SCNx64, &guid) == 1 && !find(guid, 0)->is_listed++)
		order[n_order++] = find(guid, 0);
	if (sscanf(line, "channel %" SCNx64 " %u %u %d", &guid, &port, &vl, &level) == 4 &&
	    port <= find(guid, 0)->ports && vl < VLS)
		find(guid, 0)->level[port][vl] = level;
	if (sscanf(line, "lid %u %" SCNx64 "%n", &lid, &guid, &n) != 2 || lid >= LIDS)
		return;
	while (sscanf(line += n, "%x*%u%n", &sls, &count, &n) == 2)
		while (count-- && column < n_order)
			follow_all(order[column++], lid, guid, sls), n_silent += !sls;
	is_certified[lid] = column == n_nodes;
}

static void read_lines(const char *path, void (*read_line)(char *))
{
	FILE *from = fopen(path, "r");
	if (!from)
		CANNOT("%s does not open", path);
	while (fgets(line_of_file, sizeof line_of_file, from))
		read_line(line_of_file);
	fclose(from);
}

int main(int argc, char **argv)
{
	if (argc < 4 || argc > 5)
		CANNOT("expected CERTIFICATE LST LFTS [SL2VL]");
	read_lines(argv[2], read_cable);
	for (int i = 3; i < argc; i++)
		read_lines(argv[i], read_dump);
	read_lines(argv[1], read_certificate);
	for (int lid = 1; lid < LIDS; lid++)
		if (is_owned[lid] && !is_certified[lid])
			NO("LID %d is not in the certificate, or not from every switch", lid);
	printf("yes: %lu paths climb; %lu pairs of switch and LID have no SL\n", n_paths, n_silent);
	return 0;
}
