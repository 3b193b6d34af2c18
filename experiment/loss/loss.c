/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "experiment/loss/loss.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "fabric/transform/transform.h"
#include "mapping/mapping.h"
#include "routing/choose/floor.h"

typedef struct farm {
	const odo_losses *losses;
	const odo_history *history;
	uint32_t *part; /* [switches of the whole fabric] its connected part */
	odo_loss_effect *effect;
	pthread_mutex_t lock;
	uint32_t next, done;
	int status;
	odo_error *err;
} farm;

static int remove_parts(const odo_fabric *f, const odo_loss *loss, odo_fabric **out,
			odo_origin *origin, odo_error *err)
{
	uint8_t *gone = odo_new(f->n_nodes, 1), *cut = odo_new(f->n_slots, 1);
	int status = gone && cut ? 0 : odo_fail(err, ODO_ENOMEM, "no memory for a loss");
	for (uint32_t i = 0; i < loss->n && !status; i++)
		if (loss->part[i].node != ODO_NONE)
			gone[loss->part[i].node] = 1;
		else
			cut[loss->part[i].slot] = 1;
	if (!status)
		status = odo_fabric_without(f, gone, cut, out, origin, err);
	free(gone);
	free(cut);
	return status;
}

/* Find the connected parts of a fabric: [n_switches], for free(). */
static int find_connected_parts(const odo_fabric *f, uint32_t **part, odo_error *err)
{
	*part = odo_new(f->n_switches, sizeof **part);
	if (!*part)
		return odo_fail(err, ODO_ENOMEM, "no memory for parts");
	int n = odo_fabric_parts(f, *part, err);
	return n < 0 ? n : 0;
}

/* Count pairs of hosts that were connected and are not any more.
 * @param was [switches of the whole fabric] its connected parts */
static int count_cut(const odo_fabric *f, const odo_origin *origin, const uint32_t *was,
		     uint32_t n_was, uint64_t *n_cut, odo_error *err)
{
	uint32_t *part = NULL;
	uint64_t *hosts = odo_new(2ul * n_was, sizeof *hosts);
	uint64_t *hosts_then = hosts ? hosts + n_was : NULL;
	int status = hosts ? find_connected_parts(f, &part, err)
			   : odo_fail(err, ODO_ENOMEM, "no memory for parts");
	*n_cut = 0;
	for (uint32_t h = 0; h < f->n_hosts && !status; h++) {
		uint32_t s = odo_host_switch(f, h);
		/* Adding a host to k hosts adds 2 k + 1 pairs. */
		*n_cut += 2 * hosts_then[was[origin->node[s]]]++;
		*n_cut -= 2 * hosts[part[s]]++;
	}
	free(part);
	free(hosts);
	return status;
}

static void count_entries(const odo_tables *before, const odo_tables *t, const odo_origin *origin,
			  odo_loss_effect *e)
{
	const odo_fabric *f = t->fabric;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		const uint8_t *old = before->lft +
				     (size_t)origin->node[s] * before->fabric->lid_count;
		const uint8_t *new = t->lft + (size_t)s * f->lid_count;
		for (uint32_t lid = 0; lid < f->lid_count; lid++)
			e->n_changed += f->lid_switch[lid] != ODO_NONE && old[lid] != new[lid];
	}
}

static int compare_tables(const farm *x, const odo_tables *t, const odo_origin *origin,
			  odo_loss_effect *e, odo_error *err)
{
	odo_sl_changes changes = {0};
	e->n_vls = t->n_vls;
	strcpy(e->engine, t->engine);
	count_entries(x->losses->before, t, origin, e);
	int status = odo_history_compare(x->history, t, &changes, NULL, 0, err);
	e->sl_changed = changes.n_changed;
	if (status)
		return status;
	if (x->losses->transitions)
		return odo_transition_count(x->losses->before, t, x->losses->hosts_only,
					    &e->transition, err);
	e->rating = t->from.rating; /* the choice of the engine may already have computed it */
	return t->from.compared[0] ? 0 : odo_floor_rate(t, &e->rating, err);
}

static int reroute_without_parts(const farm *x, const odo_fabric *f, const odo_origin *origin,
				 odo_loss_effect *e, odo_error *err)
{
	odo_coordinates *c = NULL;
	odo_tables *t = NULL;
	odo_route_options options = x->losses->options;
	options.before = x->losses->before;
	options.history = x->losses->new_sls ? NULL : x->history;
	int status = odo_map(f, &c, err);
	if (!status) {
		e->kind = c->kind;
		status = odo_route(f, c, x->losses->engine, &options, &t, err);
	}
	if (status == ODO_EDECLINE || status == ODO_EUNSAFE) {
		e->declined = true;
		status = 0;
	} else if (!status) {
		status = compare_tables(x, t, origin, e, err);
	}
	odo_tables_free(t);
	odo_coordinates_free(c);
	return status;
}

static int try_loss(const farm *x, const odo_loss *loss, odo_loss_effect *e, odo_error *err)
{
	const odo_fabric *whole = x->losses->before->fabric;
	odo_fabric *f = NULL;
	odo_origin origin = {0};
	int status = remove_parts(whole, loss, &f, &origin, err);
	*e = (odo_loss_effect){.kind = ODO_KIND_UNKNOWN};
	if (!status) {
		e->hosts_off = whole->n_hosts - f->n_hosts;
		status = count_cut(f, &origin, x->part, whole->n_switches, &e->pairs_cut, err);
	}
	if (!status)
		status = reroute_without_parts(x, f, &origin, e, err);
	odo_fabric_free(f);
	odo_origin_free(&origin);
	return status;
}

static uint32_t take_next_loss(farm *x)
{
	pthread_mutex_lock(&x->lock);
	uint32_t i = x->status || x->next == x->losses->n ? ODO_NONE : x->next++;
	pthread_mutex_unlock(&x->lock);
	return i;
}

static void *try_losses(void *context)
{
	farm *x = context;
	uint32_t i;
	while ((i = take_next_loss(x)) != ODO_NONE) {
		odo_error err = {0};
		int status = try_loss(x, &x->losses->loss[i], &x->effect[i], &err);
		pthread_mutex_lock(&x->lock);
		if (status && !x->status) {
			x->status = status;
			*x->err = err;
		}
		x->done++;
		if (x->losses->progress)
			x->losses->progress(x->losses->context, x->done, x->losses->n);
		pthread_mutex_unlock(&x->lock);
	}
	return NULL;
}

static int run_loss_threads(farm *x, odo_error *err)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned n = x->losses->threads ? x->losses->threads
		     : processors > 0   ? (unsigned)processors
					: 1;
	unsigned started = 0;
	pthread_t *thread = odo_new(n, sizeof *thread);
	if (!thread)
		return odo_fail(err, ODO_ENOMEM, "no memory for threads");
	while (started < n && !pthread_create(&thread[started], NULL, try_losses, x))
		started++;
	for (unsigned i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	return started ? x->status : odo_fail(err, ODO_EIO, "no thread could be started");
}

int odo_losses_run(const odo_losses *losses, odo_loss_effect *effect, odo_error *err)
{
	odo_history *history = NULL;
	farm x = {
		.losses = losses, .effect = effect, .lock = PTHREAD_MUTEX_INITIALIZER, .err = err};
	if (losses->before->adaptive)
		return odo_fail(err, ODO_EDECLINE, "adaptive tables cannot be rated");
	int status = odo_history_note(NULL, losses->before, &history, err);
	x.history = history;
	if (!status)
		status = find_connected_parts(losses->before->fabric, &x.part, err);
	if (!status)
		status = run_loss_threads(&x, err);
	free(x.part);
	odo_history_free(history);
	return status;
}
