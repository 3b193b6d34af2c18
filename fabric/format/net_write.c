/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writer of ibsim's net files and of ibnetdiscover's output.
 *
 * ibsim reads both. It identifies nodes by the quoted id. In a net file this is the node's name, if
 * all names are fit for it, so that ibsim's console accepts names too. ibsim skips the header after
 * a record with fewer lines than ports, unless a blank line ends the record. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/format/formats.h"
#include "base/memory.h"

/* Maximum length of node descriptions in InfiniBand, and of ids in ibsim. */
#define MAX_NAME 64

typedef struct writer {
	const odo_fabric *f;
	FILE *to;
	bool by_name;
	size_t n; /* bytes of the line so far */
	char line[10 * (MAX_NAME + 2)];
} writer;

static int compare_node_names(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	return strcmp(*x, *y);
}

/* Return true if a name is fit for an id: not empty, and without characters that ibsim interprets.
 */
static bool is_fit_id(const char *name)
{
	size_t n = strlen(name);
	return n > 0 && n < MAX_NAME &&
	       strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "abcdefghijklmnopqrstuvwxyz"
			    "0123456789 ._-:/") == n;
}

/* Find out whether every node has a unique name that is fit for an id. */
static int names_are_ids(const odo_fabric *f, bool *yes, odo_error *err)
{
	const char **sorted = odo_new(f->n_nodes, sizeof *sorted);
	if (!sorted)
		return odo_fail(err, ODO_ENOMEM, "no memory to compare names");
	*yes = true;
	for (uint32_t v = 0; v < f->n_nodes && *yes; v++)
		*yes = is_fit_id(sorted[v] = odo_name(f, v));
	if (*yes)
		qsort(sorted, f->n_nodes, sizeof *sorted, compare_node_names);
	for (uint32_t v = 1; v < f->n_nodes && *yes; v++)
		*yes = strcmp(sorted[v - 1], sorted[v]) != 0;
	free(sorted);
	return 0;
}

/* Lines are assembled in memory, because the largest fabrics have millions of lines, and stdio took
 * most of the time. No part is longer than a name, and no line has ten parts. */
static void add_bytes(writer *w, const char *text, size_t n)
{
	memcpy(w->line + w->n, text, n);
	w->n += n;
}

static void add_text(writer *w, const char *text)
{
	add_bytes(w, text, strlen(text));
}

static void add_number(writer *w, unsigned x)
{
	char digits[10], *at = digits + sizeof digits;
	do
		*--at = (char)('0' + x % 10);
	while (x /= 10);
	add_bytes(w, at, (size_t)(digits + sizeof digits - at));
}

static void add_hex(writer *w, const char *format, uint64_t x)
{
	w->n += (size_t)snprintf(w->line + w->n, MAX_NAME, format, x);
}

static void end_net_line(writer *w)
{
	add_bytes(w, "\n", 1);
	fwrite(w->line, 1, w->n, w->to);
	w->n = 0;
}

static void add_id(writer *w, uint32_t v)
{
	static const char *const kinds[] = {
		[ODO_SWITCH] = "S-", [ODO_CA] = "H-", [ODO_ROUTER] = "R-"};
	add_bytes(w, "\"", 1);
	if (w->by_name) {
		add_text(w, odo_name(w->f, v));
	} else {
		add_text(w, kinds[w->f->node_type[v]]);
		add_hex(w, "%016" PRIx64, w->f->node_guid[v]);
	}
	add_bytes(w, "\"", 1);
}

/* Add a name in quotes, without quotes and equal signs, which ibsim would interpret. */
static void add_name(writer *w, uint32_t v)
{
	const char *name = odo_name(w->f, v);
	char *at = w->line + w->n;
	*at++ = '"';
	for (unsigned i = 0; i < MAX_NAME && name[i]; i++)
		*at++ = name[i] == '"'                    ? '\''
			: name[i] == '='                  ? ':'
			: isprint((unsigned char)name[i]) ? name[i]
							  : ' ';
	*at++ = '"';
	w->n = (size_t)(at - w->line);
}

static unsigned node_lid(const odo_fabric *f, uint32_t slot)
{
	uint32_t v = f->owner[slot];
	return odo_is_switch(f, v) ? f->switch_lid[v] : f->port_lid[slot];
}

static void add_port_end(writer *w, uint32_t slot)
{
	const odo_fabric *f = w->f;
	add_bytes(w, "[", 1);
	add_number(w, odo_port(f, slot));
	add_bytes(w, "]", 1);
	if (!odo_is_switch(f, f->owner[slot]))
		add_hex(w, "(%" PRIx64 ") ", f->port_guid[slot]);
}

static void write_net_port(writer *w, uint32_t slot)
{
	const odo_fabric *f = w->f;
	uint32_t far = f->peer[slot], u = f->owner[far];
	add_port_end(w, slot);
	add_bytes(w, "\t", 1);
	add_id(w, u);
	add_port_end(w, far);
	add_text(w, "\t\t# ");
	if (!odo_is_switch(f, f->owner[slot])) {
		add_text(w, "lid ");
		add_number(w, f->port_lid[slot]);
		add_text(w, " lmc ");
		add_number(w, f->port_lmc[slot]);
		add_bytes(w, " ", 1);
	}
	add_name(w, u);
	add_text(w, " lid ");
	add_number(w, node_lid(f, far));
	add_bytes(w, " ", 1);
	add_number(w, f->width[slot]);
	add_bytes(w, "x", 1);
	add_text(w, odo_speed_name((odo_speed)f->speed[slot]));
	end_net_line(w);
}

static void write_node(writer *w, uint32_t v)
{
	static const char *const kinds[][2] = {
		[ODO_SWITCH] = {"switch", "Switch"},
		[ODO_CA] = {"ca", "Ca"},
		[ODO_ROUTER] = {"rt", "Rt"},
	};
	const odo_fabric *f = w->f;
	const char *const *kind = kinds[f->node_type[v]];
	fprintf(w->to, "\n%sguid=0x%" PRIx64, kind[0], f->node_guid[v]);
	if (odo_is_switch(f, v))
		fprintf(w->to, "(%" PRIx64 ")", f->node_guid[v]);
	fprintf(w->to, "\n%s\t%u ", kind[1], odo_n_ports(f, v));
	add_id(w, v);
	add_text(w, "\t\t# ");
	add_name(w, v);
	if (odo_is_switch(f, v)) {
		add_text(w, f->switch_lmc[v] ? " enhanced port 0 lid " : " base port 0 lid ");
		add_number(w, f->switch_lid[v]);
		add_text(w, " lmc ");
		add_number(w, f->switch_lmc[v]);
	}
	end_net_line(w);
	for (uint32_t slot = f->first_slot[v]; slot < f->first_slot[v + 1]; slot++)
		if (f->peer[slot] != ODO_NONE)
			write_net_port(w, slot);
}

static int write_net(writer *w, odo_error *err)
{
	fprintf(w->to, "#\n# Topology file: written by Odonata\n#\n");
	for (uint32_t v = 0; v < w->f->n_nodes; v++)
		write_node(w, v);
	fputc('\n', w->to);
	if (fflush(w->to) || ferror(w->to))
		return odo_fail(err, ODO_EIO, "cannot write: %s", strerror(errno));
	return 0;
}

int odo_net_write(const odo_fabric *f, FILE *to, odo_error *err)
{
	writer w = {.f = f, .to = to};
	int status = names_are_ids(f, &w.by_name, err);
	return status ? status : write_net(&w, err);
}

int odo_ibnetdiscover_write(const odo_fabric *f, FILE *to, odo_error *err)
{
	writer w = {.f = f, .to = to};
	return write_net(&w, err);
}
