/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Table of topologies, and specs: strings that name what a generator makes. */
#include "fabric/topology/topology.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/topology/generators.h"
#include "base/options.h"
#include "fabric/topology/product.h"

_Static_assert(ODO_MAX_NUMBERS >= ODO_MAX_DIMS, "an option holds a size for every dimension");

#define ROW(upper, lower) &odo_topology_##lower,
const odo_topology *const odo_topologies[] = {ODO_GENERATORS(ROW) NULL};
#undef ROW

const odo_preset odo_presets[] = {
	{"demo-flatfly", "flatfly:k=4x4x4,c=4", "64 switches, 256 hosts"},
	{"demo-hypercube", "hypercube:n=5,c=2", "32 switches, 64 hosts"},
	{"demo-torus", "torus:k=6x6,c=2", "36 switches, 72 hosts"},
	{"demo-dragonfly", "dragonfly:p=2,a=4,h=2", "36 switches, 72 hosts"},
	{"demo-slimfly", "slimfly:q=5,c=4", "50 switches, 200 hosts"},
	/* The reference systems of paper 004, section 1: 2,048 switches of 36 ports, 16,384 hosts.
	 * The dragonfly omits one of 129 groups, and so one global cable per group. */
	{"paper-torus-3d", "torus:k=8x16x16,l=3x5x5,c=8,ports=36", "paper 004's 3D torus"},
	{"paper-torus-4d", "torus:k=4x8x8x8,l=2x4x4x4,c=8,ports=36", "paper 004's 4D torus"},
	{"paper-flatfly", "flatfly:k=4x8x8x8,l=2x1x1x1,c=8,ports=36", "paper 004's FlatFly"},
	{"paper-hypercube", "hypercube:n=11,l=2,c=8,ports=36", "paper 004's hypercube"},
	{"paper-dragonfly", "dragonfly:p=8,a=16,h=8,g=128,cables=1,ports=36",
	 "paper 004's dragonfly"},
	{"paper-slimfly-1", "slimfly-flatfly:q=4,l=2,k=8x8,c=8,ports=36", "paper 004's SFxFF-1"},
	{"paper-slimfly-2", "slimfly-flatfly:q=8,k=16,c=8,ports=36", "paper 004's SFxFF-2"},
	{0},
};

static const char *const speeds[] = {"sdr", "ddr", "qdr", "fdr10", "fdr",
				     "edr", "hdr", "ndr", "xdr",   NULL};
static const char *const host_speeds[] = {"sdr", "ddr", "qdr", "fdr10", "fdr", "edr",
					  "hdr", "ndr", "xdr", "same",  NULL};
#define SAME (sizeof host_speeds / sizeof *host_speeds - 2)

enum { SPEED, HOST_SPEED };

const odo_option odo_topology_common[] = {
	[SPEED] = {"speed", ODO_OPTION_TIMES, "4xqdr", "of cables, on 4 lanes or as 2xhdr", speeds,
		   1, 12},
	[HOST_SPEED] = {"host-speed", ODO_OPTION_TIMES, "same", "of hosts' cables", host_speeds, 1,
			12},
	{0},
};

/* The rows of a topology and those that all have. @param rows [ODO_MAX_OPTIONS + 1]
 * @return how many are its own */
static unsigned list_all_options(const odo_topology *row, odo_option *rows)
{
	unsigned own = 0, n;
	for (; row->options[own].name; own++)
		rows[own] = row->options[own];
	for (n = own; odo_topology_common[n - own].name; n++)
		rows[n] = odo_topology_common[n - own];
	rows[n] = (odo_option){0};
	return own;
}

static const odo_preset *find_preset(const char *spec)
{
	size_t n = odo_spec_name(spec);
	for (const odo_preset *p = odo_presets; p->name; p++)
		if (strlen(p->name) == n && !memcmp(p->name, spec, n))
			return p;
	return NULL;
}

/* A preset's spec, and what stands behind its name. @return for free() */
static char *expand_preset(const char *spec)
{
	const odo_preset *preset = find_preset(spec);
	size_t name = preset ? odo_spec_name(spec) : 0;
	const char *first = preset ? preset->spec : "", *join = "";
	if (preset && spec[name])
		join = strchr(first, ':') ? "," : ":";
	char *text = malloc(strlen(first) + strlen(spec) + 2);
	if (text)
		sprintf(text, "%s%s%s", first, join, spec + name + (preset && spec[name]));
	return text;
}

static const odo_topology *find_topology(const char *spec)
{
	size_t n = odo_spec_name(spec);
	for (const odo_topology *const *row = odo_topologies; *row; row++)
		if (strlen((*row)->name) == n && !memcmp(spec, (*row)->name, n))
			return *row;
	return NULL;
}

bool odo_topology_is_spec(const char *text)
{
	return find_preset(text) || find_topology(text);
}

bool odo_topology_lacks_speed(const char *text)
{
	return odo_topology_is_spec(text) && !strstr(text, ":speed=") && !strstr(text, ",speed=");
}

/* Write the names as "dragonfly, flatfly, ...". */
static void list_names(char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (const odo_topology *const *row = odo_topologies; *row && used < size; row++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
					 (*row)->name);
}

/* InfiniBand has links of 1, 2, 4, 8 and 12 lanes. */
static int check_lanes(const char *spec, const odo_value *common, odo_error *err)
{
	for (unsigned i = 0; odo_topology_common[i].name; i++) {
		uint32_t lanes = common[i].n > 1 ? common[i].number[1] : 4;
		bool alike = i == HOST_SPEED && common[i].number[0] == SAME;
		if ((lanes != 12 && lanes & (lanes - 1)) || (alike && common[i].n > 1))
			return odo_fail(
				err, ODO_EINPUT,
				"%.100s: expected %s with 1, 2, 4, 8 or 12 lanes, as 2xhdr, "
				"found \"%ux%s\"",
				spec, odo_topology_common[i].name, lanes,
				odo_topology_common[i].words[common[i].number[0]]);
	}
	return 0;
}

int odo_topology_parse(const char *spec, const odo_topology **row, odo_value *value, odo_error *err)
{
	odo_option rows[ODO_MAX_OPTIONS + 1];
	char *text = expand_preset(spec);
	if (!text)
		return odo_fail(err, ODO_ENOMEM, "no memory for a spec");
	*row = find_topology(text);
	int status = 0;
	if (*row) {
		unsigned own = list_all_options(*row, rows);
		status = odo_spec_parse(text, rows, value, err);
		if (!status)
			status = check_lanes(spec, value + own, err);
	}
	free(text);
	if (*row)
		return status;
	char names[400];
	char found[60] = "none";
	size_t n = odo_spec_name(spec);
	if (n)
		snprintf(found, sizeof found, "\"%.*s\"", n > 50 ? 50 : (int)n, spec);
	list_names(names, sizeof names);
	return odo_fail(err, ODO_EINPUT, "%.100s: expected a topology (%s) or a preset, found %s",
			*spec ? spec : "(no name)", names, found);
}

void odo_topology_write(const odo_topology *row, const odo_value *value, FILE *to)
{
	odo_option rows[ODO_MAX_OPTIONS + 1];
	list_all_options(row, rows);
	odo_spec_write(row->name, rows, value, to);
}

static odo_link_info read_rate(const odo_value *value)
{
	return (odo_link_info){.width = value->n > 1 ? (uint8_t)value->number[1] : 4,
			       .speed = (uint8_t)(value->number[0] + ODO_SDR)};
}

/* Give every cable its rate. Generators leave that to this one place. */
static void set_rates(const odo_topology *row, const odo_value *value, odo_builder *b)
{
	odo_option rows[ODO_MAX_OPTIONS + 1];
	const odo_value *common = value + list_all_options(row, rows);
	odo_link_info all = read_rate(&common[SPEED]), hosts = all;
	if (common[HOST_SPEED].number[0] != SAME)
		hosts = read_rate(&common[HOST_SPEED]);
	odo_builder_rates(b, all, hosts);
}

static int generate_fabric(const odo_topology *row, const odo_value *value, uint8_t lmc,
			   odo_fabric **out, odo_coordinates **truth, odo_error *err)
{
	odo_builder *b;
	odo_fabric *f = NULL;
	int status = odo_builder_create(&b, err);
	if (status)
		return status;
	status = row->multiply ? odo_product_build(row, value, b, err) : row->build(value, b, err);
	if (status) {
		odo_builder_free(b);
		return status;
	}
	set_rates(row, value, b);
	status = odo_builder_freeze(b, ODO_LIDS_FILL, lmc, &f, err);
	if (!status && truth)
		status = row->multiply ? odo_product_truth(row, value, f, truth, err)
				       : row->truth(value, f, truth, err);
	if (status)
		odo_fabric_free(f);
	else
		*out = f;
	return status;
}

int odo_topology_generate(const char *spec, uint8_t lmc, odo_fabric **out, odo_coordinates **truth,
			  odo_error *err)
{
	const odo_topology *row;
	odo_value value[ODO_MAX_OPTIONS];
	int status = odo_topology_parse(spec, &row, value, err);
	if (status)
		return status;
	if (generate_fabric(row, value, lmc, out, truth, err))
		return odo_fail_within(err, "%.100s", spec);
	return 0;
}
