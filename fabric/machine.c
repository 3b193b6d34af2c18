/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fabric/machine.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "fabric/fabric.h"

typedef struct word {
	const char *at;
	size_t length;
} word;

/* Characters between words. Square brackets are not among them: "cn[001]" is one word, and no host
 * name. */
static const char between[] = " \t,;:|=\"'<>(){}/";

static bool take_word(const char **at, word *out)
{
	*at += strspn(*at, between);
	*out = (word){*at, strcspn(*at, between)};
	*at += out->length;
	if (out->length > 2 && out->at[0] == '[' && out->at[out->length - 1] == ']')
		*out = (word){out->at + 1, out->length - 2};
	return out->length;
}

static bool word_begins_with(const word *w, const char *text, size_t n)
{
	return w->length >= n && !strncasecmp(w->at, text, n);
}

/* Beginnings of adapter names: those of drivers and udev, and those of scripts that count adapters.
 * From `least` to `most` letters and digits may follow, a digit first. "ib0" is an adapter; "ib01"
 * is a host. */
static const struct beginning {
	const char *text;
	size_t least, most;
} adapters[] = {{"mlx4_", 1, 3},   {"mlx5_", 1, 3}, {"mlx5_bond_", 1, 3}, {"mlx5_bond", 0, 3},
		{"mlx5_ib", 1, 3}, {"mthca", 1, 1}, {"hfi1_", 1, 2},      {"qib", 1, 1},
		{"ipath", 1, 1},   {"ib", 1, 1},    {"ibs", 1, 8},        {"ibp", 1, 12},
		{"HCA-", 1, 3},    {"HCA", 0, 3},   {"bond", 1, 1},       {"opa", 1, 1}};

static bool is_letters_and_digits(const char *text, size_t n)
{
	while (n && isalnum((unsigned char)text[n - 1]))
		n--;
	return !n;
}

static bool is_adapter(const word *w)
{
	for (size_t i = 0; i < sizeof adapters / sizeof *adapters; i++) {
		size_t n = strlen(adapters[i].text);
		if (!word_begins_with(w, adapters[i].text, n))
			continue;
		const char *behind = w->at + n;
		size_t more = w->length - n;
		if (more >= adapters[i].least && more <= adapters[i].most &&
		    (!more || isdigit((unsigned char)*behind)) &&
		    is_letters_and_digits(behind, more))
			return true;
	}
	return false;
}

/* Beginnings of words that firmware and drivers use in a description before the host has set its
 * name. */
static const char *const vendors[] = {
	"Mellanox",  "NVIDIA",    "ConnectX", "InfiniHost", "BlueField", "QLogic",     "Intel(R)",
	"TrueScale", "Omni-Path", "Cornelis", "Connect-IB", "Voltaire",  "Infiniband", "PathScale"};

static bool is_vendor(const word *w)
{
	for (size_t i = 0; i < sizeof vendors / sizeof *vendors; i++)
		if (word_begins_with(w, vendors[i], strlen(vendors[i])))
			return true;
	/* Chip numbers of Mellanox, such as MT4123 or MT25408. */
	size_t digits = 0;
	while (w->length > 2 && digits < w->length - 2 && isdigit((unsigned char)w->at[2 + digits]))
		digits++;
	return word_begins_with(w, "MT", 2) && digits >= 4 && digits <= 5 &&
	       digits + 2 == w->length;
}

/* Words that machines without a name use. */
static const char *const nobody[] = {"none",     "null",  "unknown",   "unnamed", "noname",
				     "hostname", "host",  "node",      "name",    "adapter",
				     "port",     "linux", "undefined", "all",     "default"};

static bool is_nobody(const word *w)
{
	static const char local[] = "localhost";
	size_t n = sizeof local - 1;
	if (word_begins_with(w, local, n) &&
	    (w->length == n || w->at[n] == '.' || isdigit((unsigned char)w->at[n])))
		return true;
	for (size_t i = 0; i < sizeof nobody / sizeof *nobody; i++)
		if (w->length == strlen(nobody[i]) && word_begins_with(w, nobody[i], w->length))
			return true;
	/* A name begins with a letter or a digit: programs take one with a dash for an option. */
	if (!isalnum((unsigned char)w->at[0]))
		return true;
	/* A number alone is a counter; a name has a letter, and an address has dots. */
	bool letter = false;
	for (size_t i = 0; i < w->length; i++)
		letter |= isalpha((unsigned char)w->at[i]) || w->at[i] == '.';
	return !letter;
}

/* Return the number in "mlx5_3" or "HCA-4", which name the same adapter. */
static uint32_t adapter_number(const word *adapter)
{
	uint64_t number;
	bool from_one = word_begins_with(adapter, "HCA-", 4);
	const char *at = adapter->at + (from_one ? 4 : 5), *end = adapter->at + adapter->length;
	if (!from_one && !word_begins_with(adapter, "mlx5_", 5))
		return ODO_NONE;
	if (!odo_take_digits(&at, end, 10, &number) || at != end || number < from_one ||
	    number > ODO_MAX_PORTS)
		return ODO_NONE;
	return (uint32_t)number - from_one;
}

/* Return the text after the machine's name, or else the text before it. */
static word rest_of(const char *description, const word *name)
{
	const char *behind = name->at + name->length;
	behind += strspn(behind, between);
	if (*behind)
		return (word){behind, strlen(behind)};
	size_t n = (size_t)(name->at - description);
	while (n && strchr(between, description[n - 1]))
		n--;
	return (word){description, n};
}

odo_machine odo_machine_of(const char *description)
{
	word name = {"", 0}, adapter = {"", 0}, w;
	/* Only drivers write both words. */
	bool vendor = strstr(description, "Mellanox Technologies");
	for (const char *at = description; take_word(&at, &w);) {
		vendor |= is_vendor(&w);
		if (is_adapter(&w))
			adapter = adapter.length ? adapter : w;
		else if (!vendor && !name.length && !is_nobody(&w))
			name = w;
	}
	if (name.length && !adapter.length)
		adapter = rest_of(description, &name);
	return (odo_machine){.name = name.at,
			     .adapter = adapter.at,
			     .length = name.length,
			     .adapter_length = adapter.length,
			     .number = adapter_number(&adapter)};
}

static int compare_texts(const char *x, size_t n, const char *y, size_t m)
{
	if (n != m)
		return n < m ? -1 : 1;
	return n ? memcmp(x, y, n) : 0;
}

int odo_machine_compare_names(const odo_machine *x, const odo_machine *y)
{
	return compare_texts(x->name, x->length, y->name, y->length);
}

int odo_machine_compare_adapters(const odo_machine *x, const odo_machine *y)
{
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->number != ODO_NONE ? 0
				     : compare_texts(x->adapter, x->adapter_length, y->adapter,
						     y->adapter_length);
}
