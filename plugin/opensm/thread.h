/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Threads of the plugin beside those of OpenSM. */
#ifndef ODONATA_PLUGIN_OPENSM_THREAD_H
#define ODONATA_PLUGIN_OPENSM_THREAD_H

#include <pthread.h>

/** Start a thread that gets no signals, which are for OpenSM's own threads.
 * @return 0, or an error of pthread_create() */
int odo_thread_start(pthread_t *thread, void *(*run)(void *), void *data);

/** Make a condition whose timeouts are by a clock that nobody sets. */
void odo_condition_init(pthread_cond_t *condition);

#endif
