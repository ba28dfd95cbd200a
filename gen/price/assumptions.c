/* SPDX-License-Identifier: MIT */
#include "gen/price/assumptions.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "energy/logic/cell.h"
#include "gen/price/scale.h"

enum { NODE, LEAKAGE, MODE, LINKS, LIMIT, ASSUMPTIONS };

static const char *length_text(double mm, struct arena *mem)
{
    return mm == NOC_LINK_FLOORPLAN ? "floorplan" : arena_printf(mem, "%g mm", mm);
}

/* "links by floorplan", "links 3.3 mm/floorplan/12.3 mm (SM/LLC/routers)" */
static const char *links_text(const struct noc_place_params *p, struct arena *mem)
{
    const double *mm = p->link_mm;
    if (mm[0] == mm[1] && mm[0] == mm[2])
        return arena_printf(mem, mm[0] == NOC_LINK_FLOORPLAN ? "links by %s" : "links of %s",
                            length_text(mm[0], mem));
    return arena_printf(mem, "links of %s/%s/%s (SM/LLC/routers)",
                        length_text(mm[NOC_LINK_SM], mem), length_text(mm[NOC_LINK_LLC], mem),
                        length_text(mm[NOC_LINK_ROUTER], mem));
}

static void words_of(const struct priced *p, struct arena *mem, const char *out[ASSUMPTIONS])
{
    const struct arch *a = p->design->arch;
    out[NODE] = scale_short_text(p, mem);
    static const char *const counted[] = {", in the fitted static power once", ", by models alone",
                                          ""};
    out[LEAKAGE] = arena_printf(mem, "leakage %s%s", leak_variant_names[a->tech.leakage],
                                counted[a->energy.leakage]);
    out[MODE] = arena_printf(mem, "timing mode %s", p->clock.timing_mode);
    out[LINKS] = links_text(&a->place, mem);
    out[LIMIT] = arena_printf(mem, "clock limit %s", p->clock.limit);
}

const char *assumptions_line(const struct priced *const *priced, const char *const *names, size_t n,
                             struct arena *mem)
{
    const char *(*words)[ASSUMPTIONS] = arena_array(mem, n, sizeof *words);
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    for (size_t d = 0; d < n; d++)
        words_of(priced[d], mem, words[d]);
    for (int k = 0; k < ASSUMPTIONS; k++) {
        bool differs = false;
        for (size_t d = 1; d < n; d++)
            differs |= strcmp(words[d][k], words[0][k]) != 0;
        buf_printf(&b, "%s%s", k ? ", " : "", words[0][k]);
        if (!differs)
            continue;
        for (size_t d = 1; d < n; d++) {
            const char *word = words[d][k];
            bool is_said = false;
            for (size_t e = 0; e < d; e++)
                is_said |= strcmp(word, words[e][k]) == 0;
            for (size_t e = d; !is_said && e < n; e++)
                if (strcmp(word, words[e][k]) == 0)
                    buf_printf(&b, "%s%s", e == d ? " (" : "; ", names[e]);
            if (!is_said)
                buf_printf(&b, ": %s)", word);
        }
    }
    return b.data;
}

const char *assumptions_clock(const struct priced *p, struct arena *mem)
{
    const struct clock_choice *c = &p->clock;
    const char *others = clock_other_modes(c, mem), *mark = others[0] ? ";" : "";
    if (strcmp(c->limit, "none") == 0 && c->fmax_ghz < c->target_ghz)
        return arena_printf(mem,
                            "the clock is not limited by what the routers can do: %s reaches "
                            "%.3f GHz (%s; timing mode %s%s%s), and %.3f GHz is assumed",
                            c->limited_by, c->fmax_ghz, c->stage, c->timing_mode, mark, others,
                            c->clock_ghz);
    if (c->clock_ghz < c->target_ghz)
        return arena_printf(mem,
                            "the clock is lowered from %.3f to %.3f GHz: %s can do no more "
                            "(%s; timing mode %s%s%s)",
                            c->target_ghz, c->clock_ghz, c->limited_by, c->stage, c->timing_mode,
                            mark, others);
    return "";
}
