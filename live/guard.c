/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "live/guard.h"

#include <sys/syscall.h>
#include <unistd.h>

/* Signals that would end the program. */
static const int stops[ODO_GUARDED] = {SIGINT, SIGTERM, SIGHUP};

/* Threads of the libraries do not block signals. If such a thread gets a signal, forward it to the
 * main thread, where it waits. */
static void forward_signal(int number)
{
	syscall(SYS_tgkill, getpid(), getpid(), number);
}

void odo_guard_begin(odo_guard *guard)
{
	struct sigaction action = {.sa_handler = forward_signal, .sa_flags = SA_RESTART};
	sigemptyset(&guard->set);
	for (unsigned i = 0; i < ODO_GUARDED; i++)
		sigaddset(&guard->set, stops[i]);
	pthread_sigmask(SIG_BLOCK, &guard->set, NULL);
	for (unsigned i = 0; i < ODO_GUARDED; i++) {
		sigaction(stops[i], NULL, &guard->before[i]);
		if (guard->before[i].sa_handler != SIG_IGN) /* stay ignored, as under nohup */
			sigaction(stops[i], &action, NULL);
	}
}

bool odo_guard_is_interrupted(void)
{
	sigset_t set;
	bool any = false;
	sigpending(&set);
	for (unsigned i = 0; i < ODO_GUARDED; i++)
		any |= sigismember(&set, stops[i]) == 1;
	return any;
}

void odo_guard_end(odo_guard *guard)
{
	while (odo_guard_is_interrupted())
		sigtimedwait(&guard->set, NULL, &(struct timespec){0});
	for (unsigned i = 0; i < ODO_GUARDED; i++)
		sigaction(stops[i], &guard->before[i], NULL);
	pthread_sigmask(SIG_UNBLOCK, &guard->set, NULL);
}
