/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cmocka, and what its header takes for granted. */
#ifndef ODONATA_TESTS_UNIT_H
#define ODONATA_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
