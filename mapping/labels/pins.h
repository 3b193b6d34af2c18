/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * Pins: known coordinates of some switches, from a file. They choose among the labellings that
 * a mapping leaves open: the order of dimensions and the names of values.
 *
 *     # group  switch
 *     0x0002c90300a1b2c0  0  3
 *     "leaf rack 7"       4  0
 *
 * One switch a line: GUID, or node description in quotes, and all of its coordinates.
 */
#ifndef ODONATA_MAPPING_LABELS_PINS_H
#define ODONATA_MAPPING_LABELS_PINS_H

#include "fabric/coordinates.h"

typedef struct odo_pin {
	uint32_t node; /**< switch */
	uint32_t line; /**< of the file, for messages */
	uint32_t at[ODO_MAX_DIMS];
} odo_pin;

typedef struct odo_pins {
	char *origin; /**< name for messages; owned */
	unsigned n_dims;
	odo_pin *pin; /**< owned */
	uint32_t n;
} odo_pins;

/**
 * Read a text of pins for a fabric.
 * @param text NUL-terminated
 * @param origin name of the file; errors read "origin:line: expected ..., found ..."
 * @param pins for odo_pins_clear()
 * Errors: ODO_EINPUT for a line that is no pin, an unknown switch, a switch named twice, or a
 * number of coordinates that differs from the first line.
 */
int odo_pins_read(const odo_fabric *f, const char *text, const char *origin, odo_pins *pins,
		  odo_error *err);
void odo_pins_clear(odo_pins *pins);

/**
 * Relabel coordinates so that all pins are satisfied. Values without a pin keep their number, or
 * get the lowest free one. Errors: ODO_EINPUT with the line of a pin that no relabelling satisfies;
 * coordinates are then unchanged. An unknown kind has nothing to pin, and is no error.
 *
 * The labels of a Slim Fly determine its links, so pins must agree with them. Dimensions within a
 * dragonfly's groups keep their order by size. In a fat tree whole pods and planes get new numbers,
 * and so do a Dragonfly+'s groups. Levels do not change. An index may change among the switches
 * that share the other coordinates.
 */
int odo_pins_apply(const odo_pins *pins, const odo_fabric *f, odo_coordinates *c, odo_error *err);

#endif
