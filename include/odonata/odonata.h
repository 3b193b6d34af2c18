/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Includes the whole library. */
#ifndef ODONATA_ODONATA_H
#define ODONATA_ODONATA_H

#include <odonata/analyze.h>
#include <odonata/base.h>
#include <odonata/emulate.h>
#include <odonata/export.h>
#include <odonata/fabric.h>
#include <odonata/map.h>
#include <odonata/route.h>
#include <odonata/verify.h>

#endif
