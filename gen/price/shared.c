/* SPDX-License-Identifier: MIT */
#include "gen/price/shared.h"

#include <pthread.h>
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/vec.h"
#include "energy/book/price_cache.h"
#include "gen/config/read_tech.h"

struct core { /* what energy.core and energy.core_base name */
    const char *core, *base;
    struct gpuwattch gpuwattch;
    struct gw_base gw_base;
    uint64_t sources;
};

struct price_shared {
    const char *data_dir;
    const struct tech_tables *tables;
    struct arena cores_mem, prices_mem; /* each behind its own lock */
    pthread_mutex_t lock;
    VEC(struct core) cores;
    struct price_cache *cache;
};

struct price_shared *price_shared_new(const char *data_dir, struct arena *mem, struct err *err)
{
    const struct tech_tables *tables = tech_tables_read(data_dir, mem, err);
    if (!tables)
        return NULL;
    struct price_shared *s = arena_new(mem, struct price_shared);
    s->data_dir = data_dir;
    s->tables = tables;
    arena_init(&s->cores_mem, mem->out_of_memory, mem->ctx);
    arena_init(&s->prices_mem, mem->out_of_memory, mem->ctx);
    pthread_mutex_init(&s->lock, NULL);
    s->cache = price_cache_new(&s->prices_mem);
    return s;
}

void price_shared_free(struct price_shared *s)
{
    price_cache_free(s->cache);
    pthread_mutex_destroy(&s->lock);
    arena_free(&s->cores_mem);
    arena_free(&s->prices_mem);
}

void price_shared_counts(struct price_shared *s, uint64_t *priced, uint64_t *asked)
{
    price_cache_counts(s->cache, priced, asked);
}

const struct tech_tables *price_shared_tables(const struct price_shared *s)
{
    return s->tables;
}

struct price_cache *price_shared_cache(const struct price_shared *s)
{
    return s->cache;
}

bool price_shared_gpuwattch(struct price_shared *s, const struct arch *arch, struct gpuwattch *g,
                            struct gw_base *base, uint64_t *sources, struct err *err)
{
    const struct core *found = NULL;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->cores.n && !found; i++) {
        const struct core *c = &s->cores.at[i];
        if (strcmp(c->core, arch->energy.core) == 0 && strcmp(c->base, arch->energy.core_base) == 0)
            found = c;
    }
    if (!found) {
        struct core c = {.core = arena_strdup(&s->cores_mem, arch->energy.core),
                         .base = arena_strdup(&s->cores_mem, arch->energy.core_base)};
        if (price_read_gpuwattch(arch, s->data_dir, &s->cores_mem, &c.gpuwattch, &c.gw_base,
                                 &c.sources, err)) {
            vec_push(&s->cores_mem, &s->cores, c);
            found = &s->cores.at[s->cores.n - 1];
        }
    }
    if (found) {
        *g = found->gpuwattch;
        *base = found->gw_base;
        *sources = found->sources;
    }
    pthread_mutex_unlock(&s->lock);
    return found != NULL;
}

bool price_shared_files(struct price_shared *s, const struct arch *arch, struct arena *mem,
                        uint64_t *hash, struct err *err)
{
    struct gpuwattch g;
    struct gw_base base;
    uint64_t core = 0;
    const char *table = arch->energy.table;
    if (!price_shared_gpuwattch(s, arch, &g, &base, &core, err))
        return false;
    *hash = map_hash_bytes(&core, sizeof core, s->tables->sources);
    if (table[0])
        *hash = file_hash(arch_named_file(arch, "energy.table", table, s->data_dir, mem), *hash);
    return true;
}
