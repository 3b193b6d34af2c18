/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plugin/register.h"

#include <stdlib.h>
#include <string.h>

#if ODO_OPENSM_VERSION >= 30323

void odo_register(osm_opensm_t *osm, odo_osm_engine *engines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		external_routing_engine_module_t module = {.name = engines[i].name,
							   .setup = odo_osm_engine_setup,
							   .context = &engines[i]};
		if (osm_register_external_routing_engine(osm, &module, &engines[i]))
			osm_log(&osm->log, OSM_LOG_ERROR,
				"odonata: OpenSM refused engine name \"%s\"\n", engines[i].name);
	}
}

#else
/* Before 3.3.23 OpenSM supports only its own engines. But it appends them to a list that exists
 * when plugins are created, so ours are put there first. They must also come first in
 * routing_engine, because an engine after one of OpenSM's would be in the wrong order. */

/*
 * Append an engine to the list, which ends at `last`.
 * @return the new end of the list, or NULL
 */
static struct osm_routing_engine **append_engine(osm_opensm_t *osm, odo_osm_engine *engine,
						 struct osm_routing_engine **last)
{
	struct osm_routing_engine *slot = calloc(1, sizeof *slot); /* OpenSM frees it */
	if (!slot)
		return NULL;
	slot->type = OSM_ROUTING_ENGINE_TYPE_UNKNOWN;
	slot->name = engine->name;
	slot->context = engine;
	if (odo_osm_engine_setup(slot, osm)) {
		free(slot); /* named twice */
		return last;
	}
	*last = slot;
	return &slot->next;
}

static odo_osm_engine *find_engine_named(odo_osm_engine *engines, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(engines[i].name, name))
			return &engines[i];
	return NULL;
}

void odo_register(osm_opensm_t *osm, odo_osm_engine *engines, size_t n)
{
	const char *given = osm->subn.opt.routing_engine_names;
	char *names = strdup(given ? given : ""), *rest = NULL;
	struct osm_routing_engine **last = &osm->routing_engine_list;
	bool others = false;
	for (char *name = names ? strtok_r(names, ", \t\n", &rest) : NULL; name && last;
	     name = strtok_r(NULL, ", \t\n", &rest)) {
		odo_osm_engine *engine = find_engine_named(engines, n, name);
		if (engine && others)
			osm_log(&osm->log, OSM_LOG_ERROR,
				"odonata: not registered: engine \"%s\" follows one of OpenSM's "
				"engines, and this OpenSM accepts Odonata's engines only before "
				"its own\n",
				name);
		else if (engine)
			last = append_engine(osm, engine, last);
		others |= !engine;
	}
	if (!names || !last)
		osm_log(&osm->log, OSM_LOG_ERROR, "odonata: not registered: no memory\n");
	free(names);
}
#endif
