/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* State files: written as a whole, and removed when their manager has ended. */
#include "plugin/monitor/state.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "base/replace.h"
#include "export/certificate.h"
#include "fabric/rails.h"
#include "plugin/monitor/heartbeat.h"
#include "plugin/monitor/state_text.h"
#include "plugin/monitor/switches.h"

#define PREFIX "odonata"
#define CERTIFICATE ".certificate"

/* Seconds of silence after which a manager on another machine counts as ended: four heartbeats, as
 * in `odonata status`. */
enum { MOST_SILENT = 4 * ODO_HEARTBEAT };

/* A state file by the end of its name. */
static const struct ending {
	const char *text;
	int (*write)(const char *subnet, const odo_state *s, FILE *to, odo_error *err);
} endings[] = {{".json", odo_state_json}, {".prom", odo_state_prometheus}};
enum { N_ENDINGS = sizeof endings / sizeof *endings };

/* @param id of a subnet, or "" for names of older versions */
static void set_state_path(const char *folder, const char *id, const char *ending, char *path)
{
	snprintf(path, ODO_PATH_ROOM, "%.900s/" PREFIX "%s%s%s", folder, *id ? "-" : "", id,
		 ending);
}

/* Files are not synced: they tell of a running manager, which a loss of power ends. Readers check
 * the seal, the next sweep replaces the file, and syncing several files a sweep would make sweeps
 * wait for slow disks. */
static int write_state_file(const odo_state_texts *texts, unsigned i, odo_error *err)
{
	char path[ODO_PATH_ROOM];
	odo_draft draft;
	set_state_path(texts->folder, texts->id, endings[i].text, path);
	int status = odo_draft_open(&draft, path, 0644, 0, err);
	if (status)
		return status;
	fwrite(texts->text[i], 1, texts->size[i], draft.to); /* the draft knows of failures */
	return odo_draft_close(&draft, 0, err);
}

int odo_certificate_write(const char *folder, const odo_subnet *subnet, const odo_routed *routed,
			  odo_error *err)
{
	const odo_mcast *trees = routed->mcast_beside_new ? NULL : routed->mcast;
	char path[ODO_PATH_ROOM];
	odo_draft draft;
	set_state_path(folder, subnet->id, CERTIFICATE, path);
	int status = odo_draft_open(&draft, path, 0644, 0, err);
	if (status)
		return status;
	status = odo_certificate_text(routed->tables, trees, draft.to, err);
	return odo_draft_close(&draft, status, err);
}

static void remove_state_file(const char *folder, const char *id, const char *ending)
{
	char path[ODO_PATH_ROOM];
	set_state_path(folder, id, ending, path);
	unlink(path);
}

static void remove_files(const char *folder, const char *id)
{
	char path[ODO_PATH_ROOM];
	remove_state_file(folder, id, CERTIFICATE);
	for (unsigned i = 0; i < N_ENDINGS; i++)
		remove_state_file(folder, id, endings[i].text);
	odo_heartbeat_path(folder, id, path);
	unlink(path);
	odo_switches_path(folder, id, path);
	unlink(path);
}

typedef struct writer_of {
	bool here; /* process numbers are those of this machine */
	uint64_t given_guid, process, started;
} writer_of;

static bool read_state_field(const char *text, const char *name, uint64_t *value)
{
	char wanted[64];
	snprintf(wanted, sizeof wanted, "\n  \"%s\": ", name);
	const char *at = strstr(text, wanted);
	if (at)
		*value = strtoull(at + strlen(wanted) + (at[strlen(wanted)] == '"'), NULL, 0);
	return at;
}

static bool has_same_space(const char *text)
{
	char wanted[200], space[160];
	odo_process_space(space, sizeof space);
	snprintf(wanted, sizeof wanted, "\n  \"" ODO_KEY_SPACE "\": \"%s\",\n", space);
	return strstr(text, wanted);
}

static bool read_writer(const char *folder, const char *id, writer_of *x)
{
	char path[ODO_PATH_ROOM], text[1024];
	struct stat is;
	FILE *from;
	set_state_path(folder, id, ".json", path);
	if (odo_open_regular(path, false, UINT64_MAX, &from, &is, NULL) || !from)
		return false;
	text[fread(text, 1, sizeof text - 1, from)] = '\0';
	fclose(from);
	x->here = has_same_space(text);
	return read_state_field(text, ODO_KEY_GIVEN_GUID, &x->given_guid) &&
	       read_state_field(text, ODO_KEY_PROCESS, &x->process) &&
	       read_state_field(text, ODO_KEY_STARTED, &x->started);
}

static bool is_ours(const writer_of *x)
{
	return x->here && x->process == (uint64_t)getpid() &&
	       x->started == odo_process_start((uint64_t)getpid());
}

static bool is_old(const char *path)
{
	struct stat is;
	return lstat(path, &is) || difftime(time(NULL), is.st_mtime) > MOST_SILENT;
}

static bool is_silent(const char *folder, const char *id)
{
	char path[ODO_PATH_ROOM];
	odo_heartbeat_path(folder, id, path);
	return is_old(path);
}

/* Return true if a file's manager has ended. Processes of other machines that share the folder are
 * not visible here, but their heartbeats are. */
static bool has_ended(const char *folder, const char *id, const writer_of *x)
{
	return x->here ? odo_process_start(x->process) != x->started : is_silent(folder, id);
}

/* Return true for a file of an ended manager with this GUID; and for a file that does not say whose
 * it is, as a loss of power may leave it, if nothing was written for a while. */
static bool is_left_behind(const char *folder, const char *id, uint64_t given_guid)
{
	char path[ODO_PATH_ROOM];
	writer_of x;
	if (read_writer(folder, id, &x))
		return x.given_guid == given_guid && has_ended(folder, id, &x);
	set_state_path(folder, id, ".json", path);
	return is_old(path) && is_silent(folder, id);
}

static int prepare_text(const char *id, const struct ending *as, const odo_state *s, char **text,
			size_t *size, odo_error *err)
{
	FILE *to = open_memstream(text, size);
	if (!to)
		return odo_fail(err, ODO_ENOMEM, "no memory for a state file");
	int status = as->write(id, s, to, err);
	bool whole = !ferror(to);
	whole &= !fclose(to);
	return status || whole ? status : odo_fail(err, ODO_ENOMEM, "no memory for a state file");
}

int odo_state_prepare(const char *folder, odo_subnet *subnet, const odo_state *state,
		      odo_state_texts *out, odo_error *err)
{
	odo_rails rails = {0};
	odo_state full = *state;
	*out = (odo_state_texts){.uncertified = state->uncertified};
	snprintf(out->folder, sizeof out->folder, "%s", folder);
	int status = state->routed ? odo_rails_find(state->routed->fabric, &rails, err) : 0;
	full.rails = rails.n ? &rails : NULL;
	if (*subnet->stated && strcmp(subnet->stated, subnet->id))
		memcpy(out->before, subnet->stated, sizeof out->before);
	memcpy(subnet->stated, subnet->id, sizeof subnet->id);
	memcpy(out->id, subnet->id, sizeof out->id);
	for (unsigned i = 0; i < N_ENDINGS && !status; i++)
		status = prepare_text(out->id, &endings[i], &full, &out->text[i], &out->size[i],
				      err);
	odo_rails_clear(&rails);
	return status;
}

int odo_state_write(const odo_state_texts *texts, odo_error *err)
{
	writer_of before;
	int status = 0;
	if (*texts->before && read_writer(texts->folder, texts->before, &before) &&
	    is_ours(&before))
		remove_files(texts->folder, texts->before);
	if (texts->uncertified)
		remove_state_file(texts->folder, texts->id, CERTIFICATE);
	for (unsigned i = 0; i < N_ENDINGS && !status; i++)
		status = write_state_file(texts, i, err);
	return status;
}

void odo_state_texts_clear(odo_state_texts *texts)
{
	for (unsigned i = 0; i < N_ENDINGS; i++)
		free(texts->text[i]);
	*texts = (odo_state_texts){0};
}

/* @return true for odonata-ID.json */
static bool take_id(const char *name, char *id)
{
	size_t before = sizeof PREFIX, digits = ODO_ID_ROOM - 1;
	if (strncmp(name, PREFIX "-", before) || strlen(name) != before + digits + 5 ||
	    strcmp(name + before + digits, ".json") ||
	    strspn(name + before, "0123456789abcdef") != digits)
		return false;
	memcpy(id, name + before, digits);
	id[digits] = '\0';
	return true;
}

void odo_state_remove_old(const char *folder, uint64_t given_guid)
{
	DIR *all = opendir(folder);
	const struct dirent *entry;
	char id[ODO_ID_ROOM];
	odo_remove_drafts(folder, PREFIX);
	remove_files(folder, "");
	while (all && (entry = readdir(all)))
		if (take_id(entry->d_name, id) && is_left_behind(folder, id, given_guid))
			remove_files(folder, id);
	if (all)
		closedir(all);
}
