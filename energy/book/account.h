/* SPDX-License-Identifier: MIT
 *
 * energy/book/account.h: counters x book + leakage x time. The only place where events meet joules.
 *
 *     energy = sum over components and events of count x price  +  leakage x time
 *              + static and constant power x time
 *
 * Every count must have a price: an event that happened and has none is an error that names it. */
#ifndef CW_ENERGY_BOOK_ACCOUNT_H
#define CW_ENERGY_BOOK_ACCOUNT_H

#include "energy/book/book.h"

struct account_input {
    const struct book *book;
    const uint32_t *class_of; /* [component] */
    uint32_t n_components;
    const uint64_t (*counts)[EV_COUNT]; /* [component] */
    double seconds;
    double constant_w;       /* of the chip, whatever it does */
    double static_w;         /* of the active SMs (AccelWattch); 0 elsewhere */
    double rest_w, rest_mm2; /* of what belongs to no component */
    const struct user_component *users;
    const double *user_counts; /* [user]: value of the statistic it names */
    uint32_t n_users;
};

/* One class of the book. */
struct account_line {
    double dynamic_j[EV_COUNT];
    double leakage_j;
    double total_j;
};

/* Classes accounted under one name, in the order in which they first appear. */
struct account_group {
    const char *name;
    double dynamic_j, leakage_j, total_j;
    double area_mm2, wire_area_mm2;
};

struct account {
    const struct account_input *input;
    struct account_line *lines; /* [class] */
    double *user_j;             /* [user] dynamic and leakage */
    struct account_group
        *groups; /* classes by group, users, "rest of the die", "static", "constant" */
    uint32_t n_groups;
    double dynamic_j, leakage_j, static_j, constant_j;
    double total_j; /* the sum of the groups, in their order */
    double average_w;
};

bool account_make(const struct account_input *input, struct arena *mem, struct account *out,
                  struct err *err);

/* Energy of one component instance. */
double account_component_j(const struct account_input *input, uint32_t component);

/* Sum over the classes of a group of the events of one kind, e.g. ("noc.request", EV_XBAR). */
double account_event_j(const struct account *a, const char *group, enum sim_event event);

#endif
