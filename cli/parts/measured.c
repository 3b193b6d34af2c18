/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/parts/measured.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "cli/answers.h"
#include "fabric/address.h"
#include "fabric/format/lines.h"
#include "fabric/format/slurp.h"

/* A node description has up to 64 bytes; a port may follow. */
enum { ADDRESS = 80 };

/* Allocated entries of both arrays. */
typedef struct rooms {
	size_t pairs, figures;
} rooms;

static int read_measured_host(odo_scan *s, const odo_fabric *f, uint32_t *host)
{
	odo_scan before = *s;
	odo_text word;
	char text[ADDRESS];
	odo_address address;
	odo_error why = {0};
	odo_skip_blanks(s);
	if (!odo_take_quoted(s, &word))
		odo_take_word(s, &word);
	if (!word.n || word.n >= sizeof text)
		return odo_scan_expected(&before, "two hosts: a name, a GUID or a LID each");
	memcpy(text, word.at, word.n);
	text[word.n] = '\0';
	if (odo_address_find(f, text, &address, &why))
		return odo_scan_fail(&before, "%s", why.text);
	*host = odo_address_host(f, &address);
	if (*host == ODO_NONE)
		return odo_scan_fail(&before, "\"%s\" is no host, or has several ports", text);
	return 0;
}

static int read_figure(odo_scan *s, double *figure)
{
	odo_text word;
	char text[40];
	const char *at = text;
	odo_scan before = *s;
	odo_skip_blanks(s);
	*figure = NAN;
	if (odo_at_end(s) || odo_peek(s) == '#')
		return 0;
	odo_take_word(s, &word);
	snprintf(text, sizeof text, "%.*s", odo_text_print(word));
	if (!odo_take_real(&at, 0, DBL_MAX, figure) || *at)
		return odo_scan_expected(&before, "a figure, such as GB/s, or the end of the line");
	odo_skip_blanks(s);
	return odo_at_end(s) || odo_peek(s) == '#' ? 0
						   : odo_scan_expected(s, "the end of the line");
}

static int read_measured_line(odo_scan *s, const odo_fabric *f, cli_measured *out, rooms *room)
{
	odo_measured pair = {.slow = true};
	double figure;
	int status = read_measured_host(s, f, &pair.from);
	if (!status)
		status = read_measured_host(s, f, &pair.to);
	if (!status)
		status = read_figure(s, &figure);
	if (status)
		return status;
	if (odo_grow(&out->pair, &room->pairs, out->n + 1, sizeof *out->pair) ||
	    odo_grow(&out->figure, &room->figures, out->n + 1, sizeof *out->figure))
		return odo_scan_no_memory(s);
	out->figure[out->n] = figure;
	out->pair[out->n++] = pair;
	return 0;
}

static int compare_figures(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int cli_measured_judge(cli_measured *m, double share, odo_error *err)
{
	double *sorted = odo_new(m->n, sizeof *sorted);
	size_t n = 0;
	if (!sorted)
		return odo_fail(err, ODO_ENOMEM, "out of memory");
	for (size_t i = 0; i < m->n; i++)
		if (!isnan(m->figure[i]))
			sorted[n++] = m->figure[i];
	qsort(sorted, n, sizeof *sorted, compare_figures);
	m->limit = n ? share * sorted[n / 2] : 0;
	for (size_t i = 0; i < m->n; i++) {
		m->pair[i].slow = isnan(m->figure[i]) || m->figure[i] < m->limit;
		m->n_slow += m->pair[i].slow;
	}
	free(sorted);
	return 0;
}

int cli_measured_read(const char *path, const odo_fabric *f, cli_measured *out, odo_error *err)
{
	char *text;
	size_t size;
	rooms room = {0};
	*out = (cli_measured){0};
	int status = odo_slurp(path, &text, &size, err);
	if (status)
		return status;
	odo_scan s = odo_lines_make(text, size, odo_origin_name(path));
	s.err = err;
	while (!status && odo_lines_next(&s))
		status = read_measured_line(&s, f, out, &room);
	if (!status && !out->n)
		status = odo_fail(err, ODO_EINPUT, "%s: expected pairs of hosts, found none",
				  odo_origin_name(path));
	free(text);
	return status;
}

static json_t *suspect_row(const odo_fabric *f, const odo_suspect *x)
{
	json_t *row = x->slot != ODO_NONE ? cli_json_cable(f, x->slot) : json_object();
	const char *what = x->both                     ? "cable"
			   : x->slot != ODO_NONE       ? "one direction"
			   : odo_is_switch(f, x->node) ? "switch"
						       : "adapter";
	cli_put_text(&row, "suspect", what);
	if (x->node != ODO_NONE) {
		cli_put_text(&row, "from", odo_name(f, x->node));
		cli_put(&row, "from_guid", cli_json_guid(f->node_guid[x->node]));
	}
	cli_put_real(&row, "score", x->score);
	cli_put_count(&row, "explains", x->n_explained);
	cli_put_count(&row, "slow", x->n_slow);
	cli_put_count(&row, "fine", x->n_fine);
	cli_put_count(&row, "cables_alike", x->n_alike);
	return row;
}

int cli_measured_answer(json_t **answer, const cli_measured *m, const odo_tables *t, uint32_t most,
			odo_error *err)
{
	uint32_t n = 0;
	odo_suspect *suspects = odo_new(most, sizeof *suspects);
	int status = suspects ? odo_suspects_find(t, m->pair, m->n, most, suspects, &n, err)
			      : odo_fail(err, ODO_ENOMEM, "out of memory");
	json_t *rows = json_array();
	for (uint32_t i = 0; i < n; i++)
		cli_append(&rows, suspect_row(t->fabric, &suspects[i]));
	cli_put_count(answer, "pairs", m->n);
	cli_put_count(answer, "slow_pairs", m->n_slow);
	if (m->limit > 0)
		cli_put_real(answer, "slow_below", m->limit);
	cli_put(answer, "suspects", rows);
	free(suspects);
	return status;
}

void cli_measured_clear(cli_measured *measured)
{
	free(measured->pair);
	free(measured->figure);
	*measured = (cli_measured){0};
}
