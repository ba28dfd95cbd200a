/* SPDX-License-Identifier: MIT
 *
 * cache/array.h: the geometry of any storage structure, in bits. Widths are derived from addresses,
 * counts and indices, never typed in. Behaviour is in the structure's own file. */
#ifndef CW_CACHE_ARRAY_H
#define CW_CACHE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/arrays.h"

#define ARRAY_MAX_FIELDS 16u

enum array_kind {
    ARRAY_RAM,       /* indexed by number */
    ARRAY_CAM,       /* searched by content; fields marked is_searched are compared */
    ARRAY_CACHE,     /* set-associative: tags and lines */
    ARRAY_QUEUE,     /* first in, first out: latches or a small RAM */
    ARRAY_REGISTERS, /* register file */
    ARRAY_KINDS
};

struct array_field {
    const char *name;
    uint32_t bits;
    bool is_searched;
    bool is_valid_bit; /* valid and replacement state: listed, but not in bytes as papers count */
    bool is_data;      /* line data of a cache or CAM-tagged memory */
};

struct array {
    const char *name; /* "l1", "merge_table", "request buffers" */
    enum array_scope scope;
    enum array_kind kind;
    uint64_t entries; /* caches: lines */
    struct array_field fields[ARRAY_MAX_FIELDS];
    uint32_t n_fields;
    uint32_t ways;       /* caches: associativity; 0: fully associative; else unused */
    uint32_t line_bytes; /* caches, fully associative structures: data per entry */
    uint32_t banks;
    uint32_t slices; /* equal blocks an entry is spread over, each beside those it serves and with
                        banks and wires of its own; 0: one */
    uint32_t read_ports, write_ports, rw_ports, search_ports;
    uint32_t access_bits; /* read or written at once; 0: a whole entry */
    bool tags_first;      /* caches: tags are compared before one way of the data is read */
    uint32_t collectors;  /* operand collectors behind the banks, of one group; 0: none */
    uint32_t groups;      /* into which banks and collectors are divided; 0: one */
    uint32_t instances;   /* in the whole design */
    bool one_cycle;       /* must be reached within a core cycle */
};

uint32_t array_bits_per_entry(const struct array *a); /* without valid bits */
uint64_t array_bits(const struct array *a);           /* entries x bits, without valid bits */
uint64_t array_bytes(const struct array *a);          /* bits / 8, rounded up */
const char *array_kind_name(enum array_kind kind);
void array_add_field(struct array *a, const char *name, uint32_t bits);
void array_add_searched(struct array *a, const char *name, uint32_t bits);
void array_add_valid(struct array *a, const char *name, uint32_t bits);
void array_add_data(struct array *a, const char *name, uint32_t bits);

#endif
