/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <string.h>

#include "base/arena.h"
#include "base/rng.h"

uint64_t map_hash_bytes(const void *data, size_t n, uint64_t seed)
{
    const unsigned char *p = data;
    uint64_t h = 0xcbf29ce484222325u ^ seed;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return rng_mix(h);
}

void map_init(struct map *m, struct arena *mem)
{
    *m = (struct map){.mem = mem};
}

/* The slot of the key, or the empty one where it belongs. */
static struct map_slot *find(const struct map *m, const char *key, uint64_t hash)
{
    for (size_t i = hash & (m->n_slots - 1);; i = (i + 1) & (m->n_slots - 1)) {
        struct map_slot *s = &m->slots[i];
        if (!s->key || (s->hash == hash && strcmp(s->key, key) == 0))
            return s;
    }
}

bool map_get(const struct map *m, const char *key, size_t *value)
{
    if (m->n == 0)
        return false;
    const struct map_slot *s = find(m, key, map_hash_bytes(key, strlen(key), 0));
    if (!s->key)
        return false;
    *value = s->value;
    return true;
}

static void grow(struct map *m)
{
    struct map old = *m;
    m->n_slots = old.n_slots ? old.n_slots * 2 : 16;
    m->slots = arena_many(m->mem, struct map_slot, m->n_slots);
    for (size_t i = 0; i < old.n_slots; i++) {
        if (old.slots[i].key)
            *find(m, old.slots[i].key, old.slots[i].hash) = old.slots[i];
    }
}

bool map_add(struct map *m, const char *key, size_t value)
{
    if (m->n * 2 >= m->n_slots)
        grow(m);
    uint64_t hash = map_hash_bytes(key, strlen(key), 0);
    struct map_slot *s = find(m, key, hash);
    if (s->key)
        return false;
    *s = (struct map_slot){arena_strdup(m->mem, key), hash, value};
    m->n++;
    return true;
}
