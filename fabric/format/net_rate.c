/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rates in ibsim's net files: bits of PortInfo that a port may use. A cable runs at the fastest
 * rate that both ends may use, as in ibsim. */
#include "fabric/format/net.h"

#include <string.h>

/* Default of ibsim: 4x, SDR. */
enum { USUAL_WIDTH = 2, USUAL_SPEED = 1 };

typedef struct meaning {
	uint8_t bit, means;
} meaning;

/* Bits and what they mean, the fastest first. */
static const meaning widths[] = {{8, 12}, {4, 8}, {2, 4}, {16, 2}, {1, 1}, {0, 0}};
static const meaning speeds[] = {{4, ODO_QDR}, {2, ODO_DDR}, {1, ODO_SDR}, {0, 0}};
static const meaning extended[] = {{8, ODO_NDR}, {4, ODO_HDR}, {2, ODO_EDR}, {1, ODO_FDR}, {0, 0}};

static uint8_t fastest(const meaning *of, unsigned mask)
{
	while (of->bit && !(of->bit & mask))
		of++;
	return of->means;
}

/* Return the fastest value that both ends may use. If they have none in common, return the lower of
 * their fastest ones. */
static uint8_t fastest_common(const meaning *of, unsigned a, unsigned b)
{
	uint8_t both = fastest(of, a & b), x = fastest(of, a), y = fastest(of, b);
	return both ? both : x < y ? x : y;
}

static unsigned first_set(unsigned own, unsigned of_file, unsigned usual)
{
	return own ? own : of_file ? of_file : usual;
}

/* Return the rates that a port may use: its own, those of the file, or ibsim's default. */
static net_enabled enabled_of(const net_file *file, const net_claim *c)
{
	return (net_enabled){
		.width = (uint8_t)first_set(c->enabled.width, file->usual.width, USUAL_WIDTH),
		.speed = (uint8_t)first_set(c->enabled.speed, file->usual.speed, USUAL_SPEED),
		.extended = (uint8_t)first_set(c->enabled.extended, file->usual.extended, 0)};
}

odo_link_info net_ibsim_rate(const net_file *file, const net_claim *c, const net_claim *back)
{
	net_enabled a = enabled_of(file, c), b = back ? enabled_of(file, back) : a;
	odo_link_info info = {.width = fastest_common(widths, a.width, b.width),
			      .speed = fastest(extended, a.extended & b.extended)};
	if (!info.speed)
		info.speed = fastest_common(speeds, a.speed, b.speed);
	return info;
}

/* Return the mask of a speed. "s=2.5" is invalid in ibsim, but clearly means SDR. */
static uint64_t speed_mask(odo_scan s, uint64_t n)
{
	return n == 2 && odo_take(&s, ".5") ? 1 : n ? n : 4; /* 0: QDR, as ibsim takes it */
}

void net_read_enabled(odo_scan s, net_enabled *enabled)
{
	uint64_t n;
	while (odo_skip_to(&s, "=")) {
		char option = s.at[-2];
		odo_scan value = s;
		if (!odo_take_number(&value, 0, &n) || n > 31)
			continue;
		if (option == 'w')
			enabled->width = (uint8_t)n;
		else if (option == 's')
			enabled->speed = (uint8_t)(speed_mask(value, n) & 7);
		else if (option == 'e')
			enabled->extended = (uint8_t)(n & 15);
	}
}
