/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading in turn, called by the plugin's thread. It never waits: the thread also gives the sign of
 * life. */
#include "plugin/opensm/confirm.h"

/* ms until the thread looks again for answers, or tries OpenSM's lock again. */
enum { POLL = 4 };

static bool has_outstanding(osm_stats_t *stats)
{
	pthread_mutex_lock(&stats->mutex);
	bool some = stats->qp0_mads_outstanding != 0;
	pthread_mutex_unlock(&stats->mutex);
	return some;
}

/* Query tables of the part that is read next. OpenSM's threads send MADs under its lock in this
 * way, too.
 * @return false if OpenSM is busy */
static bool ask_flight(odo_confirm *confirm, osm_opensm_t *osm, odo_reading *reading, unsigned most)
{
	odo_schedule *schedule = &confirm->schedule;
	odo_flight *f = &confirm->flight;
	odo_table table;
	if (has_outstanding(&osm->stats) || pthread_rwlock_trywrlock(&osm->lock.lock))
		return false;
	osm_node_t *node = osm_get_node_by_guid(&osm->subn, cl_hton64(reading->guid));
	unsigned n = node ? odo_n_tables(node) : 0, i = schedule->part + schedule->next * ODO_PARTS;
	if (!schedule->next)
		schedule->began = schedule->now;
	*f = (odo_flight){.guid = reading->guid};
	atomic_store(&confirm->n_answers, 0);
	for (; i < n && f->n < most; i += ODO_PARTS)
		if (odo_find_table(osm, node, i, &table))
			odo_ask_table(osm, i, &table, &f->list[f->n++]);
	f->next = i < n ? i / ODO_PARTS : 0;
	f->n_blocks = node ? odo_n_blocks_asked(node, f->list, f->n) : 0;
	cl_plock_release(&osm->lock);
	odo_schedule_asked(schedule, f->n, false);
	if (!f->n)
		odo_schedule_end_part(schedule, reading, node != NULL);
	return true;
}

/* @return ODO_FOUND_UNREAD while answers may come */
static odo_finding judge_flight(const odo_confirm *confirm, osm_opensm_t *osm)
{
	const odo_flight *f = &confirm->flight;
	bool all_came = !has_outstanding(&osm->stats);
	if (pthread_rwlock_tryrdlock(&osm->lock.lock))
		return ODO_FOUND_UNREAD;
	bool right = odo_is_read_right(confirm, osm, f->guid, f->list, f->n, f->n_blocks);
	cl_plock_release(&osm->lock);
	return right ? ODO_FOUND_KEPT : all_came ? ODO_FOUND_LOST : ODO_FOUND_UNREAD;
}

/* Go on after the queried tables of a switch, or to the next switch. */
static void finish_flight(odo_confirm *confirm, odo_reading *reading, bool right)
{
	odo_schedule *schedule = &confirm->schedule;
	if (right && confirm->flight.next)
		schedule->next = confirm->flight.next;
	else if (reading)
		odo_schedule_end_part(schedule, reading, right);
	confirm->flight.n = 0;
}

/* Do the next step.
 * @param lost gets a switch that was found with other tables
 * @return ms to wait for the step after it; 0: none */
static uint64_t take_step(odo_confirm *confirm, osm_opensm_t *osm, odo_reading *lost)
{
	if (confirm->flight.n) {
		odo_reading *reading = odo_schedule_find(&confirm->schedule, confirm->flight.guid);
		odo_finding found = judge_flight(confirm, osm);
		if (found == ODO_FOUND_UNREAD)
			return POLL;
		finish_flight(confirm, reading, found == ODO_FOUND_KEPT);
		if (found == ODO_FOUND_LOST && reading) {
			reading->doubt = ODO_DOUBT_LOST;
			confirm->n_alarms++;
			*lost = *reading;
			return POLL;
		}
	}
	unsigned most = odo_schedule_may_ask(&confirm->schedule);
	if (!most)
		return odo_schedule_wait(&confirm->schedule);
	odo_reading *reading = odo_schedule_next(&confirm->schedule);
	if (!reading)
		return UINT64_MAX;
	return ask_flight(confirm, osm, reading, most) ? 0 : POLL;
}

uint64_t odo_confirm_beat(odo_confirm *confirm, osm_opensm_t *osm, uint64_t now, odo_news *news)
{
	uint64_t wait = UINT64_MAX;
	odo_reading found = {0};
	pthread_mutex_lock(&confirm->mutex);
	unsigned n_rounds = confirm->schedule.n_rounds;
	odo_schedule_credit(&confirm->schedule, now);
	while (confirm->open && osm->subn.sm_state == IB_SMINFO_STATE_MASTER && !osm_exit_flag &&
	       !(wait = take_step(confirm, osm, &found)))
		;
	*news = (odo_news){.lost = found.guid != 0,
			   .round = confirm->schedule.n_rounds != n_rounds};
	pthread_mutex_unlock(&confirm->mutex);
	if (news->lost)
		odo_log_lost(osm, found.name, found.guid, true);
	return wait == UINT64_MAX ? wait : now + wait;
}
