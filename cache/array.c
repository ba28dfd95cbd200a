/* SPDX-License-Identifier: MIT */
#include "cache/array.h"

#include <assert.h>

uint32_t array_bits_per_entry(const struct array *a)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < a->n_fields; i++) {
        if (!a->fields[i].is_valid_bit)
            bits += a->fields[i].bits;
    }
    return bits;
}

uint64_t array_bits(const struct array *a)
{
    return a->entries * array_bits_per_entry(a);
}

uint64_t array_bytes(const struct array *a)
{
    return (array_bits(a) + 7) / 8;
}

const char *array_kind_name(enum array_kind kind)
{
    switch (kind) {
    case ARRAY_RAM: return "ram";
    case ARRAY_CAM: return "cam";
    case ARRAY_CACHE: return "cache";
    case ARRAY_QUEUE: return "queue";
    case ARRAY_REGISTERS: return "registers";
    case ARRAY_KINDS: break;
    }
    return "";
}

void array_add_field(struct array *a, const char *name, uint32_t bits)
{
    assert(a->n_fields < ARRAY_MAX_FIELDS);
    a->fields[a->n_fields++] = (struct array_field){.name = name, .bits = bits};
}

void array_add_searched(struct array *a, const char *name, uint32_t bits)
{
    array_add_field(a, name, bits);
    a->fields[a->n_fields - 1].is_searched = true;
}

void array_add_valid(struct array *a, const char *name, uint32_t bits)
{
    array_add_field(a, name, bits);
    a->fields[a->n_fields - 1].is_valid_bit = true;
}

void array_add_data(struct array *a, const char *name, uint32_t bits)
{
    array_add_field(a, name, bits);
    a->fields[a->n_fields - 1].is_data = true;
}
