/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The table of topologies, and the spec strings that name what it makes. */
#include "fabric/topology.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/generators.h"

const odo_topology odo_topologies[] = {
	{"flatfly", "product of complete graphs (flattened butterfly, HyperX)",
	 "flatfly:k=4x4x4,c=4", "paper 004, section 1.2", odo_flatfly_options, odo_flatfly_build,
	 odo_flatfly_truth},
	{"dragonfly", "groups that are FlatFlies, every two of them cabled to each other",
	 "dragonfly:p=2,a=4,h=2", "paper 001, section 3.1", odo_dragonfly_options,
	 odo_dragonfly_build, odo_dragonfly_truth},
	{0},
};

const odo_preset odo_presets[] = {
	{"demo-flatfly", "flatfly:k=4x4x4,c=4", "64 switches, 256 hosts"},
	{"demo-dragonfly", "dragonfly:p=2,a=4,h=2", "36 switches, 72 hosts"},
	{"paper-flatfly", "flatfly:k=4x8x8x8,l=2x1x1x1,c=8",
	 "paper 004's FlatFly of 2,048 switches and 16,384 hosts"},
	{"paper-dragonfly", "dragonfly:p=8,a=16,h=8,g=128,cables=1",
	 "paper 004's dragonfly of 2,048 switches and 16,384 hosts"},
	{0},
};

/* Longest spec, and so longest word in one. */
#define MAX_SPEC 400

static bool starts_with_name(const char *text, const char *name)
{
	size_t n = strlen(name);
	return !strncmp(text, name, n) && (text[n] == ':' || text[n] == '\0');
}

static const char *expand_preset(const char *spec)
{
	for (const odo_preset *p = odo_presets; p->name; p++)
		if (!strcmp(p->name, spec))
			return p->spec;
	return spec;
}

static const odo_topology *find_row(const char *spec)
{
	for (const odo_topology *row = odo_topologies; row->name; row++)
		if (starts_with_name(spec, row->name))
			return row;
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
	for (const odo_topology *row = odo_topologies; row->name && used < size; row++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
					 row->name);
}

static int parse_number(const odo_option *o, const char **at, uint32_t *number, odo_error *err)
{
	char *end;
	unsigned long long n = strtoull(*at, &end, 10);
	if (**at < '0' || **at > '9' || n < o->min || n > o->max)
		return odo_fail(err, ODO_EINPUT,
				"option %s: expected a number from %u to %u, found \"%s\"", o->name,
				o->min, o->max, *at);
	*number = (uint32_t)n;
	*at = end;
	return 0;
}

static int parse_word(const odo_option *o, const char *text, odo_value *value, odo_error *err)
{
	char all[200] = "";
	size_t used = 0;
	value->n = 1;
	for (uint32_t i = 0; o->words[i]; i++) {
		if (!strcmp(o->words[i], text)) {
			value->number[0] = i;
			return 0;
		}
		if (used < sizeof all)
			used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
						 i ? ", " : "", o->words[i]);
	}
	return odo_fail(err, ODO_EINPUT, "option %s: expected one of %s, found \"%s\"", o->name,
			all, text);
}

static int parse_value(const odo_option *o, const char *text, odo_value *value, odo_error *err)
{
	if (o->type == ODO_OPTION_WORD)
		return parse_word(o, text, value, err);
	unsigned most = o->type == ODO_OPTION_LIST ? ODO_MAX_DIMS : 1;
	const char *at = text;
	for (value->n = 0; value->n < most; at++) {
		int status = parse_number(o, &at, &value->number[value->n++], err);
		if (status || !*at)
			return status;
		if (*at != 'x')
			break;
	}
	return odo_fail(err, ODO_EINPUT, "option %s: expected %s, found \"%s\"", o->name,
			most == 1 ? "one number" : "up to 16 numbers such as 4x8x8", text);
}

static int parse_option(const odo_topology *row, char *text, odo_value *value, odo_error *err)
{
	char *equals = strchr(text, '=');
	if (equals)
		*equals = '\0';
	for (unsigned i = 0; equals && row->options[i].name; i++) {
		if (strcmp(row->options[i].name, text))
			continue;
		if (value[i].n)
			return odo_fail(err, ODO_EINPUT, "option %s: expected once, found twice",
					text);
		return parse_value(&row->options[i], equals + 1, &value[i], err);
	}
	return odo_fail(err, ODO_EINPUT, "expected an option of %s such as in \"%s\", found \"%s\"",
			row->name, row->example, text);
}

static int fill_defaults(const odo_topology *row, odo_value *value, odo_error *err)
{
	int status = 0;
	for (unsigned i = 0; row->options[i].name && !status; i++) {
		const odo_option *o = &row->options[i];
		if (value[i].n)
			continue;
		if (!o->fallback)
			return odo_fail(err, ODO_EINPUT,
					"expected option %s (%s), as in \"%s\", found none",
					o->name, o->help, row->example);
		status = parse_value(o, o->fallback, &value[i], err);
	}
	return status;
}

static int parse(const char *spec, const odo_topology **row, odo_value *value, odo_error *err)
{
	char text[MAX_SPEC], *rest, *option;
	*row = find_row(expand_preset(spec));
	if (!*row) {
		list_names(text, sizeof text);
		return odo_fail(err, ODO_EINPUT, "expected a topology (%s) or a preset, found none",
				text);
	}
	if (strlen(expand_preset(spec)) >= sizeof text)
		return odo_fail(err, ODO_EINPUT, "expected up to %zu characters, found more",
				sizeof text - 1);
	strcpy(text, expand_preset(spec) + strlen((*row)->name));
	memset(value, 0, ODO_MAX_OPTIONS * sizeof *value);
	int status = 0;
	option = strtok_r(text, ":,", &rest);
	for (; option && !status; option = strtok_r(NULL, ",", &rest))
		status = parse_option(*row, option, value, err);
	return status ? status : fill_defaults(*row, value, err);
}

int odo_topology_parse(const char *spec, const odo_topology **row, odo_value *value, odo_error *err)
{
	if (parse(spec, row, value, err))
		return odo_fail_within(err, "topology \"%.100s\"", spec);
	return 0;
}

void odo_topology_write(const odo_topology *row, const odo_value *value, FILE *to)
{
	fputs(row->name, to);
	for (unsigned i = 0; row->options[i].name; i++) {
		const odo_option *o = &row->options[i];
		fprintf(to, "%c%s=", i ? ',' : ':', o->name);
		if (o->type == ODO_OPTION_WORD)
			fputs(o->words[value[i].number[0]], to);
		for (unsigned k = 0; o->type != ODO_OPTION_WORD && k < value[i].n; k++)
			fprintf(to, "%s%u", k ? "x" : "", value[i].number[k]);
	}
}

void odo_topology_help(const odo_topology *row, FILE *to)
{
	fprintf(to, "%s: %s (%s)\n  example: %s\n", row->name, row->summary, row->paper,
		row->example);
	for (const odo_option *o = row->options; o->name; o++) {
		fprintf(to, "  %-12s %s", o->name, o->help);
		for (unsigned i = 0; o->type == ODO_OPTION_WORD && o->words[i]; i++)
			fprintf(to, "%s%s", i ? ", " : ": ", o->words[i]);
		if (o->fallback)
			fprintf(to, " [%s]\n", o->fallback);
		else
			fputs(" (must be given)\n", to);
	}
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
		return odo_fail_within(err, "topology \"%.100s\"", spec);
	return 0;
}
