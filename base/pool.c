/* SPDX-License-Identifier: MIT */
#include "base/pool.h"

#include <pthread.h>
#include <unistd.h>

#define MOST_THREADS 256u

struct shared {
    atomic_size_t next;
    size_t n_jobs;
    void (*job)(void *ctx, size_t i);
    void *ctx;
    const atomic_bool *cancel;
    atomic_size_t n_started;
};

static void *work(void *arg)
{
    struct shared *s = arg;
    while (!(s->cancel && atomic_load(s->cancel))) {
        size_t i = atomic_fetch_add(&s->next, 1);
        if (i >= s->n_jobs)
            break;
        atomic_fetch_add(&s->n_started, 1);
        s->job(s->ctx, i);
    }
    return NULL;
}

unsigned pool_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1u : n > (long)MOST_THREADS ? MOST_THREADS : (unsigned)n;
}

size_t pool_run(unsigned n_threads, size_t n_jobs, void (*job)(void *ctx, size_t i), void *ctx,
                const atomic_bool *cancel)
{
    struct shared s = {.n_jobs = n_jobs, .job = job, .ctx = ctx, .cancel = cancel};
    pthread_t threads[MOST_THREADS];
    unsigned n = 0;

    if (n_threads == 0)
        n_threads = pool_cores();
    if (n_threads > MOST_THREADS)
        n_threads = MOST_THREADS;
    /* the caller is one of the workers */
    while (n + 1 < n_threads && n + 1 < n_jobs && pthread_create(&threads[n], NULL, work, &s) == 0)
        n++;
    work(&s);
    while (n > 0)
        pthread_join(threads[--n], NULL);
    return atomic_load(&s.n_started);
}
