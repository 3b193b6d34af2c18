/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Union-find over an array of parents, and lists of members. The smallest member is the root, so
 * that the order of classes does not depend on the order of unions. */
#ifndef ODONATA_MAPPING_GRAPH_UNIONFIND_H
#define ODONATA_MAPPING_GRAPH_UNIONFIND_H

#include <stdint.h>
#include <string.h>

static inline void odo_uf_reset(uint32_t *parent, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		parent[i] = i;
}

static inline uint32_t odo_uf_find(uint32_t *parent, uint32_t x)
{
	while (parent[x] != x) {
		parent[x] = parent[parent[x]];
		x = parent[x];
	}
	return x;
}

static inline void odo_uf_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
	if (parent[a] == parent[b]) /* the usual case once classes have formed */
		return;
	a = odo_uf_find(parent, a);
	b = odo_uf_find(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
}

/** Flatten the trees, so that parent[x] is the root of every x. */
static inline void odo_uf_flatten(uint32_t *parent, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		parent[i] = parent[parent[i]]; /* roots are smaller, thus flat already */
}

/** Number sets in order of their smallest member: number [n] by label, UINT32_MAX for none. Return
 * the number of sets.
 * @param of [n] label of each member, below n */
static inline uint32_t odo_uf_number(const uint32_t *of, uint32_t n, uint32_t *number)
{
	uint32_t sets = 0;
	memset(number, 0xFF, n * sizeof *number);
	for (uint32_t v = 0; v < n; v++)
		if (number[of[v]] == UINT32_MAX)
			number[of[v]] = sets++;
	return sets;
}

/**
 * List members by set: those of set c are member[first[c]] to member[first[c + 1] - 1], in order.
 * @param number [n] number of each label, below `sets`; NULL: labels are numbers
 * @param first [n + 2]
 * @param member [n]
 */
static inline void odo_uf_list(const uint32_t *of, uint32_t n, const uint32_t *number,
			       uint32_t sets, uint32_t *first, uint32_t *member)
{
	memset(first, 0, ((size_t)n + 2) * sizeof *first);
	for (uint32_t v = 0; v < n; v++)
		first[(number ? number[of[v]] : of[v]) + 2]++;
	for (uint32_t c = 0; c < sets; c++)
		first[c + 2] += first[c + 1];
	for (uint32_t v = 0; v < n; v++)
		member[first[(number ? number[of[v]] : of[v]) + 1]++] = v;
}

#endif
