/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/** Union-find over an array of parents. The smallest member is the root, so that classes
 * come out in an order that no union changes. */
#ifndef ODONATA_MAPPING_UNIONFIND_H
#define ODONATA_MAPPING_UNIONFIND_H

#include <stdint.h>

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

/** Flatten, so that parent[x] is the root of every x. */
static inline void odo_uf_flatten(uint32_t *parent, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		parent[i] = parent[parent[i]]; /* roots are smaller, thus flat already */
}

#endif
