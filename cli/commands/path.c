/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* odonata path: a path hop by hop, the paths over a cable, and the cables that slow paths share. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/answers.h"
#include "cli/parts/measured.h"
#include "cli/rows.h"
#include "cli/system.h"
#include "fabric/address.h"
#include "routing/analyze/analyze.h"
#include "routing/analyze/path.h"

typedef struct settings {
	const char *cable, *slow; /* or NULL */
	uint32_t most, below;
} settings;

static void check_path_words(cli_call *call)
{
	const settings *own = call->settings;
	if (call->n_args == 2)
		cli_usage_error(call, "expected FROM and TO, found only FROM");
	if ((call->n_args == 3) + !!own->cable + !!own->slow != 1)
		cli_usage_error(call, "expected either FROM and TO, or --cable, or --slow");
}

/* ---- A path ---- */

static const char *const ends[] = {
	[ODO_PATH_ARRIVES] = "arrives",
	[ODO_PATH_NO_ENTRY] = "ends: the LFT has no port for the LID",
	[ODO_PATH_NO_CABLE] = "ends: the LFT leads to a port without a cable, or to another host",
	[ODO_PATH_DROPPED] = "ends: the SL2VL map drops the SL",
	[ODO_PATH_LOOPS] = "loops",
};

/* Return the coordinates of a switch; null for an adapter or an unknown fabric. */
static json_t *place_of(const cli_system *system, uint32_t node)
{
	const odo_coordinates *c = system->coordinates;
	return c && c->n_dims && odo_is_switch(system->fabric, node)
		       ? cli_json_place(&c->at[(size_t)node * c->n_dims], c->n_dims)
		       : json_null();
}

static json_t *list_hops(const cli_system *system, const odo_path *path, const odo_analysis *a)
{
	json_t *rows = json_array();
	for (uint32_t i = 0; i < path->n; i++) {
		uint32_t slot = path->hop[i].slot;
		json_t *row = cli_json_cable(system->fabric, slot);
		cli_put(&row, "at", place_of(system, system->fabric->owner[slot]));
		cli_put(&row, "rate", cli_json_rate(system->fabric, slot));
		cli_put_count(&row, "vl", path->hop[i].vl);
		cli_put_real(&row, "load", a->use[slot]);
		cli_append(&rows, row);
	}
	return rows;
}

/* Return the fullest cable between switches, or ODO_NONE: the cable of a host has no other users.
 */
static uint32_t fullest_hop(const odo_fabric *f, const odo_path *path, const odo_analysis *a)
{
	uint32_t fullest = ODO_NONE;
	for (uint32_t i = 0; i < path->n; i++) {
		uint32_t slot = path->hop[i].slot;
		bool between = odo_is_switch(f, f->owner[slot]) &&
			       odo_next_switch(f, slot) != ODO_NONE;
		if (between && (fullest == ODO_NONE || a->use[slot] > a->use[fullest]))
			fullest = slot;
	}
	return fullest;
}

/* ---- A cable ---- */

typedef struct user {
	uint32_t host, n;
} user;

static int compare_users(const void *a, const void *b)
{
	const user *x = a, *y = b;
	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return (x->host > y->host) - (x->host < y->host);
}

/* List the hosts with the most paths. */
static json_t *list_users(const odo_fabric *f, const uint32_t *n_paths, uint32_t most)
{
	user *users = odo_new(f->n_hosts, sizeof *users);
	json_t *rows = users ? json_array() : NULL;
	for (uint32_t h = 0; users && h < f->n_hosts; h++)
		users[h] = (user){h, n_paths[h]};
	if (users)
		qsort(users, f->n_hosts, sizeof *users, compare_users);
	for (uint32_t i = 0; users && i < f->n_hosts && i < most && users[i].n; i++) {
		json_t *row = json_object();
		cli_answer_end(&row, f, f->host_slot[users[i].host], "host", "guid", "port");
		cli_put_count(&row, "pairs", users[i].n);
		cli_append(&rows, row);
	}
	free(users);
	return rows;
}

static uint32_t count_users(const odo_fabric *f, const uint32_t *n_paths)
{
	uint32_t n = 0;
	for (uint32_t h = 0; h < f->n_hosts; h++)
		n += n_paths[h] > 0;
	return n;
}

/* Make a row about a channel and the pairs that cross it. */
static int answer_channel(json_t **row, const cli_system *system, uint32_t slot, double load,
			  uint32_t most, odo_error *err)
{
	const odo_fabric *f = system->fabric;
	odo_crossing crossing;
	int status = odo_crossing_find(system->tables, slot, &crossing, err);
	*row = status ? NULL : cli_json_cable(f, slot);
	if (!status) {
		cli_put(row, "rate", cli_json_rate(f, slot));
		cli_put_real(row, "load", load);
		cli_put_count(row, "pairs", crossing.n_pairs);
		cli_put_count(row, "senders", count_users(f, crossing.sends));
		cli_put_count(row, "receivers", count_users(f, crossing.gets));
		cli_put(row, "senders_most", list_users(f, crossing.sends, most));
		cli_put(row, "receivers_most", list_users(f, crossing.gets, most));
	}
	odo_crossing_clear(&crossing);
	return status;
}

/* ---- Answers ---- */

static int find_path_ends(const cli_call *call, const odo_fabric *f, odo_address *from,
			  odo_address *to, odo_error *err)
{
	int status = odo_address_find(f, call->arg[1], from, err);
	if (!status)
		status = odo_address_find(f, call->arg[2], to, err);
	if (status)
		return status;
	if (!odo_is_switch(f, from->node) && odo_address_host(f, from) == ODO_NONE)
		return odo_fail(err, ODO_EINPUT,
				"\"%s\" has several ports or no cable: name the port, as in "
				"\"%s/1\"",
				call->arg[1], call->arg[1]);
	if (!to->lid)
		return odo_fail(err, ODO_EINPUT,
				"\"%s\" has no LID, or several ports: name the port or the LID",
				call->arg[2]);
	return 0;
}

static int answer_path(cli_call *call, const cli_system *system, const odo_analysis *a,
		       odo_error *err)
{
	const settings *own = call->settings;
	const odo_fabric *f = system->fabric;
	const odo_tables *t = system->tables;
	odo_address from, to;
	odo_path path;
	json_t **r = &call->result, *row;
	int status = find_path_ends(call, f, &from, &to, err);
	if (status)
		return status;
	uint32_t host = odo_address_host(f, &from);
	uint32_t s = host == ODO_NONE ? from.node : odo_host_switch(f, host);
	uint8_t sl = odo_path_sl(t, s, to.lid);
	odo_path_find(t, host, s, to.lid, sl, &path);
	cli_put_text(r, "from", odo_name(f, from.node));
	cli_put_text(r, "to", odo_name(f, to.node));
	cli_put_count(r, "lid", to.lid);
	cli_put(r, "sl", cli_lacks_sls(t) ? json_null() : json_integer(sl));
	cli_put_text(r, "path", ends[path.end]);
	if (path.end && path.at != ODO_NONE)
		cli_put_text(r, "ends_at", odo_name(f, path.at));
	cli_put(r, "hops", list_hops(system, &path, a));
	call->code = path.end ? CLI_NO : CLI_OK;
	uint32_t fullest = fullest_hop(f, &path, a);
	if (fullest == ODO_NONE)
		return 0;
	status = answer_channel(&row, system, fullest, a->use[fullest], own->most, err);
	cli_put(r, "fullest", row);
	return status;
}

static int answer_cable(cli_call *call, const cli_system *system, const odo_analysis *a,
			odo_error *err)
{
	const settings *own = call->settings;
	const odo_fabric *f = system->fabric;
	odo_address end;
	int status = odo_address_find(f, own->cable, &end, err);
	uint32_t host = status ? ODO_NONE : odo_address_host(f, &end);
	if (!status && end.slot == ODO_NONE && host != ODO_NONE)
		end.slot = f->host_slot[host];
	if (!status && (end.slot == ODO_NONE || f->peer[end.slot] == ODO_NONE))
		status = odo_fail(err, ODO_EINPUT,
				  "--cable: expected NAME/PORT or GUID/PORT of a port with a "
				  "cable, found \"%s\"",
				  own->cable);
	for (unsigned i = 0; !status && i < 2; i++) {
		uint32_t slot = i ? f->peer[end.slot] : end.slot;
		json_t *row;
		status = answer_channel(&row, system, slot, a->use[slot], own->most, err);
		cli_put(&call->result, i ? "back" : "there", row);
	}
	return status;
}

static int answer_slow(cli_call *call, const cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	cli_measured m;
	int status = cli_measured_read(own->slow, system->fabric, &m, err);
	if (!status)
		status = cli_measured_judge(&m, own->below / 100.0, err);
	if (!status)
		status = cli_measured_answer(&call->result, &m, system->tables, own->most, err);
	cli_measured_clear(&m);
	return status;
}

static int run_path(cli_call *call, cli_system *system, odo_error *err)
{
	const settings *own = call->settings;
	odo_analysis a = {0};
	int status = cli_system_route_static(call, system, err);
	if (!status && !own->slow)
		status = odo_analyze_uniform(system->tables, system->coordinates, &a, NULL, err);
	if (!status) {
		call->result = json_object();
		cli_answer_origin(&call->result, call);
		status = own->slow    ? answer_slow(call, system, err)
			 : own->cable ? answer_cable(call, system, &a, err)
				      : answer_path(call, system, &a, err);
	}
	odo_analysis_clear(&a);
	return status ? status : cli_check_answer(call->result, err);
}

static const cli_flag flags[] = {
	{"cable", 0, "PORT", "Show whose paths cross a cable: NAME/PORT",
	 "Show whose paths cross a cable, in each direction. PORT is NAME/PORT or GUID/PORT of one "
	 "end",
	 CLI_TEXT(settings, cable), .not_with = "slow"},
	{"slow", 0, "FILE", "Rank what the slow pairs of a benchmark share",
	 "Rank cables, switches and adapters that the slow pairs of a benchmark share. A line of "
	 "FILE has two hosts, and perhaps the measured GB/s; names with blanks in quotes",
	 CLI_TEXT(settings, slow)},
	{"below", 0, "N", NULL,
	 "Pairs of --slow with a figure are slow below N % of the median of all figures",
	 CLI_NUMBER(settings, below, 1, 100), .usual = "80", .needs = "slow"},
	{"most", 0, "N", NULL, "List at most N hosts or suspects",
	 CLI_NUMBER(settings, most, 1, 100000), .usual = "10"},
	{0}};

static const cli_example examples[] = {
	{"odonata path dragonfly.net H0_0 H17_1", "The path hop by hop, with VLs and loads",
	 CLI_OK},
	{"odonata path dragonfly.net --cable g0r0/3", "Whose paths cross a cable", CLI_OK},
	{0}};

const cli_command cli_path = {
	.name = "path",
	.arguments = "FABRIC [FROM] [TO]",
	.summary = "Follow a path, or find what paths share",
	.about =
		"FROM and TO are a name, a GUID or a LID, perhaps with /PORT. Follow the packet "
		"with the service level of its path through the forwarding tables and SL2VL maps, "
		"hop by hop: ports, rate, virtual lane, and load under uniform traffic. For the "
		"fullest cable of the path, list who else uses it. Exits with 1 if the packet "
		"does not arrive, and says where and why.\n\n"
		"With --slow, suspects are ranked by Ochiai's coefficient: the share of slow pairs "
		"that cross the suspect, times the share of slow ones among all measured pairs "
		"over it, as a geometric mean. 1 means: all slow pairs cross it, and no others. "
		"The next "
		"suspect is ranked by slow pairs that none before explains. Suspects are as good "
		"as the measurement: give fine pairs, too, and each pair alone on its path.",
	.flags = flags,
	.groups = CLI_FABRIC | CLI_MAP | CLI_ROUTE | CLI_OUTPUT,
	.installed = true,
	.settings_size = sizeof(settings),
	.check = check_path_words,
	.run = run_path,
	.examples = examples,
};
