/* SPDX-License-Identifier: MIT
 *
 * base/file.h: whole files in, whole files out. A written file appears complete or not at all
 * (temporary name in the same folder, then rename); a symbolic link stays one, and what is not
 * a regular file (a device, a pipe) is written to, never replaced. */
#ifndef CW_BASE_FILE_H
#define CW_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

/* Who is to blame where a file cannot be opened for reading: errno `why`. */
enum err_kind file_blame(int why);

/* Reads at most `max` bytes; a longer file, a directory or a missing file is an error with errno's
 * text. `*data` is terminated by a '\0' that is not counted. */
bool file_read(const char *path, size_t max, struct arena *mem, char **data, size_t *n,
               struct err *err);
bool file_write(const char *path, const void *data, size_t n, struct err *err);
/* The same, and it outlives a crash of the machine: file and folder are on the disk on return. */
bool file_keep(const char *path, const void *data, size_t n, struct err *err);
/* A new file beside `path`, which nobody else can have made or linked; `*name` is what it is called
 * until it is renamed. Its mode is what the user's umask leaves of 0666. -1 and errno. */
int file_open_new(const char *path, struct arena *mem, char **name);
/* On the disk: what was written, and the folder's entry for it. False and errno. */
bool file_sync(int fd);
bool file_sync_folder_of(const char *path);
/* Of the contents, after `seed`. A file that is not there has a hash too; a pipe, which cannot be
 * read twice, has another one each time. */
uint64_t file_hash(const char *path, uint64_t seed);
bool file_exists(const char *path);
bool file_is_replaceable(const char *path);                  /* a regular file, or none yet */
char *file_link_target(struct arena *mem, const char *path); /* of a symbolic link; else itself */
bool file_make_dirs(const char *path, struct err *err);      /* like mkdir -p */
/* What a folder holds, without what begins with a dot; ascending and NULL-terminated. NULL if it
 * cannot be read. */
const char **file_names(const char *dir, struct arena *mem, struct err *err);

const char *path_join(struct arena *mem, const char *dir, const char *name);
/* What somebody in folder `dir` calls `name`: the file there or, where there is none, the one of
 * that name under `shared`; the first if there is neither. Names that begin with '/' or '.' are
 * taken as they are. */
const char *path_find(struct arena *mem, const char *dir, const char *name, const char *shared);
const char *path_dir(struct arena *mem, const char *path);  /* "." where there is no slash */
const char *path_base(const char *path);                    /* after the last slash */
const char *path_stem(struct arena *mem, const char *path); /* base without its last ending */
bool path_ends_with(const char *path, const char *ending);

#endif
