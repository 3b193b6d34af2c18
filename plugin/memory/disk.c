/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/memory/disk.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/memory.h"
#include "plugin/opensm/thread.h"

struct odo_disk {
	osm_log_t *log;
	pthread_t thread;
	bool hangs; /* the job was given up; only the sweep's thread uses it */
	pthread_mutex_t mutex;
	pthread_cond_t work, idle;
	unsigned wait;     /* s */
	odo_disk_job *job; /* that the thread does, or has done */
	bool done, stop;
};

static void *run_jobs(void *data)
{
	odo_disk *disk = data;
	pthread_mutex_lock(&disk->mutex);
	while (!disk->stop) {
		odo_disk_job *job = disk->done ? NULL : disk->job;
		if (!job) {
			pthread_cond_wait(&disk->work, &disk->mutex);
			continue;
		}
		pthread_mutex_unlock(&disk->mutex);
		job->run(job);
		pthread_mutex_lock(&disk->mutex);
		disk->done = true;
		pthread_cond_signal(&disk->idle);
	}
	pthread_mutex_unlock(&disk->mutex);
	return NULL;
}

odo_disk *odo_disk_start(osm_log_t *log)
{
	odo_disk *disk = odo_new(1, sizeof *disk);
	if (!disk)
		return NULL;
	disk->log = log;
	pthread_mutex_init(&disk->mutex, NULL);
	pthread_cond_init(&disk->work, NULL);
	odo_condition_init(&disk->idle);
	if (!odo_thread_start(&disk->thread, run_jobs, disk))
		return disk;
	free(disk);
	return NULL;
}

void odo_disk_set_wait(odo_disk *disk, unsigned seconds)
{
	if (disk)
		disk->wait = seconds;
}

/* Wait for the job, unless it was given up before. Called with the mutex locked.
 * @return true if the thread has nothing to do */
static bool wait_until_idle(odo_disk *disk)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += disk->wait;
	while (disk->job && !disk->done && !disk->hangs)
		if (pthread_cond_timedwait(&disk->idle, &disk->mutex, &until) == ETIMEDOUT)
			break;
	return !disk->job || disk->done;
}

static void note_hanging(odo_disk *disk, bool hangs)
{
	if (hangs && !disk->hangs)
		osm_log(disk->log, OSM_LOG_ERROR,
			"odonata: files cannot be read or written for %u s: sweeps go on without "
			"them\n",
			disk->wait);
	else if (!hangs && disk->hangs)
		osm_log(disk->log, OSM_LOG_INFO, "odonata: files can be read and written again\n");
	disk->hangs = hangs;
}

/* Finish the job before, if it has ended. @return true if the thread is free */
static bool finish_job(odo_disk *disk)
{
	pthread_mutex_lock(&disk->mutex);
	bool idle = wait_until_idle(disk);
	odo_disk_job *job = idle ? disk->job : NULL;
	if (idle)
		disk->job = NULL;
	pthread_mutex_unlock(&disk->mutex);
	odo_disk_end how = disk->hangs ? ODO_DISK_LATE : ODO_DISK_DONE;
	note_hanging(disk, !idle);
	if (job)
		job->finish(job, how);
	return idle;
}

void odo_disk_do(odo_disk *disk, odo_disk_job *job, bool wait)
{
	if (!disk) {
		if (job) {
			job->run(job);
			job->finish(job, ODO_DISK_DONE);
		}
		return;
	}
	bool idle = finish_job(disk);
	if (!job)
		return;
	if (!idle) {
		job->finish(job, ODO_DISK_SKIPPED);
		return;
	}
	pthread_mutex_lock(&disk->mutex);
	disk->job = job;
	disk->done = false;
	pthread_cond_signal(&disk->work);
	pthread_mutex_unlock(&disk->mutex);
	if (wait)
		finish_job(disk);
}

void odo_disk_stop(odo_disk *disk)
{
	if (!disk || !finish_job(disk))
		return;
	pthread_mutex_lock(&disk->mutex);
	disk->stop = true;
	pthread_cond_signal(&disk->work);
	pthread_mutex_unlock(&disk->mutex);
	pthread_join(disk->thread, NULL);
	pthread_cond_destroy(&disk->work);
	pthread_cond_destroy(&disk->idle);
	pthread_mutex_destroy(&disk->mutex);
	free(disk);
}
