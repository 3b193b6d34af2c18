/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The thread sends MADs and requests sweeps, which is done before files are written. It waits for
 * no lock of OpenSM and holds none while it waits, so a folder that hangs stops only this thread.
 */
#include "plugin/monitor/heartbeat.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/replace.h"
#include "plugin/monitor/switches.h"
#include "plugin/opensm/thread.h"

/* Seconds to wait for the thread when OpenSM ends, because a folder may hang. */
enum { LAST_WAIT = 2 };

/* ms between two sweeps for unconfirmed nodes: at first, and at most. A node may never answer, and
 * a full sweep costs MADs at all nodes. */
enum { BEAT = ODO_HEARTBEAT * 1000, LONGEST_WAIT = 3600 * 1000 };

struct odo_heartbeat {
	osm_opensm_t *osm;
	odo_confirm *confirm;
	char folder[ODO_PATH_ROOM];
	pthread_t thread;
	struct stat last;      /* file of the last beat; only the thread uses it */
	unsigned long n_beats; /* likewise */
	uint64_t next;         /* time of the next beat; likewise */
	pthread_mutex_t mutex; /* of what follows */
	pthread_cond_t cond;
	char id[ODO_ID_ROOM];
	bool stop, at_once;   /* write the files at once */
	bool unknown;         /* tables of some nodes are unconfirmed */
	uint64_t sweep, wait; /* time of the next sweep for these; ms after the one before */
};

static bool is_master(const odo_heartbeat *h)
{
	return h->osm->subn.sm_state == IB_SMINFO_STATE_MASTER;
}

static void put_figures(const odo_heartbeat *h, const char *id, FILE *to)
{
	odo_figure read_back[ODO_READ_BACK_FIGURES];
	const odo_figure all[] = {
		{"heartbeat_seconds",
		 "Time of the last heartbeat of the manager, seconds since 1970",
		 (double)time(NULL)},
		{"heartbeats_total",
		 "Heartbeats since this manager started; constant once it has ended",
		 (double)h->n_beats},
		{"heartbeat_interval_seconds", "Seconds between two heartbeats", ODO_HEARTBEAT},
		{"master", "1: this manager is the master of its subnet; 0: it is not",
		 is_master(h)},
	};
	odo_put_figures(all, sizeof all / sizeof *all, id, to);
	odo_read_back_figures(h->confirm, read_back);
	odo_put_figures(read_back, ODO_READ_BACK_FIGURES, id, to);
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

static void write_readings(const odo_heartbeat *h, const char *id)
{
	char path[ODO_PATH_ROOM];
	odo_draft draft;
	char *text = odo_switches_json(id, h->confirm);
	odo_switches_path(h->folder, id, path);
	if (text && !odo_draft_open(&draft, path, 0644, 0, NULL)) {
		fputs(text, draft.to);
		odo_draft_close(&draft, 0, NULL);
	}
	free(text);
}

/* Errors are not logged here: the state files meet the same ones, and log them. */
static void write_beat(odo_heartbeat *h, const char *id)
{
	char path[ODO_PATH_ROOM];
	odo_draft draft;
	odo_heartbeat_path(h->folder, id, path);
	if (is_of_another_manager(h, path) || odo_draft_open(&draft, path, 0644, 0, NULL))
		return;
	put_figures(h, id, draft.to);
	if (!odo_draft_close(&draft, 0, NULL))
		h->last = draft.is;
	write_readings(h, id);
}

/* Remove the files if the subnet was recognised while they were written under the old name. */
static void remove_beat(const odo_heartbeat *h, const char *id)
{
	char path[ODO_PATH_ROOM];
	odo_heartbeat_path(h->folder, id, path);
	unlink(path);
	odo_switches_path(h->folder, id, path);
	unlink(path);
}

/* Return true if a sweep for unconfirmed nodes is due: OpenSM does not notice that a node answers
 * again. */
static bool take_sweep(odo_heartbeat *h, uint64_t now)
{
	if (!h->unknown || now < h->sweep)
		return false;
	h->wait = 2 * h->wait < LONGEST_WAIT ? 2 * h->wait : LONGEST_WAIT;
	h->sweep = now + h->wait;
	return is_master(h) && !osm_exit_flag;
}

/* Write the files if that is due. */
static void write_files(odo_heartbeat *h, uint64_t now, bool at_once, const char *id)
{
	bool due = now >= h->next;
	if (due) {
		h->n_beats++;
		h->next = now + BEAT;
	}
	if (!due && !at_once)
		return;
	write_beat(h, id);
	/* The sweep takes the mutex, and must not wait for the disk. */
	pthread_mutex_lock(&h->mutex);
	bool renamed = strcmp(h->id, id) != 0;
	pthread_mutex_unlock(&h->mutex);
	if (renamed)
		remove_beat(h, id);
}

static uint64_t earlier_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t odo_heartbeat_beat(odo_heartbeat *h, uint64_t now)
{
	char id[ODO_ID_ROOM];
	odo_news news;
	pthread_mutex_lock(&h->mutex);
	bool at_once = h->at_once, sweep = take_sweep(h, now);
	uint64_t next_sweep = h->unknown ? h->sweep : UINT64_MAX;
	memcpy(id, h->id, sizeof id);
	h->at_once = false;
	pthread_mutex_unlock(&h->mutex);
	uint64_t next = odo_confirm_beat(h->confirm, h->osm, now, &news);
	if (sweep || news.lost)
		odo_request_sweep(h->osm);
	write_files(h, now, at_once || news.lost || news.round, id);
	return earlier_of(next, earlier_of(next_sweep, h->next));
}

static struct timespec time_of(uint64_t ms)
{
	return (struct timespec){.tv_sec = (time_t)(ms / 1000),
				 .tv_nsec = (long)(ms % 1000) * 1000000};
}

/* Beat until the end, by a monotonic clock. */
static void *run_beats(void *data)
{
	odo_heartbeat *h = data;
	pthread_mutex_lock(&h->mutex);
	while (!h->stop) {
		pthread_mutex_unlock(&h->mutex);
		struct timespec next = time_of(odo_heartbeat_beat(h, odo_steady_ms()));
		pthread_mutex_lock(&h->mutex);
		while (!h->stop && !h->at_once &&
		       pthread_cond_timedwait(&h->cond, &h->mutex, &next) != ETIMEDOUT)
			;
	}
	pthread_mutex_unlock(&h->mutex);
	return NULL;
}

static odo_heartbeat *start_heartbeat(osm_opensm_t *osm, odo_confirm *confirm, const char *id)
{
	odo_heartbeat *h = odo_new(1, sizeof *h);
	if (!h)
		return NULL;
	h->osm = osm;
	h->confirm = confirm;
	snprintf(h->folder, sizeof h->folder, "%s", osm->subn.opt.dump_files_dir);
	snprintf(h->id, sizeof h->id, "%s", id);
	pthread_mutex_init(&h->mutex, NULL);
	odo_condition_init(&h->cond);
	if (!odo_thread_start(&h->thread, run_beats, h))
		return h;
	free(h);
	return NULL;
}

void odo_heartbeat_set(odo_heartbeat **heartbeat, osm_opensm_t *osm, odo_confirm *confirm,
		       const char *id)
{
	odo_heartbeat *h = *heartbeat;
	if (!h) {
		*heartbeat = start_heartbeat(osm, confirm, id);
		return;
	}
	pthread_mutex_lock(&h->mutex);
	if (strcmp(h->id, id)) {
		snprintf(h->id, sizeof h->id, "%s", id);
		h->at_once = true;
		pthread_cond_signal(&h->cond);
	}
	pthread_mutex_unlock(&h->mutex);
}

void odo_heartbeat_note(odo_heartbeat *h, bool unknown)
{
	if (!h)
		return;
	pthread_mutex_lock(&h->mutex);
	if (unknown && !h->unknown) {
		h->wait = BEAT;
		h->sweep = odo_steady_ms() + h->wait;
	}
	h->unknown = unknown;
	h->at_once = true;
	pthread_cond_signal(&h->cond);
	pthread_mutex_unlock(&h->mutex);
}

bool odo_heartbeat_stop(odo_heartbeat *h)
{
	if (!h)
		return true;
	struct timespec until = {.tv_sec = time(NULL) + LAST_WAIT};
	pthread_mutex_lock(&h->mutex);
	h->stop = true;
	pthread_cond_signal(&h->cond);
	pthread_mutex_unlock(&h->mutex);
	if (pthread_timedjoin_np(h->thread, NULL, &until))
		return false; /* the thread hangs: it keeps its memory until the process ends */
	pthread_cond_destroy(&h->cond);
	pthread_mutex_destroy(&h->mutex);
	free(h);
	return true;
}
