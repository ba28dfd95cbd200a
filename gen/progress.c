/* SPDX-License-Identifier: MIT */
#include "gen/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_S 2.0 /* shorter jobs show nothing */
#define STEP_S 0.2
#define BAR 24

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_begin(struct progress *p, double all, bool quiet)
{
    *p = (struct progress){.is_on = !quiet && isatty(STDERR_FILENO), .all = all};
    pthread_mutex_init(&p->lock, NULL);
    p->begun_s = now_s();
}

static void show(struct progress *p, const char *text, double now)
{
    double share = p->all > 0 ? p->done / p->all : 0;
    share = share > 1 ? 1 : share;
    char bar[BAR + 1];
    int full = (int)(share * BAR);
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)full);
    bar[BAR] = '\0';
    fprintf(stderr, "\r\033[K[%s] %3.0f %%", bar, 100 * share);
    if (share > 0.01 && share < 1) {
        double left = (now - p->begun_s) * (1 - share) / share;
        if (left >= 60)
            fprintf(stderr, "  %.0f min %02.0f s left", (left - (int)left % 60) / 60,
                    (double)((int)left % 60));
        else
            fprintf(stderr, "  %.0f s left", left);
    }
    fprintf(stderr, "  %.60s", text);
    fflush(stderr);
    p->is_shown = true;
    p->last_s = now;
}

static void update(struct progress *p, const char *text)
{
    double now = now_s();
    if (now - p->begun_s >= FIRST_S && now - p->last_s >= STEP_S)
        show(p, text, now);
}

void progress_tell(struct progress *p, double done, const char *text)
{
    if (!p->is_on)
        return;
    pthread_mutex_lock(&p->lock);
    p->done = done;
    update(p, text);
    pthread_mutex_unlock(&p->lock);
}

void progress_add(struct progress *p, double more, const char *text)
{
    if (!p->is_on)
        return;
    pthread_mutex_lock(&p->lock);
    p->done += more;
    update(p, text);
    pthread_mutex_unlock(&p->lock);
}

void progress_end(struct progress *p)
{
    if (p->is_shown)
        fputs("\r\033[K", stderr);
    p->is_shown = p->is_on = false;
    pthread_mutex_destroy(&p->lock);
}
