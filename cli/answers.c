/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/answers.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cli/subnets.h"
#include "fabric/format/formats.h"
#include "fabric/transform/transform.h"
#include "routing/turns.h"

void cli_answer_origin(json_t **answer, const cli_call *call)
{
	if (call->origin)
		cli_put_text(answer, "tables", call->origin);
}

void cli_answer_parts(json_t **answer, const odo_fabric *f)
{
	uint32_t *part = odo_new(f->n_switches, sizeof *part);
	int n_parts = part ? odo_fabric_rank_parts(f, part, NULL) : -1;
	json_t *rows = json_array();
	for (int i = 0; i < n_parts && i < CLI_MOST_SUBNETS && n_parts > 1; i++) {
		uint32_t n = 0, hosts = 0;
		for (uint32_t s = 0; s < f->n_switches; s++) {
			n += part[s] == (uint32_t)i;
			hosts += part[s] == (uint32_t)i ? odo_hosts_of(f, s) : 0;
		}
		cli_append(&rows,
			   json_pack("{si si si}", "part", i + 1, "switches", n, "hosts", hosts));
	}
	if (n_parts > 1)
		cli_put(answer, "parts", rows);
	else
		json_decref(rows);
	if (n_parts < 0)
		cli_put(answer, "parts", NULL);
	free(part);
}

void cli_answer_fabric(json_t **answer, const odo_fabric *f, const odo_coordinates *c)
{
	if (c)
		cli_put_text(answer, "topology", odo_kind_name(c->kind));
	if (c && c->certainty != ODO_CERTAIN)
		cli_put_text(answer, "certainty", odo_certainty_name(c->certainty));
	if (c && c->reason[0])
		cli_put_text(answer, "reason", c->reason);
	cli_put_count(answer, "switches", f->n_switches);
	cli_put_count(answer, "hosts", f->n_senders);
	uint32_t routers = 0, aggregation = 0, others = f->n_hosts - f->n_senders;
	for (uint32_t h = f->n_senders; h < f->n_hosts; h++) {
		uint32_t node = f->owner[f->host_slot[h]];
		routers += f->node_type[node] == ODO_ROUTER;
		aggregation += f->node_type[node] != ODO_ROUTER && !odo_sends_by_itself(f, node);
	}
	if (aggregation)
		cli_put_count(answer, "aggregation_nodes", aggregation);
	if (routers)
		cli_put_count(answer, "routers", routers);
	if (others > routers + aggregation)
		cli_put_count(answer, "other_adapters", others - routers - aggregation);
	cli_put_count(answer, "cables", f->n_links);
	cli_answer_parts(answer, f);
}

void cli_answer_end(json_t **row, const odo_fabric *f, uint32_t slot, const char *name_key,
		    const char *guid_key, const char *port_key)
{
	uint32_t node = f->owner[slot];
	cli_put_text(row, name_key, odo_name(f, node));
	cli_put(row, guid_key, cli_json_guid(f->node_guid[node]));
	cli_put_count(row, port_key, odo_port(f, slot));
}

json_t *cli_json_cable(const odo_fabric *f, uint32_t slot)
{
	json_t *row = json_object();
	cli_answer_end(&row, f, slot, "from", "from_guid", "from_port");
	if (f->peer[slot] != ODO_NONE)
		cli_answer_end(&row, f, f->peer[slot], "to", "to_guid", "to_port");
	return row;
}

json_t *cli_json_port(const odo_fabric *f, uint32_t slot)
{
	if (slot == ODO_NONE)
		return json_null();
	json_t *name = cli_json_text(odo_name(f, f->owner[slot]));
	json_t *text = name ? json_sprintf("%s port %u", json_string_value(name), odo_port(f, slot))
			    : NULL;
	json_decref(name);
	return text;
}

json_t *cli_json_rate(const odo_fabric *f, uint32_t slot)
{
	return json_sprintf("%ux%s", f->width[slot], odo_speed_name((odo_speed)f->speed[slot]));
}

/** Find the fastest cable, or the fastest of a host.
 * @param alike gets whether all rates are equal
 * @return ODO_NONE if no rate is known */
static uint32_t find_fastest_rate(const odo_fabric *f, bool of_hosts, bool *alike)
{
	uint32_t fastest = ODO_NONE;
	*alike = true;
	for (uint32_t slot = 0; slot < f->n_slots; slot++) {
		uint32_t rate = f->peer[slot] == ODO_NONE ? 0 : odo_cable_rate(f, slot);
		if (!rate || (of_hosts && f->slot_host[slot] >= f->n_senders))
			continue;
		*alike &= fastest == ODO_NONE || rate == odo_cable_rate(f, fastest);
		if (fastest == ODO_NONE || rate > odo_cable_rate(f, fastest))
			fastest = slot;
	}
	return fastest;
}

void cli_answer_load_unit(json_t **answer, const odo_fabric *f, cli_load_unit unit)
{
	static const char *const words[] = {
		[CLI_LOAD_OF_HOSTS] = "the fastest cable of a host",
		[CLI_LOAD_OF_CABLES] = "the fastest cable",
		[CLI_LOAD_OF_PHITS] = "a phit a cycle: in this model all cables are alike"};
	bool alike, ignored;
	if (find_fastest_rate(f, false, &alike) == ODO_NONE || alike)
		return;
	uint32_t slot = find_fastest_rate(f, unit == CLI_LOAD_OF_HOSTS, &ignored);
	if (slot == ODO_NONE)
		return;
	if (unit == CLI_LOAD_OF_PHITS)
		cli_put_text(answer, "load_1_is", words[unit]);
	else
		cli_put(answer, "load_1_is",
			json_sprintf("%ux%s, %s", f->width[slot],
				     odo_speed_name((odo_speed)f->speed[slot]), words[unit]));
}

json_t *cli_json_place(const uint32_t *at, unsigned n_dims)
{
	json_t *list = json_array();
	for (unsigned d = 0; d < n_dims; d++)
		cli_append(&list, at[d] == ODO_NONE ? json_null() : json_integer(at[d]));
	return list;
}

const char *cli_profile_name(odo_profile profile)
{
	static const char *const names[] = {"ib", "ib-ar", "ib-ext", "algorithmic"};
	return names[profile];
}

void cli_answer_tables(json_t **answer, const odo_tables *t)
{
	cli_put_text(answer, "engine", t->engine);
	cli_put_text(answer, "profile", cli_profile_name(t->profile));
	cli_put_count(answer, "vls", t->n_vls);
	cli_put_count(answer, "sls", t->n_sls);
	cli_put_text(answer, "sl_depends_on",
		     t->sl_of_pair     ? "source and destination"
		     : t->from.by_turn ? "nothing: VLs are chosen by turn"
				       : "destination");
	cli_put_count(answer, "sl2vl_maps", t->n_rows);
}

static json_t *list_cycle(const odo_tables *t, const odo_verdict *verdict)
{
	json_t *rows = json_array();
	for (uint32_t i = 0; i < verdict->n_cycle; i++) {
		json_t *row = cli_json_cable(t->fabric, verdict->cycle[i].slot);
		cli_put_count(&row, "vl", verdict->cycle[i].vl);
		cli_append(&rows, row);
	}
	return rows;
}

/** List ports and VLs that VL arbitration never serves, although packets wait there. */
static json_t *list_unserved(const odo_fabric *f, const uint16_t *vls)
{
	json_t *rows = json_array();
	for (uint32_t slot = 0; slot < f->n_slots; slot++)
		for (unsigned left = vls[slot]; left; left &= left - 1) {
			json_t *row = json_object();
			cli_answer_end(&row, f, slot, "at", "guid", "port");
			cli_put_count(&row, "vl", __builtin_ctz(left));
			cli_append(&rows, row);
		}
	return rows;
}

static bool lacks_tables(const odo_tables *t)
{
	return t->from.lacks_lfts || t->from.lacks_maps;
}

bool cli_lacks_sls(const odo_tables *t)
{
	return odo_unheard_sls(t).assumed && t->n_sls > 1;
}

bool cli_guesses_sls(const odo_tables *t)
{
	return cli_lacks_sls(t) || (odo_unheard_sls(t).alike && t->n_sls > 1);
}

json_t *cli_answer_safe(const odo_tables *t, bool safe, bool partial)
{
	bool lacks = lacks_tables(t) || cli_lacks_sls(t);
	return lacks || (safe && (partial || cli_guesses_sls(t))) ? json_string("incomplete")
								  : json_boolean(safe);
}

static json_t *list_sls(const odo_sl_verdict *v, unsigned sls)
{
	char text[ODO_SLS_TEXT];
	return v->judged ? json_string(odo_write_sls(sls, text)) : json_null();
}

void cli_answer_sls(json_t **answer, const odo_tables *t, json_t *safe, const odo_sl_verdict *sls,
		    bool known)
{
	bool all = sls->alone == ODO_ALL_SLS, lacks = lacks_tables(t);
	odo_sl_verdict known_sls = {0};
	json_t *any = lacks || (all && !known) ? json_string("incomplete")
		      : sls->judged            ? json_boolean(all)
					       : json_null();
	if (!lacks)
		known_sls = *sls;
	if (safe)
		cli_put(answer, "safe_with_path_sls", safe);
	cli_put(answer, "safe_with_any_one_sl", any);
	cli_put(answer, "sls_safe_for_all", list_sls(&known_sls, known_sls.alone));
	cli_put(answer, "sls_safe_beside_path_sls", list_sls(&known_sls, known_sls.beside));
}

json_t *cli_answer_within(json_t *safe, const odo_tables *t, const odo_verdict *verdict,
			  const odo_sl_verdict *sls)
{
	bool strays = json_is_true(safe) && (verdict->n_stray_arrivals || verdict->n_stray_guesses);
	/* Entries that lead nowhere, or round, are wrong on any SL. */
	bool by_sl = t->from.assumes_sls && !json_is_string(safe) && verdict->delivers &&
		     (verdict->deadlock_free || verdict->cycle) && !odo_any_sl_is_safe(sls);
	if (t->from.assumes_sls && odo_any_sl_is_safe(sls) && !strays) {
		json_decref(safe);
		return json_true();
	}
	if (!strays && !by_sl)
		return safe;
	json_decref(safe);
	return json_string("incomplete");
}

/** Count switches' own LIDs that `hosts_only` leaves out. */
static uint32_t count_left_out_lids(const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	uint32_t n = 0;
	for (uint32_t lid = 0; t->hosts_only && lid < f->lid_count; lid++)
		n += f->lid_switch[lid] != ODO_NONE && f->lid_host[lid] == ODO_NONE;
	return n;
}

void cli_answer_scope(json_t **answer, const odo_tables *t, const odo_verdict *verdict)
{
	const odo_unheard unheard = odo_unheard_sls(t);
	uint32_t n_out = count_left_out_lids(t);
	uint64_t of = verdict->n_pairs + verdict->n_cut +
		      ((uint64_t)n_out + verdict->n_strays) * t->fabric->n_switches;
	char text[400];
	int n = snprintf(text, sizeof text, "%llu of %llu pairs (switch, LID)",
			 (unsigned long long)verdict->n_pairs, (unsigned long long)of);
	const struct {
		uint64_t count;
		const char *what;
	} parts[] = {
		{verdict->n_cut, "pairs that no cables connect"},
		{n_out, "LIDs of switches left out"},
		{verdict->n_strays - verdict->n_stray_guesses,
		 "LIDs that no port has, followed for loops and deadlock only"},
		{verdict->n_stray_guesses,
		 "LIDs that no port has and whose SL is not known, followed for loops only"},
		{unheard.assumed + unheard.alike, "pairs with a guessed SL"},
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].count)
			n += snprintf(text + n, sizeof text - (size_t)n, "; %llu %s",
				      (unsigned long long)parts[i].count, parts[i].what);
	if (t->from.assumes_sls)
		n += snprintf(text + n, sizeof text - (size_t)n, "; SL 0 guessed for all paths");
	if (t->from.assumes_vls)
		snprintf(text + n, sizeof text - (size_t)n, "; VL 0 assumed for all packets");
	cli_put_text(answer, "scope", text);
}

/** Return true if the tables are proved safe without switches' own LIDs, and no guess is needed. */
static bool is_safe_for_hosts(const odo_tables *t)
{
	odo_tables hosts = *t; /* its arrays are borrowed */
	odo_verdict verdict = {0};
	odo_sl_verdict sls;
	odo_error why;
	hosts.hosts_only = true;
	bool safe = !odo_verify(&hosts, &verdict, &why) && !lacks_tables(t) &&
		    !cli_guesses_sls(&hosts) && !verdict.n_stray_arrivals &&
		    !verdict.n_stray_guesses;
	odo_verdict_clear(&verdict);
	return safe && (!t->from.assumes_sls ||
			(!odo_verify_sls(&hosts, true, &sls, &why) && odo_any_sl_is_safe(&sls)));
}

void cli_answer_hosts(json_t **answer, const odo_tables *t, int status)
{
	if (status != ODO_EUNSAFE || t->hosts_only || t->adaptive || !is_safe_for_hosts(t))
		return;
	cli_put_bool(answer, "safe_for_hosts", true);
	cli_put_text(answer, "advice", CLI_HOSTS_ADVICE);
}

/** Return true if a cycle exists on SL 0, which is a guess: the SLs of real packets may have no
 * cycle. */
static bool is_cycle_guessed(const odo_tables *t, const odo_verdict *verdict)
{
	return t->from.assumes_sls && verdict->cycle;
}

static json_t *failure_text(const odo_tables *t, const odo_verdict *verdict)
{
	char text[sizeof verdict->text + 40];
	snprintf(text, sizeof text, "%s%s",
		 is_cycle_guessed(t, verdict) ? "if all packets are on SL 0: " : "", verdict->text);
	return cli_json_text(text);
}

/** Return a finding, or null if tables are missing. A deadlock remains one whatever the missing
 * LFTs say. */
static json_t *known_finding(const odo_tables *t, bool good, bool is_deadlock)
{
	bool known = !lacks_tables(t) || (is_deadlock && !good && !t->from.lacks_maps);
	return known ? json_boolean(good) : json_null();
}

void cli_answer_verdict(json_t **answer, const odo_tables *t, const odo_verdict *verdict)
{
	cli_put(answer, "delivers", known_finding(t, verdict->delivers, false));
	cli_put(answer, "deadlock_free",
		is_cycle_guessed(t, verdict) ? json_null()
					     : known_finding(t, verdict->deadlock_free, true));
	cli_put(answer, "within_vls", known_finding(t, verdict->within_vls, false));
	if (t->served)
		cli_put(answer, "vls_served", known_finding(t, !verdict->unserved, false));
	cli_put_count(answer, "pairs", verdict->n_pairs);
	cli_put_count(answer, "cut_pairs", verdict->n_cut);
	cli_put_count(answer, "longest_path", verdict->max_hops);
	cli_put_count(answer, "dependencies", verdict->n_dependencies);
	if (verdict->text[0] && !lacks_tables(t))
		cli_put(answer, "failure", failure_text(t, verdict));
	if (verdict->unserved && !lacks_tables(t))
		cli_put(answer, "unserved", list_unserved(t->fabric, verdict->unserved));
	if (verdict->n_cycle && !t->from.lacks_maps)
		cli_put(answer, "cycle", list_cycle(t, verdict));
}

int cli_answer_turns(json_t **answer, const odo_tables *t, const odo_coordinates *c, odo_error *err)
{
	odo_turns turns;
	int status = odo_turns_count(t, c, &turns, err);
	if (!status && turns.n_turned)
		cli_put_count(answer, "down_and_up", turns.n_turned);
	return status;
}
