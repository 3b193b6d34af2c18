/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Frame of the verifier: the columns to follow, and the conclusions. */
#include "routing/verify/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "routing/graph/columns.h"
#include "routing/verify/internal.h"

void odo_verdict_fail(odo_verdict *verdict, const char *format, ...)
{
	va_list args;
	if (verdict->text[0])
		return;
	va_start(args, format);
	vsnprintf(verdict->text, sizeof verdict->text, format, args);
	va_end(args);
}

static int prepare_proof(odo_proof *proof, odo_error *err)
{
	odo_arena *memory = &proof->memory;
	proof->n = proof->f->n_switches;
	proof->stride = odo_column_stride(proof->n);
	proof->part = odo_arena_new(memory, proof->n, sizeof *proof->part);
	proof->block = odo_arena_new(memory, ODO_COLUMNS, proof->stride);
	proof->sl_block = odo_arena_new(memory, proof->t->sl_of_pair ? ODO_COLUMNS : 1,
					proof->stride);
	proof->first_kept = odo_arena_new(memory, proof->n, sizeof *proof->first_kept);
	proof->last_lid = odo_arena_new(memory, proof->n, sizeof *proof->last_lid);
	proof->inputs = odo_arena_new(memory, ODO_COLUMNS, ODO_MAX_PORTS + 1);
	proof->n_deep = odo_arena_new(memory, proof->n + 1ul, sizeof *proof->n_deep);
	proof->stack = odo_arena_new(memory, proof->n, sizeof *proof->stack);
	proof->leaving = odo_arena_new(memory,
				       (size_t)proof->n * (proof->t->sl_of_pair ? ODO_N_SLS : 1),
				       sizeof *proof->leaving);
	proof->next_vl = odo_arena_new(memory, proof->n, 1);
	proof->sls = odo_arena_new(memory, proof->n, sizeof *proof->sls);
	proof->unserved = odo_new(proof->t->served ? proof->f->n_slots : 1,
				  sizeof *proof->unserved);
	odo_verify_prepare_shapes(proof);
	odo_verify_prepare_vls(proof);
	if (memory->failed || !proof->unserved)
		return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	for (uint32_t s = 0; s < proof->n; s++)
		proof->first_kept[s] = ODO_NONE;
	for (uint32_t lid = 0; lid < proof->f->lid_count; lid++)
		if (proof->f->lid_switch[lid] != ODO_NONE)
			proof->last_lid[proof->f->lid_switch[lid]] = lid;
	proof->n_parts = odo_fabric_parts(proof->f, proof->part, err);
	return proof->n_parts < 0
		       ? proof->n_parts
		       : odo_dependencies_init(&proof->deps, proof->f, proof->t->n_vls, err);
}

static void clear_proof(odo_proof *proof)
{
	for (uint32_t i = 0; i < proof->n_kept; i++)
		free(proof->kept[i].copy);
	free(proof->kept);
	free(proof->unserved);
	odo_arena_free(&proof->memory);
	odo_dependencies_clear(&proof->deps);
}

static bool is_lid_judged(const odo_tables *t, uint32_t lid)
{
	const odo_fabric *f = t->fabric;
	return t->hosts_only ? f->lid_host[lid] != ODO_NONE : f->lid_switch[lid] != ODO_NONE;
}

static bool has_followed_lid(const odo_proof *proof, uint32_t lid, uint32_t width)
{
	for (uint32_t end = lid + width; lid < end; lid++)
		if (odo_verify_follows(proof, lid))
			return true;
	return false;
}

static int follow_columns(odo_proof *proof, odo_error *err)
{
	const odo_fabric *f = proof->f;
	for (uint32_t lid = 0; lid < f->lid_count; lid += ODO_COLUMNS) {
		odo_tables_tell(proof->t, "proving", lid, f->lid_count);
		uint32_t width = odo_column_width(f->lid_count, lid);
		if (!has_followed_lid(proof, lid, width))
			continue;
		odo_columns_cut(proof->t->lft + lid, f->lid_count, proof->n, width, proof->block,
				proof->stride);
		if (proof->t->sl_of_pair)
			odo_columns_cut(proof->t->sl_of_pair + lid, f->lid_count, proof->n, width,
					proof->sl_block, proof->stride);
		for (uint32_t k = 0; k < width; k++) {
			if (!odo_verify_follows(proof, lid + k))
				continue;
			unsigned sl = proof->t->sl_of_pair ? 0 : proof->t->sl_of_lid[lid + k];
			if (sl >= proof->t->n_sls)
				return odo_fail(err, ODO_EINPUT, "LID %u has SL %u, of %u in use",
						lid + k, sl, proof->t->n_sls);
			if (odo_verify_lid(proof, k, lid + k))
				return odo_fail(err, ODO_ENOMEM, "no memory to verify");
		}
		if (odo_verify_end_block(proof, lid + width))
			return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	}
	odo_verify_passed(proof);
	if (proof->t->held_of_lid || proof->t->held_of_pair)
		odo_verify_held(proof);
	return 0;
}

/* Follow the columns of hosts first if the dependencies of their packets alone are asked for. */
static int prove_columns(odo_proof *proof, odo_error *err)
{
	const odo_dependencies *all = &proof->deps, *hosts = proof->of_hosts;
	int status = 0;
	if (hosts) {
		proof->kinds = ODO_OF_HOSTS;
		status = follow_columns(proof, err);
		memcpy(hosts->bits, all->bits,
		       (size_t)all->n_channels * all->words * sizeof *all->bits);
	}
	proof->kinds = hosts ? ODO_OF_SWITCHES : ODO_OF_HOSTS | ODO_OF_SWITCHES;
	if (!status && (!hosts || !proof->t->hosts_only))
		status = follow_columns(proof, err);
	return status || !proof->t->strays.n ? status : odo_verify_strays(proof, err);
}

static int check_pair_sls(const odo_proof *proof, odo_error *err)
{
	size_t n = (size_t)proof->n * proof->f->lid_count;
	uint8_t most = 0;
	for (size_t i = 0; proof->t->sl_of_pair && i < n; i++)
		most = proof->t->sl_of_pair[i] > most ? proof->t->sl_of_pair[i] : most;
	return most < proof->t->n_sls ? 0
				      : odo_fail(err, ODO_EINPUT, "a path has SL %u, of %u in use",
						 most, proof->t->n_sls);
}

/* Return the SLs of the paths that start at a switch, a bit each. */
static unsigned sls_from(const odo_proof *proof, uint32_t s)
{
	unsigned sls = 0;
	for (uint32_t lid = 0; lid < proof->f->lid_count; lid++)
		if (is_lid_judged(proof->t, lid) &&
		    proof->part[proof->f->lid_switch[lid]] == proof->part[s])
			sls |= 1u << odo_path_sl(proof->t, s, lid);
	return sls;
}

/* Check the VLs on which hosts inject. The SLs of hosts are computed only if an SL has no VL. */
static void check_hosts(odo_proof *proof)
{
	const odo_fabric *f = proof->f;
	uint32_t asked = ODO_NONE; /* hosts of a switch mostly follow one another */
	unsigned sls = 0;
	for (uint32_t h = 0; h < f->n_hosts; h++) {
		uint32_t slot = f->host_slot[h], s = odo_host_switch(f, h);
		const uint8_t *vl = proof->t->rows[proof->t->host_row[h]].vl;
		unsigned vls = odo_verify_vls(proof, slot);
		for (unsigned sl = 0; sl < proof->t->n_sls; sl++) {
			if (vls >> vl[sl] & 1)
				continue;
			if (asked != s)
				sls = sls_from(proof, s);
			asked = s;
			if (sls >> sl & 1)
				odo_verify_vl(proof, slot, vl[sl], f->port_lid[slot]);
		}
	}
}

static int count_proved_pairs(odo_proof *proof, odo_error *err)
{
	const odo_fabric *f = proof->f;
	uint32_t *size = odo_arena_new(&proof->memory, proof->n + 1ul, sizeof *size);
	if (!size)
		return odo_fail(err, ODO_ENOMEM, "no memory to verify");
	for (uint32_t s = 0; s < proof->n; s++)
		size[proof->part[s]]++;
	for (uint32_t lid = 0; lid < f->lid_count; lid++) {
		if (!is_lid_judged(proof->t, lid))
			continue;
		uint32_t near = size[proof->part[f->lid_switch[lid]]];
		proof->verdict->n_pairs += near;
		proof->verdict->n_cut += proof->n - near;
	}
	return 0;
}

static void count_missing_pairs(odo_proof *proof)
{
	const odo_fabric *f = proof->f;
	for (uint32_t s = 0; proof->t->from.carried && s < proof->n; s++)
		for (uint32_t lid = 0; lid < f->lid_count; lid++)
			if (is_lid_judged(proof->t, lid) &&
			    proof->part[s] == proof->part[f->lid_switch[lid]])
				proof->verdict->n_missing += odo_verify_is_missing(
					proof, odo_next_port(proof->t, s, lid));
}

/* Move the record of unserved VLs to the verdict. @return true if there are any */
static bool lacks_service(odo_proof *proof)
{
	uint32_t slot = 0, n = proof->t->served ? proof->f->n_slots : 0;
	while (slot < n && !proof->unserved[slot])
		slot++;
	if (slot == n)
		return false;
	proof->verdict->unserved = proof->unserved;
	proof->unserved = NULL;
	return true;
}

static int conclude_proof(odo_proof *proof, odo_error *err)
{
	odo_verdict *verdict = proof->verdict;
	bool served = !lacks_service(proof);
	if (!proof->t->adaptive)
		verdict->max_hops = proof->most_hops;
	verdict->n_dependencies = odo_dependencies_count(&proof->deps);
	int status = odo_dependencies_cycle(&proof->deps, &verdict->cycle, &verdict->n_cycle, err);
	if (status)
		return status;
	verdict->deadlock_free &= !verdict->cycle;
	if (verdict->cycle) {
		const odo_fabric *f = proof->f;
		uint32_t slot = verdict->cycle[0].slot;
		odo_verdict_fail(
			verdict,
			"deadlock%s: %u channels wait for each other in a cycle, from port %u of "
			"\"%s\" on VL %u",
			proof->sound_before_strays
				? " by packets to LIDs that no port of the fabric has"
				: "",
			verdict->n_cycle, odo_port(f, slot), odo_name(f, f->owner[slot]),
			verdict->cycle[0].vl);
	}
	/* If paths are not measured, the dependencies bound the longest path. */
	if (proof->t->adaptive && !odo_verify_measures_paths(proof->t) && !verdict->cycle)
		status = odo_dependencies_longest(&proof->deps, &verdict->max_hops, err);
	if (status ||
	    (verdict->delivers && verdict->deadlock_free && verdict->within_vls && served))
		return status;
	return odo_fail(err, ODO_EUNSAFE, "%s", verdict->text);
}

/*
 * Prove tables.
 * @param deps     NULL, or gets their dependencies, for odo_dependencies_clear()
 * @param of_hosts NULL, or gets those of packets to hosts, for odo_dependencies_clear()
 */
static int prove_tables(const odo_tables *t, odo_verdict *verdict, odo_dependencies *deps,
			odo_dependencies *of_hosts, odo_error *err)
{
	odo_proof proof = {.t = t, .f = t->fabric, .verdict = verdict, .of_hosts = of_hosts};
	*verdict = (odo_verdict){.delivers = true, .deadlock_free = true, .within_vls = true};
	int status = 0;
	if (!t->n_vls || t->n_vls > ODO_MAX_VLS || !t->n_sls || t->n_sls > ODO_N_SLS)
		return odo_fail(err, ODO_EINPUT, "tables with %u VLs and %u SLs", t->n_vls,
				t->n_sls);
	status = prepare_proof(&proof, err);
	if (!status && of_hosts)
		status = odo_dependencies_init(of_hosts, t->fabric, t->n_vls, err);
	if (!status)
		status = check_pair_sls(&proof, err);
	if (!status)
		status = count_proved_pairs(&proof, err);
	if (!status) {
		count_missing_pairs(&proof);
		if (!t->adaptive)
			check_hosts(&proof);
		status = t->adaptive ? odo_verify_adaptive(t, proof.part, &proof.deps, verdict, err)
				     : prove_columns(&proof, err);
	}
	if (!status)
		status = conclude_proof(&proof, err);
	if (deps) {
		*deps = proof.deps;
		proof.deps.bits = NULL;
	}
	verdict->n_trees = proof.n_trees;
	clear_proof(&proof);
	return status;
}

int odo_verify(const odo_tables *t, odo_verdict *verdict, odo_error *err)
{
	return prove_tables(t, verdict, NULL, NULL, err);
}

int odo_verify_keep(odo_tables *t, const odo_watch *watch, odo_error *err)
{
	odo_verdict verdict = {0};
	odo_dependencies of_hosts = {0};
	const odo_tables watched = odo_tables_watched(t, watch);
	int status = prove_tables(&watched, &verdict, NULL, t->adaptive ? NULL : &of_hosts, err);
	odo_tables_forget_proof(t);
	if (!status && !verdict.n_missing) {
		t->proved = of_hosts.bits;
		t->n_trees = verdict.n_trees;
		of_hosts.bits = NULL;
	}
	odo_dependencies_clear(&of_hosts);
	odo_verdict_clear(&verdict);
	return status;
}

/* Compute the dependencies of static tables. */
static int follow_tables(const odo_tables *t, odo_dependencies *deps, odo_verdict *verdict,
			 odo_error *err)
{
	odo_proof proof = {.t = t, .f = t->fabric, .verdict = verdict};
	*verdict = (odo_verdict){.delivers = true, .deadlock_free = true, .within_vls = true};
	int status = prepare_proof(&proof, err);
	if (!status)
		check_hosts(&proof);
	if (!status)
		status = prove_columns(&proof, err);
	if (!status)
		lacks_service(&proof);
	*deps = proof.deps;
	proof.deps.bits = NULL;
	clear_proof(&proof);
	return status;
}

int odo_verify_follow(const odo_tables *t, odo_dependencies *deps, bool *sound, odo_error *err)
{
	odo_verdict verdict;
	int status = follow_tables(t, deps, &verdict, err);
	*sound = !status && verdict.delivers && verdict.deadlock_free && verdict.within_vls &&
		 !verdict.unserved;
	odo_verdict_clear(&verdict);
	return status;
}

int odo_verify_collect(const odo_tables *t, const odo_dependencies *deps, odo_error *err)
{
	odo_verdict verdict;
	odo_dependencies found;
	int status = follow_tables(t, &found, &verdict, err);
	if (!status && !verdict.delivers)
		status = odo_fail(err, ODO_EUNSAFE, "%s", verdict.text);
	if (!status)
		memcpy(deps->bits, found.bits,
		       (size_t)deps->n_channels * deps->words * sizeof *deps->bits);
	odo_dependencies_clear(&found);
	odo_verdict_clear(&verdict);
	return status;
}

void odo_verdict_clear(odo_verdict *verdict)
{
	free(verdict->cycle);
	free(verdict->unserved);
	verdict->unserved = NULL;
	verdict->cycle = NULL;
	verdict->n_cycle = 0;
}

int odo_verify_graph(const odo_tables *t, odo_dependencies *deps, odo_error *err)
{
	odo_verdict verdict;
	*deps = (odo_dependencies){0};
	if (t->adaptive)
		return odo_fail(err, ODO_EDECLINE,
				"an order of channels proves no adaptive tables");
	int status = prove_tables(t, &verdict, deps, NULL, err);
	odo_verdict_clear(&verdict);
	return status;
}
