/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** The faults that contradict a finding: missing switches, missing links, wrong cables. */
#ifndef ODONATA_MAPPING_FAULTS_FAULTS_H
#define ODONATA_MAPPING_FAULTS_FAULTS_H

#include "mapping/judge/finding.h"

/** A growing list of faults. */
typedef struct odo_faults {
	odo_fault *fault;
	uint32_t n;
	size_t room;
} odo_faults;

/** Room for one more, zeroed but for the ODO_NONEs; NULL where there is no memory. */
odo_fault *odo_faults_add(odo_faults *list, odo_fault_type type);

/** Positions without a switch. */
int odo_faults_switches(const odo_finding *h, odo_faults *list);

/** Pairs of switches with fewer cables than their dimension is wide. */
int odo_faults_links(const odo_finding *h, odo_faults *list);

/** Cables whose slots are classed ODO_PORT_WRONG in `c`. */
int odo_faults_cables(const odo_fabric *f, const odo_coordinates *c, const odo_links *g,
		      odo_faults *list);

/**
 * Find where the ends of wrong cables belong: a missing link wants a wrong end of each of its
 * switches, or of one of them and a free port of the other. Missing links that wrong cables
 * account for leave the list.
 */
int odo_faults_match(const odo_fabric *f, odo_faults *list);

#endif
