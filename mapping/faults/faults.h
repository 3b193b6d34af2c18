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

/** Add a fault, zeroed except for members that are ODO_NONE. Return NULL without memory. */
odo_fault *odo_faults_add(odo_faults *list, odo_fault_type type);

/** List positions without a switch. */
int odo_faults_switches(const odo_finding *h, odo_faults *list);

/** List pairs of switches with fewer cables than the width of their dimension. */
int odo_faults_links(const odo_finding *h, odo_faults *list);

/** List cables whose slots have the class ODO_PORT_WRONG in `c`. */
int odo_faults_cables(const odo_fabric *f, const odo_coordinates *c, const odo_links *g,
		      odo_faults *list);

/**
 * Find the right places of the ends of wrong cables. A missing link explains a wrong end at each of
 * its switches. It also explains a wrong end at one of them, if the other has a free port. Missing
 * links that wrong cables explain are removed from the list.
 */
int odo_faults_match(const odo_fabric *f, odo_faults *list);

#endif
