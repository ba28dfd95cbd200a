/* SPDX-License-Identifier: MIT
 *
 * Reads the output of a real CACTI by its labels. A number counts only where its line is complete.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "energy/tool/cacti.h"

struct region {
    const char *from, *to;
};

/* The number after `label` within the region. */
static bool number(struct region r, const char *label, double *out)
{
    const char *p = strstr(r.from, label);
    if (!p || p >= r.to)
        return false;
    p += strlen(label);
    char *end;
    double v = strtod(p, &end);
    if (end == p || end > r.to || !isfinite(v) || (*end != '\n' && *end != '\r' && *end != ' '))
        return false;
    *out = v;
    return true;
}

static struct region from_label(struct region r, const char *label)
{
    const char *p = strstr(r.from, label);
    return (struct region){p && p < r.to ? p : r.to, r.to};
}

static struct region until_label(struct region r, const char *label)
{
    const char *p = strstr(r.from, label);
    return (struct region){r.from, p && p < r.to ? p : r.to};
}

struct line {
    const char *label;
    size_t offset;
    double scale;
};
#define SIDE(label, field, scale)                                                                  \
    {                                                                                              \
        label, offsetof(struct amodel_side, field), scale                                          \
    }
#define WHOLE(label, field, scale)                                                                 \
    {                                                                                              \
        label, offsetof(struct amodel_out, field), scale                                           \
    }

static const struct line time_lines[] = {
    SIDE("(with Output driver) (ns):", access_s, 1e-9),
    SIDE("H-tree input delay (ns):", t_htree_in, 1e-9),
    SIDE("Decoder + wordline delay (ns):", t_decode, 1e-9),
    SIDE("CAM search delay (ns):", t_match, 1e-9),
    SIDE("Bitline delay (ns):", t_bitline, 1e-9),
    SIDE("Sense Amplifier delay (ns):", t_sense, 1e-9),
    SIDE("Comparator delay (ns):", t_compare, 1e-9),
    SIDE("H-tree output delay (ns):", t_out, 1e-9),
    {NULL, 0, 0},
};
static const struct line energy_lines[] = {
    SIDE("Total dynamic read energy/access  (nJ):", read_j, 1e-9),
    SIDE("Total dynamic read energy/access (nJ):", read_j, 1e-9),
    SIDE("Total leakage power of a bank (mW):", leak.sub, 1e-3),
    SIDE("Total leakage read/write power of a bank (mW):", leak.sub, 1e-3),
    SIDE("Total energy in H-tree (that includes both address and data transfer) (nJ):", e_htree,
         1e-9),
    SIDE("\tDecoder (nJ):", e_decode, 1e-9),
    SIDE("\tWordline (nJ):", e_wordline, 1e-9),
    SIDE("Bitline mux & associated drivers (nJ):", e_bitmux, 1e-9),
    SIDE("Sense amp mux & associated drivers (nJ):", e_sensemux, 1e-9),
    SIDE("Bitlines precharge and equalization circuit (nJ):", e_precharge, 1e-9),
    SIDE("\tBitlines (nJ):", e_bitline, 1e-9),
    SIDE("Sense amplifier energy (nJ):", e_sense, 1e-9),
    SIDE("Sub-array output driver (nJ):", e_out, 1e-9),
    {NULL, 0, 0},
};
static const struct line search_lines[] = {
    SIDE("Searchlines (nJ):", s_searchline, 1e-9),
    SIDE("Matchlines  (nJ):", s_matchline, 1e-9),
    SIDE("Data portion wordline (nJ):", s_wordline, 1e-9),
    SIDE("Data Bitlines (nJ):", s_bitline, 1e-9),
    SIDE("Sense amplifier energy (nJ):", s_sense, 1e-9),
    SIDE("Sub-array output driver (nJ):", s_out, 1e-9),
    {NULL, 0, 0},
};
static const struct line area_lines[] = {
    SIDE("Area (mm2):", area_um2, 1e6),
    SIDE("\tHeight (mm):", height_um, 1e3),
    SIDE("\tWidth (mm):", width_um, 1e3),
    SIDE("Area efficiency (Memory cell area/Total area) -", efficiency, 0.01),
    SIDE("MAT Height (mm):", mat_h_um, 1e3),
    SIDE("MAT Length (mm):", mat_w_um, 1e3),
    SIDE("Subarray Height (mm):", sub_h_um, 1e3),
    SIDE("Subarray Length (mm):", sub_w_um, 1e3),
    {NULL, 0, 0},
};
/* without which there is no result */
static const struct line summary_lines[] = {
    WHOLE("Access time (ns):", access_s, 1e-9),
    WHOLE("Cycle time (ns):", cycle_s, 1e-9),
    WHOLE("Total dynamic read energy per access (nJ):", read_j, 1e-9),
    WHOLE("Total leakage power of a bank (mW):", leak_w, 1e-3),
    {NULL, 0, 0},
};

/* Fills what is there; returns the first label that is not, or NULL. */
static const char *fill(struct region r, const struct line *lines, void *out)
{
    const char *missing = NULL;
    for (const struct line *l = lines; l->label; l++) {
        double v;
        if (number(r, l->label, &v)) {
            v *= l->scale;
            memcpy((char *)out + l->offset, &v, sizeof v);
        } else if (!missing) {
            missing = l->label;
        }
    }
    return missing;
}

static const char *fill_org(struct region r, bool tag, struct amodel_org *o)
{
    static const char *const data[] = {"Best Ndwl :", "Best Ndbl :",     "Best Nspd :",
                                       "Best Ndcm :", "Best Ndsam L1 :", "Best Ndsam L2 :"};
    static const char *const tags[] = {"Best Ntwl :", "Best Ntbl :",     "Best Ntspd :",
                                       "Best Ntcm :", "Best Ntsam L1 :", "Best Ntsam L2 :"};
    double v[6];
    for (int i = 0; i < 6; i++) {
        const char *label = tag ? tags[i] : data[i];
        if (!number(r, label, &v[i]) || v[i] < 0 || v[i] > 1e6)
            return label;
    }
    *o = (struct amodel_org){v[2], (int)v[0], (int)v[1], (int)v[3], (int)v[4], (int)v[5]};
    return NULL;
}

/* The version as the banner says it; `*body` is what follows. */
static const char *banner(const char *out, struct arena *mem, const char **body)
{
    const char *p = strstr(out, "---------- CACTI ");
    if (!p)
        return NULL;
    const char *v = strstr(p, "version "), *end = p + strcspn(p, "\n");
    if (!v || v > end || *end != '\n')
        return NULL;
    v += strlen("version ");
    /* "6.5, Uniform …" or "7.0.3DD Prerelease of Aug, 2012), Uniform …" */
    bool in_brackets = strncmp(p, "---------- CACTI (", 18) == 0;
    size_t n = strcspn(v, in_brackets ? ")\n" : ",\n");
    *body = end;
    return arena_strndup(mem, v, n);
}

/* What the program says instead of a result, if it is one of its refusals. */
static const char *refusal(const char *out, const char *errors, struct arena *mem)
{
    static const char *const marks[] = {
        "ERROR",     " must ",     "Must have", "Invalid technology",
        "too small", "should be ", "Only CAM",  "Unknown wire type"};
    const char *const texts[] = {errors, out};
    for (int t = 0; t < 2; t++)
        for (const char *line = texts[t]; *line;) {
            size_t n = strcspn(line, "\n");
            const char *copy = arena_strndup(mem, line, n < 300 ? n : 300);
            for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
                if (strstr(copy, marks[i]) && !strstr(copy, "Assertion"))
                    return copy;
            line += n + (line[n] == '\n');
        }
    return NULL;
}

enum cacti_says cacti_read(const char *out, const char *errors, bool has_search, struct arena *mem,
                           struct amodel_out *answer, const char **version, const char **words)
{
    const char *body;
    *words = refusal(out, errors, mem);
    *version = banner(out, mem, &body);
    if (!*version) {
        if (*words)
            return CACTI_REFUSAL;
        *words = "---------- CACTI version";
        return CACTI_NONSENSE;
    }
    struct amodel_out o = {.has_search = has_search};
    struct region all = {body, body + strlen(body)};
    struct region summary = until_label(all, "Time Components:");
    double height = 0, width = 0;

    *words = fill(summary, summary_lines, &o);
    if (!*words)
        *words = fill_org(summary, false, &o.data.org);
    if (!*words && strstr(summary.from, "Best Ntwl :")) {
        o.has_tag = true;
        *words = fill_org(summary, true, &o.tag.org);
    }
    if (!*words && has_search &&
        !number(summary, "Total dynamic associative search energy per access (nJ):", &o.search_j))
        *words = "Total dynamic associative search energy per access (nJ):";
    const char *size = "Cache height x width (mm):";
    const char *at = strstr(summary.from, size), *by = at ? strstr(at + strlen(size), " x ") : NULL;
    if (!*words && !(at && by && number((struct region){at, by + 1}, size, &height) &&
                     number((struct region){by, summary.to}, " x ", &width)))
        *words = size;
    bool is_first_release =
        !number(summary, "Total dynamic write energy per access (nJ):", &o.write_j);
    if (!*words && is_first_release && strncmp(*version, "6.5", 3) != 0)
        *words = "Total dynamic write energy per access (nJ):";
    if (!*words && summary.to != all.to && !strstr(summary.to, "Wire Properties:"))
        *words = "Wire Properties:";
    if (*words)
        return CACTI_NONSENSE;

    o.search_j *= 1e-9;
    o.write_j *= 1e-9;
    if (is_first_release) { /* it has neither write energy nor gate leakage */
        o.write_j = o.gate_leak_w = NAN;
        *version = arena_printf(mem, "%s (first release)", *version);
    } else if (number(summary, "Total gate leakage power of a bank (mW):", &o.gate_leak_w)) {
        o.gate_leak_w *= 1e-3;
    }
    o.height_um = height * 1e3;
    o.width_um = width * 1e3;
    o.area_um2 = o.height_um * o.width_um;

    struct region time = until_label(from_label(all, "Time Components:"), "Power Components:");
    struct region power = until_label(from_label(all, "Power Components:"), "Area Components:");
    struct region area = until_label(from_label(all, "Area Components:"), "Wire Properties:");
    fill(until_label(time, "Tag side"), time_lines, &o.data);
    struct region data_power = until_label(power, "Tag array:");
    if (has_search) {
        o.data.s_wordline = o.data.s_bitline = o.data.s_sense = NAN; /* a CAM has none */
        fill(until_label(data_power, "Total dynamic read energy/access"), search_lines, &o.data);
        data_power = from_label(data_power, "Total dynamic read energy/access");
    }
    fill(data_power, energy_lines, &o.data);
    fill(until_label(area, "Tag array:"), area_lines, &o.data);
    if (o.has_tag) {
        fill(from_label(time, "Tag side"), time_lines, &o.tag);
        fill(from_label(power, "Tag array:"), energy_lines, &o.tag);
        fill(from_label(area, "Tag array:"), area_lines, &o.tag);
    }
    o.data.write_j = o.write_j; /* printed for the whole only */
    o.data.search_j = o.search_j;
    *answer = o;
    return CACTI_RESULT;
}
