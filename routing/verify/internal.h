/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the verifier's files share. */
#ifndef ODONATA_ROUTING_VERIFY_INTERNAL_H
#define ODONATA_ROUTING_VERIFY_INTERNAL_H

#include "routing/graph/columns.h"
#include "routing/graph/dependency.h"
#include "routing/verify/verify.h"

/** A column that has been followed, as long as others may be equal to it. */
typedef struct odo_verify_kept {
	uint32_t lid, next; /**< of the same switch, or ODO_NONE */
	const uint8_t *column, *sls;
	const uint8_t *inputs; /**< ports by which packets reach the LID's switch, 0 ends them */
	uint8_t *copy;         /**< what holds these; NULL while they lie in the block */
} odo_verify_kept;

/** Where the packets of a column go. Columns of a block that differ in nothing but which of
 * parallel cables they take share one. */
typedef struct odo_verify_shape {
	uint32_t home;
	unsigned sl;  /* of all its packets; 0 with SLs per pair */
	uint32_t *to; /**< [n] switch after each, or ODO_NONE; the LID's own included */
	/** The shape whose depths and order are this one's too: itself or one before. */
	const struct odo_verify_shape *levels;
	uint16_t *depth;          /**< [n] links to go */
	uint32_t *order, n_order; /**< what arrives, every switch before those behind it */
	bool sorted;              /**< nearest first */
	bool complete;            /**< nothing of the connected part is lost */
	const uint8_t *sls; /**< SL from each switch, in the block; NULL without any per pair */
	/** [n] where the VLs are settled by where packets go: SLs of those that each switch sends
	 * to one that sends them on */
	uint16_t *set;
} odo_verify_shape;

/** A proof under way. */
typedef struct odo_proof {
	const odo_tables *t;
	const odo_fabric *f;
	odo_verdict *verdict;
	odo_dependencies deps;
	uint32_t n;
	int n_parts;
	uint32_t *part;
	uint32_t *next;  /* [slots of switches] switch at the far end, or ODO_NONE */
	uint32_t *vl_at; /* [the same] where in a plane the VLs by output port are, there */
	uint8_t *vls;    /* [n_sls] planes of VLs; inputs of a switch with equal maps share them */
	size_t plane;
	bool by_input;  /* the way that packets came matters for some SL */
	uint8_t *vl_on; /* [slots of switches * n_sls] the VL, where it does not */
	uint8_t *
		passed; /* [slots of switches * most_ports], and again for SLs above 7, then: SLs
			   of what goes on from the slot to each port of the next switch; or NULL */
	size_t passed_size;
	unsigned most_ports;
	uint16_t *unserved;  /* [slots] the verdict's, where VL arbitration is known */
	bool vls_exist;      /* of every cable and SL, so that they need no looking at */
	uint16_t *from_host; /* [slot * n_sls + sl] VLs on which the switch's own hosts use it */
	uint8_t *block;      /* [ODO_COLUMNS * stride] columns */
	uint8_t *sl_block;   /* with SLs per pair: the same of SLs */
	size_t stride;
	odo_verify_shape shapes[ODO_COLUMNS + 1]; /* of the block, and one to try */
	unsigned n_shapes;
	const odo_verify_shape *shape_of[ODO_COLUMNS]; /* by column, NULL for one not followed */
	odo_verify_kept *kept;
	size_t kept_room;
	uint32_t n_kept, kept_before; /* the block */
	uint32_t *first_kept;         /* [n] */
	uint32_t *last_lid;           /* [n] of each switch */
	uint8_t *inputs; /* [ODO_COLUMNS * (ODO_MAX_PORTS + 1)] of the block's columns */
	/* Of the column being followed. */
	uint32_t *stack;
	uint32_t *n_deep;  /* [n + 1] switches of a depth */
	uint16_t *leaving; /* VLs on which packets leave each switch */
	uint8_t *next_vl;  /* VL on which a switch's packets leave the next one */
	uint16_t *sls;     /* with SLs per pair: those of the packets that pass */
	uint32_t most_hops;
	bool sound_before_strays; /* dependencies of the fabric's own LIDs have no cycle */
} odo_proof;

/** Record a failure's text if it is the first. */
void odo_verdict_fail(odo_verdict *verdict, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));

/** Fill all about VLs, and `next` (vls.c). ODO_ENOMEM, without a message. */
int odo_verify_prepare_vls(odo_proof *proof);

/** VLs that a slot's link and the tables both have. */
static inline unsigned odo_verify_n_vls(const odo_proof *proof, uint32_t slot)
{
	return proof->t->n_vls < proof->f->n_vls[slot] ? proof->t->n_vls : proof->f->n_vls[slot];
}

/** VLs on which a slot sends, a bit each: those above that its VL arbitration serves. */
static inline unsigned odo_verify_vls(const odo_proof *proof, uint32_t slot)
{
	unsigned served = proof->t->served ? proof->t->served[slot] : UINT16_MAX;
	return ((1u << odo_verify_n_vls(proof, slot)) - 1) & served;
}

/** Record where VL `vl` is none of these, for a LID (vls.c). */
void odo_verify_vl(odo_proof *proof, uint32_t slot, unsigned vl, uint32_t lid);

/** Record each of `vls` on which the slot does not send. */
static inline void odo_verify_check_vls(odo_proof *proof, uint32_t slot, unsigned vls, uint32_t lid)
{
	for (unsigned over = vls & ~odo_verify_vls(proof, slot); over; over &= over - 1)
		odo_verify_vl(proof, slot, (unsigned)__builtin_ctz(over), lid);
}

/** Channels of a slot, on each of `vls`, wait for one on `next_vl` of a port behind it. What is
 * beyond the tables' VLs has been told of. */
static inline void odo_verify_depend(const odo_proof *proof, uint32_t slot, unsigned vls,
				     unsigned port, unsigned next_vl)
{
	unsigned left = vls & ((1u << proof->t->n_vls) - 1);
	for (; left && next_vl < proof->t->n_vls; left &= left - 1)
		odo_depend(&proof->deps, slot, (unsigned)__builtin_ctz(left), port, next_vl);
}

/** Room for the shapes of a block (shapes.c). ODO_ENOMEM, without a message. */
int odo_verify_prepare_shapes(odo_proof *proof);
void odo_verify_clear_shapes(odo_proof *proof);

/**
 * The shape of column `k` of the block. A new one is measured: what is lost or goes round goes to
 * the verdict.
 * @param sls [n] SL from each switch; NULL without SLs per pair
 */
const odo_verify_shape *odo_verify_shape_of(odo_proof *proof, unsigned k, const uint8_t *sls,
					    uint32_t lid);

/** Note what the block's columns pass on, where the VLs follow from it. */
void odo_verify_end_shapes(odo_proof *proof);

/** Once all columns are followed: the dependencies of what `passed`. */
void odo_verify_passed(odo_proof *proof);

/** Record that switch `s` does not lead a LID on to another switch (follow.c). */
void odo_verify_dead_end(odo_proof *proof, uint32_t s, uint32_t lid, unsigned port);

/**
 * Follow column `k` of the block, unless an equal one has been (follow.c).
 * @return 0, or ODO_ENOMEM without a message; failures go to the verdict
 */
int odo_verify_lid(odo_proof *proof, unsigned k, uint32_t lid);

/** Done with the block, which ends before LID `end`. ODO_ENOMEM, without a message. */
int odo_verify_end_block(odo_proof *proof, uint32_t end);

/**
 * Follow every choice of an adaptive routing (adaptive.c).
 * @param part [n_switches] connected parts
 * @param deps gets the dependencies that must have no cycle
 */
int odo_verify_adaptive(const odo_tables *t, const uint32_t *part, const odo_dependencies *deps,
			odo_verdict *verdict, odo_error *err);

/** Follow what connections hold from earlier tables (held.c): its dependencies join the others, and
 * what is lost or lacks a VL goes to the verdict. After the paths themselves. */
void odo_verify_held(odo_proof *proof);

/**
 * Follow entries of LIDs that no port has (stray.c), after all others. Loops go to the verdict. All
 * else joins the dependencies where its SL makes no difference, and is counted where it does.
 * @return 0 or ODO_ENOMEM
 */
int odo_verify_strays(odo_proof *proof, odo_error *err);

/** True where odo_verify_adaptive() measures paths; else the dependencies bound them. */
bool odo_verify_measures_paths(const odo_tables *t);

/**
 * Collect the dependencies of static tables (verify.c).
 * @param deps  for odo_dependencies_clear(), also on ODO_ENOMEM
 * @param sound all is delivered, on VLs that exist and are served
 */
int odo_verify_follow(const odo_tables *t, odo_dependencies *deps, bool *sound, odo_error *err);

/** Add the dependencies of static tables to a graph of as many VLs; ODO_EUNSAFE where they do
 * not deliver (verify.c). */
int odo_verify_collect(const odo_tables *t, const odo_dependencies *deps, odo_error *err);

/** True for an entry by which carried tables leave out a pair. */
static inline bool odo_verify_is_missing(const odo_proof *proof, unsigned port)
{
	return proof->t->carried && port == ODO_NO_PORT;
}

/** VL on which packets sent by `slot` leave the switch that it leads to by a port. */
static inline unsigned odo_verify_vl_after(const odo_proof *proof, uint32_t slot, unsigned port,
					   unsigned sl)
{
	return proof->vls[sl * proof->plane + proof->vl_at[slot] + port];
}

#endif
