/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One sweep: OpenSM's subnet is translated, mapped, routed and proved on the side, and only then
 * written into OpenSM's switches. OpenSM does not clean up between engines, so whatever fails
 * before that leaves no trace: the tables of the sweep before stay if they are still proved, or the
 * next engine starts from a clean slate.
 */
#include "plugin/engine.h"

#include <stdlib.h>
#include <time.h>

#include "fabric/format/guids.h"
#include "base/memory.h"
#include "mapping/mapping.h"
#include "plugin/keep.h"
#include "plugin/multicast.h"
#include "plugin/translate.h"

static struct timespec start(void)
{
	struct timespec now = {0};
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now;
}

/* Milliseconds of processor time since the clock was last asked: what a sweep costs, however busy
 * the machine is. All runs on one thread and waits for nothing. */
static double lap(struct timespec *last)
{
	struct timespec now = start();
	double ms = (double)(now.tv_sec - last->tv_sec) * 1e3 +
		    (double)(now.tv_nsec - last->tv_nsec) * 1e-6;
	*last = now;
	return ms;
}

/* What the log tells of a sweep. */
typedef struct account {
	double translate, map, route, install; /* ms */
	odo_lft_changes lfts;
	odo_told told; /* to connections that there are */
} account;

static bool all_sls_alike(const odo_tables *t)
{
	for (uint32_t row = 0; row < t->n_rows; row++)
		for (unsigned sl = 1; sl < ODO_N_SLS; sl++)
			if (t->rows[row].vl[sl] != t->rows[row].vl[0])
				return false;
	return true;
}

/* OpenSM programs SL2VL tables only under `qos TRUE`. */
static int check_qos(const osm_subn_t *subn, const odo_tables *t, odo_error *err)
{
	if (t->n_vls == 1 || subn->opt.qos)
		return 0;
	return odo_fail(err, ODO_EDECLINE,
			"engine %s needs %u VLs, and OpenSM programs none while qos is FALSE: set "
			"\"qos TRUE\" (or opensm -Q), or allow one VL with \"max_vls=1\" in "
			"event_plugin_options",
			t->engine, t->n_vls);
}

static int install(const odo_osm_engine *e, odo_routed *r, account *ms, odo_error *err)
{
	const osm_subn_t *subn = &e->osm->subn;
	int status = check_qos(subn, r->tables, err);
	r->any_sl = all_sls_alike(r->tables);
	if (!status)
		status = odo_handed_compare(e->handed, r->tables, &ms->told, err);
	return status ? status : odo_install_lfts(r, subn, &ms->lfts, err);
}

static int route(const odo_osm_engine *e, odo_routed *r, account *ms, odo_error *err)
{
	const osm_subn_t *subn = &e->osm->subn;
	struct timespec clock = start();
	odo_route_options options = e->options;
	options.before = e->routed ? e->routed->tables : NULL;
	options.compare = true;
	options.history = e->handed->history;
	int status = odo_translate(subn, &r->fabric, err);
	ms->translate = lap(&clock);
	if (!status)
		status = odo_map(r->fabric, &r->coordinates, err);
	ms->map = lap(&clock);
	if (!status)
		status = odo_route(r->fabric, r->coordinates, e->engine, &options, &r->tables, err);
	ms->route = lap(&clock);
	if (!status)
		status = install(e, r, ms, err);
	ms->install = lap(&clock);
	r->sweep = e->n_sweeps;
	return status;
}

static void report(const odo_osm_engine *e, const account *ms)
{
	const odo_routed *r = e->routed;
	const odo_fabric *f = r->fabric;
	osm_log(&e->osm->log, OSM_LOG_INFO,
		"odonata: %u switches, %u hosts, %u cables: %s, %u faults; engine %s, %u VLs, %u "
		"SLs, proved; %llu SL2VL MADs, %u distinct maps; %llu pairs must reconnect; "
		"translated in "
		"%.2f ms, mapped in %.2f, "
		"routed and verified in %.2f, installed in %.2f: sweep %u\n",
		f->n_switches, f->n_hosts, f->n_links, odo_kind_name(r->coordinates->kind),
		r->coordinates->n_faults, r->tables->engine, r->tables->n_vls, r->tables->n_sls,
		r->tables->n_vls > 1 ? (unsigned long long)odo_sl2vl_mads(f) : 0ull,
		r->tables->n_rows, (unsigned long long)ms->told.changes.n_reconnect, ms->translate,
		ms->map, ms->route, ms->install, r->sweep);
}

/* What the tables carry, and what up*\/down* would, or what made way for it. */
static void report_bounds(const odo_osm_engine *e)
{
	const odo_tables *t = e->routed->tables;
	if (t->compared[0])
		osm_log(&e->osm->log, OSM_LOG_INFO,
			"odonata: static bounds: %s %.3f uniform, %.3f shifts, installed; %s %.3f "
			"uniform, %.3f shifts\n",
			t->engine, t->rating.uniform, t->rating.shifts, t->compared,
			t->other.uniform, t->other.shifts);
}

static void report_changes(const odo_osm_engine *e, const account *ms)
{
	osm_log(&e->osm->log, OSM_LOG_INFO,
		"odonata: %llu of %llu LFT entries change, in %llu MADs; %llu of %llu pairs "
		"(switch, "
		"LID) change their SL\n",
		(unsigned long long)ms->lfts.n_changed, (unsigned long long)ms->lfts.n_entries,
		(unsigned long long)ms->lfts.n_blocks,
		(unsigned long long)ms->told.changes.n_changed,
		(unsigned long long)ms->told.changes.n_pairs);
	odo_told_log(&ms->told, e->routed->tables, &e->osm->log);
}

/* OpenSM masks VLs with OperVLs as the ports report them, and raises those only later in the
 * sweep: after a manager that allowed fewer VLs, two of ours would fall into one. */
static void check_masks(odo_osm_engine *e)
{
	uint32_t before = e->n_masked;
	e->n_masked = e->routed->tables->n_vls > 1 ? odo_masked_ports(e->routed, &e->osm->subn) : 0;
	e->sweep_again = e->n_masked && e->n_masked != before;
	if (e->sweep_again)
		osm_log(&e->osm->log, OSM_LOG_INFO,
			"odonata: OperVLs of %u ports are below our %u VLs and cut SL2VL short; "
			"sweeping again once they are raised\n",
			e->n_masked, e->routed->tables->n_vls);
	else if (e->n_masked)
		osm_log(&e->osm->log, OSM_LOG_ERROR,
			"odonata: %u ports keep OperVLs below our %u VLs: deadlock is possible "
			"there\n",
			e->n_masked, e->routed->tables->n_vls);
}

static void check_roots(const odo_osm_engine *e)
{
	const odo_route_options *o = &e->options;
	bool given = e->osm->subn.opt.root_guid_file != NULL;
	if (given && !odo_guids_of_switches(e->routed->fabric, o->roots, o->n_roots))
		osm_log(&e->osm->log, OSM_LOG_ERROR,
			"odonata: root_guid_file: none of its %u GUIDs is a switch's\n",
			o->n_roots);
}

static void update_sl2vl(void *context, osm_physp_t *port, uint8_t in, uint8_t out,
			 ib_slvl_table_t *table)
{
	const odo_osm_engine *e = context;
	if (e->routed)
		odo_install_sl2vl(e->routed, port, in, out, table);
}

static uint8_t path_sl(void *context, uint8_t hint, const ib_net16_t slid, const ib_net16_t dlid)
{
	const odo_osm_engine *e = context;
	if (!e->routed)
		return hint;
	uint8_t sl = odo_installed_sl(e->routed, hint, cl_ntoh16(slid), cl_ntoh16(dlid));
	if (e->routed->any_sl && sl == hint)
		atomic_fetch_or(&e->handed->free_hints, 1u << (sl % ODO_N_SLS));
	return sl;
}

static ib_api_status_t build_group(void *context, osm_mgrp_box_t *group)
{
	odo_osm_engine *e = context;
	odo_error err = {0};
	osm_purge_mtree(&e->osm->sm, group);
	if (!e->routed || !odo_install_group(e->routed, &e->osm->subn, group, &err))
		return IB_SUCCESS;
	osm_log(&e->osm->log, OSM_LOG_ERROR, "odonata: no multicast for MLID 0x%x: %s\n",
		group->mlid, err.text);
	return IB_ERROR;
}

static void adopt(odo_osm_engine *e, odo_routed *r, account *ms)
{
	odo_handed_adopt(e->handed, &ms->told);
	odo_routed_free(e->routed);
	e->routed = r;
	/* One VL is safe under any map, so OpenSM's own stays, with the operator's QoS in it and
	 * with one MAD a switch where the switch can do that. */
	e->slot->update_sl2vl = r->tables->n_vls > 1 ? update_sl2vl : NULL;
	e->mcast_due = true;
	check_masks(e);
}

/* Nothing could be routed, for a reason: what was before stays if it is still proved. Memory may be
 * there again in a moment, and nothing else would have OpenSM ask once more. */
static int keep(odo_osm_engine *e, const odo_error *why)
{
	odo_error err = {0};
	account ms = {0};
	odo_carried carried;
	bool again = why->status == ODO_ENOMEM && !e->routed->tables->carried;
	odo_routed *r = odo_new(1, sizeof *r);
	int status = r ? odo_keep(e->routed, e->handed->history, e->osm, e->slot, r, &carried, &err)
		       : odo_fail(&err, ODO_ENOMEM, "no memory");
	if (!status)
		status = install(e, r, &ms, &err);
	if (status) {
		odo_told_clear(&ms.told);
		osm_log(&e->osm->log, OSM_LOG_ERROR,
			"odonata: declined as %s: %s; the tables of sweep %u cannot be kept: %s\n",
			e->name, why->text, e->routed->sweep, err.text);
		odo_routed_free(r);
		return -1;
	}
	osm_log(&e->osm->log, OSM_LOG_ERROR,
		"odonata: no new routes as %s: %s; the tables of sweep %u are kept, proved on the "
		"fabric as it is now; they cut off %llu of %llu pairs (switch, LID); %llu pairs "
		"must reconnect%s\n",
		e->name, why->text, r->sweep, (unsigned long long)carried.n_missing,
		(unsigned long long)carried.n_pairs,
		(unsigned long long)ms.told.changes.n_reconnect, again ? "; sweeping again" : "");
	adopt(e, r, &ms);
	report_changes(e, &ms);
	odo_told_clear(&ms.told);
	e->sweep_again |= again;
	return 0;
}

static int build_tables(void *context)
{
	odo_osm_engine *e = context;
	odo_error err = {0};
	account ms = {0};
	e->n_sweeps++;
	odo_handed_settle(e->handed);
	odo_routed *r = odo_new(1, sizeof *r);
	int status = r ? route(e, r, &ms, &err) : odo_fail(&err, ODO_ENOMEM, "no memory");
	if (!status) {
		adopt(e, r, &ms);
		check_roots(e);
		report(e, &ms);
		report_bounds(e);
		report_changes(e, &ms);
		odo_told_clear(&ms.told);
		return 0;
	}
	odo_told_clear(&ms.told);
	odo_routed_free(r);
	if (e->routed)
		return keep(e, &err);
	osm_log(&e->osm->log, OSM_LOG_ERROR, "odonata: declined as %s: %s\n", e->name, err.text);
	return -1;
}

static void destroy(void *context)
{
	odo_osm_engine *e = context;
	e->slot = NULL;
}

/* Ours are filled in when the LFTs are on their way. */
static int leave_matrices(void *context)
{
	(void)context;
	return 0;
}

static int setup(struct osm_routing_engine *slot, osm_opensm_t *osm)
{
	(void)osm;
	odo_osm_engine *e = slot->context;
	if (e->slot)
		return -1; /* named twice */
	e->slot = slot;
	slot->build_lid_matrices = leave_matrices;
	slot->ucast_build_fwd_tables = build_tables;
	slot->update_sl2vl = update_sl2vl;
	slot->path_sl = path_sl;
	slot->destroy = destroy;
	return 0;
}

int odo_osm_engine_register(odo_osm_engine *e)
{
	external_routing_engine_module_t module = {.name = e->name, .setup = setup, .context = e};
	return (int)osm_register_external_routing_engine(e->osm, &module, e);
}

/* Without a tree that is safe beside unicast OpenSM builds its own: a fabric without multicast has
 * no IPoIB. */
static void prepare_multicast(odo_osm_engine *e)
{
	odo_error err = {0};
	struct timespec clock = start();
	const odo_mcast *tree;
	int status = odo_multicast_tree(e->routed, 0, &tree, &err);
	e->slot->mcast_build_stree = status ? NULL : build_group;
	if (status)
		osm_log(&e->osm->log, OSM_LOG_ERROR,
			"odonata: multicast is left to OpenSM, and may deadlock with unicast: %s\n",
			err.text);
	else
		osm_log(&e->osm->log, OSM_LOG_INFO,
			"odonata: multicast tree, safe beside %s, found in %.2f ms\n",
			e->routed->mcast_beside_new
				? "unicast but for connections that keep an earlier SL"
				: "unicast",
			lap(&clock));
}

static void fill_hops(odo_osm_engine *e)
{
	odo_error err = {0};
	struct timespec clock = start();
	if (odo_install_hops(e->routed, &e->osm->subn, &err))
		osm_log(&e->osm->log, OSM_LOG_ERROR, "odonata: no hop matrices: %s\n", err.text);
	else
		osm_log(&e->osm->log, OSM_LOG_INFO, "odonata: hop matrices in %.2f ms\n",
			lap(&clock));
}

/* A tree is proved beside these unicast routes, and the groups' are still beside those before. */
static void rebuild_groups(const odo_osm_engine *e)
{
	osm_opensm_t *osm = e->osm;
	for (uint32_t mlid = IB_LID_MCAST_START_HO; mlid <= osm->subn.max_mcast_lid_ho; mlid++)
		if (osm_get_mbox_by_mlid(&osm->subn, cl_hton16((uint16_t)mlid)))
			osm_sm_reroute_mlid(&osm->sm, cl_hton16((uint16_t)mlid));
}

void odo_osm_engine_ucast_done(odo_osm_engine *e, bool swept)
{
	osm_opensm_t *osm = e->osm;
	if (!e->mcast_due || osm->routing_engine_used != e->slot)
		return;
	e->mcast_due = false;
	cl_plock_excl_acquire(&osm->lock);
	if (!osm->subn.opt.disable_multicast)
		prepare_multicast(e);
	/* OpenSM's own trees are built from hop matrices, and its dumps print them. */
	if (!e->slot->mcast_build_stree || (osm->log.level & OSM_LOG_ROUTING))
		fill_hops(e);
	if (!swept && !osm->subn.opt.disable_multicast)
		rebuild_groups(e);
	cl_plock_release(&osm->lock);
}

void odo_osm_engine_subnet_up(odo_osm_engine *e)
{
	if (!e->sweep_again || e->osm->routing_engine_used != e->slot)
		return;
	e->sweep_again = false;
	e->osm->subn.force_heavy_sweep = TRUE;
	osm_sm_signal(&e->osm->sm, OSM_SIGNAL_SWEEP);
}
