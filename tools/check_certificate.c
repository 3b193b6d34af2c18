/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Check tables by their certificate, with nothing of Odonata included; short enough to be read
 * before it is trusted: check_certificate CERTIFICATE LST LFTS [SL2VL], dumps of OpenSM.
 *
 * A certificate lists channels (switch, port, VL) in an order, and for each LID the SLs of packets
 * from each switch. Packets are followed to the port with the LID in the list of cables, and must
 * use channels in the order: then none wait in a cycle. Exit codes: 0 yes, 1 no, 2 cannot check.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIDS = 0x10000, PORTS = 256, SLS = 16, VLS = 15 };
#define SAY(code, ...) (printf(__VA_ARGS__), putchar('\n'), exit(code))

typedef struct end { /* of a port's cable; port 0 is the switch itself */
	struct node *at;
	long port;
} end;
typedef struct node { /* a switch */
	unsigned long guid;
	unsigned ports, part;  /* part: equal for switches that cables connect */
	int place[PORTS][VLS]; /* of a channel in the order; 0: before all of them */
	end peer[PORTS];
	unsigned char lft[LIDS], vl[PORTS][PORTS][SLS]; /* plus 1; 0 without an entry */
} node;
static node host, *nodes[LIDS], *now = &host; /* host: stands for all hosts */
static end owner_of[LIDS];                    /* switch and port that deliver a base LID */
static unsigned n_nodes, n_places, n_maps, n_covered[LIDS];
static unsigned long n_packets, n_apart;

static node *find(unsigned long guid)
{
	for (unsigned i = 0; i < n_nodes; i++)
		if (nodes[i]->guid == guid)
			return nodes[i];
	SAY(1, "no: switch 0x%lx is not in the certificate", guid);
}

static void read_cable(const char *line)
{
#define END "{ %c%*s Ports:%*x %*s NodeGUID:%lx %*s %*s %*s %*s {%*[^}]} LID:%hx PN:%hhx } "
	unsigned short lid[2];
	unsigned char port[2];
	unsigned long guid[2];
	char kind[2], last = 0;
	sscanf(line, END END "PHY=%*s LOG=%*s SPD=%*[^ }\n]%c", &kind[0], &guid[0], &lid[0],
	       &port[0], &kind[1], &guid[1], &lid[1], &port[1], &last);
	if (last != '\n')
		SAY(2, "cannot check: expected a cable, found %s", line);
	for (int i = 0; i < 2; i++) {
		node *s = kind[i] == 'S' ? find(guid[i]) : &host;
		end far = {kind[!i] == 'S' ? find(guid[!i]) : &host, port[!i]};
		end is = s == &host ? far : (end){s, 0}, *was = &owner_of[lid[i]];
		if (lid[i] && was->at && (was->at != is.at || was->port != is.port))
			SAY(2, "cannot check: two ports have LID %u", lid[i]);
		if (s != &host && far.at != &host && s->part != far.at->part)
			SAY(1, "no: a cable joins parts %u and %u", s->part, far.at->part);
		*was = is;
		s->peer[port[i]] = far;
		s->ports |= port[i];
	}
}

static void read_line(char *line) /* of any file: the certificate's order, then tables */
{
	unsigned long guid;
	unsigned s, part, n = 0;
	unsigned short lid;
	unsigned char in, out;
	char *rest;
	if (sscanf(line, "switch %lx %u", &guid, &part) == 2 && n_nodes < LIDS) {
		now = nodes[n_nodes++] = calloc(1, sizeof *now);
		if (!now)
			SAY(2, "cannot check: no memory");
		now->guid = guid;
		now->part = part;
		now->peer[0].at = &host;
	} else if (sscanf(line, "channel %u %hhu %u", &s, &out, &n) == 3) {
		if (s < n_nodes && n < VLS)
			nodes[s]->place[out][n] = (int)++n_places;
	} else if (*line == '{')
		read_cable(line);
	else if (sscanf(line, "Switch %lx", &guid) == 1 ||
		 sscanf(line, "Unicast lids %*s of switch Lid %*u guid %lx", &guid) == 1)
		now = find(guid);
	else if (*line == 'C') /* Channel Adapter */
		now = &host;
	else if (sscanf(line, "0x%hx %hhu", &lid, &out) == 2)
		now->lft[lid] = out + 1;
	else if (sscanf(line, "%hhu %hhu :%n", &in, &out, &n) == 2 && n)
		for (line += n, n = 0, n_maps++; n < SLS; line = rest)
			now->vl[in][out][n++] = (strtoul(line, &rest, 10) & VLS) + 1;
}

static void follow(const node *s, long in, unsigned lid, const end *owner, int sl, int last)
{
	int out = s->lft[lid] - 1, vl = n_maps && out > 0 ? s->vl[in][out][sl] - 1 : 0;
	const node *to = out < 0 ? NULL : s->peer[out].at;
	if (!to || vl < 0 || vl >= VLS || (to != &host && s->place[out][vl] <= last))
		SAY(1,
		    "no: LID %u with SL %d: switch 0x%lx, port %d, VL %d: no way, or out of order",
		    lid, sl, s->guid, out, vl);
	if (to == &host && (s != owner->at || out != owner->port))
		SAY(1, "no: LID %u ends at switch 0x%lx, port %d", lid, s->guid, out);
	if (to != &host)
		follow(to, s->peer[out].port, lid, owner, sl, s->place[out][vl]);
}

static void read_path(const char *line) /* "path LID SLS N": SLs of the next N switches */
{
	unsigned short lid, base, sls;
	unsigned n;
	if (sscanf(line, "path %hu %hx %u", &lid, &sls, &n) != 3)
		return;
	for (base = lid; base && !owner_of[base].at && lid - base < 127;) /* LMC */
		base--;
	if (!base || !owner_of[base].at || n > n_nodes - n_covered[lid])
		SAY(1, "no: LID %u is no port's, or has too many switches", lid);
	for (; n--; n_covered[lid]++) {
		const node *s = nodes[n_covered[lid]];
		if (!sls && s->part == owner_of[base].at->part)
			SAY(1, "no: switch 0x%lx needs an SL to LID %u", s->guid, lid);
		n_apart += !sls;
		for (unsigned in = 0; in <= s->ports; in++) /* the switch itself, and its hosts */
			for (int sl = 0; s->peer[in].at == &host && sls >> sl; sl++)
				if (sls >> sl & 1 && ++n_packets)
					follow(s, in, lid, &owner_of[base], sl, -1);
	}
}

int main(int argc, char **argv)
{
	static char line[1 << 12];
	for (int i = 1; i <= argc && argc > 3; i++) { /* the certificate again at the end */
		if (!freopen(argv[i < argc ? i : 1], "r", stdin))
			SAY(2, "cannot check: %s does not open", argv[i < argc ? i : 1]);
		while (fgets(line, sizeof line, stdin))
			i < argc ? read_line(line) : read_path(line);
	}
	for (unsigned lid = 1; lid < LIDS; lid++)
		if (owner_of[lid].at && n_covered[lid] < n_nodes)
			SAY(1, "no: LID %u lacks SLs of some switches", lid);
	if (!n_packets)
		SAY(2, "cannot check: expected CERTIFICATE LST LFTS [SL2VL] with paths");
	return printf("yes: %lu paths in order, with %s SL2VL maps; %lu pairs have no cables "
		      "between them; not judged: multicast, other SLs, other LIDs\n",
		      n_packets, n_maps ? "these" : "any", n_apart) < 0;
}
