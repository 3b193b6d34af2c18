/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Emulations on the command line: options of traffic, and output of measures. */
#ifndef ODONATA_CLI_EMULATION_H
#define ODONATA_CLI_EMULATION_H

#include "cli/command.h"
#include "cli/system.h"
#include "emulator/emulator.h"
#include "emulator/traffic/pattern.h"
#include "emulator/traffic/workload.h"
#include "emulator/units.h"
#include "emulator/vlarb.h"
#include "saturation/saturation.h"

#define CLI_MAX_LOADS 256

/** Optional measures. */
typedef struct cli_details {
	uint32_t channels; /**< number of the busiest cables to list; with a series, over time */
	bool histogram, switches;
} cli_details;

/** A list of loads, or a search for saturation. */
typedef struct cli_loads {
	const char *text; /**< as given */
	bool saturation;
	bool gb_per_s; /**< load[] is in GB/s until cli_settle_loads() */
	unsigned n;
	double load[CLI_MAX_LOADS];
} cli_loads;

/** A duration in cycles, or in ns, which becomes cycles once the length of a cycle is known. */
typedef struct cli_duration {
	uint64_t cycles;
	double ns; /**< if above 0, used instead of `cycles` */
} cli_duration;

/** Traffic of an emulation, and the model and policy that carry it. */
typedef struct cli_traffic {
	const char *pattern, *model;
	const char *policy;    /**< NULL: tables */
	const char *workload;  /**< instead of the pattern at a load; NULL: none */
	const char *vlarb;     /**< file of VL arbitration tables; NULL: none */
	const char *placement; /**< of the workload's ranks */
	uint32_t ranks;        /**< 0: one rank on each host */
	uint64_t burst;        /**< size of the burst of every host; 0: no burst */
	bool burst_of_bytes;   /**< burst in bytes instead of packets */
} cli_traffic;

/** An emulation and the data that it borrows. */
typedef struct cli_emulation {
	odo_emulation emulation;
	odo_model model;
	odo_traffic *traffic;
	odo_vlarb *vlarb;
	odo_workload workload; /**< used by emulation.workload, unless that is NULL */
	bool real;             /**< the model knows bytes and nanoseconds, so `units` is set */
	odo_units units;
	uint32_t n_active; /**< hosts that take part: those that send, or have a rank */
	uint32_t n_parts;  /**< that ranks were dealt out to; 0: they were not */
	const char *parts; /**< what these are: "pods" */
} cli_emulation;

/** Parse "0.5", "80%", "10GB/s", "0.1,0.5", "0.1:1.0:0.1" or "saturation". Any other text ends the
 * program. */
void cli_parse_loads(const cli_call *call, const char *option, const char *text, cli_loads *loads);
/** Set cli_loads in this way. */
cli_setter cli_set_loads;
/** Convert loads in GB/s to phits per cycle.
 * @param units NULL if the model has none
 * Errors: ODO_EINPUT for GB/s without units, or more than a cable carries. */
int cli_settle_loads(cli_loads *loads, const char *option, const odo_units *units, odo_error *err);

/** Set a cli_duration: "5000", or "10us". */
cli_setter cli_set_duration;
/** A duration in cycles. @param units NULL where the model has none
 * Errors: ODO_EINPUT for a time without units, or out of range. */
int cli_settle_duration(const cli_duration *d, const char *option, const odo_units *units,
			uint64_t min, uint64_t max, uint64_t *cycles, odo_error *err);

/** @param made zeroed; for cli_emulation_clear(), also after a failure */
int cli_emulation_create(const cli_traffic *traffic, const cli_system *system, uint64_t seed,
			 cli_emulation *made, odo_error *err);
void cli_emulation_clear(cli_emulation *made);

/** Add the settings: fabric, routing, pattern, model. */
void cli_answer_traffic(json_t **answer, const cli_traffic *traffic, const cli_system *system);
/** Add the other settings that the measures depend on, so that the run can be repeated: the fabric
 * as named, fields of the model, ranks and their places, hosts that take part, seed, cycles,
 * version. */
void cli_answer_provenance(json_t **answer, const cli_call *call, const cli_traffic *traffic,
			   const cli_emulation *made);
/** Add the model in words: its preset and paper, and fields that differ from the preset. */
void cli_answer_model(json_t **answer, const char *spec, const odo_model *model);
/** Count loads per host that takes part, instead of per host. */
void cli_count_active(const cli_emulation *made, odo_measures *m);
/** The measures of one run. */
void cli_answer_run(json_t **answer, const odo_emulation *e, const odo_measures *m,
		    const cli_details *details);
/** Return the cycles of an interval of m->intervals. The last one may be short. The result is at
 * least 1, because a workload's last packet may arrive in the first cycle of an interval. */
uint64_t cli_interval_length(const odo_measures *m, uint32_t interval, uint32_t cycles);
/** Return packets received by latency: a row for each bucket that is not empty. */
json_t *cli_histogram(const odo_histogram *histogram);
/** Return packets that the hosts of each switch generated and injected. */
json_t *cli_by_switch(const odo_fabric *f, const odo_measures *m);
/** Return grants by class of link. */
json_t *cli_hops(const odo_measures *m);
/** Return the busiest cables between switches, with the share of time in which they carry a
 * phit. */
json_t *cli_busiest(const odo_emulation *e, const odo_measures *m, uint32_t wanted);
/** Return the measures of a run in one row. */
json_t *cli_point(double load, const odo_measures *m);

/** Add "units": a phit in bytes and a cycle in nanoseconds. */
void cli_answer_units(json_t **answer, const odo_fabric *f, const odo_model *model,
		      const odo_units *units);
/** Add bounds on the load of a host in GB/s, beside the bounds already in the answer:
 * "saturation_at_most_GB_per_s", or "GB_per_s" in rows of "bounds". Errors: ODO_ENOMEM. */
int cli_answer_real_bounds(json_t **answer, const odo_fabric *f, odo_error *err);
/** Check that a model knows bytes and time. Errors: ODO_EINPUT if it does not, or if there is no
 * such model. */
int cli_check_real(const char *model, odo_error *err);
/** Add "real": the load of a host in GB/s and packets per second, and latencies in microseconds.
 * Add such columns to the rows of the answer. */
void cli_answer_real(json_t **answer, const odo_units *units, const odo_measures *m);
/** Add the same columns to a row. */
void cli_answer_real_columns(json_t **row, const odo_units *units, const odo_measures *m);

#endif
