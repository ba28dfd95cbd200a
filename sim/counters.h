/* SPDX-License-Identifier: MIT
 *
 * sim/counters.h: what a part of the machine counts. A part lists its counters and statistics in
 * one macro, a line each; the fields of its struct, the totals over all parts of its kind, the
 * difference of two looks and the rows that are printed (sim/gpu/stats.h) follow from the line.
 *
 *   #define L2_STATS(X) \
 *       X(COUNT, writebacks, l2_writebacks, "", "lines with dirty sectors written to the DRAM", "")
 * \ X(HIDDEN, fills, l2_fills, "", "sectors that came from the DRAM") struct slice_stats {
 *       L2_STATS(COUNTER_FIELD)
 *   };
 *
 * Counted in the part's struct; `field` is its name there, `id` that of its total and in print:
 *   COUNT(field, id, unit, meaning, formula)    printed
 *   HIDDEN(field, id, unit, meaning)            for formulas, events and tests
 *   ARRAY(field, n, id, unit, meaning)          n of them, hidden
 *   MOST(field, id, unit, meaning)              the largest so far, hidden
 * Counted elsewhere; `at` is an expression over what is in sight where the part is added up:
 *   COUNT_AT(at, id, unit, meaning, formula)
 *   HIDDEN_AT(at, id, unit, meaning)
 *   BUSIEST(at, id, unit, meaning)              the largest; between two looks it is not known
 *   FACT(at, id, unit, meaning)                 not counted: how the machine is made
 * Worked out from totals: `value` is an expression over `t`, a struct stat_totals, in which
 * RATE(a, b) is a / b, and nothing where b is 0:
 *   VALUE(id, unit, meaning, formula, value)
 *   SUM(id, unit, meaning, formula, value)      a whole number that adds up over time
 *   GPU_VALUE(id, unit, meaning, formula, value)           has no meaning for one SM
 *   NAMED_VALUE(id, name, unit, meaning, formula, value)   its name is not an identifier */
#ifndef CW_SIM_COUNTERS_H
#define CW_SIM_COUNTERS_H

/* Each kind of line in terms of three things: F(field) of the part's struct; T(how, from, id), a
 * total; R(for one SM too, adds up, id, name, unit, meaning, formula, value), a row. */
/* clang-format off */
#define LINE_COUNT(F, T, R, field, id, unit, meaning, formula)    F(field) T(SUM, from->field, id) R(1, 1, id, #id, unit, meaning, formula, t->id)
#define LINE_HIDDEN(F, T, R, field, id, unit, meaning)            F(field) T(SUM, from->field, id)
#define LINE_ARRAY(F, T, R, field, n, id, unit, meaning)          F(field[n]) T(ARRAY, from->field, id, n)
#define LINE_MOST(F, T, R, field, id, unit, meaning)              F(field) T(MOST, from->field, id)
#define LINE_COUNT_AT(F, T, R, at, id, unit, meaning, formula)    T(SUM, at, id) R(1, 1, id, #id, unit, meaning, formula, t->id)
#define LINE_HIDDEN_AT(F, T, R, at, id, unit, meaning)            T(SUM, at, id)
#define LINE_BUSIEST(F, T, R, at, id, unit, meaning)              T(BUSIEST, at, id)
#define LINE_FACT(F, T, R, at, id, unit, meaning)                 T(FACT, at, id)
#define LINE_VALUE(F, T, R, id, unit, meaning, formula, value)     R(1, 0, id, #id, unit, meaning, formula, value)
#define LINE_SUM(F, T, R, id, unit, meaning, formula, value)       R(1, 1, id, #id, unit, meaning, formula, value)
#define LINE_GPU_VALUE(F, T, R, id, unit, meaning, formula, value) R(0, 0, id, #id, unit, meaning, formula, value)
#define LINE_NAMED_VALUE(F, T, R, id, name, unit, meaning, formula, value) R(1, 0, id, name, unit, meaning, formula, value)
/* clang-format on */

#define LINE_NONE(...) /* for what a use of a list has no need of */

/* The fields of a part's struct. */
#define COUNTER_FIELD(kind, ...) LINE_##kind(COUNTER_FIELD_OF, LINE_NONE, LINE_NONE, __VA_ARGS__)
#define COUNTER_FIELD_OF(field) uint64_t field;

#endif
