/* SPDX-License-Identifier: MIT
 *
 * gen/store/sources.h: which sources made this program's numbers. Made by the Makefile from the
 * texts of base, noc, cache, energy, sim and those rooms of gen that resolve, elaborate, price and
 * account: results of a program with other texts are not taken, and a change of anything else keeps
 * them. */
#ifndef CW_GEN_STORE_SOURCES_H
#define CW_GEN_STORE_SOURCES_H

#include <stdint.h>

const char *sources_hash(void); /* hexadecimal digits */
uint64_t sources_number(void);  /* a hash of them */

#endif
