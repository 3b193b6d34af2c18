/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/saturation.h"

/* A run this close to half a step, either way, says nothing yet. In steps. */
#define CLEARLY_BELOW 0.25
#define CLEARLY_ABOVE 2.0
#define LONGER 4u
#define MOST_TRIES 3u

double odo_saturation_shortfall(const odo_emulation *e, const odo_measures *m)
{
	const odo_fabric *f = e->fabric;
	double worst = 0;
	if (m->outcome != ODO_RUN_DONE)
		return 1;
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t hosts = 0;
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
			hosts += f->slot_host[slot] != ODO_NONE;
		double behind = (double)m->born_by_switch[s] - (double)m->by_switch[s];
		double share = hosts ? behind * e->model->packet / hosts / (double)m->cycles : 0;
		worst = share > worst ? share : worst;
	}
	return worst;
}

/** One run. @param accepted where to note the accepted load, or NULL */
static int run_once(const odo_emulation *e, odo_saturation *out, double *shortfall,
		    double *accepted, odo_error *err)
{
	odo_measures *m;
	int status = odo_emulate(e, &m, err);
	if (status)
		return status;
	*shortfall = odo_saturation_shortfall(e, m) * out->steps;
	if (*shortfall < 0.5)
		out->latency = odo_histogram_mean(&m->latency);
	if (accepted)
		*accepted = m->accepted;
	out->deadlocks += m->outcome == ODO_RUN_DEADLOCK;
	out->runs++;
	odo_measures_free(m);
	return 0;
}

static int try_load(const odo_emulation *e, double load, odo_saturation *out, bool *sustained,
		    double *accepted, odo_error *err)
{
	odo_emulation at = *e;
	double shortfall = 0;
	int status = 0;
	at.run.load = load;
	for (unsigned i = 0; !status && i < MOST_TRIES; i++) {
		status = run_once(&at, out, &shortfall, accepted, err);
		if (shortfall < CLEARLY_BELOW || shortfall > CLEARLY_ABOVE)
			break;
		at.run.measured *= LONGER;
	}
	*sustained = shortfall < 0.5;
	return status;
}

int odo_saturation_search(const odo_emulation *e, uint32_t steps, odo_saturation *out,
			  odo_error *err)
{
	*out = (odo_saturation){.steps = steps};
	if (steps < 2)
		return odo_fail(err, ODO_EINPUT, "expected 2 steps or more, found %u", steps);
	bool sustained;
	int status = try_load(e, 1, out, &sustained, &out->accepted_at_full, err);
	if (status)
		return status;
	uint32_t low = sustained ? steps : 0, high = sustained ? steps + 1 : steps;
	while (high - low > 1) { /* `low` is sustained, `high` is not */
		uint32_t middle = low + (high - low) / 2;
		status = try_load(e, (double)middle / steps, out, &sustained, NULL, err);
		if (status)
			return status;
		if (sustained)
			low = middle;
		else
			high = middle;
	}
	out->sustained = low;
	return 0;
}
