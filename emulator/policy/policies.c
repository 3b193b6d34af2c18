/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "emulator/policy/policies.h"

#include <string.h>

#include "emulator/policy/option_rows.h"

const char *const odo_no_yes[] = {"no", "yes", NULL};
const odo_option odo_no_options[] = {{0}};

const odo_policy *const odo_policies[] = {
	&odo_policy_minimal,
	&odo_policy_valiant,
	&odo_policy_valiant_any,
	&odo_policy_ugal_l,
	&odo_policy_ugal_l_vc,
	&odo_policy_ugal_l_vch,
	&odo_policy_ugal_l_cr,
	&odo_policy_ugal_g,
	&odo_policy_ugal_phase,
	&odo_policy_piggyback,
	&odo_policy_par,
	&odo_policy_ofar,
	&odo_policy_dor,
	&odo_policy_flatfly_valiant,
	&odo_policy_flatfly_ugal,
	&odo_policy_dal,
	&odo_policy_fattree_random,
	&odo_policy_fattree_adaptive,
	&odo_policy_plus_minimal,
	&odo_policy_plus_valiant,
	&odo_policy_plus_ugal,
	&odo_policy_plus_par,
	NULL,
};

int odo_policy_parse(const char *spec, const odo_policy **row, odo_value *value, odo_error *err)
{
	size_t length = odo_spec_name(spec);
	for (const odo_policy *const *p = odo_policies; *p; p++) {
		if (strlen((*p)->name) == length && !strncmp((*p)->name, spec, length)) {
			*row = *p;
			return odo_spec_parse(spec, (*p)->options, value, err);
		}
	}
	return odo_fail(err, ODO_EINPUT,
			"expected a policy that \"odonata list policies\" names, found \"%.*s\"",
			(int)length, spec);
}
