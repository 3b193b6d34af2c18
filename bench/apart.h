/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Measures in a process of its own, so that its peak of memory is its own. */
#ifndef ODONATA_BENCH_APART_H
#define ODONATA_BENCH_APART_H

#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

/**
 * Call measure(spec, out) in a child and bring its result back.
 * @param size bytes at `out`
 * @return 0, or 1 where the child failed
 */
static inline int bench_apart(int (*measure)(const char *spec, void *out), const char *spec,
			      void *out, size_t size)
{
	int ends[2], status = 1;
	if (pipe(ends))
		return 1;
	pid_t child = fork();
	if (child == 0) {
		if (measure(spec, out) || write(ends[1], out, size) != (ssize_t)size)
			_exit(1);
		_exit(0);
	}
	close(ends[1]);
	if (child > 0 && read(ends[0], out, size) == (ssize_t)size)
		status = 0;
	close(ends[0]);
	waitpid(child, NULL, 0);
	return status;
}

#endif
