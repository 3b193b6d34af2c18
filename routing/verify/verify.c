/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The verifier's frame: what is followed, and what is concluded. */
#include "routing/verify/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/graph/columns.h"
#include "routing/verify/internal.h"

void odo_verdict_fail(odo_verdict *v, const char *format, ...)
{
	va_list args;
	if (v->text[0])
		return;
	va_start(args, format);
	vsnprintf(v->text, sizeof v->text, format, args);
	va_end(args);
}

static int prepare(odo_proof *p, odo_error *err)
{
	p->n = p->f->n_switches;
	p->stride = odo_column_stride(p->n);
	p->part = odo_new(p->n, sizeof *p->part);
	p->block = odo_new(ODO_COLUMNS, p->stride);
	p->sl_block = odo_new(p->t->sl_of_pair ? ODO_COLUMNS : 1, p->stride);
	p->first_kept = odo_new(p->n, sizeof *p->first_kept);
	p->last_lid = odo_new(p->n, sizeof *p->last_lid);
	p->inputs = odo_new(ODO_COLUMNS, ODO_MAX_PORTS + 1);
	p->n_deep = odo_new(p->n + 1ul, sizeof *p->n_deep);
	p->stack = odo_new(p->n, sizeof *p->stack);
	p->leaving = odo_new((size_t)p->n * (p->t->sl_of_pair ? ODO_N_SLS : 1), sizeof *p->leaving);
	p->next_vl = odo_new(p->n, 1);
	p->sls = odo_new(p->n, sizeof *p->sls);
	if (!p->part || !p->block || !p->sl_block || !p->first_kept || !p->last_lid || !p->inputs ||
	    !p->n_deep || !p->stack || !p->leaving || !p->next_vl || !p->sls ||
	    odo_verify_prepare_shapes(p) || odo_verify_prepare_vls(p))
		return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	for (uint32_t s = 0; s < p->n; s++)
		p->first_kept[s] = ODO_NONE;
	for (uint32_t lid = 0; lid < p->f->lid_count; lid++)
		if (p->f->lid_switch[lid] != ODO_NONE)
			p->last_lid[p->f->lid_switch[lid]] = lid;
	p->n_parts = odo_fabric_parts(p->f, p->part, err);
	return p->n_parts < 0 ? p->n_parts
			      : odo_dependencies_init(&p->deps, p->f, p->t->n_vls, err);
}

static void clear(odo_proof *p)
{
	for (uint32_t i = 0; i < p->n_kept; i++)
		free(p->kept[i].copy);
	free(p->kept);
	free(p->part);
	free(p->next);
	free(p->vl_at);
	free(p->vl_on);
	free(p->passed);
	free(p->vls);
	free(p->from_host);
	free(p->block);
	free(p->sl_block);
	free(p->first_kept);
	free(p->last_lid);
	free(p->inputs);
	free(p->n_deep);
	free(p->stack);
	free(p->leaving);
	free(p->next_vl);
	free(p->sls);
	odo_verify_clear_shapes(p);
	odo_dependencies_clear(&p->deps);
}

static bool is_judged(const odo_tables *t, uint32_t lid)
{
	const odo_fabric *f = t->fabric;
	return t->hosts_only ? f->lid_host[lid] != ODO_NONE : f->lid_switch[lid] != ODO_NONE;
}

static int prove_columns(odo_proof *p, odo_error *err)
{
	const odo_fabric *f = p->f;
	for (uint32_t lid = 0; lid < f->lid_count; lid += ODO_COLUMNS) {
		uint32_t width = f->lid_count - lid < ODO_COLUMNS ? f->lid_count - lid
								  : ODO_COLUMNS;
		odo_columns_cut(p->t->lft + lid, f->lid_count, p->n, width, p->block, p->stride);
		if (p->t->sl_of_pair)
			odo_columns_cut(p->t->sl_of_pair + lid, f->lid_count, p->n, width,
					p->sl_block, p->stride);
		for (uint32_t k = 0; k < width; k++) {
			if (!is_judged(p->t, lid + k))
				continue;
			unsigned sl = p->t->sl_of_pair ? 0 : p->t->sl_of_lid[lid + k];
			if (sl >= p->t->n_sls)
				return odo_fail(err, ODO_EINPUT, "LID %u has SL %u, of %u in use",
						lid + k, sl, p->t->n_sls);
			if (odo_verify_lid(p, k, lid + k))
				return odo_fail(err, ODO_ENOMEM, "no memory to verify");
		}
		if (odo_verify_end_block(p, lid + width))
			return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	}
	odo_verify_passed(p);
	if (p->t->held_of_lid || p->t->held_of_pair)
		odo_verify_held(p);
	return 0;
}

static int check_pair_sls(const odo_proof *p, odo_error *err)
{
	size_t n = (size_t)p->n * p->f->lid_count;
	uint8_t most = 0;
	for (size_t i = 0; p->t->sl_of_pair && i < n; i++)
		most = p->t->sl_of_pair[i] > most ? p->t->sl_of_pair[i] : most;
	return most < p->t->n_sls ? 0
				  : odo_fail(err, ODO_EINPUT, "a path has SL %u, of %u in use",
					     most, p->t->n_sls);
}

/* SLs of the paths that start at a switch, a bit each. */
static unsigned sls_from(const odo_proof *p, uint32_t s)
{
	unsigned sls = 0;
	for (uint32_t lid = 0; lid < p->f->lid_count; lid++)
		if (is_judged(p->t, lid) && p->part[p->f->lid_switch[lid]] == p->part[s])
			sls |= 1u << odo_path_sl(p->t, s, lid);
	return sls;
}

/* VLs on which hosts inject. Which SLs they use is asked only where one has no VL. */
static void check_hosts(odo_proof *p)
{
	const odo_fabric *f = p->f;
	uint32_t asked = ODO_NONE; /* hosts of a switch mostly follow one another */
	unsigned sls = 0;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t slot = f->host_slot[h], s = odo_host_switch(f, h);
		const uint8_t *vl = p->t->rows[p->t->host_row[h]].vl;
		unsigned n_vls = odo_verify_n_vls(p, slot);
		for (unsigned sl = 0; sl < p->t->n_sls; sl++) {
			if (vl[sl] < n_vls)
				continue;
			if (asked != s)
				sls = sls_from(p, s);
			asked = s;
			if (sls >> sl & 1)
				odo_verify_vl(p, slot, vl[sl], f->port_lid[slot]);
		}
	}
}

static int count_pairs(odo_proof *p, odo_error *err)
{
	const odo_fabric *f = p->f;
	uint32_t *size = odo_new(p->n + 1ul, sizeof *size);
	if (!size)
		return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	for (uint32_t s = 0; s < p->n; s++)
		size[p->part[s]]++;
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		if (!is_judged(p->t, lid))
			continue;
		uint32_t near = size[p->part[f->lid_switch[lid]]];
		p->verdict->n_pairs += near;
		p->verdict->n_cut += p->n - near;
	}
	free(size);
	return 0;
}

static void count_missing(odo_proof *p)
{
	const odo_fabric *f = p->f;
	for (uint32_t s = 0; p->t->carried && s < p->n; s++)
		for (uint32_t lid = 0; lid < f->lid_count; lid++)
			if (is_judged(p->t, lid) && p->part[s] == p->part[f->lid_switch[lid]])
				p->verdict->n_missing += odo_verify_is_missing(
					p, odo_next_port(p->t, s, lid));
}

static int conclude(odo_proof *p, odo_error *err)
{
	odo_verdict *v = p->verdict;
	if (!p->t->adaptive)
		v->max_hops = p->most_hops;
	v->n_dependencies = odo_dependencies_count(&p->deps);
	int status = odo_dependencies_cycle(&p->deps, &v->cycle, &v->n_cycle, err);
	if (status)
		return status;
	v->deadlock_free &= !v->cycle;
	if (v->cycle) {
		const odo_fabric *f = p->f;
		uint32_t slot = v->cycle[0].slot;
		odo_verdict_fail(
			v,
			"deadlock: %u channels wait for each other in a cycle, from port %u of "
			"\"%s\" on VL %u",
			v->n_cycle, odo_port(f, slot), odo_name(f, f->owner[slot]), v->cycle[0].vl);
	}
	/* Where paths are not measured the dependencies bound the longest path. */
	if (p->t->adaptive && !odo_verify_measures_paths(p->t) && !v->cycle)
		status = odo_dependencies_longest(&p->deps, &v->max_hops, err);
	if (status || (v->delivers && v->deadlock_free && v->within_vls))
		return status;
	return odo_fail(err, ODO_EUNSAFE, "%s", v->text);
}

int odo_verify(const odo_tables *t, odo_verdict *verdict, odo_error *err)
{
	odo_proof p = {.t = t, .f = t->fabric, .verdict = verdict};
	*verdict = (odo_verdict){.delivers = true, .deadlock_free = true, .within_vls = true};
	int status = 0;
	if (!t->n_vls || t->n_vls > ODO_MAX_VLS || !t->n_sls || t->n_sls > ODO_N_SLS)
		return odo_fail(err, ODO_EINPUT, "tables with %u VLs and %u SLs", t->n_vls,
				t->n_sls);
	status = prepare(&p, err);
	if (!status)
		status = check_pair_sls(&p, err);
	if (!status)
		status = count_pairs(&p, err);
	if (!status) {
		count_missing(&p);
		if (!t->adaptive)
			check_hosts(&p);
		status = t->adaptive ? odo_verify_adaptive(t, p.part, &p.deps, verdict, err)
				     : prove_columns(&p, err);
	}
	if (!status)
		status = conclude(&p, err);
	clear(&p);
	return status;
}

int odo_verify_collect(const odo_tables *t, const odo_dependencies *deps, odo_error *err)
{
	odo_verdict verdict = {.delivers = true, .within_vls = true};
	odo_proof p = {.t = t, .f = t->fabric, .verdict = &verdict};
	int status = prepare(&p, err);
	if (!status)
		status = prove_columns(&p, err);
	if (!status && !verdict.delivers)
		status = odo_fail(err, ODO_EUNSAFE, "%s", verdict.text);
	if (!status)
		memcpy(deps->bits, p.deps.bits,
		       (size_t)deps->n_channels * deps->words * sizeof *deps->bits);
	clear(&p);
	return status;
}

void odo_verdict_clear(odo_verdict *verdict)
{
	free(verdict->cycle);
	verdict->cycle = NULL;
	verdict->n_cycle = 0;
}
