/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writes ibsim net files and what ibnetdiscover would print.
 *
 * ibsim takes both. It knows nodes by the quoted id, which in a net file is the node's name
 * where names are fit for it, so that its console takes them too; and it swallows the header
 * after a record that has fewer lines than ports, unless a blank line ends it. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/format/formats.h"
#include "base/memory.h"

/* InfiniBand's node descriptions have 64 bytes, and ibsim's ids as many. */
#define MAX_NAME 64

typedef struct writer {
	const odo_fabric *f;
	FILE *to;
	bool by_name;
} writer;

static int compare_names(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	return strcmp(*x, *y);
}

/* Fit for an id: not empty, and free of what ibsim gives a meaning to. */
static bool fit(const char *name)
{
	size_t n = strlen(name);
	return n > 0 && n < MAX_NAME &&
	       strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "abcdefghijklmnopqrstuvwxyz"
			    "0123456789 ._-:/") == n;
}

/* True where every node's name is fit and its own. */
static int names_are_ids(const odo_fabric *f, bool *yes, odo_error *err)
{
	const char **sorted = odo_new(f->n_nodes, sizeof *sorted);
	if (!sorted)
		return odo_fail(err, ODO_ENOMEM, "no memory to compare names");
	*yes = true;
	for (uint32_t v = 0; v < f->n_nodes && *yes; v++)
		*yes = fit(sorted[v] = odo_name(f, v));
	if (*yes)
		qsort(sorted, f->n_nodes, sizeof *sorted, compare_names);
	for (uint32_t v = 1; v < f->n_nodes && *yes; v++)
		*yes = strcmp(sorted[v - 1], sorted[v]) != 0;
	free(sorted);
	return 0;
}

static void write_id(const writer *w, uint32_t v)
{
	static const char letter[] = {[ODO_SWITCH] = 'S', [ODO_CA] = 'H', [ODO_ROUTER] = 'R'};
	if (w->by_name)
		fprintf(w->to, "\"%s\"", odo_name(w->f, v));
	else
		fprintf(w->to, "\"%c-%016" PRIx64 "\"", letter[w->f->node_type[v]],
			w->f->node_guid[v]);
}

/* A name that cannot be taken for the end of the quotes, or for one of ibsim's options. */
static void write_name(const writer *w, uint32_t v)
{
	const char *name = odo_name(w->f, v);
	fputc('"', w->to);
	for (unsigned i = 0; i < MAX_NAME && name[i]; i++)
		fputc(name[i] == '"'                    ? '\''
		      : name[i] == '='                  ? ':'
		      : isprint((unsigned char)name[i]) ? name[i]
							: ' ',
		      w->to);
	fputc('"', w->to);
}

static unsigned node_lid(const odo_fabric *f, uint32_t slot)
{
	uint32_t v = f->owner[slot];
	return odo_is_switch(f, v) ? f->switch_lid[v] : f->port_lid[slot];
}

static void write_port(const writer *w, uint32_t slot)
{
	const odo_fabric *f = w->f;
	uint32_t v = f->owner[slot], far = f->peer[slot], u = f->owner[far];
	fprintf(w->to, "[%u]", odo_port(f, slot));
	if (!odo_is_switch(f, v))
		fprintf(w->to, "(%" PRIx64 ") ", f->port_guid[slot]);
	fputc('\t', w->to);
	write_id(w, u);
	fprintf(w->to, "[%u]", odo_port(f, far));
	if (!odo_is_switch(f, u))
		fprintf(w->to, "(%" PRIx64 ") ", f->port_guid[far]);
	fputs("\t\t# ", w->to);
	if (!odo_is_switch(f, v))
		fprintf(w->to, "lid %u lmc %u ", f->port_lid[slot], f->port_lmc[slot]);
	write_name(w, u);
	fprintf(w->to, " lid %u %ux%s\n", node_lid(f, far), f->width[slot],
		odo_speed_name((odo_speed)f->speed[slot]));
}

static void write_node(const writer *w, uint32_t v)
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
	write_id(w, v);
	fputs("\t\t# ", w->to);
	write_name(w, v);
	if (odo_is_switch(f, v))
		fprintf(w->to, " %s port 0 lid %u lmc %u", f->switch_lmc[v] ? "enhanced" : "base",
			f->switch_lid[v], f->switch_lmc[v]);
	fputc('\n', w->to);
	for (uint32_t slot = f->first_slot[v]; slot < f->first_slot[v + 1]; slot++)
		if (f->peer[slot] != ODO_NONE)
			write_port(w, slot);
}

static int write_all(const writer *w, odo_error *err)
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
	return status ? status : write_all(&w, err);
}

int odo_ibnetdiscover_write(const odo_fabric *f, FILE *to, odo_error *err)
{
	writer w = {.f = f, .to = to};
	return write_all(&w, err);
}
