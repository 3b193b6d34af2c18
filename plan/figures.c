/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plan/figures.h"

#include <math.h>
#include <string.h>

#include "plan/racks.h"

enum { RADIX = 64 };

/* Maximum number of hosts if every two routers are cabled to each other: each router has p hosts,
 * and its k - p other ports lead to k - p other routers. The paper says about 2 sqrt(N); it is 2
 * sqrt(N) - 1. */
static int write_fig01(const odo_plan_prices *prices, FILE *to, odo_error *err)
{
	(void)prices;
	(void)err;
	fputs("radix,hosts,two_roots\n", to);
	for (uint64_t k = 2; k <= 2048; k += k < 64 ? 2 : k < 256 ? 8 : 64) {
		uint64_t p = (k + 1) / 2, hosts = p * (k - p + 1);
		fprintf(to, "%llu,%llu,%.2f\n", (unsigned long long)k, (unsigned long long)hosts,
			2 * sqrt((double)hosts));
	}
	return 0;
}

static int write_fig02(const odo_plan_prices *p, FILE *to, odo_error *err)
{
	(void)err;
	fputs("metres,electrical,optical\n", to);
	for (unsigned metres = 0; metres <= 100; metres += metres < 20 ? 1 : 5)
		fprintf(to, "%u,%.4f,%.4f\n", metres,
			p->electrical_fixed + p->electrical_metre * metres,
			p->optical_fixed + p->optical_metre * metres);
	return 0;
}

/* a = 2p = 2h, so k = p + a + h - 1 = 4h - 1; radices between these values leave ports free. */
static int write_fig04(const odo_plan_prices *prices, FILE *to, odo_error *err)
{
	(void)prices;
	(void)err;
	fputs("radix,h,hosts\n", to);
	for (uint64_t h = 1; h <= 24; h++) {
		uint64_t hosts = 2 * h * h * (2 * h * h + 1);
		fprintf(to, "%llu,%llu,%llu\n", (unsigned long long)(4 * h - 1),
			(unsigned long long)h, (unsigned long long)hosts);
	}
	return 0;
}

/* Return the largest power of two up to x and up to `most`. */
static uint32_t power_below(uint32_t x, uint32_t most)
{
	uint32_t n = 1;
	while (n * 2 <= x && n * 2 <= most)
		n *= 2;
	return n;
}

/* Up to 1,024 hosts, all routers are cabled to each other; parallel cables keep the bandwidth. */
static void write_complete(uint32_t hosts, char *spec, size_t size)
{
	snprintf(spec, size, "flatfly:k=%u,l=%u,c=32", hosts / 32, 1024 / hosts);
}

/* FlatFly with dimensions of 16 routers with 16 hosts each; the last dimension may be smaller, with
 * parallel cables. */
static void flatfly_of(uint32_t hosts, char *spec, size_t size)
{
	uint32_t last = hosts <= 4096 ? hosts / 256 : hosts / 4096;
	if (hosts <= 1024)
		write_complete(hosts, spec, size);
	else
		snprintf(spec, size, "flatfly:k=16x%s%u,l=1x%s%u,c=16", hosts <= 4096 ? "" : "16x",
			 last, hosts <= 4096 ? "" : "1x", (16 + last - 1) / last);
}

/* Dragonfly with groups of 512 hosts, and as many cables between two groups as uniform traffic
 * needs. */
static void dragonfly_of(uint32_t hosts, char *spec, size_t size)
{
	uint32_t groups = hosts / 512, cables = (512 + groups - 1) / groups;
	if (hosts <= 1024)
		write_complete(hosts, spec, size);
	else
		snprintf(spec, size, "dragonfly:p=16,a=32,h=16,g=%u,cables=%u", groups, cables);
}

/* Fat tree in which half of the ports of every switch, except the top ones, lead up. */
static void tree_of(uint32_t hosts, char *spec, size_t size)
{
	uint32_t top = hosts <= 2048 ? hosts / 32 : hosts / 1024, p = power_below(RADIX / top, 32);
	if (hosts <= 2048)
		snprintf(spec, size, "pgft:m=32x%u,w=1x%u,p=1x%u", top, 32 / p, p);
	else
		snprintf(spec, size, "pgft:m=32x32x%u,w=1x32x%u,p=1x1x%u", top, 32 / p, p);
}

static int cost_per_host(const char *spec, uint32_t hosts, const odo_plan_prices *p, double *out,
			 odo_error *err)
{
	odo_plan_bill bill = {0};
	int status = odo_plan_bill_of(spec, RADIX, p, &bill, err);
	*out = (bill.switches + bill.cables) / hosts;
	return status;
}

/* Torus: a cube of routers with one host each. Uniform traffic takes k/4 hops in each dimension of
 * size k. So links must be k/8 as wide as a host's cable, and routers need ports to match. */
static int torus_cost(uint32_t k, const odo_plan_prices *p, double *out, odo_error *err)
{
	char spec[60];
	odo_plan_bill bill = {0};
	uint32_t n = k * k * k;
	double width = k / 8.0, own = n * odo_plan_inside_price(p);
	snprintf(spec, sizeof spec, "torus:k=%ux%ux%u,c=1", k, k, k);
	int status = odo_plan_bill_of(spec, 1 + 6 * width, p, &bill, err);
	*out = (bill.switches + own + (bill.cables - own) * width) / n;
	return status;
}

/* Costs of section 5. The networks all have the bandwidth that uniform traffic at full load needs.
 * The paper does not give the width of links of smaller networks, nor of the torus; nor does it say
 * which cables cost only a backplane. */
static int write_fig19(const odo_plan_prices *prices, FILE *to, odo_error *err)
{
	/* Hosts, and the side of a torus with about as many; boxes can divide this side. */
	static const uint32_t sizes[][2] = {{512, 8},    {1024, 10},  {2048, 12},
					    {3072, 14},  {4096, 16},  {8192, 20},
					    {12288, 24}, {16384, 25}, {20480, 28}};
	static void (*const specs[])(uint32_t, char *, size_t) = {dragonfly_of, flatfly_of,
								  tree_of};
	int status = 0;
	fputs("hosts,dragonfly,flatfly,clos,torus,torus_side\n", to);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !status; i++) {
		char spec[80];
		double cost = 0;
		uint32_t hosts = sizes[i][0], side = sizes[i][1];
		fprintf(to, "%u", hosts);
		for (unsigned kind = 0; kind < 3 && !status; kind++) {
			specs[kind](hosts, spec, sizeof spec);
			status = cost_per_host(spec, hosts, prices, &cost, err);
			fprintf(to, ",%.2f", cost);
		}
		if (!status)
			status = torus_cost(side, prices, &cost, err);
		fprintf(to, ",%.2f,%u\n", cost, side);
	}
	return status;
}

/* Global cables on a floor of 16 x 16 racks, in shares of its side: Figure 18, with 8 hosts on each
 * router instead of 16, because a subnet has no more LIDs. */
static int write_table2(const odo_plan_prices *prices, FILE *to, odo_error *err)
{
	static const struct {
		const char *name, *spec, *minimal, *nonminimal, *mean, *most;
	} rows[] = {
		{"flattened butterfly", "flatfly:k=16x16x16,c=8", "hl + 2hg", "2hl + 4hg", "E/3",
		 "E"},
		{"dragonfly", "dragonfly:p=8,a=16,h=16,g=256,cables=1", "2hl + hg", "3hl + 2hg",
		 "2E/3", "2E"},
	};
	odo_plan_prices p = *prices;
	int status = 0;
	p.rack_hosts = 128;
	p.rack_switches = 16;
	p.rack_width = p.rack_depth = 1.0 / 16;
	p.overhead = p.inside = 0;
	fputs("topology,minimal,nonminimal,global_cables,mean_length,papers_mean,longest,"
	      "papers_longest\n",
	      to);
	for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++) {
		odo_plan_bill bill = {0};
		status = odo_plan_bill_of(rows[i].spec, 0, &p, &bill, err);
		fprintf(to, "%s,%s,%s,%llu,%.4f,%s,%.4f,%s\n", rows[i].name, rows[i].minimal,
			rows[i].nonminimal, (unsigned long long)(bill.electrical + bill.optical),
			bill.metres, rows[i].mean, bill.longest, rows[i].most);
	}
	return status;
}

const odo_plan_figure odo_plan_figures[] = {
	{"kim-fig01", "Figure 1: radix of the routers for one global hop", write_fig01,
	 "set logscale xy\nset xlabel 'hosts'\nset ylabel 'ports of a router'\n"
	 "plot 'kim-fig01.csv' using 2:1 with lines title 'complete graph of routers', \\\n"
	 "    '' using 2:3 with lines dashtype 2 title '2 sqrt(N), as in the paper'\n"},
	{"kim-fig02", "Figure 2: cost of cables by length", write_fig02,
	 "set xlabel 'metres'\nset ylabel 'dollars for each Gb/s'\n"
	 "plot 'kim-fig02.csv' using 1:2 with lines title 'electrical', \\\n"
	 "    '' using 1:3 with lines title 'optical'\n"},
	{"kim-fig04", "Figure 4: hosts of a balanced dragonfly", write_fig04,
	 "set logscale y\nset xlabel 'ports of a router'\nset ylabel 'hosts'\n"
	 "plot 'kim-fig04.csv' using 1:3 with linespoints title 'a = 2p = 2h'\n"},
	{"kim-fig19", "Figure 19: cost of the network for each host", write_fig19,
	 "set xlabel 'hosts'\nset ylabel 'dollars for each host'\nset yrange [0:]\nset xtics 4000\n"
	 "plot 'kim-fig19.csv' using 1:2 with linespoints title 'dragonfly', \\\n"
	 "    '' using 1:3 with linespoints title 'flattened butterfly', \\\n"
	 "    '' using 1:4 with linespoints title 'folded Clos', \\\n"
	 "    '' using 1:5 with linespoints title '3-D torus'\n"},
	{"kim-table2", "Table 2: diameter and length of global cables", write_table2, NULL},
	{0},
};

void odo_plan_figure_script(const odo_plan_figure *figure, FILE *to)
{
	fprintf(to,
		"# gnuplot %s.gp draws %s.svg\nset terminal svg size 720,440 dynamic font "
		"'sans,13'\n"
		"set output '%s.svg'\nset datafile separator ','\nset key top left autotitle "
		"columnhead\n"
		"set grid lc rgb '#dddddd'\nset title '%s'\n%s",
		figure->name, figure->name, figure->name, figure->title, figure->plot);
}
