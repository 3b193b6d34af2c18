/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** State and functions that the verifier's files share. */
#ifndef ODONATA_ROUTING_VERIFY_INTERNAL_H
#define ODONATA_ROUTING_VERIFY_INTERNAL_H

#include "base/arena.h"
#include "routing/graph/columns.h"
#include "routing/graph/dependency.h"
#include "routing/verify/verify.h"

/** A column that has been followed, stored while others may be equal to it. */
typedef struct odo_verify_kept {
	uint32_t lid, next; /**< next: another stored column of the same switch, or ODO_NONE */
	const uint8_t *column, *sls;
	const uint8_t *inputs; /**< ports by which packets reach the LID's switch, ended by 0 */
	uint8_t *copy;         /**< memory of these arrays; NULL while they are in the block */
} odo_verify_kept;

/** Paths of the packets of a column. Columns of a block share a shape if they differ only in the
 * choice of parallel cables. */
typedef struct odo_verify_shape {
	uint32_t home;
	unsigned sl;  /* SL of all its packets; 0 with SLs per pair */
	uint32_t *to; /**< [n] next switch of each, or ODO_NONE; ODO_NONE for the LID's own */
	/** The shape whose depths and order also hold for this one: itself or an earlier one. */
	const struct odo_verify_shape *levels;
	uint16_t *depth;          /**< [n] links to go */
	uint32_t *order, n_order; /**< switches whose packets arrive; every switch comes before
				     those that send through it */
	bool sorted;              /**< nearest first */
	bool complete;            /**< no switch of the connected part loses packets */
	const uint8_t *sls; /**< SL from each switch, in the block; NULL without any per pair */
	/** [n] if VLs follow from outputs: SLs of packets that each switch sends to one that
	 * forwards them */
	uint16_t *set;
} odo_verify_shape;

/** Kinds of LIDs, a bit each. */
enum { ODO_OF_HOSTS = 1, ODO_OF_SWITCHES = 2 };

/** State of a proof. */
typedef struct odo_proof {
	const odo_tables *t;
	const odo_fabric *f;
	odo_verdict *verdict;
	odo_arena memory; /* all arrays, except those that are freed earlier or later */
	odo_dependencies deps;
	const odo_dependencies *of_hosts; /* NULL, or gets those of packets to hosts */
	unsigned kinds;                   /* of LIDs that are followed now */
	uint32_t n_trees;                 /* columns followed so far */
	uint32_t n;
	int n_parts;
	uint32_t *part;
	uint32_t *next;  /* [slots of switches] switch at the far end, or ODO_NONE */
	uint32_t *vl_at; /* [slots of switches] index within a plane of the VLs by output port, at
			    the far end */
	uint8_t *vls;    /* [n_sls] planes of VLs; inputs of a switch with equal maps share them */
	size_t plane;
	bool by_input;  /* for some SL, the VL depends on the input port */
	uint8_t *vl_on; /* [slots of switches * n_sls] the VL, if it does not depend on the input
			   port */
	/* NULL; or [slots of switches * most_ports], and again for SLs above 7: SLs of packets that
	 * continue from the slot to each port of the next switch */
	uint8_t *passed;
	size_t passed_size;
	unsigned most_ports;
	uint16_t *unserved;  /* [slots] as in the verdict, if VL arbitration is known */
	bool vls_exist;      /* all VLs exist, for every cable and SL: no checks are needed */
	uint16_t *from_host; /* [slot * n_sls + sl] VLs on which the switch's own hosts use it */
	uint8_t *block;      /* [ODO_COLUMNS * stride] columns */
	uint8_t *sl_block;   /* with SLs per pair: SLs in the same format */
	size_t stride;
	odo_verify_shape shapes[ODO_COLUMNS + 1]; /* shapes of the block, and one to try */
	unsigned n_shapes;
	/* by column; NULL if the column was not followed */
	const odo_verify_shape *shape_of[ODO_COLUMNS];
	odo_verify_kept *kept;
	size_t kept_room;
	uint32_t n_kept, kept_before; /* kept_before: stored before this block */
	uint32_t *first_kept;         /* [n] */
	uint32_t *last_lid;           /* [n] last LID of each switch */
	uint8_t *inputs; /* [ODO_COLUMNS * (ODO_MAX_PORTS + 1)] of the block's columns */
	/* For the current column: */
	uint32_t *stack;
	uint32_t *n_deep;  /* [n + 1] switches of a depth */
	uint16_t *leaving; /* VLs on which packets leave each switch */
	uint8_t *next_vl;  /* VL on which a switch's packets leave the next one */
	uint16_t *sls;     /* with SLs per pair: SLs of the packets that cross a switch */
	uint32_t most_hops;
	bool sound_before_strays; /* dependencies of the fabric's own LIDs have no cycle */
} odo_proof;

/** Return true if a LID's packets are followed now. */
static inline bool odo_verify_follows(const odo_proof *proof, uint32_t lid)
{
	const odo_fabric *f = proof->f;
	if (f->lid_host[lid] != ODO_NONE)
		return proof->kinds & ODO_OF_HOSTS;
	return proof->kinds & ODO_OF_SWITCHES && f->lid_switch[lid] != ODO_NONE &&
	       !proof->t->hosts_only;
}

/** Record a failure's text if it is the first. */
void odo_verdict_fail(odo_verdict *verdict, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));

/** Fill in everything about VLs, and `next` (vls.c), unless the arena fails. */
void odo_verify_prepare_vls(odo_proof *proof);

/** Return the number of VLs that a slot's link and the tables both have. */
static inline unsigned odo_verify_n_vls(const odo_proof *proof, uint32_t slot)
{
	return proof->t->n_vls < proof->f->n_vls[slot] ? proof->t->n_vls : proof->f->n_vls[slot];
}

/** Return the VLs on which a slot sends, a bit each: those above that its VL arbitration serves. */
static inline unsigned odo_verify_vls(const odo_proof *proof, uint32_t slot)
{
	unsigned served = proof->t->served ? proof->t->served[slot] : UINT16_MAX;
	return ((1u << odo_verify_n_vls(proof, slot)) - 1) & served;
}

/** Record that VL `vl` is not one of these, for a LID (vls.c). */
void odo_verify_vl(odo_proof *proof, uint32_t slot, unsigned vl, uint32_t lid);

/** Record each of `vls` on which the slot does not send. */
static inline void odo_verify_check_vls(odo_proof *proof, uint32_t slot, unsigned vls, uint32_t lid)
{
	for (unsigned over = vls & ~odo_verify_vls(proof, slot); over; over &= over - 1)
		odo_verify_vl(proof, slot, (unsigned)__builtin_ctz(over), lid);
}

/** Add dependencies: channels of a slot, on each of `vls`, wait for a channel on `next_vl` of a
 * port of the next switch. VLs beyond those of the tables are already reported. */
static inline void odo_verify_depend(const odo_proof *proof, uint32_t slot, unsigned vls,
				     unsigned port, unsigned next_vl)
{
	unsigned left = vls & ((1u << proof->t->n_vls) - 1);
	for (; left && next_vl < proof->t->n_vls; left &= left - 1)
		odo_depend(&proof->deps, slot, (unsigned)__builtin_ctz(left), port, next_vl);
}

/** Allocate the shapes of a block (shapes.c). */
void odo_verify_prepare_shapes(odo_proof *proof);

/**
 * Return the shape of column `k` of the block. A new shape is measured: lost packets and loops are
 * reported to the verdict.
 * @param sls [n] SL from each switch; NULL without SLs per pair
 */
const odo_verify_shape *odo_verify_shape_of(odo_proof *proof, unsigned k, const uint8_t *sls,
					    uint32_t lid);

/** Record the hops of the block's columns, if VLs follow from them. */
void odo_verify_end_shapes(odo_proof *proof);

/** Add the dependencies of `passed`, once all columns are followed. */
void odo_verify_passed(odo_proof *proof);

/** Record that switch `s` does not lead a LID on to another switch (follow.c). */
void odo_verify_dead_end(odo_proof *proof, uint32_t s, uint32_t lid, unsigned port);

/**
 * Follow column `k` of the block, unless an equal one has been (follow.c).
 * @return 0, or ODO_ENOMEM without a message; failures go to the verdict
 */
int odo_verify_lid(odo_proof *proof, unsigned k, uint32_t lid);

/** Finish the block, which ends before LID `end`. ODO_ENOMEM, without a message. */
int odo_verify_end_block(odo_proof *proof, uint32_t end);

/**
 * Follow every choice of an adaptive routing (adaptive.c).
 * @param part [n_switches] connected parts
 * @param deps gets the dependencies that must have no cycle
 */
int odo_verify_adaptive(const odo_tables *t, const uint32_t *part, const odo_dependencies *deps,
			odo_verdict *verdict, odo_error *err);

/** Follow SLs that connections from earlier tables still use (held.c). Their dependencies are added
 * to the others; lost packets and missing VLs are reported to the verdict. Call it after the paths
 * themselves. */
void odo_verify_held(odo_proof *proof);

/**
 * Follow entries of LIDs that no port has (stray.c), after all others. Report loops to the verdict.
 * Add the dependencies of the other packets if their SL makes no difference; otherwise count the
 * LIDs.
 * @return 0 or ODO_ENOMEM
 */
int odo_verify_strays(odo_proof *proof, odo_error *err);

/** Return true if odo_verify_adaptive() measures paths; otherwise the dependencies bound them. */
bool odo_verify_measures_paths(const odo_tables *t);

/**
 * Collect the dependencies of static tables (verify.c).
 * @param deps  clear with odo_dependencies_clear(), also on ODO_ENOMEM
 * @param sound gets true if all packets are delivered, on VLs that exist and are served
 */
int odo_verify_follow(const odo_tables *t, odo_dependencies *deps, bool *sound, odo_error *err);

/** Add the dependencies of static tables to a graph with the same number of VLs; ODO_EUNSAFE if the
 * tables do not deliver (verify.c). */
int odo_verify_collect(const odo_tables *t, const odo_dependencies *deps, odo_error *err);

/** Return true for an entry with which carried tables leave out a pair. */
static inline bool odo_verify_is_missing(const odo_proof *proof, unsigned port)
{
	return proof->t->from.carried && port == ODO_NO_PORT;
}

/** Return the VL on which packets from `slot` leave the next switch by a port. */
static inline unsigned odo_verify_vl_after(const odo_proof *proof, uint32_t slot, unsigned port,
					   unsigned sl)
{
	return proof->vls[sl * proof->plane + proof->vl_at[slot] + port];
}

#endif
