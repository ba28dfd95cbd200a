/* SPDX-License-Identifier: MIT
 *
 * tests/tools/every_fault.c: runs a command again and again, each time with another call failing
 * (see faults.c), until it ends without having met the failure.
 *
 *   every_fault [-v] [-n MOST] [-l LAST] [-s STEP | -r SEED] alloc|io LIBRARY FOLDER COMMAND …
 *
 * MOST is the largest number of runs, STEP how far apart the failing calls are, from the first or
 * from the LAST-th before the end; with -r they are drawn from all calls of the whole run.
 * FOLDER is made and emptied for each run; what a command writes must go there. A run that met a
 * failure must end with status 3 and a message, and leave no file that the whole run would not have
 * left, byte for byte. It may also end with status 0 when its output and its files are those of the
 * whole run, but for what is kept in FOLDER/cache: glibc does without memory in places, and what
 * cannot be kept is made again. Prints a line of counts and, for what is wrong,
 * the number of the call; -v adds where it was made. Ends with 1 when anything was wrong. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct text {
    char *at;
    size_t n;
};

struct run {
    int status; /* of waitpid */
    bool fired;
    struct text out, err, note;
};

struct file {
    char *path; /* below the folder */
    struct text data;
};

struct files {
    struct file at[512];
    size_t n;
};

static void stop(const char *why)
{
    perror(why);
    exit(3);
}

static struct text read_all(int fd)
{
    struct text t = {malloc(1), 0};
    size_t cap = 0;
    lseek(fd, 0, SEEK_SET);
    for (;;) {
        if (t.n + 4096 > cap)
            t.at = realloc(t.at, (cap = cap * 2 + 8192) + 1);
        ssize_t got = read(fd, t.at + t.n, cap - t.n);
        if (got <= 0)
            break;
        t.n += (size_t)got;
    }
    t.at[t.n] = 0;
    return t;
}

static bool same(struct text a, struct text b)
{
    return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

static struct files *gathered; /* nftw takes no context */
static size_t gathered_from;

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind;
    return at->level ? remove(path) : 0;
}

static int gather_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)at;
    if (kind != FTW_F || gathered->n == sizeof gathered->at / sizeof gathered->at[0])
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        gathered->at[gathered->n++] = (struct file){strdup(path + gathered_from), read_all(fd)};
        close(fd);
    }
    return 0;
}

static void empty(const char *folder)
{
    mkdir(folder, 0777);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void gather(const char *folder, struct files *f)
{
    f->n = 0;
    gathered = f;
    gathered_from = strlen(folder) + 1;
    nftw(folder, gather_one, 16, FTW_PHYS);
}

static void forget(struct files *f)
{
    for (size_t i = 0; i < f->n; i++) {
        free(f->at[i].path);
        free(f->at[i].data.at);
    }
}

/* A file of kept results, and its journal: it carries when and how long things ran. What is in
 * it is looked at by SQLite itself, whenever it is opened. */
static bool is_kept_result(const struct file *f)
{
    return strncmp(f->path, "cache/results-", 14) == 0 || strstr(f->path, "results.sqlite");
}

static const char *wrong_file(const struct files *got, const struct files *whole)
{
    for (size_t i = 0; i < got->n; i++) {
        size_t k = 0;
        while (k < whole->n && strcmp(whole->at[k].path, got->at[i].path) != 0)
            k++;
        if (is_kept_result(&got->at[i]))
            continue;
        if (k == whole->n || !same(whole->at[k].data, got->at[i].data))
            return got->at[i].path;
    }
    return NULL;
}

static struct run run(char **argv, const char *library, const char *kind, long n)
{
    struct run r = {0};
    int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC),
        note = memfd_create("note", 0);
    char number[32], fd[32];
    snprintf(number, sizeof number, "%ld", n);
    snprintf(fd, sizeof fd, "%d", note);
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        stop("fork");
    if (child == 0) {
        setenv("LD_PRELOAD", library, 1);
        setenv(kind, number, 1);
        setenv("FAULT_NOTE", fd, 1);
        dup2(out, 1);
        dup2(err, 2);
        alarm(300);
        execvp(argv[0], argv);
        _exit(127);
    }
    waitpid(child, &r.status, 0);
    r.out = read_all(out);
    r.err = read_all(err);
    r.note = read_all(note);
    r.fired = strncmp(r.note.at, "fired", 5) == 0;
    close(out);
    close(err);
    close(note);
    return r;
}

static void forget_run(struct run *r)
{
    free(r->out.at);
    free(r->err.at);
    free(r->note.at);
}

/* What is kept for later runs, in a folder `cache`, may be missing. */
static size_t n_owed(const struct files *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        n += strncmp(f->at[i].path, "cache/", 6) != 0;
    return n;
}

/* NULL: as it must be. */
static const char *judge(const struct run *r, const struct run *whole, const struct files *got,
                         const struct files *all, char *room, size_t size)
{
    if (WIFSIGNALED(r->status)) {
        snprintf(room, size, "signal %d (%s)", WTERMSIG(r->status), strsignal(WTERMSIG(r->status)));
        return room;
    }
    int code = WEXITSTATUS(r->status);
    const char *bad = wrong_file(got, all);
    if (code == 0 && (n_owed(got) != n_owed(all) || bad || !same(r->out, whole->out)))
        return "status 0 with another result";
    if (code != 0 && code != 3) {
        snprintf(room, size, "status %d: %.*s", code, (int)strcspn(r->err.at, "\n"), r->err.at);
        return room;
    }
    if (code == 3 && r->err.n == 0)
        return "status 3 without a message";
    if (bad) {
        snprintf(room, size, "left a damaged or temporary file: %s", bad);
        return room;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    bool verbose = false;
    long most = 1000000, last = 0, step = 1, seed = 0;
    int opt;
    while ((opt = getopt(argc, argv, "+vn:l:s:r:")) != -1)
        switch (opt) {
        case 'v': verbose = true; break;
        case 'n': most = atol(optarg); break;
        case 'l': last = atol(optarg); break;
        case 's': step = atol(optarg); break;
        case 'r': seed = atol(optarg); break;
        default: return 3;
        }
    argv += optind;
    if (argc - optind < 4 || step < 1)
        return fprintf(stderr, "usage: every_fault [-v] [-n MOST] [-l LAST] [-s STEP | -r SEED] "
                               "alloc|io LIBRARY FOLDER COMMAND …\n"),
               3;
    const char *kind = strcmp(argv[0], "io") == 0 ? "FAULT_IO" : "FAULT_ALLOC";
    const char *library = argv[1], *folder = argv[2];
    static struct files all, got;
    empty(folder);
    struct run whole = run(argv + 3, library, kind, 0x7fffffff);
    if (whole.status != 0 || whole.fired)
        return fprintf(stderr, "the command fails by itself:\n%s", whole.err.at), 3;
    gather(folder, &all);
    long n_refused = 0, n_survived = 0, n_wrong = 0;
    long total = strncmp(whole.note.at, "calls ", 6) == 0 ? atol(whole.note.at + 6) : 0;
    long first = last && last < total ? total - last + 1 : 1;
    uint64_t state = (uint64_t)seed;
    for (long i = 0; i < most; i++) {
        char room[400];
        long n = first + i * step;
        if (seed) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            n = 1 + (long)(state >> 33) % (total ? total : 1);
        }
        empty(folder);
        struct run r = run(argv + 3, library, kind, n);
        if (!r.fired) { /* threads share the calls in another way each time: a draw may miss */
            forget_run(&r);
            if (seed)
                continue;
            break;
        }
        gather(folder, &got);
        const char *why = judge(&r, &whole, &got, &all, room, sizeof room);
        n_wrong += why != NULL;
        n_refused += !why && WEXITSTATUS(r.status) == 3;
        n_survived += !why && WEXITSTATUS(r.status) == 0;
        if (why)
            printf("  %s %ld: %s\n%s", argv[0], n, why, verbose ? r.note.at : "");
        forget(&got);
        forget_run(&r);
    }
    empty(folder);
    forget(&all);
    forget_run(&whole);
    printf("%ld failures: %ld ended with status 3, %ld changed nothing, %ld wrong\n",
           n_refused + n_survived + n_wrong, n_refused, n_survived, n_wrong);
    return n_wrong != 0;
}
