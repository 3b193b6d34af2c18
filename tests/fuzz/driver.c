/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Runs a fuzz target as an ordinary test: on every file of the folders named, and on seeded
 * mutations of them. What fails is written to crash.bin, to be run again by itself:
 *
 *   fuzz_fabric MUTATIONS_PER_FILE FILE|FOLDER... */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "fuzz.h"

#define INPUT_ROOM 65536

typedef struct input {
	size_t size;
	uint8_t data[INPUT_ROOM];
} input;

/* Files that the reader takes as they are: mutations of others hardly come past its first lines. */
static unsigned long n_taken;

/* For the signal handler alone. */
static const input *running;

static void keep_crash(int signal_number)
{
	FILE *to = fopen("crash.bin", "w");
	if (to && running)
		fwrite(running->data, 1, running->size, to);
	if (to)
		fclose(to);
	fprintf(stderr, "signal %d: the input is in crash.bin\n", signal_number);
	_exit(1);
}

static void run(const input *in)
{
	uint8_t *exact = malloc(in->size ? in->size : 1); /* so that ASan sees the bounds */
	running = in;
	memcpy(exact, in->data, in->size);
	LLVMFuzzerTestOneInput(exact, in->size);
	free(exact);
}

static void splice(input *x, size_t at, size_t cut, const void *paste, size_t n)
{
	if (x->size - cut + n > INPUT_ROOM)
		return;
	memmove(x->data + at + n, x->data + at + cut, x->size - at - cut);
	memcpy(x->data + at, paste, n);
	x->size += n - cut;
}

static void mutate(input *x, odo_rng *rng)
{
	static const char *const words[] = {"\n",        "\"",
					    "[1]",       "[0]",
					    "[255]",     "#",
					    "lid ",      "lmc",
					    "=",         "0x",
					    "(",         ")",
					    "Switch 8 ", "Ca 1 ",
					    "x",         ",",
					    "65535",     "-1",
					    "{",         "}",
					    ":",         "999999999999999999999"};
	uint8_t piece[64];
	uint32_t size = (uint32_t)x->size;
	size_t at = odo_rng_below(rng, size + 1), left = x->size - at;
	const char *word = words[odo_rng_below(rng, sizeof words / sizeof *words)];
	switch (odo_rng_below(rng, 6)) {
	case 0: /* another byte */
		if (left)
			x->data[at] = (uint8_t)odo_rng_next(rng);
		break;
	case 1: /* cut a piece out */
		splice(x, at, odo_rng_below(rng, (uint32_t)(left < 64 ? left : 64) + 1), "", 0);
		break;
	case 2: /* cut off the end */
		x->size = at;
		break;
	case 3:
		splice(x, at, 0, word, strlen(word));
		break;
	case 4: /* a word instead of others */
		splice(x, at, strlen(word) < left ? strlen(word) : left, word, strlen(word));
		break;
	default: { /* a piece of it again, elsewhere */
		size_t n = left < sizeof piece ? left : sizeof piece;
		memcpy(piece, x->data + at, n);
		splice(x, odo_rng_below(rng, size + 1), 0, piece, n);
	}
	}
}

static unsigned long run_file(const char *path, uint32_t mutations, odo_rng *rng)
{
	static input original, changed; /* too large for a stack */
	FILE *from = fopen(path, "r");
	if (!from) {
		fprintf(stderr, "cannot open %s\n", path);
		exit(1);
	}
	original.size = fread(original.data, 1, INPUT_ROOM, from);
	fclose(from);
	unsigned long taken = fuzz_taken;
	run(&original);
	n_taken += fuzz_taken > taken;
	for (uint32_t i = 0; i < mutations; i++) {
		changed.size = original.size;
		memcpy(changed.data, original.data, original.size);
		for (uint32_t n = 1 + odo_rng_below(rng, 6); n > 0; n--)
			mutate(&changed, rng);
		run(&changed);
	}
	return 1ul + mutations;
}

static unsigned long run_folder(const char *path, uint32_t mutations, odo_rng *rng)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, alphasort); /* the same order everywhere */
	unsigned long runs = 0;
	if (n < 0)
		return run_file(path, mutations, rng);
	for (int i = 0; i < n; i++) {
		char inner[1024];
		snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			runs += run_folder(inner, mutations, rng);
		free(entries[i]);
	}
	free(entries);
	return runs;
}

int main(int argc, char **argv)
{
	odo_rng rng = odo_rng_make(1, 0);
	unsigned long runs = 0;
	signal(SIGSEGV, keep_crash);
	signal(SIGABRT, keep_crash);
	for (int i = 2; i < argc; i++)
		runs += run_folder(argv[i], (uint32_t)strtoul(argv[1], NULL, 10), &rng);
	printf("%lu inputs; of the files %lu are taken\n", runs, n_taken);
	return runs && (n_taken || !strtoul(argv[1], NULL, 10)) ? 0 : 1;
}
