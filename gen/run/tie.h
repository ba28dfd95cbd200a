/* SPDX-License-Identifier: MIT
 *
 * gen/run/tie.h: from when on a difference between runs says something. */
#ifndef CW_GEN_RUN_TIE_H
#define CW_GEN_RUN_TIE_H

/* Unrelated one-cycle changes move small runs by one to two percent. Areas have no noise, but no
 * model is better than that either. */
#define TIE 0.02

#endif
