/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** What the verifier's files share. */
#ifndef ODONATA_ROUTING_VERIFY_INTERNAL_H
#define ODONATA_ROUTING_VERIFY_INTERNAL_H

#include "routing/dependency.h"
#include "routing/verify.h"

/** How much of a packet's way its VLs depend on, from nothing but the SL to all there is. */
typedef enum odo_verify_vls {
	ODO_VLS_BY_SL,
	ODO_VLS_BY_OUTPUT, /**< and the output port */
	ODO_VLS_BY_INPUT,  /**< and the input port */
} odo_verify_vls;

/** A column that has been followed. */
typedef struct odo_verify_kept {
	uint32_t lid, next; /**< of the same switch, or ODO_NONE */
	uint8_t *column;    /**< with SLs per pair these follow */
	uint8_t *inputs;    /**< ports by which packets reach the LID's switch, 0 ends them */
} odo_verify_kept;

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
	odo_verify_vls depend_on[ODO_N_SLS]; /* of each SL */
	uint8_t vl_of_sl[ODO_N_SLS];         /* where nothing else matters */
	uint16_t *
		sls_on; /* [slots of switches * n_vls] SLs on that VL, where inputs do not matter */
	uint16_t *passed; /* [slots of switches * most_ports] with SLs per pair: those that go on
			     from the slot to each port of the next switch; or NULL */
	unsigned most_ports;
	bool vls_exist;      /* of every cable and SL, so that they need no looking at */
	uint16_t *from_host; /* [slot * n_sls + sl] VLs on which the switch's own hosts use it */
	uint8_t *block;      /* [ODO_COLUMNS * stride] columns */
	uint8_t *sl_block;   /* with SLs per pair: the same of SLs */
	size_t stride;
	odo_verify_kept *kept;
	size_t kept_room;
	uint32_t n_kept, *first_kept; /* [n] */
	/* Of the column being followed. */
	uint16_t *depth;
	uint32_t *slot, *to;        /* [n] by which each switch sends, and where to; or ODO_NONE */
	uint32_t *was_to, measured; /* `to` of the column measured last, and its switch */
	uint32_t *order; /* [n_order] what arrives, every switch before those behind it */
	uint32_t n_order, *stack;
	uint16_t *leaving; /* VLs on which packets leave each switch */
	uint8_t *next_vl;  /* VL on which a switch's packets leave the next one */
	uint16_t *sls;     /* with SLs per pair: those of the packets that pass */
	uint32_t most_hops;
} odo_proof;

/** Record a failure's text if it is the first. */
void odo_verdict_fail(odo_verdict *v, const char *format, ...)
	__attribute__((format(printf, 2, 3), cold));

/** Fill all about VLs, and `next` (verify_vls.c). ODO_ENOMEM, without a message. */
int odo_verify_prepare_vls(odo_proof *p);

/** Record where VL `vl` on a slot is beyond the link or the tables, for a LID (verify_vls.c). */
void odo_verify_vl(odo_proof *p, uint32_t slot, unsigned vl, uint32_t lid);

/**
 * Follow a LID's column, unless an equal one has been (verify_follow.c).
 * @param column [n] output port of each switch
 * @param sls    [n] SL from each switch; read only with SLs per pair
 * @return 0, or ODO_ENOMEM without a message; failures go to the verdict
 */
int odo_verify_lid(odo_proof *p, const uint8_t *column, const uint8_t *sls, uint32_t lid);

/** Once all columns are followed: the dependencies of what `passed` (verify_follow.c). */
void odo_verify_passed(odo_proof *p);

/**
 * Follow every choice of an adaptive routing (verify_adaptive.c).
 * @param part [n_switches] connected parts
 * @param deps gets the dependencies that must have no cycle
 */
int odo_verify_adaptive(const odo_tables *t, const uint32_t *part, const odo_dependencies *deps,
			odo_verdict *verdict, odo_error *err);

/** True where odo_verify_adaptive() measures paths; else the dependencies bound them. */
bool odo_verify_measures_paths(const odo_tables *t);

/** Add the dependencies of static tables to a graph of as many VLs; ODO_EUNSAFE where they do
 * not deliver (verify.c). */
int odo_verify_collect(const odo_tables *t, const odo_dependencies *deps, odo_error *err);

/** VL on which packets sent by `slot` leave the switch that it leads to by a port. */
static inline unsigned odo_verify_vl_after(const odo_proof *p, uint32_t slot, unsigned port,
					   unsigned sl)
{
	return p->vls[sl * p->plane + p->vl_at[slot] + port];
}

#endif
