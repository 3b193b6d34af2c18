/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads on the command line: shares of a host's cable, or GB/s. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "cli/emulation/emulation.h"

static bool add_load(cli_loads *loads, double load)
{
	if (!(load > 0 && (load <= 1 || loads->gb_per_s)) || loads->n == CLI_MAX_LOADS)
		return false;
	loads->load[loads->n++] = load;
	return true;
}

/** Take a load. Either every load of a list is in GB/s, or none. */
static bool take_load_text(const char **at, bool first, cli_loads *loads, double *load)
{
	bool gb;
	if (!odo_take_load(at, load, &gb))
		return false;
	if (first)
		loads->gb_per_s = gb;
	return gb == loads->gb_per_s;
}

/** Add a range such as "0.1:1.0:0.1", both ends included. */
static bool add_range(cli_loads *loads, const char *text)
{
	double number[3];
	for (unsigned i = 0; i < 3; i++, text++)
		if (!take_load_text(&text, !i, loads, &number[i]) || *text != (i < 2 ? ':' : '\0'))
			return false;
	double first = number[0], last = number[1], step = number[2];
	if (!(step > 0) || !(last >= first))
		return false;
	/* Steps are counted, so that rounding does not lose the last one. */
	double steps = fmin(floor((last - first) / step + 1e-9), CLI_MAX_LOADS);
	unsigned n = (unsigned)steps + 1;
	bool good = true;
	for (unsigned i = 0; i < n && good; i++)
		good = add_load(loads, fmin(first + i * step, last));
	return good;
}

static bool add_list(cli_loads *loads, const char *text)
{
	for (const char *at = text;; at++) {
		double load;
		if (!take_load_text(&at, at == text, loads, &load) || !add_load(loads, load))
			return false;
		if (!*at)
			return true;
		if (*at != ',')
			return false;
	}
}

void cli_parse_loads(const cli_call *call, const char *option, const char *text, cli_loads *loads)
{
	*loads = (cli_loads){.text = text, .saturation = !strcmp(text, "saturation")};
	if (loads->saturation)
		return;
	bool good = strchr(text, ':') ? add_range(loads, text) : add_list(loads, text);
	if (loads->n == CLI_MAX_LOADS && !good)
		cli_usage_error(call, "--%s: expected up to %u loads, found more: '%.40s...'",
				option, CLI_MAX_LOADS, text);
	else if (!good)
		cli_usage_error(call,
				"--%s: expected loads above 0 and up to 1 as 0.5, 80%%, 10GB/s, "
				"0.1,0.5 or 0.1:1.0:0.1, or 'saturation', found '%s'",
				option, text);
}

void cli_set_loads(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	cli_parse_loads(call, flag->name, text, to);
}

int cli_settle_loads(cli_loads *loads, const char *option, const odo_units *units, odo_error *err)
{
	if (!loads->gb_per_s)
		return ODO_OK;
	if (!units)
		return odo_fail(err, ODO_EINPUT,
				"--%s: expected a load up to 1, or in percent, because only "
				"--model infiniband (link-rates=1) knows GB/s; found %gGB/s",
				option, loads->load[0]);
	for (unsigned i = 0; i < loads->n; i++)
		if (odo_gb_load(units, loads->load[i], &loads->load[i], err))
			return odo_fail_within(err, "--%s", option);
	loads->gb_per_s = false;
	return ODO_OK;
}

void cli_set_duration(cli_call *call, const cli_flag *flag, const char *text, void *to)
{
	const char *at = text;
	char what[60];
	cli_duration *out = to;
	*out = (cli_duration){0};
	if (odo_take_time(&at, &out->ns) && !*at && out->ns > 0)
		return;
	out->ns = 0;
	snprintf(what, sizeof what, "--%s, in cycles or as 10us", flag->name);
	out->cycles = cli_parse_number(call, what, text, flag->min, flag->max);
}

int cli_settle_duration(const cli_duration *d, const char *option, const odo_units *units,
			uint64_t min, uint64_t max, uint64_t *cycles, odo_error *err)
{
	if (!(d->ns > 0)) {
		*cycles = d->cycles;
		return 0;
	}
	if (!units)
		return odo_fail(err, ODO_EINPUT,
				"--%s: expected cycles, or a model that knows time, as infiniband "
				"(link-rates=1), found %g us",
				option, d->ns / 1e3);
	double n = round(d->ns / units->cycle_ns);
	if (n < (double)min || n > (double)max)
		return odo_fail(err, ODO_EINPUT,
				"--%s: expected %g to %g us at this rate, found %g us", option,
				odo_cycles_us(units, (double)min),
				odo_cycles_us(units, (double)max), d->ns / 1e3);
	*cycles = (uint64_t)n;
	return 0;
}
