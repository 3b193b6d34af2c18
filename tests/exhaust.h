/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Each allocation of a call fails in turn. */
#ifndef ODONATA_TESTS_EXHAUST_H
#define ODONATA_TESTS_EXHAUST_H

#include <stdio.h>
#include <string.h>

#include "tests/fault.h"
#include "tests/unit.h"

/** A call to try.
 * @param said what it found, in figures; nothing where it failed
 * @return status */
typedef int fault_call(void *world, char *said, size_t room);

#define FAULT_ROOM 1024

/** True if there was an allocation left to fail. The call says so, or finds what it always does. */
static inline bool fault_try(fault_call *call, void *world, const char *what, const char *whole,
			     int no_memory, long n, bool on)
{
	char said[FAULT_ROOM] = "";
	fault_set(n, on);
	int status = call(world, said, sizeof said);
	bool failed = fault_end();
	if (status ? status != no_memory || !failed : strcmp(said, whole) != 0)
		fail_msg("%s, allocation %ld%s: status %d, \"%s\" instead of \"%s\"", what, n,
			 on ? " and all after" : "", status, said, whole);
	return failed;
}

/* A sample tries these first allocations in both ways, and every third later one in one way. Calls
 * that share code begin with another one of three, so that together they try most places. */
enum { FAULT_WHOLE = 24, FAULT_STEP = 3 };

/** @param no_memory the status that says so */
static inline void fault_each(fault_call *call, void *world, const char *what, int no_memory)
{
	char whole[FAULT_ROOM] = "";
	long n = 0;
	if (call(world, whole, sizeof whole))
		fail_msg("%s fails of itself", what);
	for (bool failed = true; failed; n++) {
		bool both = test_wide() || n < FAULT_WHOLE;
		if (!both)
			n += n == FAULT_WHOLE ? (long)(strlen(what) % FAULT_STEP) : FAULT_STEP - 1;
		failed = (both || n % 2) &&
			 fault_try(call, world, what, whole, no_memory, n, false);
		failed |= (both || !(n % 2)) &&
			  fault_try(call, world, what, whole, no_memory, n, true);
	}
	assert_true(n > 1);
}

#endif
