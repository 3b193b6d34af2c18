/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The version of what the emulator means: the same experiment and seed give the same bytes as long
 * as it stays. Every CSV of an experiment names it, so that results of two meanings do not mix.
 *
 * Raise it with each change that alters any measured byte, be it a repair.
 * tests/experiment/test_semantics.c holds digests of small runs and fails where that was forgotten.
 */
#ifndef ODONATA_EMULATOR_SEMANTICS_H
#define ODONATA_EMULATOR_SEMANTICS_H

#define ODO_SEMANTICS 1u

#endif
