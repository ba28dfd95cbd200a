/* SPDX-License-Identifier: MIT
 *
 * sim/study/sharing.h: what the CTAs of a program have in common, from the addresses of its loads
 * and stores, launch by launch: which lines and words several CTAs read, which of them others
 * write, how regular and how dense the accesses are, and in how many L1s a line would be wanted
 * were the CTAs dealt to the SMs one by one, in rows, or in columns. No cache, no time. */
#ifndef CW_SIM_STUDY_SHARING_H
#define CW_SIM_STUDY_SHARING_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct trace_source;

#define SHARING_LINE 128u /* bytes: the longest lines that an L1 has had */

struct sharing {
    const char *kernel;    /* the one that executes most instructions; all below is of it */
    uint64_t insts, all;   /* warp instructions: its own, and of all kernels */
    uint64_t accesses;     /* lines that loads of warps touch, summed over instructions */
    uint64_t shared_lines; /* of them: another CTA of the launch reads the line */
    uint64_t shared_words; /* … a word of it that the access reads */
    uint64_t constants;    /* lines that loads from constant memory touch, of words that other CTAs
                              read, too */
    uint64_t written; /* of the accesses: another CTA of the launch, or of an earlier launch of the
                         kernel, writes the line; or another CTA reads a word of it, and the launch
                         writes the line, whoever does */
    uint64_t irregular; /* … of loads that go where data says (sim/study/dataflow.h) */
    uint64_t torn; /* … of loads whose words lie in pieces shorter than a sector, with less wanted
                      than the sectors hold: the rest of a line is for a later load */
    uint64_t scratch, driven; /* instructions on shared memory; of them, where data says */
    /* of loads whose lanes want several words in several sectors of 32 bytes: what they want, and
     * the sectors */
    uint64_t bytes, sector_bytes;
    /* distinct lines of every SM, all launches: CTAs dealt in turn, and clusters of rows, columns
     */
    uint64_t dealt, rows, columns;
};

/* On a machine of so many SMs. Names are the source's. */
bool study_sharing(const struct trace_source *source, uint32_t n_sms, struct sharing *out,
                   struct err *err);

#endif
