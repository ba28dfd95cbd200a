/* SPDX-License-Identifier: MIT
 *
 * sim/reference/reference.h: CPU references, which decide whether a workload's result is right.
 *
 * A reference is an independent computation on the host of what the kernels should have made of
 * their inputs. It sees every parameter and every buffer, before and after the run, asks for them
 * by name, and compares. Asking for something that the workload file does not have is itself a
 * wrong result, with a sentence, never a crash: ref_in and ref_out then hand out zeroed memory.
 * Limits: one process, the whole of a buffer in memory; no reference changes a buffer. */
#ifndef CW_SIM_REFERENCE_REFERENCE_H
#define CW_SIM_REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum ref_type {
    REF_U8,
    REF_S8,
    REF_U16,
    REF_S16,
    REF_U32,
    REF_S32,
    REF_U64,
    REF_S64,
    REF_F32,
    REF_F64
};

struct ref_buffer {
    const char *name;
    enum ref_type type;
    uint64_t count;     /* elements */
    const void *before; /* as the first recorded launch found it */
    const void *after;
};

struct ref_param {
    const char *name;
    double value; /* integers up to 2^53 are exact */
};

/* One judgement in progress. The caller fills the first four; `mem` is scratch. */
struct ref {
    const struct ref_buffer *buffers;
    size_t n_buffers;
    const struct ref_param *params;
    size_t n_params;
    struct arena *mem;
    const char
        *wrong; /* NULL: right so far; else the first thing found, e.g. "c[17] is 2, not 3" */
    uint64_t n_checked; /* elements compared */
    double worst;       /* largest deviation as a share of what was allowed */
};

struct reference {
    const char *name;    /* as the workload file's `expected` has it */
    const char *meaning; /* what is recomputed, and the tolerance */
    void (*check)(struct ref *r);
};

extern const struct reference *const references[];        /* NULL-terminated */
const struct reference *reference_find(const char *name); /* NULL: no such */

/* For the references: what the run was given. A value outside lo..hi is a wrong result. */
int64_t ref_int(struct ref *r, const char *name, int64_t lo, int64_t hi);
double ref_real(struct ref *r, const char *name);
/* At least `count` elements of `type`; before or after the run. */
const void *ref_in(struct ref *r, const char *name, enum ref_type type, uint64_t count);
const void *ref_out(struct ref *r, const char *name, enum ref_type type, uint64_t count);
/* The same as doubles, whatever the type; may be changed: a copy in r->mem. */
double *ref_in_real(struct ref *r, const char *name, uint64_t count);
void *ref_scratch(struct ref *r, uint64_t count, size_t size); /* zeroed */

/* Compares the first `count` elements of a buffer after the run with `want`: |got - want| may be
 * at most rel * max(|want|, floor). Integers: rel = 0. Notes the first element that is off. */
void ref_expect(struct ref *r, const char *name, const double *want, uint64_t count, double rel,
                double floor);
void ref_expect_one(struct ref *r, const char *name, uint64_t index, double want, double rel,
                    double floor);
/* Any other property. Returns `ok`; notes the text when it does not hold and nothing was noted. */
bool ref_require(struct ref *r, bool ok, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
