/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* For LD_PRELOAD: nodes whose M_Key is 0x1234 and protects even what can be read (InfiniBand
 * volume 1, 14.2.4), as ibsim's do not. They do not answer packets without it. */
#include <dlfcn.h>
#include <stdbool.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>

enum { CLASS = 1, M_KEY = 24 }; /* bytes of a MAD */

static bool opens(const uint8_t *mad)
{
	static const uint8_t key[8] = {[6] = 0x12, [7] = 0x34};
	bool same = true;
	for (unsigned i = 0; i < sizeof key; i++)
		same &= mad[M_KEY + i] == key[i];
	return same || (mad[CLASS] != IB_SMI_CLASS && mad[CLASS] != IB_SMI_DIRECT_CLASS);
}

int umad_send(int port, int agent, void *umad, int length, int timeout, int retries)
{
	static int (*real)(int, int, void *, int, int, int);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "umad_send");
	return opens(umad_get_mad(umad)) ? real(port, agent, umad, length, timeout, retries) : 0;
}
