/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Orders of the operator (routing/reroute/orders.h), and the last good tables, to which an order
 * returns. Both are files beside the handover file (handover.h). */
#ifndef ODONATA_PLUGIN_MEMORY_ORDERS_H
#define ODONATA_PLUGIN_MEMORY_ORDERS_H

#include "plugin/memory/handover.h"
#include "routing/reroute/orders.h"
#include "routing/reroute/saved.h"

/** Order in force, shared by all engines; zeroes for none. */
typedef struct odo_orders {
	odo_order order;
	odo_saved saved;    /**< tables of ODO_ORDER_TABLES */
	odo_error refused;  /**< error of the last reading, after which the earlier order stays */
	const char *teller; /**< name of the engine that wrote the state files last */
	char used[64];      /**< engine that has routed in this sweep; "" until this is known */
	bool chooses;       /**< another one than ours, which chooses SLs that are not known */
	bool changed;       /**< of odo_orders_read(): the order is another one */
} odo_orders;

void odo_orders_clear(odo_orders *orders);

/** Read the order of the subnet, and the tables that it names if it is another one.
 * @param orders zeroed, except for the order in force */
void odo_orders_read(odo_orders *orders, const odo_subnet *subnet);

/** Put it into force at the start of a sweep. The log says what has changed.
 * @param read of odo_orders_read(); its tables are moved */
void odo_orders_adopt(odo_orders *orders, odo_orders *read, osm_log_t *log);

/** Return true if the order leaves the routing to another engine than this one. */
bool odo_orders_exclude(const odo_orders *orders, const char *engine);

/**
 * Note that the tables of the handover file are in the switches and were read back: link
 * ENGINE-ID.read to it.
 * @param file identity of the handover file as this manager has read or written it
 * Errors: ODO_EIO; a file system without links keeps no last good tables.
 */
int odo_last_good_note(const odo_subnet *subnet, const char *engine, const odo_handover_file *file,
		       odo_error *err);

/**
 * Keep the tables of the handover file as ENGINE-ID.good, before other tables replace them, if they
 * were read back and have stood long enough.
 * @param seconds how long they must have stood: tables that are tried one after another are none
 * Errors: ODO_EIO.
 */
int odo_last_good_keep(const odo_subnet *subnet, const char *engine, unsigned seconds,
		       odo_error *err);

#endif
