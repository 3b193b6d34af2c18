/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cli/adapters.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/terminal/answer.h"
#include "export/slurm.h"
#include "fabric/machine.h"
#include "fabric/rails.h"
#include "fabric/transform/transform.h"

#define RAIL "rail:"
#define GUID "0x"

/** An item of the list. */
typedef struct chosen_item {
	odo_machine name;
	uint64_t number; /**< GUID or rail */
	enum { BY_NAME, BY_GUID, BY_RAIL } by;
} chosen_item;

typedef struct chooser {
	const odo_fabric *f;
	odo_arena memory;
	odo_names list;
	chosen_item *items; /**< [list.n] */
	odo_rails rails;    /**< if the list names some */
	bool others;        /**< the list has the adapters that are left out */
	uint8_t *silent;
} chooser;

static int refuse_item(const char *text, odo_error *err)
{
	return odo_fail(err, ODO_EINPUT,
			"--adapters: expected names as mlx5_0, GUIDs as 0x1f2e, rails as " RAIL
			"0, found \"%.60s\"",
			text);
}

static int read_item(chooser *x, const char *text, chosen_item *item, odo_error *err)
{
	bool rail = !strncmp(text, RAIL, strlen(RAIL)), guid = !strncmp(text, GUID, strlen(GUID));
	*item = (chosen_item){.by = rail ? BY_RAIL : guid ? BY_GUID : BY_NAME};
	if (rail || guid)
		return odo_read_number(text + strlen(rail ? RAIL : GUID), rail ? 10 : 16, 0,
				       UINT64_MAX, &item->number, NULL)
			       ? refuse_item(text, err)
		       : rail && !x->rails.of_host ? odo_rails_find(x->f, &x->rails, err)
						   : 0;
	item->name = odo_machine_of(text);
	if (!item->name.adapter_length)
		item->name = (odo_machine){"", text, 0, strlen(text), ODO_NONE};
	return 0;
}

/** Return true if an item is about a host. "mlx5_1" also names "HCA-2", which is the same adapter.
 */
static bool is_item_of(const chooser *x, const chosen_item *item, uint32_t h, const odo_machine *of)
{
	uint32_t slot = x->f->host_slot[h];
	switch (item->by) {
	case BY_GUID:
		return item->number == x->f->port_guid[slot] ||
		       item->number == x->f->node_guid[x->f->owner[slot]];
	case BY_RAIL:
		return x->rails.n && x->rails.of_host[h] == item->number;
	default:
		return !odo_machine_compare_adapters(of, &item->name);
	}
}

/** Set `silent`, and return the number of adapters that send. */
static uint32_t choose_hosts(chooser *x)
{
	uint32_t n = 0;
	for (uint32_t h = 0; h < x->f->n_senders; h++) {
		uint32_t slot = x->f->host_slot[h];
		odo_machine of = odo_machine_of(odo_name(x->f, x->f->owner[slot]));
		bool listed = false;
		for (size_t i = 0; i < x->list.n && !listed; i++)
			listed = is_item_of(x, &x->items[i], h, &of);
		x->silent[slot] = listed == x->others;
		n += !x->silent[slot];
	}
	return n;
}

static int read_chosen(chooser *x, const char *text, odo_error *err)
{
	x->others = *text == '^';
	int status = odo_slurm_read_list(text + x->others, "--adapters", &x->list, err);
	x->items = odo_arena_new(&x->memory, x->list.n, sizeof *x->items);
	x->silent = odo_arena_new(&x->memory, x->f->n_slots, 1);
	if (!status && x->memory.failed)
		status = odo_fail(err, ODO_ENOMEM, "no memory to choose adapters");
	for (size_t i = 0; i < x->list.n && !status; i++)
		status = read_item(x, x->list.name[i], &x->items[i], err);
	return status;
}

/** Say what is left out: adapters that do not send, and parts in which none does. */
static json_t *left_out_text(const odo_fabric *in, const odo_fabric *out, uint32_t n_parts)
{
	char parts[80] = "";
	if (n_parts)
		snprintf(parts, sizeof parts, "; %u part%s of %u switches without a chosen adapter",
			 n_parts, n_parts > 1 ? "s" : "", in->n_switches - out->n_switches);
	return json_sprintf("%u of %u adapters send nothing (--adapters)%s",
			    in->n_senders - out->n_senders, in->n_senders, parts);
}

/** Remove the parts in which no adapter sends.
 * @param f replaced
 * @param n gets their number */
static int drop_idle_parts(odo_fabric **f, uint32_t *n, odo_error *err)
{
	const odo_fabric *in = *f;
	odo_arena memory = {0};
	odo_fabric *out = NULL;
	uint32_t *part = odo_arena_new(&memory, in->n_switches, sizeof *part);
	uint8_t *busy = odo_arena_new(&memory, in->n_switches, 1);
	uint8_t *gone = odo_arena_new(&memory, in->n_nodes, 1);
	uint8_t *cut = odo_arena_new(&memory, in->n_slots, 1);
	int n_parts = memory.failed ? odo_fail(err, ODO_ENOMEM, "no memory to choose adapters")
				    : odo_fabric_parts(in, part, err);
	for (uint32_t h = 0; h < in->n_senders && n_parts > 0; h++)
		busy[part[odo_host_switch(in, h)]] = 1;
	for (int i = 0; i < n_parts; i++)
		*n += !busy[i];
	for (uint32_t s = 0; s < in->n_switches && n_parts > 0; s++)
		gone[s] = !busy[part[s]];
	int status = n_parts < 0 ? n_parts : 0;
	if (!status && *n)
		status = odo_fabric_without(in, gone, cut, &out, NULL, err);
	odo_arena_free(&memory);
	if (!status && *n) {
		odo_fabric_free(*f);
		*f = out;
	}
	return status;
}

int cli_adapters_choose(cli_call *call, const odo_fabric *in, odo_fabric **out, odo_error *err)
{
	chooser x = {.f = in};
	*out = NULL;
	int status = read_chosen(&x, call->adapters, err);
	if (!status && !choose_hosts(&x))
		status = odo_fail(err, ODO_EINPUT,
				  "--adapters: expected to choose some of %u adapters of %.100s, "
				  "found none for \"%.60s\"",
				  in->n_senders, call->arg[0], call->adapters);
	uint32_t n_parts = 0;
	if (!status)
		status = odo_fabric_adapt(in, NULL, x.silent, out, err);
	if (!status)
		status = drop_idle_parts(out, &n_parts, err);
	if (!status) {
		json_decref(call->left_out);
		call->left_out = left_out_text(in, *out, n_parts);
		status = cli_check_answer(call->left_out, err);
	}
	if (status)
		odo_fabric_free(*out);
	odo_rails_clear(&x.rails);
	odo_names_clear(&x.list);
	odo_arena_free(&x.memory);
	return status;
}
