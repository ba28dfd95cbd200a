/* SPDX-License-Identifier: MIT
 *
 * sim/runtime/run_settings.h: what the program that starts another tells the runtime inside it, as
 * one text of lines "name=value": the device's properties, the trace, which launches go into it. */
#ifndef CW_SIM_RUNTIME_RUN_SETTINGS_H
#define CW_SIM_RUNTIME_RUN_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct err;

#define RUNTIME_ENVIRONMENT "CROSSWATT_RUN"

struct runtime_settings {
    const char *device; /* its name */
    uint64_t sms, clock_khz, memory_clock_khz, memory_bus_bits, memory_mb, l2_bytes;
    uint64_t threads, ctas, registers, shared_bytes; /* of an SM */
    uint64_t capability;                             /* 70 for 7.0 */
    const char *trace;                               /* file; NULL: none */
    const char *report;  /* a folder for what the processes did; NULL: none */
    const char *kernels; /* only kernels whose name holds one of these, separated by commas */
    uint64_t first_launch, last_launch; /* that are recorded, from 1 on */
    uint64_t as_ptx;                    /* 1: the trace has PTX's instructions as they are */
    uint64_t outside;                   /* 1: accesses outside every buffer are warnings */
    uint64_t all_races;                 /* 1: every pair of instructions, in every CTA */
};

/* Every number has a default: a QV100. */
void runtime_settings_default(struct runtime_settings *s);
bool runtime_settings_read(const char *text, struct arena *mem, struct runtime_settings *s,
                           struct err *err);
const char *runtime_settings_write(const struct runtime_settings *s, struct arena *mem);

#endif
