/* SPDX-License-Identifier: MIT
 *
 * gen/run/setup.h: from a description to a machine that can run: design, prices, timing, and the
 * simulator's configuration; and from a word of the command line to a trace. Used by `sim`,
 * `compare` and whatever runs designs. */
#ifndef CW_GEN_RUN_SETUP_H
#define CW_GEN_RUN_SETUP_H

#include "gen/price/price.h"
#include "sim/gpu/gpu.h"
#include "sim/net/net.h"
#include "sim/trace/trace.h"

struct app;
struct options;

struct sim_setup {
    const struct arch *arch;
    struct design *design; /* NULL: not needed, see below */
    struct priced *priced; /* NULL: without prices */
    struct timing timing;
    struct gpu_config config;
    bool wants_energy; /* prices were asked for; timing alone may have needed them */
};

/* `want_prices` false: nobody asks for energy. Prices are still made where timing needs them: not
 * with the idealised crossbar at the clock asked for, when the latencies are given by keys. Timing,
 * and so every cycle, is the same with and without. All in `mem`. */
bool sim_setup_make(const struct arch *arch, const char *data_dir, bool want_prices,
                    unsigned n_threads, struct arena *mem, struct sim_setup *out, struct err *err);

/* The same with prices, for one of many designs: see gen/price/shared.h. */
bool sim_setup_shared(const struct arch *arch, const char *data_dir, struct price_shared *shared,
                      struct arena *mem, struct sim_setup *out, struct err *err);

/* A machine as the setup describes it, with the mechanisms of the description plugged in. May be
 * called again for further runs, and from several threads (each with its own `mem` and `err`). */
struct gpu *sim_setup_gpu(const struct sim_setup *setup, struct arena *mem, struct err *err);

/* Can this description be priced and run? Prices it with the native engines, whatever it asks for
 * (`check` starts no program), and makes its machine. Errors name the key and where it was said;
 * `with_remarks`: so do warnings about what is legal and strange (gen/run/remarks.h). */
bool sim_setup_try(const struct arch *arch, const char *data_dir, bool with_remarks,
                   const struct arena *mem, struct err *err);

/* Opens what a user names: an Accel-Sim list or kernel, a trace file, a synthetic pattern
 * ("synth:stream", sim/trace/synth.h), or a workload (which is run functionally first). */
bool sim_source_open(struct app *app, const struct options *options, const struct arch *arch,
                     const char *what, struct trace_source *out);

#endif
