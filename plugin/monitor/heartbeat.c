/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The thread uses two things of OpenSM: the word that shows the master, and the signal that
 * requests a sweep. It holds no lock of OpenSM, so a folder that hangs stops only this thread. */
#include "plugin/monitor/heartbeat.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/replace.h"
#include "plugin/monitor/state_text.h"

/* Seconds to wait for the thread when OpenSM ends, because a folder may hang. */
enum { LAST_WAIT = 2 };

/* Maximum beats between two sweeps for unconfirmed nodes: an hour. A node may never answer, and a
 * full sweep costs MADs at all nodes. */
enum { MOST_BEATS = 3600 / ODO_HEARTBEAT };

struct odo_heartbeat {
	osm_opensm_t *osm;
	char folder[ODO_PATH_ROOM];
	pthread_t thread;
	struct stat last;      /* file of the last beat; only the thread uses it */
	pthread_mutex_t mutex; /* of what follows */
	pthread_cond_t cond;
	char id[ODO_ID_ROOM];
	bool stop, renamed;
	bool unknown;             /* tables of some nodes are unconfirmed */
	unsigned n_beats, n_wait; /* since the last sweep for these; until the next one */
};

static bool is_master(const odo_heartbeat *h)
{
	return h->osm->subn.sm_state == IB_SMINFO_STATE_MASTER;
}

static void put_figures(const odo_heartbeat *h, const char *id, unsigned long n, FILE *to)
{
	const odo_figure all[] = {
		{"heartbeat_seconds",
		 "Time of the last heartbeat of the manager, seconds since 1970",
		 (double)time(NULL)},
		{"heartbeats_total",
		 "Heartbeats since this manager started; constant once it has ended", (double)n},
		{"heartbeat_interval_seconds", "Seconds between two heartbeats", ODO_HEARTBEAT},
		{"master", "1: this manager is the master of its subnet; 0: it is not",
		 is_master(h)},
	};
	odo_put_figures(all, sizeof all / sizeof *all, id, to);
}

void odo_heartbeat_path(const char *folder, const char *id, char *path)
{
	snprintf(path, ODO_PATH_ROOM, "%.900s/odonata_alive-%s.prom", folder, id);
}

/* Return true if another manager of this subnet, which shares the folder, has become master. */
static bool is_of_another_manager(const odo_heartbeat *h, const char *path)
{
	struct stat now;
	return !is_master(h) && !lstat(path, &now) &&
	       (now.st_ino != h->last.st_ino || now.st_dev != h->last.st_dev);
}

/* Errors are not logged here: the state files meet the same ones, and log them. */
static void write_beat(odo_heartbeat *h, const char *id, unsigned long n)
{
	char path[ODO_PATH_ROOM];
	odo_draft draft;
	odo_heartbeat_path(h->folder, id, path);
	if (is_of_another_manager(h, path) || odo_draft_open(&draft, path))
		return;
	put_figures(h, id, n, draft.to);
	odo_draft_close(&draft, true, 0644, false, &h->last);
}

/* Remove the file if the subnet was recognised while it was written under the old name. */
static void remove_beat(const odo_heartbeat *h, const char *id)
{
	char path[ODO_PATH_ROOM];
	odo_heartbeat_path(h->folder, id, path);
	unlink(path);
}

static struct timespec time_in(clockid_t clock, time_t seconds)
{
	struct timespec t = {0};
	clock_gettime(clock, &t);
	t.tv_sec += seconds;
	return t;
}

/* Request a sweep for unconfirmed nodes: OpenSM does not notice that a node answers again. */
static void sweep_again(odo_heartbeat *h)
{
	if (!h->unknown || ++h->n_beats < h->n_wait)
		return;
	h->n_beats = 0;
	h->n_wait = 2 * h->n_wait < MOST_BEATS ? 2 * h->n_wait : MOST_BEATS;
	if (!is_master(h) || osm_exit_flag)
		return;
	odo_request_sweep(h->osm);
}

/* Write beats until the end, by a monotonic clock. */
static void *run_beats(void *data)
{
	odo_heartbeat *h = data;
	char id[ODO_ID_ROOM];
	unsigned long n = 0;
	pthread_mutex_lock(&h->mutex);
	while (!h->stop) {
		struct timespec next = time_in(CLOCK_MONOTONIC, ODO_HEARTBEAT);
		memcpy(id, h->id, sizeof id);
		h->renamed = false;
		pthread_mutex_unlock(&h->mutex);
		write_beat(h, id, ++n);
		pthread_mutex_lock(&h->mutex);
		if (h->renamed)
			remove_beat(h, id);
		sweep_again(h);
		while (!h->stop && !h->renamed &&
		       pthread_cond_timedwait(&h->cond, &h->mutex, &next) != ETIMEDOUT)
			;
	}
	pthread_mutex_unlock(&h->mutex);
	return NULL;
}

/* Signals are for OpenSM's own threads. */
static int start_thread(odo_heartbeat *h)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int failed = pthread_create(&h->thread, NULL, run_beats, h);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

static odo_heartbeat *start_heartbeat(osm_opensm_t *osm, const char *id)
{
	pthread_condattr_t by_clock;
	odo_heartbeat *h = odo_new(1, sizeof *h);
	if (!h)
		return NULL;
	h->osm = osm;
	snprintf(h->folder, sizeof h->folder, "%s", osm->subn.opt.dump_files_dir);
	snprintf(h->id, sizeof h->id, "%s", id);
	pthread_mutex_init(&h->mutex, NULL);
	pthread_condattr_init(&by_clock);
	pthread_condattr_setclock(&by_clock, CLOCK_MONOTONIC);
	pthread_cond_init(&h->cond, &by_clock);
	pthread_condattr_destroy(&by_clock);
	if (!start_thread(h))
		return h;
	free(h);
	return NULL;
}

void odo_heartbeat_set(odo_heartbeat **heartbeat, osm_opensm_t *osm, const char *id)
{
	odo_heartbeat *h = *heartbeat;
	if (!h) {
		*heartbeat = start_heartbeat(osm, id);
		return;
	}
	pthread_mutex_lock(&h->mutex);
	if (strcmp(h->id, id)) {
		snprintf(h->id, sizeof h->id, "%s", id);
		h->renamed = true;
		pthread_cond_signal(&h->cond);
	}
	pthread_mutex_unlock(&h->mutex);
}

void odo_heartbeat_note(odo_heartbeat *h, bool unknown)
{
	if (!h)
		return;
	pthread_mutex_lock(&h->mutex);
	if (unknown != h->unknown) {
		h->n_beats = 0;
		h->n_wait = 1;
	}
	h->unknown = unknown;
	pthread_mutex_unlock(&h->mutex);
}

void odo_heartbeat_stop(odo_heartbeat *h)
{
	if (!h)
		return;
	struct timespec until = time_in(CLOCK_REALTIME, LAST_WAIT);
	pthread_mutex_lock(&h->mutex);
	h->stop = true;
	pthread_cond_signal(&h->cond);
	pthread_mutex_unlock(&h->mutex);
	if (pthread_timedjoin_np(h->thread, NULL, &until))
		return; /* the thread hangs: it keeps its memory until the process ends */
	pthread_cond_destroy(&h->cond);
	pthread_mutex_destroy(&h->mutex);
	free(h);
}
