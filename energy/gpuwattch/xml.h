/* SPDX-License-Identifier: MIT
 *
 * energy/gpuwattch/xml.h: the McPAT component tree: nested <component id= name=> elements with
 * <param> and <stat> name/value pairs, as GPUWattch and AccelWattch files have it. Read through
 * expat, strictly: other elements, missing attributes, a second value for a name, and entity
 * declarations are errors with their line. Comments, CRLF, numbers with a C suffix ("7.7e-8f") and
 * stats that are placeholders ("total_cycles_match_mcpat") are part of the format. */
#ifndef CW_ENERGY_GPUWATTCH_XML_H
#define CW_ENERGY_GPUWATTCH_XML_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

struct xml_value {
    const char *name, *text;
    int line;
    bool is_stat;
    struct xml_value *next;
};

struct xml_component {
    const char *id, *name;
    int line;
    struct xml_value *values;
    struct xml_component *children, *next, *parent;
};

/* The root element. `file` is for messages. */
bool xml_parse(const char *file, const char *text, size_t n, struct arena *mem,
               struct xml_component **root, struct err *err);
bool xml_read(const char *path, struct arena *mem, struct xml_component **root, struct err *err);

/* By full id ("system.core0.dcache"), anywhere below; NULL if it is not there. */
const struct xml_component *xml_find(const struct xml_component *root, const char *id);
const struct xml_value *xml_param(const struct xml_component *c, const char *name);

/* The value as a finite number; an error with line and name otherwise. */
bool xml_number(const char *file, const struct xml_value *v, double *out, struct err *err);

#endif
