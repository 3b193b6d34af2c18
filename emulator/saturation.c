/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/saturation.h"

bool odo_saturation_sustains(const odo_emulation *e, const odo_measures *m, double step)
{
	const odo_fabric *f = e->fabric;
	if (m->outcome != ODO_RUN_DONE)
		return false;
	double packets = step / 2 * (double)m->cycles / e->model->packet; /* per host */
	for (uint32_t s = 0; s < f->n_switches; s++) {
		uint32_t hosts = 0;
		for (uint32_t slot = f->first_slot[s]; slot < f->first_slot[s + 1]; slot++)
			hosts += f->slot_host[slot] != ODO_NONE;
		double behind = (double)m->born_by_switch[s] - (double)m->by_switch[s];
		if (behind > packets * hosts)
			return false;
	}
	return true;
}

/** One run at `load`. @param accepted where to note the accepted load, or NULL */
static int try_load(const odo_emulation *e, double load, odo_saturation *out, bool *sustained,
		    double *accepted, odo_error *err)
{
	odo_emulation at = *e;
	at.run.load = load;
	odo_measures *m;
	int status = odo_emulate(&at, &m, err);
	if (status)
		return status;
	*sustained = odo_saturation_sustains(&at, m, 1.0 / out->steps);
	if (*sustained)
		out->latency = odo_histogram_mean(&m->latency);
	if (accepted)
		*accepted = m->accepted;
	out->deadlocks += m->outcome == ODO_RUN_DEADLOCK;
	out->runs++;
	odo_measures_free(m);
	return 0;
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
