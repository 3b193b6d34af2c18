/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* JSON and Prometheus' text by hand: the plugin depends on libc alone. */
#include "plugin/monitor/state_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "base/seal.h"
#include "fabric/format/formats.h"
#include "fabric/rails.h"
#include "plugin/monitor/heartbeat.h"
#include "plugin/opensm/translate.h"

/* Version of the JSON's format. It rises when a field is removed or changes its meaning. */
enum { SCHEMA = 1 };

void odo_put_quoted(const char *text, FILE *to)
{
	fputc('"', to);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			fputc('\\', to);
		fputc(c < ' ' || c > '~' ? '?' : c, to);
	}
	fputc('"', to);
}

static void put_field(const char *name, const char *text, FILE *to)
{
	fprintf(to, "  \"%s\": ", name);
	odo_put_quoted(text, to);
	fputs(",\n", to);
}

static void put_guid(const char *name, uint64_t guid, FILE *to)
{
	fprintf(to, "  \"%s\": \"0x%016" PRIx64 "\",\n", name, guid);
}

static void put_end(const odo_fabric *f, const char *name, uint32_t node, uint32_t slot, FILE *to)
{
	fprintf(to, ", \"%s\": ", name);
	odo_put_quoted(odo_name(f, node), to);
	fprintf(to, ", \"%s_guid\": \"0x%016" PRIx64 "\"", name, f->node_guid[node]);
	if (slot != ODO_NONE)
		fprintf(to, ", \"%s_port\": %u", name, odo_port(f, slot));
}

static void put_place(const odo_coordinates *c, const uint32_t *at, FILE *to)
{
	fputs(", \"at\": [", to);
	for (unsigned i = 0; i < c->n_dims; i++)
		fprintf(to, at[i] == ODO_NONE ? "%snull" : "%s%u", i ? ", " : "", at[i]);
	fputc(']', to);
}

static const char *const fault_names[] = {[ODO_FAULT_MISSING_SWITCH] = "missing switch",
					  [ODO_FAULT_MISSING_LINK] = "missing cable",
					  [ODO_FAULT_WRONG_LINK] = "wrong cable",
					  [ODO_FAULT_SLOW_LINK] = "slow cable"};

static void put_fault(const odo_fabric *f, const odo_coordinates *c, const odo_fault *x, FILE *to)
{
	fprintf(to, "    {\"fault\": \"%s\"", fault_names[x->type]);
	if (x->type == ODO_FAULT_MISSING_SWITCH)
		put_place(c, x->at, to);
	for (int end = 0; end < 2 && x->node[end] != ODO_NONE; end++)
		put_end(f, end ? "to" : "from", x->node[end], x->slot[end], to);
	for (int end = 0; end < 2 && x->type == ODO_FAULT_WRONG_LINK; end++)
		if (x->belongs[end] != ODO_NONE)
			put_end(f, end ? "to_belongs" : "from_belongs", f->owner[x->belongs[end]],
				x->belongs[end], to);
	if (x->type == ODO_FAULT_MISSING_LINK)
		fprintf(to, ", \"cables\": %u", x->count);
	if (x->type == ODO_FAULT_SLOW_LINK)
		fprintf(to, ", \"runs_at\": \"%ux%s\", \"usual\": \"%ux%s\"", f->width[x->slot[0]],
			odo_speed_name((odo_speed)f->speed[x->slot[0]]), f->width[x->usual],
			odo_speed_name((odo_speed)f->speed[x->usual]));
	fputc('}', to);
}

/* List flapping cables, which are not in the routed fabric. */
static void put_left_out(const odo_state *s, FILE *to)
{
	const odo_fabric *f = s->routed ? s->routed->fabric : NULL;
	fputs("  \"left_out\": [", to);
	for (uint32_t i = 0; f && i < s->flaps->n_left_out; i++) {
		const odo_cable_name *x = &s->flaps->left_out[i];
		fprintf(to, "%s\n    {\"cable\": \"comes and goes\"", i ? "," : "");
		for (int end = 0; end < 2; end++) {
			uint32_t node = odo_translated_node(f, x->guid[end], true);
			if (node != ODO_NONE)
				put_end(f, end ? "to" : "from", node,
					odo_slot(f, node, x->port[end]), to);
		}
		fputc('}', to);
	}
	fputs("],\n", to);
}

static uint32_t count_wrong_rails(const odo_state *s)
{
	uint32_t n = 0;
	for (uint32_t h = 0; s->rails && h < s->routed->fabric->n_hosts; h++)
		n += odo_rails_is_wrong(s->rails, s->routed->fabric, h);
	return n;
}

/* List adapters on a leaf of another rail. Mapping does not, because only names show them. */
static void put_wrong_rails(const odo_state *s, bool first, FILE *to)
{
	for (uint32_t h = 0; s->rails && h < s->routed->fabric->n_hosts; h++) {
		const odo_fabric *f = s->routed->fabric;
		if (!odo_rails_is_wrong(s->rails, f, h))
			continue;
		uint32_t slot = f->host_slot[h], home = odo_rails_home(s->rails, f, h);
		fprintf(to, "%s    {\"fault\": \"wrong rail\"", first ? "\n" : ",\n");
		put_end(f, "from", f->owner[slot], slot, to);
		put_end(f, "to", odo_host_switch(f, h), f->peer[slot], to);
		if (home != ODO_NONE)
			put_end(f, "from_belongs", home, ODO_NONE, to);
		fputc('}', to);
		first = false;
	}
}

static void put_faults(const odo_state *s, FILE *to)
{
	const odo_coordinates *c = s->routed ? s->routed->coordinates : NULL;
	fputs("  \"faults\": [", to);
	for (uint32_t i = 0; c && i < c->n_faults; i++) {
		fputs(i ? ",\n" : "\n", to);
		put_fault(s->routed->fabric, c, &c->faults[i], to);
	}
	put_wrong_rails(s, !c || !c->n_faults, to);
	fputs("],\n", to);
}

static bool is_outcome(const odo_state *s, const char *outcome)
{
	return !strcmp(s->outcome, outcome);
}

static const char *outcome_of(const odo_state *s)
{
	return is_outcome(s, "installed") && !odo_confirm_all(s->confirm) ? "unconfirmed"
									  : s->outcome;
}

static const char *reason_of(const odo_state *s)
{
	if (!is_outcome(s, "installed") || odo_confirm_all(s->confirm))
		return s->reason;
	if (s->confirm->blind)
		return "OpenSM lacks memory to list changed nodes";
	if (s->confirm->n_cut)
		return "some ports operate fewer VLs than the tables use, and OpenSM cuts their "
		       "SL2VL maps";
	return s->confirm->up ? "some switches or adapters have changed, and OpenSM has not read "
				"back the tables that it wrote"
			      : "OpenSM is still sweeping, or its sweep met errors";
}

/* List nodes whose tables are not confirmed. */
static void put_unconfirmed(const odo_confirm *confirm, FILE *to)
{
	fputs("  \"unconfirmed\": [", to);
	for (size_t i = 0; i < confirm->n; i++) {
		const odo_doubt *x = &confirm->list[i];
		fprintf(to, "%s\n    {\"doubt\": \"%s\", \"node\": ", i ? "," : "",
			odo_doubt_names[x->kind]);
		odo_put_quoted(x->name, to);
		fprintf(to, ", \"node_guid\": \"0x%016" PRIx64 "\"}", x->guid);
	}
	fputs("],\n", to);
}

static double count_faults_of(const odo_routed *routed, odo_fault_type type)
{
	const odo_coordinates *c = routed ? routed->coordinates : NULL;
	uint32_t n = 0;
	for (uint32_t i = 0; c && i < c->n_faults; i++)
		n += c->faults[i].type == type ? c->faults[i].count : 0;
	return n;
}

enum { N_FIGURES = 39 };

/* Add figures of compared tables. */
static void add_bound_figures(const odo_tables *t, odo_figure *list)
{
	list[0] = (odo_figure){"bound_uniform",
			       "Load up to which no cable is full under uniform traffic",
			       t->from.rating.uniform};
	list[1] = (odo_figure){"bound_shifts", "The same, in the mean of some shift patterns",
			       t->from.rating.shifts};
}

/* Add figures of a judged change of tables. */
static void add_transition(const odo_transition *x, odo_figure *list)
{
	list[0] = (odo_figure){"transition_lossy_pairs",
			       "Pairs (switch, LID of a host) that could lose packets while tables "
			       "changed",
			       (double)(x->n_looping + x->n_lost)};
	list[1] = (odo_figure){"transition_deadlock",
			       "1: packets to hosts on old and new paths could deadlock together",
			       x->n_cycle > 0};
	list[2] = (odo_figure){"transition_lids_not_judged",
			       "LIDs of switches, which these two figures omit", x->n_left_out};
}

/* Add figures of judged SLs. */
static void add_sls(const odo_sl_verdict *sls, odo_figure *list)
{
	list[0] = (odo_figure){"safe_with_any_one_sl",
			       "1: also safe if all packets carry the same SL, for every SL",
			       sls->alone == ODO_ALL_SLS};
	list[1] = (odo_figure){"safe_with_sl_zero",
			       "1: also safe if all packets carry SL 0, as those of applications "
			       "without path records",
			       sls->alone & 1};
	list[2] = (odo_figure){
		"safe_with_sl_zero_beside_path_sls",
		"1: also safe if some packets carry SL 0 and others the SLs of their paths",
		sls->beside & 1};
}

static unsigned list_figures(const odo_state *s, odo_figure *list)
{
	const odo_fabric *f = s->routed ? s->routed->fabric : NULL;
	const odo_tables *t = s->routed ? s->routed->tables : NULL;
	const odo_figure all[] = {
		{"installed", "1: new tables of ours were installed in the last sweep",
		 !strcmp(outcome_of(s), "installed")},
		{"unconfirmed_nodes", "Switches and adapters that may hold other tables",
		 (double)odo_confirm_unknown(s->confirm)},
		{"options_refused",
		 "1: changed options are wrong and refused; the old ones are in force",
		 s->settings->refused.status != 0},
		{"ordered",
		 "1: an order of odonata handover is in force: given tables, or another engine",
		 s->orders->order.kind != ODO_ORDER_NONE},
		{"cut_off_pairs",
		 "Pairs (switch, LID) that cables connect and kept or ordered tables do not",
		 s->routed ? (double)s->routed->n_cut : 0},
		{"sweep", "Sweeps that asked this engine", s->sweep},
		{"sweeps_not_routed", "Sweeps that installed no new tables of ours",
		 s->n_not_routed},
		{"time_seconds", "When this was written, seconds since 1970", (double)time(NULL)},
		{"since_seconds", "When entries last changed, seconds since 1970; 0: never",
		 (double)s->since},
		{"switches", "Switches", f ? f->n_switches : 0},
		{"hosts", "Ports of hosts", f ? f->n_senders : 0},
		{"cables", "Cables", f ? f->n_links : 0},
		{"missing_switches", "Places of the topology without a switch",
		 count_faults_of(s->routed, ODO_FAULT_MISSING_SWITCH)},
		{"missing_cables", "Cables that the topology has and the fabric lacks",
		 count_faults_of(s->routed, ODO_FAULT_MISSING_LINK)},
		{"wrong_cables", "Cables that contradict the topology",
		 count_faults_of(s->routed, ODO_FAULT_WRONG_LINK)},
		{"slow_cables", "Cables slower than is usual for their kind",
		 count_faults_of(s->routed, ODO_FAULT_SLOW_LINK)},
		{"wrong_rails", "Adapters on a leaf of another rail", count_wrong_rails(s)},
		{"left_out_cables", "Flapping cables, which are not used",
		 f ? s->flaps->n_left_out : 0},
		{"vls", "Virtual lanes in use", t ? t->n_vls : 0},
		{"sls", "Service levels in use", t ? t->n_sls : 0},
		{"safe_with_path_sls",
		 "1: the tables are proved for packets that carry the SL of their path",
		 s->routed != NULL},
		{"lft_entries", "Entries of all forwarding tables", (double)s->lfts.n_entries},
		{"lft_entries_changed", "Entries that changed in the last sweep",
		 (double)s->lfts.n_changed},
		{"sl_pairs_changed", "Pairs (switch, LID) whose SL changed in the last sweep",
		 (double)s->sls.n_changed},
		{"reconnect_pairs", "Pairs (switch, LID) that must reconnect",
		 (double)s->sls.n_reconnect},
		{"reconnect_pairs_total", "The same, in all sweeps since this manager started",
		 (double)s->n_reconnect},
		{"multicast_unserved_sls", "SLs whose multicast groups may deadlock with unicast",
		 s->n_unserved},
		{"map_seconds", "Processor time to map the fabric", s->map / 1e3},
		{"route_seconds", "Processor time to route and prove", s->route / 1e3},
	};
	unsigned n = sizeof all / sizeof *all;
	_Static_assert(sizeof all / sizeof *all + 8 <= N_FIGURES, "room for all");
	memcpy(list, all, sizeof all);
	if (t && t->from.compared[0]) {
		add_bound_figures(t, list + n);
		n += 2;
	}
	if (s->transition) {
		add_transition(s->transition, list + n);
		n += 3;
	}
	if (s->any_sl) {
		add_sls(s->any_sl, list + n);
		n += 3;
	}
	return n;
}

static void put_sls(const char *name, unsigned sls, FILE *to)
{
	char text[ODO_SLS_TEXT];
	put_field(name, odo_write_sls(sls, text), to);
}

/* Write the space of process numbers, and the interval of heartbeats. */
static void put_space(FILE *to)
{
	char space[160];
	odo_process_space(space, sizeof space);
	put_field(ODO_KEY_SPACE, space, to);
	fprintf(to, "  \"heartbeat_interval_seconds\": %d,\n", ODO_HEARTBEAT);
}

/* Write the order in force, and what odonata handover needs to change it. */
static void put_order(const char *id, const odo_state *s, FILE *to)
{
	char text[ODO_ORDER_TEXT], path[ODO_PATH_ROOM];
	odo_subnet subnet = {0};
	snprintf(subnet.id, sizeof subnet.id, "%s", id);
	put_field("order", odo_order_text(&s->orders->order, text), to);
	put_field("order_reason", s->orders->refused.text, to);
	put_field("routed_by", s->orders->used, to);
	put_field("routed_with_sls", s->orders->chooses ? "unknown" : "known", to);
	put_field("routing_engines", s->others ? s->others : "", to);
	odo_subnet_path(&subnet, s->engine_name, path);
	put_field("past_file", path, to);
}

/* Write all but the end of the object. */
static void put_state(const char *subnet, const odo_state *s, FILE *to)
{
	const odo_routed *r = s->routed;
	odo_figure list[N_FIGURES];
	unsigned n = list_figures(s, list);
	fprintf(to, "{\n  \"schema\": %d,\n", SCHEMA);
	put_field("subnet", subnet, to);
	put_guid(ODO_KEY_GIVEN_GUID, s->given_guid, to);
	put_guid("manager_port_guid", s->port_guid, to);
	put_guid("subnet_prefix", s->prefix, to);
	fprintf(to, "  \"" ODO_KEY_PROCESS "\": %ld,\n", (long)getpid());
	fprintf(to, "  \"" ODO_KEY_STARTED "\": %" PRIu64 ",\n",
		odo_process_start((uint64_t)getpid()));
	put_space(to);
	put_field("outcome", outcome_of(s), to);
	put_field("reason", reason_of(s), to);
	put_field("routing_engine", s->engine_name, to);
	put_field("options", s->settings->options.text, to);
	put_field("options_reason", s->settings->refused.text, to);
	put_order(subnet, s, to);
	put_field("engine", r ? r->tables->engine : "", to);
	put_field("topology", r && r->coordinates ? odo_kind_name(r->coordinates->kind) : "", to);
	put_field("topology_certainty",
		  r && r->coordinates && r->coordinates->kind != ODO_KIND_UNKNOWN
			  ? odo_certainty_name(r->coordinates->certainty)
			  : "",
		  to);
	put_field("topology_reason", r && r->coordinates ? r->coordinates->reason : "", to);
	for (unsigned i = 0; i < n; i++)
		fprintf(to, "  \"%s\": %.12g,\n", list[i].name, list[i].value);
	put_unconfirmed(s->confirm, to);
	if (s->any_sl) {
		put_sls("sls_safe_for_all", s->any_sl->alone, to);
		put_sls("sls_safe_beside_path_sls", s->any_sl->beside, to);
	}
	put_left_out(s, to);
	put_faults(s, to);
}

int odo_state_json(const char *subnet, const odo_state *s, FILE *to, odo_error *err)
{
	char *text = NULL;
	size_t size = 0;
	odo_seal seal;
	FILE *memory = open_memstream(&text, &size);
	if (memory)
		put_state(subnet, s, memory);
	bool whole = memory && !ferror(memory);
	if (memory && fclose(memory))
		whole = false;
	odo_seal_begin(&seal, &odo_seal_state, to);
	if (whole)
		odo_seal_write(&seal, text, size, 1);
	odo_seal_end(&seal);
	free(text);
	return whole ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for a state file");
}

/* Return the type by the name, as is usual in Prometheus. */
static const char *metric_type(const char *name)
{
	static const char total[] = "_total";
	size_t n = strlen(name), end = sizeof total - 1;
	return n > end && !strcmp(name + n - end, total) ? "counter" : "gauge";
}

void odo_put_figures(const odo_figure *list, unsigned n, const char *subnet, FILE *to)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(to,
			"# HELP odonata_%s %s.\n# TYPE odonata_%s %s\n"
			"odonata_%s{subnet=\"%s\"} %.12g\n",
			list[i].name, list[i].help, list[i].name, metric_type(list[i].name),
			list[i].name, subnet, list[i].value);
}

int odo_state_prometheus(const char *subnet, const odo_state *s, FILE *to, odo_error *err)
{
	(void)err;
	const odo_routed *r = s->routed;
	odo_figure list[N_FIGURES];
	unsigned n = list_figures(s, list);
	fprintf(to,
		"# HELP odonata_info What the last sweep did.\n# TYPE odonata_info gauge\n"
		"odonata_info{subnet=\"%s\",port=\"0x%016" PRIx64 "\",outcome=",
		subnet, s->port_guid);
	odo_put_quoted(outcome_of(s), to);
	fputs(",engine=", to);
	odo_put_quoted(r ? r->tables->engine : "", to);
	fputs(",topology=", to);
	odo_put_quoted(r && r->coordinates ? odo_kind_name(r->coordinates->kind) : "", to);
	fputs("} 1\n", to);
	odo_put_figures(list, n, subnet, to);
	return 0;
}
