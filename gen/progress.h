/* SPDX-License-Identifier: MIT
 *
 * gen/progress.h: a line on standard error that tells how far a long job is: share done, what is
 * being done, time left. Shown only when a terminal watches, only after two seconds, never with
 * --quiet. May be told from several threads at once. */
#ifndef CW_GEN_PROGRESS_H
#define CW_GEN_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

struct progress {
    pthread_mutex_t lock;
    bool is_on, is_shown;
    double begun_s, last_s;
    double done, all;
};

void progress_begin(struct progress *p, double all, bool quiet);
/* `done` of `all`; `text` is what is being done ("mm on mesh"). */
void progress_tell(struct progress *p, double done, const char *text);
void progress_add(struct progress *p, double more, const char *text);
void progress_end(struct progress *p); /* takes the line away */

#endif
