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
 * @param text   NUL-terminated
 * @param origin name of the file; errors read "origin:line: expected ..., found ..."
 * @param pins   for odo_pins_clear()
 * Errors: ODO_EINPUT for a line that is no pin, a switch that is not there or is named twice,
 * or another number of coordinates than on the first line.
 */
int odo_pins_read(const odo_fabric *f, const char *text, const char *origin, odo_pins *pins,
		  odo_error *err);
void odo_pins_clear(odo_pins *pins);

/**
 * Relabel coordinates so that the pins hold. Values that no pin names keep theirs, or get the
 * lowest that is left.
 * Errors: ODO_EINPUT with the line of a pin that no relabelling satisfies; coordinates are then
 * as they were. An unknown kind has nothing to pin, and is no error. The labels of a Slim Fly
 * say who is linked to whom: pins must be so, too. Dimensions within a dragonfly's groups keep
 * their order by size. In a fat tree pods and planes get new numbers as wholes, and so do a
 * Dragonfly+'s groups; levels stay, and an index is free among the switches that share the rest.
 */
int odo_pins_apply(const odo_pins *pins, const odo_fabric *f, odo_coordinates *c, odo_error *err);

#endif
