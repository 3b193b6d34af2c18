/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Work with files, in a thread of its own: a disk that does not answer must not stop OpenSM's
 * sweep, which holds OpenSM's lock for a part of the time. */
#ifndef ODONATA_PLUGIN_MEMORY_DISK_H
#define ODONATA_PLUGIN_MEMORY_DISK_H

#include <stdbool.h>

#include "plugin/opensm/opensm.h"

typedef struct odo_disk odo_disk;

typedef enum odo_disk_end {
	ODO_DISK_DONE,
	ODO_DISK_LATE,   /**< done, but the sweep has gone on without it */
	ODO_DISK_SKIPPED /**< not begun, because the disk still works on something else */
} odo_disk_end;

/** Work on files. It owns, or shares, all data that it uses: the sweep may go on before it ends. */
typedef struct odo_disk_job {
	/** Do the work, in the disk's thread. */
	void (*run)(struct odo_disk_job *job);
	/** Use the result, and free the job, in the sweep's thread: perhaps in a later sweep. */
	void (*finish)(struct odo_disk_job *job, odo_disk_end end);
} odo_disk_job;

/** Start the thread. @return NULL without memory; jobs are then done at once */
odo_disk *odo_disk_start(osm_log_t *log);

/** End the thread, if it ends in time; otherwise it keeps its memory until the process ends. */
void odo_disk_stop(odo_disk *disk);

/**
 * Do a job. Wait up to odo_disk_set_wait() for the job before it, and for this one; if one takes
 * longer, later calls do not wait at all until it has ended. The log says so.
 * @param job  NULL only waits
 * @param wait false: do not wait for this job
 */
void odo_disk_do(odo_disk *disk, odo_disk_job *job, bool wait);

/** Set how many seconds a sweep waits. */
void odo_disk_set_wait(odo_disk *disk, unsigned seconds);

#endif
