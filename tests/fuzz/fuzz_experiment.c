/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No text crashes the reader of experiments, and each experiment that it takes has a plain text that is
 * read as the same. */
#include "experiment/experiment.h"
#include "experiment/text/sources.h"
#include "fuzz.h"

/* Names of files would take the fuzzer out of its input. */
static int includes(const char *text)
{
	return strstr(text, "include") != NULL;
}

static void check_plain(const odo_experiments *all)
{
	for (uint32_t i = 0; i < all->n; i++) {
		odo_plain plain = {0};
		odo_experiment *again = NULL;
		odo_error err = {0};
		if (fuzz_refused(odo_sources_expand(all->files, i, &plain, &err), &err))
			continue;
		hold(!odo_experiment_parse("plain", plain.text, strlen(plain.text), &again, &err),
		     "a plain text is an experiment");
		hold(!strcmp(again->name, all->experiment[i]->name), "and has its name");
		odo_experiment_free(again);
		odo_plain_free(&plain);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	odo_error err = {0};
	odo_experiments all = {0};
	char *text = fuzz_text(data, size);
	if (!includes(text) && strlen(text) == size &&
	    !fuzz_refused(odo_experiments_parse("fuzz", text, size, &all, &err), &err)) {
		check_plain(&all);
		odo_experiments_free(&all);
	}
	free(text);
	return 0;
}
