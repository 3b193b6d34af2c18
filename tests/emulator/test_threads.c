/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A run whose threads cannot all be made ends with an error, whichever of them it is, and leaves
 * none behind. Stands in the way of pthread_create() to make it fail. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "tests/emulator/rig.h"

static int allowed; /* threads that may still be made */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
		   void *argument)
{
	int (*make)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	*(void **)&make = dlsym(RTLD_NEXT, "pthread_create");
	return allowed-- > 0 ? make(thread, attributes, run, argument) : EAGAIN;
}

static void a_thread_that_cannot_be_made_is_an_error(void **state)
{
	(void)state;
	struct rig r;
	rig_make(&r, "dragonfly:p=2,a=4,h=2", "ofar", "uniform", NULL);
	r.e.run.threads = 4;
	r.e.run.measured = 500;
	for (int made = 0; made < 3; made++) {
		odo_error err = {0};
		odo_measures *m = NULL;
		allowed = made;
		assert_int_equal(odo_emulate(&r.e, &m, &err), ODO_ENOMEM);
		assert_null(m);
		assert_non_null(strstr(err.text, "cannot start thread"));
	}
	allowed = 3;
	odo_measures_free(rig_run(&r));
	rig_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_that_cannot_be_made_is_an_error)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
