/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/answers.h"

#include "cli/live.h"
#include "cli/terminal/output.h"
#include "base/memory.h"
#include "fabric/format/formats.h"
#include "routing/turns.h"

static int set_value(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new(object, key, value);
}

int cli_answer_origin(json_t *answer, const cli_call *call)
{
	return call->origin ? set_value(answer, "tables", json_string(call->origin)) : 0;
}

int cli_answer_parts(json_t *answer, const odo_fabric *f)
{
	int n_parts = odo_fabric_parts(f, NULL, NULL);
	return n_parts > 1 ? set_value(answer, "parts", json_integer(n_parts)) : 0;
}

int cli_answer_fabric(json_t *answer, const odo_fabric *f, const odo_coordinates *c)
{
	int failed = 0;
	if (c)
		failed |= set_value(answer, "topology", json_string(odo_kind_name(c->kind)));
	if (c && c->certainty != ODO_CERTAIN)
		failed |= set_value(answer, "certainty",
				    json_string(odo_certainty_name(c->certainty)));
	if (c && c->reason[0])
		failed |= set_value(answer, "reason", cli_json_text(c->reason));
	failed |= set_value(answer, "switches", json_integer(f->n_switches));
	failed |= set_value(answer, "hosts", json_integer(f->n_senders));
	uint32_t routers = 0, others = f->n_hosts - f->n_senders;
	for (uint32_t h = f->n_senders; h < f->n_hosts; h++)
		routers += f->node_type[f->owner[f->host_slot[h]]] == ODO_ROUTER;
	if (others > routers)
		failed |= set_value(answer, "aggregation_nodes", json_integer(others - routers));
	if (routers)
		failed |= set_value(answer, "routers", json_integer(routers));
	failed |= set_value(answer, "cables", json_integer(f->n_links));
	return failed | cli_answer_parts(answer, f);
}

int cli_answer_end(json_t *row, const odo_fabric *f, uint32_t slot, const char *name_key,
		   const char *guid_key, const char *port_key)
{
	uint32_t node = f->owner[slot];
	int failed = set_value(row, name_key, cli_json_text(odo_name(f, node)));
	failed |= set_value(row, guid_key, cli_json_guid(f->node_guid[node]));
	failed |= set_value(row, port_key, json_integer(odo_port(f, slot)));
	return failed;
}

json_t *cli_json_rate(const odo_fabric *f, uint32_t slot)
{
	return json_sprintf("%ux%s", f->width[slot], odo_speed_name((odo_speed)f->speed[slot]));
}

/** The fastest cable, or the fastest of a host; ODO_NONE where no rate is known. */
static uint32_t find_fastest_cable(const odo_fabric *f, bool of_hosts, bool *alike)
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

int cli_answer_load_unit(json_t *answer, const odo_fabric *f, cli_load_unit unit)
{
	static const char *const words[] = {
		[CLI_LOAD_OF_HOSTS] = "the fastest cable of a host",
		[CLI_LOAD_OF_CABLES] = "the fastest cable",
		[CLI_LOAD_OF_PHITS] = "a phit a cycle: in this model all cables are alike"};
	bool alike, ignored;
	if (find_fastest_cable(f, false, &alike) == ODO_NONE || alike)
		return 0;
	uint32_t slot = find_fastest_cable(f, unit == CLI_LOAD_OF_HOSTS, &ignored);
	if (slot == ODO_NONE)
		return 0;
	json_t *rate = cli_json_rate(f, slot);
	json_t *text = unit == CLI_LOAD_OF_PHITS
			       ? json_string(words[unit])
			       : json_sprintf("%s, %s", rate ? json_string_value(rate) : "",
					      words[unit]);
	json_decref(rate);
	return set_value(answer, "load_1_is", text);
}

json_t *cli_json_place(const uint32_t *at, unsigned n_dims)
{
	json_t *list = json_array();
	int failed = 0;
	for (unsigned d = 0; d < n_dims; d++)
		failed |= json_array_append_new(list, at[d] == ODO_NONE ? json_null()
									: json_integer(at[d]));
	return cli_json_whole(list, failed);
}

const char *cli_profile_name(odo_profile profile)
{
	static const char *const names[] = {"ib", "ib-ar", "ib-ext", "algorithmic"};
	return names[profile];
}

int cli_answer_tables(json_t *answer, const odo_tables *t)
{
	int failed = set_value(answer, "engine", cli_json_text(t->engine));
	failed |= set_value(answer, "profile", json_string(cli_profile_name(t->profile)));
	failed |= set_value(answer, "vls", json_integer(t->n_vls));
	failed |= set_value(answer, "sls", json_integer(t->n_sls));
	failed |= set_value(answer, "sl_depends_on",
			    json_string(t->sl_of_pair ? "source and destination" : "destination"));
	failed |= set_value(answer, "sl2vl_maps", json_integer(t->n_rows));
	return failed;
}

static json_t *list_cycle(const odo_tables *t, const odo_verdict *verdict)
{
	json_t *rows = json_array();
	int failed = 0;
	for (uint32_t i = 0; i < verdict->n_cycle; i++) {
		uint32_t from = verdict->cycle[i].slot, to = t->fabric->peer[from];
		json_t *row = json_object();
		int lacks = cli_answer_end(row, t->fabric, from, "from", "from_guid", "from_port");
		if (to != ODO_NONE)
			lacks |= cli_answer_end(row, t->fabric, to, "to", "to_guid", "to_port");
		lacks |= set_value(row, "vl", json_integer(verdict->cycle[i].vl));
		failed |= json_array_append_new(rows, cli_json_whole(row, lacks));
	}
	return cli_json_whole(rows, failed);
}

/** A row for each port and VL that packets wait for in vain. */
static json_t *list_unserved(const odo_fabric *f, const uint16_t *vls)
{
	json_t *rows = json_array();
	int failed = 0;
	for (uint32_t slot = 0; slot < f->n_slots; slot++)
		for (unsigned left = vls[slot]; left; left &= left - 1) {
			json_t *row = json_object();
			int lacks = cli_answer_end(row, f, slot, "at", "guid", "port");
			lacks |= set_value(row, "vl", json_integer(__builtin_ctz(left)));
			failed |= json_array_append_new(rows, cli_json_whole(row, lacks));
		}
	return cli_json_whole(rows, failed);
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

int cli_answer_sls(json_t *answer, const odo_tables *t, json_t *safe, const odo_sl_verdict *sls,
		   bool known)
{
	bool all = sls->alone == ODO_ALL_SLS, lacks = lacks_tables(t);
	odo_sl_verdict told = lacks ? (odo_sl_verdict){0} : *sls;
	json_t *any = lacks || (all && !known) ? json_string("incomplete")
		      : sls->judged            ? json_boolean(all)
					       : json_null();
	int failed = safe ? set_value(answer, "safe_with_path_sls", safe) : 0;
	failed |= set_value(answer, "safe_with_any_one_sl", any);
	failed |= set_value(answer, "sls_safe_for_all", list_sls(&told, told.alone));
	failed |= set_value(answer, "sls_safe_beside_path_sls", list_sls(&told, told.beside));
	return failed;
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

/** Switches' own LIDs that `hosts_only` leaves out. */
static uint32_t count_left_out_lids(const odo_tables *t)
{
	const odo_fabric *f = t->fabric;
	uint32_t n = 0;
	for (uint32_t lid = 0; t->hosts_only && lid < f->lid_count; lid++)
		n += f->lid_switch[lid] != ODO_NONE && f->lid_host[lid] == ODO_NONE;
	return n;
}

int cli_answer_scope(json_t *answer, const odo_tables *t, const odo_verdict *verdict)
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
	return set_value(answer, "scope", json_string(text));
}

/** Are the tables safe without switches' own LIDs, and nothing of that a guess? */
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

int cli_answer_hosts(json_t *answer, const odo_tables *t, int status)
{
	if (status != ODO_EUNSAFE || t->hosts_only || t->adaptive || !is_safe_for_hosts(t))
		return 0;
	int failed = set_value(answer, "safe_for_hosts", json_true());
	return failed | set_value(answer, "advice", json_string(CLI_HOSTS_ADVICE));
}

/** A cycle on SL 0, which is a guess: on the SLs that packets have there may be none. */
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

/** What was found of some of the tables: a deadlock is one whatever the others say, and nothing
 * else is known. */
static json_t *known_finding(const odo_tables *t, bool good, bool is_deadlock)
{
	bool known = !lacks_tables(t) || (is_deadlock && !good && !t->from.lacks_maps);
	return known ? json_boolean(good) : json_null();
}

int cli_answer_verdict(json_t *answer, const odo_tables *t, const odo_verdict *verdict)
{
	int failed = set_value(answer, "delivers", known_finding(t, verdict->delivers, false));
	failed |= set_value(answer, "deadlock_free",
			    is_cycle_guessed(t, verdict)
				    ? json_null()
				    : known_finding(t, verdict->deadlock_free, true));
	failed |= set_value(answer, "within_vls", known_finding(t, verdict->within_vls, false));
	if (t->served)
		failed |= set_value(answer, "vls_served",
				    known_finding(t, !verdict->unserved, false));
	failed |= set_value(answer, "pairs", json_integer((json_int_t)verdict->n_pairs));
	failed |= set_value(answer, "cut_pairs", json_integer((json_int_t)verdict->n_cut));
	failed |= set_value(answer, "longest_path", json_integer(verdict->max_hops));
	failed |= set_value(answer, "dependencies",
			    json_integer((json_int_t)verdict->n_dependencies));
	if (verdict->text[0] && !lacks_tables(t))
		failed |= set_value(answer, "failure", failure_text(t, verdict));
	if (verdict->unserved && !lacks_tables(t))
		failed |= set_value(answer, "unserved",
				    list_unserved(t->fabric, verdict->unserved));
	if (verdict->n_cycle && !t->from.lacks_maps)
		failed |= set_value(answer, "cycle", list_cycle(t, verdict));
	return failed;
}

int cli_answer_turns(json_t *answer, const odo_tables *t, const odo_coordinates *c, odo_error *err)
{
	odo_turns turns;
	int status = odo_turns_count(t, c, &turns, err);
	if (!status && turns.n_turned &&
	    set_value(answer, "down_and_up", json_integer((json_int_t)turns.n_turned)))
		status = odo_fail(err, ODO_ENOMEM, "out of memory");
	return status;
}
