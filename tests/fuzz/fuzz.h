/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_TESTS_FUZZ_H
#define ODONATA_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/** libFuzzer's entry point. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** What must hold for every input, in release builds too. */
static inline void hold(int truth, const char *what)
{
	if (!truth) {
		fprintf(stderr, "does not hold: %s\n", what);
		abort();
	}
}

#endif
