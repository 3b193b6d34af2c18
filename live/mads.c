/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "live/mads.h"

#include <stdlib.h>

#include <infiniband/umad.h>

#include "base/error.h"

/* MADs sent at a time: enough for round trips to overlap, few enough for the queues of a switch's
 * management processor. */
enum { WINDOW = 16 };
enum { TIMEOUT = 1000, RETRIES = 3 };
/* Consecutive MADs without an answer after which the run ends: two minutes if a try takes a second.
 * A single silent switch misses only the MADs under way, because the caller skips its other
 * MADs. */
enum { SILENCE = 32 * WINDOW };
enum { BUSY = 1 }; /* status (InfiniBand volume 1, 13.4.7) */

typedef struct flight {
	size_t i;
	uint32_t transaction;
	uint32_t class, offset; /* `offset` of the data */
	unsigned tries;         /* tries left */
	bool is_out;
	void *umad;
} flight;

typedef struct sender {
	odo_mads *mads;
	size_t n, next, done, failed;
	int device, timeout;
	unsigned n_out, silent; /**< MADs under way; consecutive MADs without an answer */
	flight flight[WINDOW];
	void *answer;
} sender;

static int agent_of(const sender *s, const flight *f)
{
	/* The library does not write to the port. */
	return mad_rpc_class_agent((struct ibmad_port *)(uintptr_t)s->mads->port, (int)f->class);
}

static void end_flight(sender *s, flight *f)
{
	f->is_out = false;
	s->n_out--;
}

static int miss_flight(sender *s, flight *f, unsigned status)
{
	end_flight(s, f);
	s->failed = f->i;
	s->silent += !status;
	if (!s->mads->miss || s->silent >= SILENCE)
		return ODO_EIO;
	s->mads->miss(s->mads->context, f->i, status);
	s->done++;
	return 0;
}

static int send_one(sender *s, flight *f)
{
	return f->tries-- && umad_send(s->device, agent_of(s, f), f->umad, IB_MAD_SIZE, s->timeout,
				       0) >= 0
		       ? 0
		       : miss_flight(s, f, 0);
}

/* Send the next MAD that is not skipped. */
static int send_next(sender *s, flight *f)
{
	odo_mads *m = s->mads;
	odo_mad mad = {.data = {0}};
	while (s->next < s->n && !m->ask(m->context, s->next, &mad)) {
		s->next++;
		s->done++;
	}
	if (s->next == s->n)
		return 0;
	f->i = s->next++;
	f->class = mad.rpc.mgtclass;
	f->offset = mad.rpc.dataoffs;
	f->tries = 1 + (m->retries ? m->retries : RETRIES);
	f->transaction = ++m->sent;
	mad.rpc.trid = f->transaction;
	if (f->class == IB_SMI_DIRECT_CLASS)
		mad.rpc.mkey = smp_mkey_get(m->port);
	f->is_out = true;
	s->n_out++;
	return mad_build_pkt(f->umad, &mad.rpc, &mad.to, NULL, mad.data) < 0 ? miss_flight(s, f, 0)
									     : send_one(s, f);
}

static int fill_window(sender *s)
{
	int status = 0;
	for (unsigned k = 0; k < WINDOW && s->next < s->n && !status; k++)
		if (!s->flight[k].is_out)
			status = send_next(s, &s->flight[k]);
	return status;
}

/* After a timeout send all MADs under way again. */
static int send_all_again(sender *s)
{
	int status = 0;
	for (unsigned k = 0; k < WINDOW && !status; k++)
		if (s->flight[k].is_out)
			status = send_one(s, &s->flight[k]);
	return status;
}

/* Find the MAD of an answer; NULL if it was already answered. The kernel uses the upper half of a
 * transaction. */
static flight *find_flight(sender *s, void *mad)
{
	uint32_t transaction = (uint32_t)mad_get_field64(mad, 0, IB_MAD_TRID_F);
	for (unsigned k = 0; k < WINDOW; k++)
		if (s->flight[k].is_out && s->flight[k].transaction == transaction)
			return &s->flight[k];
	return NULL;
}

static int take_answer(sender *s, flight *f, uint8_t *mad)
{
	uint32_t status = mad_get_field(
		mad, 0, f->class == IB_SMI_DIRECT_CLASS ? IB_DRSMP_STATUS_F : IB_MAD_STATUS_F);
	if (status == BUSY) /* sent again after the next timeout */
		return 0;
	if (status)
		return miss_flight(s, f, status);
	s->mads->take(s->mads->context, f->i, mad + f->offset);
	end_flight(s, f);
	s->done++;
	return 0;
}

static int receive_answer(sender *s)
{
	int length = IB_MAD_SIZE;
	if (umad_recv(s->device, s->answer, &length, s->timeout) < 0)
		return send_all_again(s);
	void *mad = umad_get_mad(s->answer);
	flight *f = find_flight(s, mad);
	if (!f)
		return 0;
	s->silent = umad_status(s->answer) ? s->silent : 0;
	return umad_status(s->answer) ? send_one(s, f) : take_answer(s, f, mad);
}

/* Receive the remaining answers after a failure: an answer, or a timeout, arrives for each MAD. The
 * device must not be closed before. */
static void drain_answers(sender *s)
{
	for (int length = IB_MAD_SIZE; s->n_out; length = IB_MAD_SIZE) {
		if (umad_recv(s->device, s->answer, &length, s->timeout) < 0)
			return;
		flight *f = find_flight(s, umad_get_mad(s->answer));
		if (f)
			end_flight(s, f);
	}
}

static int run_sender(sender *s)
{
	int status = fill_window(s);
	while ((s->n_out || s->next < s->n) && !status) {
		if (s->n_out)
			status = receive_answer(s);
		if (!status)
			status = fill_window(s);
		if (s->mads->progress)
			s->mads->progress(s->mads->progress_context, s->mads->what, s->done, s->n);
	}
	return status;
}

int odo_mads_run(odo_mads *mads, size_t n, size_t *failed)
{
	size_t size = umad_size() + IB_MAD_SIZE;
	sender s = {.mads = mads,
		    .n = n,
		    .device = mad_rpc_portid((struct ibmad_port *)(uintptr_t)mads->port),
		    .timeout = (int)(mads->timeout ? mads->timeout : TIMEOUT),
		    .answer = calloc(1, size)};
	bool room = s.answer != NULL;
	for (unsigned k = 0; k < WINDOW; k++)
		room = (s.flight[k].umad = calloc(1, size)) && room;
	int status = room ? run_sender(&s) : ODO_ENOMEM;
	*failed = s.failed;
	drain_answers(&s);
	for (unsigned k = 0; k < WINDOW; k++)
		free(s.flight[k].umad);
	free(s.answer);
	return status;
}
