/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Policies, each declared by the file of its family. */
#ifndef ODONATA_EMULATOR_POLICY_POLICIES_H
#define ODONATA_EMULATOR_POLICY_POLICIES_H

#include "emulator/policy.h"

extern const odo_policy odo_policy_minimal;
extern const odo_policy odo_policy_valiant;
extern const odo_policy odo_policy_valiant_any;
extern const odo_policy odo_policy_ugal_l, odo_policy_ugal_l_vc, odo_policy_ugal_l_vch;
extern const odo_policy odo_policy_ugal_l_cr, odo_policy_ugal_g;
extern const odo_policy odo_policy_ugal_phase;
extern const odo_policy odo_policy_piggyback, odo_policy_par;
extern const odo_policy odo_policy_ofar;
extern const odo_policy odo_policy_dor, odo_policy_flatfly_valiant;
extern const odo_policy odo_policy_flatfly_ugal, odo_policy_dal;
extern const odo_policy odo_policy_fattree_random, odo_policy_fattree_adaptive;
extern const odo_policy odo_policy_plus_minimal, odo_policy_plus_valiant;
extern const odo_policy odo_policy_plus_ugal, odo_policy_plus_par;

#endif
