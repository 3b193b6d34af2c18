/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* No files crash the checker of certificates. Certificate, list of cables, and dumps stand one
 * behind the other. */
#include <setjmp.h>

#include "fuzz.h"

static jmp_buf answered;

int check_files(int argc, char **argv);

#define exit(code) longjmp(answered, (code) + 1)
#define printf(...) snprintf((char[1 << 13]){0}, 1 << 13, __VA_ARGS__)
#define putchar(letter) (void)(letter)
#define main check_files
#include "../../tools/check_certificate.c"
#undef main
#undef printf
#undef exit

static void forget_files(void)
{
	while (n_nodes)
		free(nodes[--n_nodes]);
	memset(&host, 0, sizeof host);
	memset(owner_of, 0, sizeof owner_of);
	memset(n_covered, 0, sizeof n_covered);
	now = &host;
	n_places = n_maps = 0;
	n_packets = n_apart = 0;
}

static void read_all(const char *text, int is_again)
{
	char line[1 << 12];
	while (*text) {
		size_t n = strcspn(text, "\n");
		n += text[n] == '\n';
		n = n < sizeof line ? n : sizeof line - 1;
		memcpy(line, text, n);
		line[n] = '\0';
		text += n;
		if (is_again)
			read_path(line);
		else
			read_line(line);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	if (!setjmp(answered)) {
		read_all(text, 0);
		read_all(text, 1);
		fuzz_taken += n_packets > 0;
	}
	forget_files();
	free(text);
	return 0;
}
