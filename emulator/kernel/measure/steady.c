/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/kernel/measure/steady.h"

#include <math.h>

#define ENOUGH_WITHOUT_LATENCY 40u
#define ENOUGH 100u
/* Values are steady if they differ by less than this share of their mean, plus chance. */
#define STILL 0.02

/* Do the values differ by less than a share of their mean? */
static bool values_agree(const double *x, double share)
{
	double least = x[0], most = x[0], sum = 0;
	for (unsigned i = 0; i < ODO_STEADY_BATCHES; i++) {
		least = fmin(least, x[i]);
		most = fmax(most, x[i]);
		sum += x[i];
	}
	return most - least <= share * sum / ODO_STEADY_BATCHES;
}

bool odo_steady_add(odo_steady *s, uint64_t phits, uint64_t packets, uint64_t latency)
{
	uint64_t some = packets - s->packets;
	unsigned at = s->n++ % ODO_STEADY_BATCHES;
	s->accepted[at] = (double)(phits - s->phits);
	s->mean[at] = some ? (double)(latency - s->latency) / (double)some : 0;
	s->phits = phits;
	s->packets = packets;
	s->latency = latency;
	if (s->n < ODO_STEADY_BATCHES)
		return false;
	/* The means of four batches of n random packets span about two standard deviations, 2 /
	 * sqrt(n). */
	double chance = some ? 3 / sqrt((double)some) : 1;
	bool accepted = values_agree(s->accepted, STILL + chance);
	if (s->n >= ENOUGH || (accepted && s->n >= ENOUGH_WITHOUT_LATENCY))
		return true;
	return accepted && values_agree(s->mean, STILL + chance);
}
