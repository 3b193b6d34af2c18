/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * An operator's order to the subnet managers of a subnet: install the tables of a file, or leave
 * the routing to another engine. It stands in a text file beside the saved state (saved.h), so that
 * it also binds the next manager. `odonata handover` writes it, the plugin reads it in each sweep.
 */
#ifndef ODONATA_ROUTING_REROUTE_ORDERS_H
#define ODONATA_ROUTING_REROUTE_ORDERS_H

#include <stdio.h>

#include "base/error.h"

/** Endings of the files beside ENGINE-ID.past: saved state of the last good tables; a second name
 * of ENGINE-ID.past once its tables were read back; the order, whose name has no engine. */
#define ODO_ENDING_PAST ".past"
#define ODO_ENDING_GOOD ".good"
#define ODO_ENDING_READ ".read"
#define ODO_ENDING_ORDER ".order"

typedef enum odo_order_kind {
	ODO_ORDER_NONE,
	ODO_ORDER_TABLES, /**< install the saved tables of file `what` */
	ODO_ORDER_ENGINE  /**< leave the routing to engine `what` */
} odo_order_kind;

typedef struct odo_order {
	odo_order_kind kind;
	char what[1200];
} odo_order;

/**
 * Read the order in a file.
 * @param out ODO_ORDER_NONE if there is no such file; zeroed on failure
 * Errors: ODO_EINPUT if the file has another form, ODO_EIO.
 */
int odo_order_read(const char *path, odo_order *out, odo_error *err);

/** Write an order as text. */
void odo_order_write(const odo_order *order, FILE *to);

/** Write it in a line for people: "tables FILE", "engine NAME", or "".
 * @param text [ODO_ORDER_TEXT] */
const char *odo_order_text(const odo_order *order, char *text);
enum { ODO_ORDER_TEXT = sizeof(odo_order) + 16 };

#endif
