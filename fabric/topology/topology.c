/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of topologies, and the spec strings that name what it makes. */
#include "fabric/topology/topology.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/topology/generators.h"
#include "base/options.h"

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
	/* The reference systems of paper 004, section 1: 2,048 switches of 36 ports, 16,384
	 * hosts. Its dragonfly leaves out one of 129 groups, and so a global cable per group. */
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

static const char *expand_preset(const char *spec)
{
	for (const odo_preset *p = odo_presets; p->name; p++)
		if (!strcmp(p->name, spec))
			return p->spec;
	return spec;
}

static const odo_topology *find_row(const char *spec)
{
	size_t n = odo_spec_name(spec);
	for (const odo_topology *const *row = odo_topologies; *row; row++)
		if (strlen((*row)->name) == n && !memcmp(spec, (*row)->name, n))
			return *row;
	return NULL;
}

bool odo_topology_is_spec(const char *text)
{
	return find_row(expand_preset(text)) != NULL;
}

/* "dragonfly, flatfly, ..." */
static void list_names(char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (const odo_topology *const *row = odo_topologies; *row && used < size; row++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
					 (*row)->name);
}

int odo_topology_parse(const char *spec, const odo_topology **row, odo_value *value, odo_error *err)
{
	const char *text = expand_preset(spec);
	*row = find_row(text);
	if (*row)
		return odo_spec_parse(text, (*row)->options, value, err);
	char names[400];
	list_names(names, sizeof names);
	return odo_fail(err, ODO_EINPUT, "%.100s: expected a topology (%s) or a preset, found none",
			*spec ? spec : "(no name)", names);
}

void odo_topology_write(const odo_topology *row, const odo_value *value, FILE *to)
{
	odo_spec_write(row->name, row->options, value, to);
}

static int generate(const odo_topology *row, const odo_value *value, uint8_t lmc, odo_fabric **out,
		    odo_coordinates **truth, odo_error *err)
{
	odo_builder *b;
	odo_fabric *f = NULL;
	int status = odo_builder_create(&b, err);
	if (status)
		return status;
	status = row->build(value, b, err);
	if (status) {
		odo_builder_free(b);
		return status;
	}
	status = odo_builder_freeze(b, ODO_LIDS_FILL, lmc, &f, err);
	if (!status && truth)
		status = row->truth(value, f, truth, err);
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
	if (generate(row, value, lmc, out, truth, err))
		return odo_fail_within(err, "%.100s", spec);
	return 0;
}
