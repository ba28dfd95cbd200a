/* SPDX-License-Identifier: MIT
 *
 * base/map.h: name -> index, used while building, never while simulating. Keys are copied. */
#ifndef CW_BASE_MAP_H
#define CW_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct map_slot {
    const char *key; /* NULL: empty */
    uint64_t hash;
    size_t value;
};

struct map {
    struct arena *mem;
    struct map_slot *slots;
    size_t n, n_slots; /* n_slots is a power of two or 0 */
};

void map_init(struct map *m, struct arena *mem);
bool map_get(const struct map *m, const char *key, size_t *value);
/* False if the key is there already (nothing is changed). */
bool map_add(struct map *m, const char *key, size_t value);

uint64_t map_hash_bytes(const void *data, size_t n, uint64_t seed); /* FNV-1a, then mixed */

#endif
