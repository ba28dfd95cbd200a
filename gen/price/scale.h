/* SPDX-License-Identifier: MIT
 *
 * gen/price/scale.h: node, supply and temperature act on what fitted coefficients price: SM core,
 * controllers, the chip's side of the DRAM's pins, idle, static and constant power. The node they
 * hold at is that of the card they were fitted on (card_nm of cfg/tech/gpuwattch-*.csv), the
 * temperature SCALE_CARD_K. */
#ifndef CW_GEN_PRICE_SCALE_H
#define CW_GEN_PRICE_SCALE_H

#include <jansson.h>

#include "gen/price/price.h"

struct account;
struct tech_tables;

#define SCALE_CARD_K 340.0 /* the default of tech.temperature: no fit says its junction's */
/* Of the energy of DRAM pins: what the chip's serialisers take. The rest is the device's, and the
 * drivers', whose swing is the standard's. */
#define SCALE_PIN_LOGIC 0.25

/* Supply over the nominal one of SMs and arrays (cfg/tech/scaling.csv); the networks' own is their
 * technology's, which at 12 nm lies between DSENT's 22 and 11 nm. */
bool scale_volt_ratio(const struct arch *arch, const struct tech_tables *tables, double *ratio,
                      struct err *err);

/* Refused: a node outside the table's, a supply at or below the threshold. */
bool scale_find(const struct priced *p, const struct tech_tables *tables,
                struct coefficient_scale *out, struct err *err);

/* Multiplies the costs of SM cores, controllers and DRAM in the book. */
void scale_coefficients(struct priced *p);

/* `nominal` at a core clock of `faster` times its own and a supply of to_v instead of from_v:
 * events of what moves (the chip without controllers and DRAM, or SMs alone) cost the ratio's
 * square, leakage follows. Organisation, sizes, areas and cycles stay; clocks of `out->timing` are
 * the caller's. */
void scale_supply(const struct priced *nominal, double faster, double from_v, double to_v,
                  bool is_chip, struct arena *mem, struct priced *out);

/* Constant power of the design. */
double scale_constant_w(const struct priced *p);

/* Watts of an account with all that is scaled to a node at the low, and at the high, end of what
 * the way from a known node leaves open: the average itself where nothing is scaled. What is wrong
 * at the known node, and what no coefficient stands for, is not in it. */
void scale_range_w(const struct priced *p, const struct account *a, double *low_w, double *high_w);

/* How far networks, arrays and coefficients are from the nodes at which they are known, and what
 * that leaves open: "network at 7 nm (FinFET7, energy x/: 1.3), arrays at 7 nm: …". */
const char *scale_text(const struct priced *p, struct arena *mem);
/* ", coefficients from 12 nm: energy x 0.42 (x/: 1.19), …"; "" where none are scaled. */
const char *scale_coefficients_text(const struct priced *p, struct arena *mem);
/* In a line of assumptions: nodes, and what each way from a known one leaves open. */
const char *scale_short_text(const struct priced *p, struct arena *mem);
json_t *scale_json(const struct priced *p);

#endif
