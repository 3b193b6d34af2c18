/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_PLUGIN_OPENSM_HOPS_H
#define ODONATA_PLUGIN_OPENSM_HOPS_H

#include "fabric/fabric.h"
#include "plugin/opensm/opensm.h"

/**
 * Fill OpenSM's hop matrices, from which it builds multicast trees and prints its dumps: for every
 * switch, port and other switch the shortest distance, independent of the unicast routes. OpenSM
 * can do this too; on 512 switches ours takes a tenth of the time.
 * @param sw [n_switches] OpenSM's switches in the order of the fabric's; their matrices are
 * cleared, and cleared again on failure
 */
int odo_fill_hops(const odo_fabric *f, osm_switch_t *const *sw, odo_error *err);

#endif
