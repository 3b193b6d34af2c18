/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Check tables by their certificate, with nothing of Odonata included; short enough to be read
 * before it is trusted: check_certificate CERTIFICATE LST LFTS [SL2VL], dumps of OpenSM.
 *
 * A certificate has a level for each channel (switch, port, VL), and for each LID its owner and the
 * SLs of packets from each switch. Tables deliver and cannot deadlock if every packet climbs from
 * level to level until the owner: no circle of channels climbs. The certificate is not
 * trusted: the list of cables says who owns a LID and which pairs need a path. Without SL2VL maps
 * all packets are on VL 0. Not judged: multicast, other SLs, VLs that ports lack, and LIDs that no
 * port of the list has.
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
	struct node *at, *home; /* NULL if it is no switch; the switch there, or behind the cable */
} end;
static struct node { /* a switch */
	uint64_t guid;
	unsigned ports, is_listed, part; /* part: equal for switches that cables connect */
	end *peer;                       /* [ports + 1] */
	uint8_t *lft, (*vl)[SLS];        /* [LIDS]; [input * (ports + 1) + output] */
	int (*level)[VLS];               /* [ports + 1] 0 unless the certificate has it */
} nodes[LIDS], *now, *order[LIDS]; /* order: switches as columns of the certificate have them */
static unsigned n_nodes, n_order, is_level_fixed;
static char is_used[LIDS], is_certified[LIDS], line_of_file[1 << 20];
static end owner_of[LIDS]; /* node: 0 if the LID is no port's lowest one */
static unsigned long n_paths, n_silent, n_other;

static struct node *find(uint64_t guid, unsigned ports) /* ports: 0 if it must be known */
{
	struct node *s = nodes;
	size_t n = ports + 1;
	while (s < nodes + n_nodes && s->guid != guid)
		s++;
	if (s < nodes + n_nodes && (!ports || ports == s->ports))
		return s;
	if (s < nodes + n_nodes)
		CANNOT("switch 0x%" PRIx64 " has %u ports and %u", guid, s->ports, ports);
	if (!ports || ports >= NO_PORT || n_nodes++ == LIDS)
		CANNOT("switch 0x%" PRIx64 " has no cables, or too many ports", guid);
	*s = (struct node){guid,
			   ports,
			   0,
			   (unsigned)(s - nodes),
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
		if (owner_of[e[i].lid].node && owner_of[e[i].lid].guid != e[i].guid && e[i].lid)
			CANNOT("two ports have LID %u: %.70s", e[i].lid, line);
		e[i].home = e[i].at;
		owner_of[e[i].lid] = e[i];
		for (int j = 0; j < 2 * i; j++)
			if (e[j].at)
				e[j].at->peer[e[j].port] = e[!j];
			else
				owner_of[e[j].lid].home = e[!j].at;
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
		now->lft[a] = (uint8_t)(b < NO_PORT ? b : NO_PORT), is_used[a] |= b < NO_PORT;
	else if (now && sscanf(line, "%u %u :%n", &a, &b, &n) == 2 && a <= now->ports &&
		 b <= now->ports)
		for (int sl = 0; sl < SLS && sscanf(line += n, "%u%n", &vl, &n) == 1; sl++)
			now->vl[a * (now->ports + 1) + b][sl] = vl & DROP;
}

/* Give switches that cables connect the same number. */
static void find_parts(void)
{
	for (int changed = 1; changed--;)
		for (struct node *s = nodes; s < nodes + n_nodes; s++)
			for (unsigned p = 1; p <= s->ports; p++)
				if (s->peer[p].at && s->peer[p].at->part > s->part)
					s->peer[p].at->part = s->part, changed = 1;
				else if (s->peer[p].at && s->peer[p].at->part < s->part)
					s->part = s->peer[p].at->part, changed = 1;
}

/* Return the port of the list that a LID belongs to: LMC gives a port up to 128 of them. */
static const end *find_owner(unsigned lid)
{
	unsigned base = lid;
	while (base && lid - base < 128 && !owner_of[base].node)
		base--;
	return owner_of + (base && owner_of[base].node ? base : 0);
}

static void follow(const struct node *s, unsigned in, unsigned lid, const end *owner, unsigned sl)
{
	n_paths++;
	for (int level = -1; s->lft[lid] || s != owner->at;) {
		unsigned out = s->lft[lid];
		const end *to = s->peer + out;
		if (!out || out > s->ports || !to->node)
			NO("switch 0x%" PRIx64 " has no way to LID %u", s->guid, lid);
		unsigned vl = s->vl[in * (s->ports + 1) + out][sl];
		if (vl == DROP)
			NO("switch 0x%" PRIx64 " drops SL %u, port %u to %u", s->guid, sl, in, out);
		if (!to->at && to->guid == owner->guid)
			return;
		if (!to->at || s->level[out][vl] <= level)
			NO("switch 0x%" PRIx64 ", port %u, VL %u, LID %u, SL %u: level %d after %d",
			   s->guid, out, vl, lid, sl, s->level[out][vl], level);
		level = s->level[out][vl];
		in = to->port;
		s = to->at;
	}
}

static void follow_all(const struct node *s, unsigned lid, const end *owner, unsigned sls)
{
	if (sls >> SLS || (!sls && owner->home && owner->home->part == s->part))
		NO("switch 0x%" PRIx64 " needs SLs below 16 to LID %u, found %x", s->guid, lid,
		   sls);
	n_silent += !sls;
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
	    port <= find(guid, 0)->ports && vl < VLS) {
		if (is_level_fixed) /* else each LID could have levels of its own */
			NO("a level follows the first LID: %.70s", line);
		find(guid, 0)->level[port][vl] = level;
	}
	if (sscanf(line, "lid %u %" SCNx64 "%n", &lid, &guid, &n) != 2 || lid >= LIDS)
		return;
	is_level_fixed = 1;
	const end *owner = find_owner(lid);
	if (!owner->node || (owner->at ? owner->at->guid : owner->guid) != guid)
		NO("LID %u belongs to 0x%" PRIx64 ", not to 0x%" PRIx64, lid, owner->guid, guid);
	while (sscanf(line += n, "%x*%u%n", &sls, &count, &n) == 2)
		while (count-- && column < n_order)
			follow_all(order[column++], lid, owner, sls);
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
	if (!n_nodes)
		CANNOT("%s has no switches", argv[2]);
	find_parts();
	for (int i = 3; i < argc; i++)
		read_lines(argv[i], read_dump);
	read_lines(argv[1], read_certificate);
	for (int lid = 1; lid < LIDS; lid++) {
		if (owner_of[lid].node && !is_certified[lid])
			NO("LID %d is not in the certificate, or not from every switch", lid);
		n_other += is_used[lid] && !is_certified[lid];
	}
	printf("yes: %lu paths climb; %lu pairs of switch and LID have no cables between them; "
	       "%lu other LIDs have entries and are not judged\n",
	       n_paths, n_silent, n_other);
	return 0;
}
