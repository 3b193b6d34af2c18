/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_TESTS_MAPPING_RUN_H
#define ODONATA_TESTS_MAPPING_RUN_H

#include "trial.h"
#include "tests/unit.h"

/* A trial that has to come to an answer, right or not. */
static inline outcome run(const trial *t)
{
	outcome o;
	odo_error err;
	if (trial_run(t, &o, &err))
		fail_msg("%s: %s", t->spec, err.text);
	return o;
}

#endif
