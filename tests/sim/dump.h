/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Dumps of what the hardware holds, as OpenSM writes them, and the checker of certificates, which
 * reads them (tools/check_certificate.c). */
#ifndef ODONATA_TESTS_SIM_DUMP_H
#define ODONATA_TESTS_SIM_DUMP_H

#include "tests/sim/manager.h"

/** Write opensm-subnet.lst, opensm-lfts.dump and opensm-sl2vl.dump of all that the manager knows.
 */
void sim_dump(const sim_world *world, const char *folder);

typedef enum sim_answer { SIM_YES, SIM_NO, SIM_CANNOT, SIM_NO_CERTIFICATE } sim_answer;

/** Run the checker on the certificate and the dumps. @param said [room] its line */
sim_answer sim_check_certificate(const sim_world *world, char *said, size_t room);

#endif
