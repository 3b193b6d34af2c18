/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <odonata/verify.h>

#include <stdio.h>

#include "api/handles.h"
#include "routing/verify/sls.h"
#include "routing/verify/verify.h"

static odonata_verdict verdict_of(const odo_verdict *v)
{
	odonata_verdict ours = {.delivers = v->delivers,
				.deadlock_free = v->deadlock_free,
				.within_vls = v->within_vls,
				.max_hops = v->max_hops,
				.n_pairs = v->n_pairs,
				.n_cut = v->n_cut,
				.n_dependencies = v->n_dependencies,
				.n_cycle = v->n_cycle,
				.n_strays = v->n_strays,
				.n_stray_arrivals = v->n_stray_arrivals,
				.n_stray_guesses = v->n_stray_guesses};
	for (uint32_t i = 0; i < v->n_cycle && i < ODONATA_MAX_CYCLE; i++) {
		ours.cycle_slot[i] = v->cycle[i].slot;
		ours.cycle_vl[i] = v->cycle[i].vl;
	}
	snprintf(ours.text, sizeof ours.text, "%s", v->text);
	return ours;
}

static int check_verify_call(const odonata_tables *tables, unsigned flags,
			     const odonata_verdict *verdict, odo_error *why)
{
	if (!tables)
		return api_no("tables", why);
	if (flags & ~ODONATA_HOSTS_ONLY)
		return odo_fail(why, ODO_EINPUT, "expected ODONATA_HOSTS_ONLY or 0, found %#x",
				flags);
	return api_expect(verdict, API_UP_TO(odonata_verdict, text), "an odonata_verdict", why);
}

/* Judge SLs without changing the status of odo_verify(). */
static int verify_sls(const odo_tables *t, int status, odonata_verdict *ours, odo_error *why)
{
	odo_sl_verdict sls = {0};
	odo_error err = {0};
	if (status && status != ODO_EUNSAFE)
		return status;
	int of_sls = odo_verify_sls(t, !status, &sls, &err);
	ours->sls_safe_for_all = sls.alone;
	ours->sls_safe_beside_path_sls = sls.beside;
	return of_sls ? odo_fail(why, of_sls, "%s", err.text) : status;
}

int odonata_verify(const odonata_tables *tables, unsigned flags, odonata_verdict *verdict,
		   odonata_error *err)
{
	odo_error why = {0};
	int status = check_verify_call(tables, flags, verdict, &why);
	if (!status) {
		odo_tables t = *tables->core; /* its arrays are borrowed */
		odo_verdict found = {0};
		t.hosts_only = flags & ODONATA_HOSTS_ONLY;
		status = odo_verify(&t, &found, &why);
		odonata_verdict ours = verdict_of(&found);
		const odo_unheard unheard = odo_unheard_sls(&t);
		ours.n_unheard = unheard.assumed + unheard.alike;
		ours.assumes_sls = t.from.assumes_sls;
		odo_verdict_clear(&found);
		status = verify_sls(&t, status, &ours, &why);
		if (!status || status == ODO_EUNSAFE)
			api_fill(verdict, &ours, sizeof ours);
	}
	return api_end(status, &why, err);
}
