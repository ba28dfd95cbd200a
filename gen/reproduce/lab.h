/* SPDX-License-Identifier: MIT
 *
 * gen/reproduce/lab.h: where the machines of an experiment are made and run. Evaluating a claim
 * asks for results by machine and program; before lab_run nothing is there and the question is
 * noted, so that the same evaluation first says what it needs and then gets it. Machines of equal
 * description are one; designs and prices are made when first asked for. */
#ifndef CW_GEN_REPRODUCE_LAB_H
#define CW_GEN_REPRODUCE_LAB_H

#include "gen/command.h"
#include "gen/reproduce/experiment.h"
#include "gen/run/pairs.h"

struct lab_machine {
    const struct ex_configuration *conf;
    const char *file;
    struct ex_texts sets;
    const char *name;       /* for messages and progress */
    const char *error;      /* why a step of making it failed; NULL: none did */
    unsigned tried, failed; /* steps, see gen/reproduce/lab.c */
    struct arch *arch;
    struct design *design;
    struct priced *network;  /* prices of the networks alone */
    struct sim_setup *setup; /* all prices */
};

struct lab_program {
    const char *file, *preset;
};

struct lab_pair {
    size_t machine, program;
    const struct result *result; /* NULL until it has run */
};

struct lab {
    struct app *app;
    const struct options *options; /* --set, --threads, --fresh */
    const struct experiment *experiment;
    const char *preset;
    bool quick;
    struct lab_machine *machines;
    struct lab_program *programs;
    struct lab_pair *pairs;
    size_t n_machines, n_programs, n_pairs;
    size_t cap_machines, cap_programs, cap_pairs;
    struct lab_trace *traces; /* that were read */
    bool has_run;
};

struct lab_machine *lab_machine(struct lab *lab, const struct ex_configuration *conf);
/* The machine of conf->like. */
struct lab_machine *lab_machine_like(struct lab *lab, const struct ex_configuration *conf);
/* Each is NULL if it cannot be made; machine->error then says why. */
const struct arch *lab_arch(struct lab *lab, struct lab_machine *m);
const struct design *lab_design(struct lab *lab, struct lab_machine *m);
const struct priced *lab_network(struct lab *lab, struct lab_machine *m);
const struct priced *lab_prices(struct lab *lab, struct lab_machine *m);

/* Notes the pair before lab_run; the result (which may hold an error) after it. NULL: not yet. */
const struct result *lab_result(struct lab *lab, const struct ex_configuration *conf,
                                const char *program, const char *preset);

/* A number of a program's trace (`trace --info --json`), read when first asked for.
 * NAN: it cannot be had, and why. */
double lab_trace_number(struct lab *lab, const char *program, const char *preset, const char *name,
                        const char **why);

/* Runs all noted pairs. False if interrupted. */
bool lab_run(struct lab *lab);

#endif
