/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Version of the emulator's semantics: while it is unchanged, the same experiment and seed give the
 * same bytes. Every CSV of an experiment names it, so that results of two versions are not mixed.
 *
 * Raise it with each change that alters any measured byte, even a repair.
 * tests/experiment/test_semantics.c has digests of small runs and fails if this was forgotten.
 */
#ifndef ODONATA_EMULATOR_SEMANTICS_H
#define ODONATA_EMULATOR_SEMANTICS_H

#define ODO_SEMANTICS 1u

#endif
