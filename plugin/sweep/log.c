/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/sweep/log.h"

#include "fabric/format/formats.h"
#include "fabric/format/guids.h"
#include "fabric/rails.h"
#include "plugin/opensm/translate.h"
#include "routing/turns.h"

static void log_result(const odo_osm_engine *engine, const odo_routed *routed,
		       const odo_sweep *sweep)
{
	const odo_fabric *f = routed->fabric;
	osm_log(&engine->osm->log, OSM_LOG_INFO,
		"odonata: %u switches, %u hosts, %u cables: %s, %u faults; engine %s, %u VLs, %u "
		"SLs, proved; safe with %s; %llu SL2VL MADs, %u distinct maps; %llu pairs must "
		"reconnect; "
		"translated in "
		"%.2f ms, mapped in %.2f, "
		"routed and verified in %.2f, installed in %.2f: sweep %u\n",
		f->n_switches, f->n_senders, f->n_links, odo_kind_name(routed->coordinates->kind),
		routed->coordinates->n_faults, routed->tables->engine, routed->tables->n_vls,
		routed->tables->n_sls, routed->any_sl ? "any SL" : "path SLs",
		routed->tables->n_vls > 1 ? (unsigned long long)odo_sl2vl_mads(f) : 0ull,
		routed->tables->n_rows, (unsigned long long)sweep->sls.changes.n_reconnect,
		sweep->translate, sweep->map, sweep->route, sweep->install, routed->sweep);
	if (routed->coordinates->reason[0]) /* the reason of an unknown topology, or that mapping
					       ended early */
		osm_log(&engine->osm->log, OSM_LOG_INFO, "odonata: mapping: %s\n",
			routed->coordinates->reason);
}

/* Log the slowest cable, which limits all paths across it; `odonata map` names the others. */
static void log_slow(const odo_osm_engine *engine, const odo_routed *routed)
{
	const odo_fabric *f = routed->fabric;
	const odo_coordinates *c = routed->coordinates;
	const odo_fault *worst = NULL;
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->n_faults; i++) {
		const odo_fault *x = &c->faults[i];
		if (x->type != ODO_FAULT_SLOW_LINK)
			continue;
		if (!n++ || odo_cable_rate(f, x->slot[0]) < odo_cable_rate(f, worst->slot[0]))
			worst = x;
	}
	if (n)
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: %u slow cables, the slowest from \"%s\" port %u to \"%s\" port "
			"%u: it runs at %ux%s, usual is %ux%s\n",
			n, odo_name(f, worst->node[0]), odo_port(f, worst->slot[0]),
			odo_name(f, worst->node[1]), odo_port(f, worst->slot[1]),
			f->width[worst->slot[0]],
			odo_speed_name((odo_speed)f->speed[worst->slot[0]]), f->width[worst->usual],
			odo_speed_name((odo_speed)f->speed[worst->usual]));
}

/* Log the first adapter; `odonata map` and the state file name all. */
static void log_rails(const odo_osm_engine *engine, const odo_routed *routed)
{
	const odo_fabric *f = routed->fabric;
	odo_rails rails;
	odo_error err;
	uint32_t n = 0, first = ODO_NONE;
	if (odo_rails_find(f, &rails, &err))
		return;
	for (uint32_t h = f->n_hosts; h-- > 0;)
		if (odo_rails_is_wrong(&rails, f, h)) {
			first = h;
			n++;
		}
	uint32_t home = n ? odo_rails_home(&rails, f, first) : ODO_NONE;
	if (n)
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: %u adapters are on a leaf of another rail, the first \"%s\" on "
			"\"%s\"; it belongs on %s\n",
			n, odo_name(f, f->owner[f->host_slot[first]]),
			odo_name(f, odo_host_switch(f, first)),
			home == ODO_NONE ? "an unknown leaf, because its neighbours differ"
					 : odo_name(f, home));
	odo_rails_clear(&rails);
}

static void log_flapping(const odo_osm_engine *engine, const odo_routed *routed)
{
	const odo_fabric *f = routed->fabric;
	for (uint32_t i = 0; i < engine->flaps->n_left_out; i++) {
		const odo_cable_name *x = &engine->flaps->left_out[i];
		uint32_t from = odo_translated_node(f, x->guid[0], true);
		uint32_t to = odo_translated_node(f, x->guid[1], true);
		if (from == ODO_NONE || to == ODO_NONE)
			continue;
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: flapping cable is not used: from \"%s\" port %u to \"%s\" port "
			"%u; it disappeared %u times within %lu s, and is used again once it is "
			"steady for %lu s\n",
			odo_name(f, from), x->port[0], odo_name(f, to), x->port[1],
			engine->flaps->limit, (unsigned long)engine->flaps->window,
			(unsigned long)engine->flaps->hold);
	}
}

/* Log pairs for which damage has left no path up and down a tree. */
static void log_turns(const odo_osm_engine *engine, const odo_routed *routed)
{
	odo_turns turns;
	odo_error err;
	if (!odo_turns_count(routed->tables, routed->coordinates, &turns, &err) && turns.n_turned)
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: paths of %llu of %llu pairs of switches with hosts go down the "
			"tree and up again\n",
			(unsigned long long)turns.n_turned, (unsigned long long)turns.n_pairs);
}

/* Log the bounds of the tables, and of those that they were compared with. */
static void log_bounds(const odo_osm_engine *engine, const odo_routed *routed)
{
	const odo_tables *t = routed->tables;
	if (t->from.compared[0])
		osm_log(&engine->osm->log, OSM_LOG_INFO,
			"odonata: static bounds: %s %.3f uniform, %.3f shifts, installed; %s "
			"%s%.3f "
			"uniform, %.3f shifts\n",
			t->engine, t->from.rating.uniform, t->from.rating.shifts, t->from.compared,
			t->from.at_most ? "at most " : "", t->from.other.uniform,
			t->from.other.shifts);
}

/* Log the candidates of the choice, if there was one. */
static void log_candidates(const odo_osm_engine *engine, const odo_routed *routed)
{
	char text[2048];
	if (routed->tables->from.n_judged < 2)
		return;
	odo_write_portfolio(&routed->tables->from, text, sizeof text);
	osm_log(&engine->osm->log, OSM_LOG_INFO, "odonata: candidates: %s\n", text);
}

void odo_log_changes(const odo_osm_engine *engine, const odo_sweep *sweep)
{
	osm_log(&engine->osm->log, OSM_LOG_INFO,
		"odonata: %llu of %llu LFT entries change, in %llu MADs; %llu of %llu pairs "
		"(switch, "
		"LID) change their SL\n",
		(unsigned long long)sweep->lfts.n_changed,
		(unsigned long long)sweep->lfts.n_entries, (unsigned long long)sweep->lfts.n_blocks,
		(unsigned long long)sweep->sls.changes.n_changed,
		(unsigned long long)sweep->sls.changes.n_pairs);
	odo_sl_update_log(&sweep->sls, engine->routed->tables, &engine->osm->log);
}

static void check_roots(const odo_osm_engine *engine, const odo_routed *routed)
{
	const odo_route_options *o = &engine->settings->options.route;
	bool given = engine->osm->subn.opt.root_guid_file != NULL;
	if (given && !odo_guids_of_switches(routed->fabric, o->roots, o->n_roots))
		osm_log(&engine->osm->log, OSM_LOG_ERROR,
			"odonata: root_guid_file: none of its %u GUIDs belongs to a switch\n",
			o->n_roots);
}

void odo_log_tables(const odo_osm_engine *engine, const odo_routed *routed, const odo_sweep *sweep)
{
	check_roots(engine, routed);
	log_result(engine, routed, sweep);
	log_turns(engine, routed);
	log_slow(engine, routed);
	log_rails(engine, routed);
	log_flapping(engine, routed);
	log_bounds(engine, routed);
	log_candidates(engine, routed);
}

void odo_log_engine(const odo_osm_engine *engine)
{
#if ODO_OPENSM_VERSION < 30323
	osm_log(&engine->osm->log, OSM_LOG_INFO, "odonata: %s tables configured on all switches\n",
		engine->name);
#else
	(void)engine;
#endif
}

void odo_log_sls(const odo_osm_engine *engine, double ms)
{
	char all[ODO_SLS_TEXT], beside[ODO_SLS_TEXT];
	osm_log(&engine->osm->log, OSM_LOG_INFO,
		"odonata: applications that do not ask for path SLs: SLs safe for all packets: %s; "
		"SLs safe beside path SLs: %s; judged in %.2f ms\n",
		odo_write_sls(engine->sls.alone, all), odo_write_sls(engine->sls.beside, beside),
		ms);
}

void odo_log_transition(const odo_osm_engine *engine)
{
	const odo_transition *x = &engine->transition;
	bool harm = x->n_cycle || x->n_looping || x->n_lost;
	osm_log(&engine->osm->log, harm ? OSM_LOG_ERROR : OSM_LOG_INFO,
		"odonata: while switches change their tables %llu of %llu pairs (switch, LID of a "
		"host) can lose packets, besides %llu pairs whose old path is gone; old and new "
		"paths to hosts together %s; %u LIDs of switches and SLs that must reconnect are "
		"not judged\n",
		(unsigned long long)(x->n_looping + x->n_lost), (unsigned long long)x->n_pairs,
		(unsigned long long)x->n_cut,
		x->n_cycle ? "can deadlock meanwhile" : "cannot deadlock", x->n_left_out);
}
