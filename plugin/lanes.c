/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/lanes.h"

#include <stdlib.h>

#include "routing/tables.h"

/* As OpenSM reads it: "VL:weight,VL:weight,...", any VL below 15 by remainder, weights of a byte.
 * @return VLs with a weight, a bit each */
static unsigned weighed(const char *table)
{
	unsigned vls = 0;
	while (*table) {
		char *end;
		unsigned vl = (unsigned)strtoul(table, &end, 0) % ODO_MAX_VLS;
		unsigned weight = *end == ':' ? (uint8_t)strtoul(end + 1, &end, 0) : 0;
		vls |= (unsigned)(weight > 0) << vl;
		while (*end && *end != ',')
			end++;
		table = *end ? end + 1 : end;
	}
	return vls;
}

static const char *given(const char *own, const char *all, const char *otherwise)
{
	return own ? own : all ? all : otherwise;
}

static unsigned served(const osm_qos_options_t *own, const osm_qos_options_t *all)
{
	unsigned vls = weighed(given(own->vlarb_high, all->vlarb_high,
				     OSM_DEFAULT_QOS_VLARB_HIGH)) |
		       weighed(given(own->vlarb_low, all->vlarb_low, OSM_DEFAULT_QOS_VLARB_LOW));
	unsigned n = 0;
	while (n < ODO_MAX_VLS && vls >> n & 1)
		n++;
	return n;
}

/* @param option gets the names of the options that stop there, or NULL */
static unsigned served_by_all(const osm_subn_opt_t *opt, const char **option)
{
	unsigned of_hosts = served(&opt->qos_ca_options, &opt->qos_options);
	unsigned of_switches = served(&opt->qos_swe_options, &opt->qos_options);
	unsigned n = of_hosts < of_switches ? of_hosts : of_switches;
	*option = NULL;
	if (!opt->qos || n == ODO_MAX_VLS)
		return ODO_MAX_VLS;
	*option = of_switches == n ? "qos_swe_vlarb_high and _low, or qos_vlarb_high and _low"
				   : "qos_ca_vlarb_high and _low, or qos_vlarb_high and _low";
	return n;
}

void odo_lanes_limit(osm_opensm_t *osm, unsigned *lanes, odo_route_options *options)
{
	const char *option;
	unsigned n = served_by_all(&osm->subn.opt, &option);
	unsigned most = n ? n : 1; /* there is none but VL 0 to send on */
	if (option && n != *lanes)
		osm_log(&osm->log, OSM_LOG_INFO,
			"odonata: %s give VL %u no weight: packets on it would never leave, and at "
			"most %u VLs are used\n",
			option, n, most);
	*lanes = n;
	if (option && (!options->max_vls || most < options->max_vls))
		options->max_vls = most;
}
