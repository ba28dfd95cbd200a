/* SPDX-License-Identifier: MIT
 *
 * gen/report/band_print.h: how far a conclusion reaches (gen/run/band.h), as a sentence, tables, a
 * tornado chart and JSON. */
#ifndef CW_GEN_REPORT_BAND_PRINT_H
#define CW_GEN_REPORT_BAND_PRINT_H

#include <jansson.h>

#include "gen/run/band.h"

struct buf;
struct scope;

/* "cdxbar wins on performance per Watt of the NoC in 9 of 12 cases; crossbar wins where …" */
void band_sentence(const struct band *b, int goal, struct buf *out);
/* Ranges over the first design, how often each wins, what moves the leader's ratio most. */
void band_text(const struct band *b, struct arena *mem, struct buf *out);
/* Every case, a line each. */
void band_cases(const struct band *b, int goal, struct arena *mem, struct buf *out);
json_t *band_json(const struct band *b, struct arena *mem);
/* The tornado chart: perf/W of the NoC of the best design over the next one, as described, and how
 * far each assumption moves it. */
const char *band_svg(const struct band *b, int goal, struct arena *mem);
/* All of it as names of a template (templates/report.html, explore.html): the sentence, the chart,
 * ranges over the first design, and who wins in which case. */
void band_scope(const struct band *b, struct scope *out, struct arena *mem);

#endif
