/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For LD_PRELOAD: in the first half second every answer with a forwarding table says that the
 * switch is busy (InfiniBand volume 1, 13.4.7), as ibsim's switches never do. */
#include <dlfcn.h>
#include <time.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>

/* Bytes of the status and of the attribute in a MAD. */
enum { STATUS = 5, ATTRIBUTE = 16, BUSY = 1 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int umad_recv(int port, void *umad, int *length, int timeout)
{
	static int (*real)(int, void *, int *, int);
	static double first;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "umad_recv");
	int agent = real(port, umad, length, timeout);
	uint8_t *mad = umad_get_mad(umad);
	if (agent < 0 || mad[ATTRIBUTE] || mad[ATTRIBUTE + 1] != IB_ATTR_LINEARFORWTBL)
		return agent;
	if (!first)
		first = now();
	if (now() - first < 0.5)
		mad[STATUS] |= BUSY;
	return agent;
}
