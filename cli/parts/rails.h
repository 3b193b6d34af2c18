/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef ODONATA_CLI_PARTS_RAILS_H
#define ODONATA_CLI_PARTS_RAILS_H

#include <jansson.h>

#include "fabric/fabric.h"

/**
 * Add the rails of a fabric to an answer: their number, and the adapters that are on a leaf of
 * another rail ("wrong_rails"). A fabric without rails adds no members.
 */
void cli_answer_rails(json_t **answer, const odo_fabric *f);

#endif
