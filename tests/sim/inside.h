/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** OpenSM's records, for the files that play OpenSM: opensm.c, records.c, groups.c, manager.c. */
#ifndef ODONATA_TESTS_SIM_INSIDE_H
#define ODONATA_TESTS_SIM_INSIDE_H

#include <opensm/osm_config.h>

#include <opensm/osm_event_plugin.h>
#include <opensm/osm_multicast.h>
#include <opensm/osm_node.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_port.h>
#include <opensm/osm_switch.h>

#include "tests/sim/manager.h"

enum { SIM_VL_CODE = 4, SIM_BLOCK = IB_SMP_DATA_SIZE };

struct sim_manager {
	osm_opensm_t *osm;
	void *plugin;
	struct osm_routing_engine slot;
	osm_node_t **node; /* [n_nodes] NULL until it was discovered */
	osm_port_t *port;  /* [n_nodes] adapters and switches' port 0 */
	bool *is_known;    /* [n_nodes] discovered in the last sweep */
	bool *mft;         /* as in the hardware: what the groups' trees want */
	bool *has_mft;     /* [n_switches] some entry was ever set: OpenSM writes no other table */
	bool is_due[SIM_GROUPS];     /* the plugin asked to build the group again */
	bool is_plugins[SIM_GROUPS]; /* the plugin built the tree */
	osm_mgrp_box_t *box[SIM_GROUPS];
	osm_mgrp_t *group[SIM_GROUPS];
	bool sweep_again;
};

extern osm_event_plugin_t osm_event_plugin;

/** The world that is at work: functions of OpenSM get no context. */
extern sim_world *sim_now;

/* records.c */
void sim_discover(sim_manager *m);
void sim_free_node(osm_node_t *node);
/** Before it routes OpenSM makes room for tables, and empties the new one. */
void sim_prepare_switch(osm_switch_t *sw);
uint32_t sim_number_of(osm_node_t *node);

/* groups.c */
void sim_list_members(sim_manager *m);
void sim_free_groups(sim_manager *m);
/** Build and write the trees of all groups, or only of those that are due. */
void sim_write_groups(sim_manager *m, bool all);

/* manager.c */
void sim_report(osm_epi_event_id_t event, void *data);
/** Draw whether a MAD that writes is lost: 0 no, 1 on its way, 2 its answer is. */
unsigned sim_draw_loss(void);

#endif
