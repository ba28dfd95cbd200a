/* SPDX-License-Identifier: MIT
 *
 * gen/reproduce/reproduce.h: a paper's claims beside our answers: as a table for the terminal, CSV,
 * JSON, and one self-contained HTML page with a bar chart for each figure. */
#ifndef CW_GEN_REPRODUCE_REPRODUCE_H
#define CW_GEN_REPRODUCE_REPRODUCE_H

#include <jansson.h>

#include "gen/reproduce/figures.h"

struct buf;

struct reproduction_machine { /* behind the answers */
    const char *name, *file, *sets, *hash;
};

struct reproduction {
    const struct experiment *experiment;
    const struct answer *answers;
    size_t n;
    const struct figure_answer *figures;
    size_t n_figures;
    const struct reproduction_machine *machines;
    size_t n_machines;
    const char *preset, *scaled_down; /* what was made smaller; "" for nothing */
    const char *assumptions;          /* of what perf/W is shown for; "" where none is */
    const char *command_line, *version;
};

void reproduce_text(const struct reproduction *r, struct arena *mem, struct buf *out);
void reproduce_csv(const struct reproduction *r, struct arena *mem, struct buf *out);
/* A row for each claim and program behind it. */
void reproduce_parts_csv(const struct reproduction *r, struct arena *mem, struct buf *out);
/* A row for each cell of each figure. */
void figures_csv(const struct reproduction *r, struct arena *mem, struct buf *out);
/* A figure alone: a table with its title; an object with rows, columns and cells. */
void figure_text(const struct figure_answer *f, struct arena *mem, struct buf *out);
json_t *figure_json(const struct figure_answer *f);
json_t *reproduce_json(const struct reproduction *r);
/* "IPC, DB+ICC against distributed, mean"; "14.5 %"; "+3.1" or the verdict. */
const char *reproduce_what(const struct claim *c, struct arena *mem);
const char *reproduce_with_unit(const char *value, const struct claim *c, struct arena *mem);
const char *reproduce_difference(const struct answer *a, struct arena *mem);
size_t reproduce_count(const struct reproduction *r, enum answer_state state);

/* Writes report.html, claims.csv, workloads.csv, figures.csv, claims.json and plots/ into `dir`. */
bool reproduce_write(const struct reproduction *r, const char *dir, const char *data_dir,
                     struct arena *mem, struct err *err);

#endif
