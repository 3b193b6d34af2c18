/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * The model of switches and links: fields that a preset sets and an option changes. Time is in
 * cycles, sizes are in phits, and a link of speed 1 carries one phit a cycle.
 */
#ifndef ODONATA_EMULATOR_MODEL_H
#define ODONATA_EMULATOR_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/options.h"
#include "fabric/fabric.h"

/** Classes of links, by length. Cables of class ODO_PORT_GLOBAL of a dragonfly are global, those of
 * hosts are host links, all others local. */
typedef enum odo_link_class {
	ODO_LINK_LOCAL,
	ODO_LINK_GLOBAL,
	ODO_LINK_HOST,
	ODO_N_LINK_CLASSES
} odo_link_class;

typedef enum odo_arbiter {
	ODO_ARBITER_LRS,         /**< least recently served */
	ODO_ARBITER_ROUND_ROBIN, /**< next after the one served last */
} odo_arbiter;

/** Behaviour of a source whose injection queue is full. */
typedef enum odo_source_full {
	ODO_SOURCE_WAITS, /**< keeps generating: an unbounded queue in the host's memory, whose time
			   * counts as latency (paper 000, section 4) */
	ODO_SOURCE_DROPS, /**< drops the packet (FOGSim's later versions) */
	ODO_SOURCE_STOPS, /**< generates no packets while the queue used last is full (FOGSim's
			   * first version) */
} odo_source_full;

/** Selection of a host's injection queue for a packet (paper 003, section IV.C). */
typedef enum odo_queue_policy {
	ODO_QUEUE_DEST,   /**< by section of the destinations */
	ODO_QUEUE_RANDOM, /**< any queue with space */
	ODO_QUEUE_VL,     /**< by the VL that the tables inject on */
} odo_queue_policy;

/** How packets share links. */
typedef enum odo_flow_control {
	ODO_FLOW_PACKETS, /**< a packet crosses as a whole (virtual cut-through) */
	ODO_FLOW_FLITS,   /**< each phit crosses by itself, in a channel that its packet owns until
			       its tail has passed (virtual-channel flow control) */
} odo_flow_control;

/** Every field is uint32_t, so a row of odo_model_options can describe any of them. */
typedef struct odo_model {
	uint32_t packet;     /**< phits of a packet; workloads may send smaller ones */
	uint32_t phit_bytes; /**< size of a phit, for messages of workloads and for units; ignored
			      * otherwise */
	uint32_t flow;       /**< odo_flow_control */
	/** With flits: channels of each of the routing's VLs; a packet takes any free one. Each
	 * channel has its own buffer. */
	uint32_t channels;
	/** Cycles from the grant until the head can be used at the other end, by link class. A
	 * credit takes the same time. Host links: from entering the injection queue. */
	uint32_t latency[ODO_N_LINK_CLASSES];
	/** Phits of input buffer per VL (with flits, per channel), by link class. Host links: per
	 * injection queue. */
	uint32_t buffer[ODO_N_LINK_CLASSES];
	/** VLs of local and global links; 0: as many as tables or policy need. */
	uint32_t vls[2];

	uint32_t injection_queues; /**< per host */
	uint32_t queue_policy;     /**< odo_queue_policy */
	uint32_t source_full;      /**< odo_source_full */

	uint32_t iterations;       /**< rounds per cycle of the separable, input-first allocator */
	uint32_t arbiter;          /**< odo_arbiter, of inputs and outputs */
	uint32_t input_parallel;   /**< VLs of one input that may be sending at a time; a port still
				    * wins at most one grant per cycle */
	uint32_t transit_first;    /**< 1: outputs serve switches before hosts */
	uint32_t minimal_first;    /**< 1, with adaptive tables: inputs and outputs serve packets on
				    * ways of the best priority first */
	uint32_t speedup;          /**< of the crossbar over the links */
	uint32_t output_buffer;    /**< phits per output port behind the crossbar; 0: none, the
				    * crossbar feeds the link */
	uint32_t pipeline;         /**< cycles through the switch, besides queueing */
	uint32_t credit_latency;   /**< cycles by which a credit takes longer than its link */
	uint32_t link_rates;       /**< 1: links are as fast as the fabric says, and the fastest
				    * carries a phit per cycle; 0: all links are equally fast */
	uint32_t ejection_latency; /**< cycles from an output to its host */
	uint32_t paced_hosts;   /**< 1: a host's cable carries a phit per cycle; 0: its packets are
				 * in their injection queues at once, limited only by the
				 * crossbar */
	uint32_t paced_credits; /**< 1, with flits: a link carries a credit per cycle; 0: as many as
				 * its buffer frees, which is more if the crossbar is faster */
} odo_model;

/** A named model. */
typedef struct odo_model_preset {
	const char *name, *summary;
	const char *paper; /**< source of the figures */
	/** Fields that are times, such as "pipeline=160ns", for fabrics of any rate; NULL: all are
	 * cycles. `model` has their cycles at 4xQDR. */
	const char *times;
	odo_model model;
} odo_model_preset;

/** Table of presets, ending with a NULL name; the first is the default. */
extern const odo_model_preset odo_model_presets[];

/** Units in which a field can be given, besides plain numbers. */
typedef enum odo_model_unit {
	ODO_PLAIN,
	ODO_CYCLES, /**< such as 5m of cable, 200ns or 1us, if a model defines times (units.h) */
	ODO_PHITS   /**< such as 256B, 4KiB or 1MiB */
} odo_model_unit;

/** A field of the model that a user can set. */
typedef struct odo_model_option {
	odo_option row; /**< has no default value; the preset supplies it */
	size_t offset;  /**< of the field in odo_model */
	/** Older results may lack this field: they were made as if it had been 0. */
	bool older;
	odo_model_unit unit;
} odo_model_option;

/** Table of fields, ending with a NULL name. */
extern const odo_model_option odo_model_options[];

/** Return the preset that a spec names; the first preset if it names none; NULL if the name is
 * unknown. */
const odo_model_preset *odo_model_preset_of(const char *spec);

/** Return the preset whose name is the first n letters of `name`, or NULL. */
const odo_model_preset *odo_model_find(const char *name, size_t n);

/**
 * Read the model that a spec describes: a preset's name, fields, or both, as in
 * "ofar:packet=4,buffer-local=64". "" is the default preset.
 * @param f fabric whose fastest link sets the length of a cycle, for times as in
 * "infiniband:pipeline=200ns"; times are rounded to whole cycles. NULL: only the other fields of
 * `out` are valid, and a preset's times are those at 4xQDR
 *
 * Errors: ODO_EINPUT for an unknown name, a field given twice, a value out of range, or a time for
 * a model that defines no times.
 */
int odo_model_parse(const char *spec, const odo_fabric *f, odo_model *out, odo_error *err);

/** The same with further fields, which override those of the spec. @param changes "" for none */
int odo_model_change(const char *spec, const char *changes, const odo_fabric *f, odo_model *out,
		     odo_error *err);

/** Packets needed for so many bytes, the last one perhaps partly filled; at most UINT32_MAX. */
uint32_t odo_model_packets(const odo_model *model, uint64_t bytes);

/** Refuse combinations of fields that cannot be run, such as buffers that hold no packet. */
int odo_model_check(const odo_model *model, odo_error *err);

#endif
