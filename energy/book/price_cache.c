/* SPDX-License-Identifier: MIT */
#include "energy/book/price_cache.h"

#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "cache/array.h"

enum { BUCKETS = 4096 };

enum state { PRICING, PRICED, FAILED };

struct asked { /* everything that a price depends on */
    struct book_class cls;
    const struct engine *engine, *fallback;
    struct tech_params tech;
    const struct logic_techs *logic;
    const struct array_tables *arrays;
    const char *program, *cache_dir;
    double core_ghz;
};

struct entry {
    struct asked asked;
    struct cost cost;
    enum state state;
    struct entry *next;
};

struct price_cache {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct arena *mem;
    struct entry *buckets[BUCKETS];
    uint64_t n_priced, n_asked;
};

struct price_cache *price_cache_new(struct arena *mem)
{
    struct price_cache *c = arena_new(mem, struct price_cache);
    c->mem = mem;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    return c;
}

void price_cache_free(struct price_cache *c)
{
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->changed);
}

/* Numbers that parts often differ in; equality is looked at field by field. */
static uint64_t hash_of(const struct book_class *cls, double core_ghz)
{
    double words[8] = {(double)cls->kind, core_ghz};
    switch (cls->kind) {
    case CK_ROUTER:
        words[2] = cls->router.inputs;
        words[3] = cls->router.outputs;
        words[4] = cls->router.flit_bits;
        words[5] = cls->router.vcs;
        words[6] = cls->router.vc_depth;
        words[7] = cls->router.clock_ghz;
        break;
    case CK_CHANNEL:
        words[2] = cls->link.width_bits;
        words[3] = cls->link.length_mm;
        words[4] = cls->link.delay_ns;
        break;
    case CK_ARRAY:
        words[2] = (double)cls->array->entries;
        words[3] = cls->array->ways;
        words[4] = cls->array->banks;
        words[5] = (double)cls->array->kind;
        words[6] = array_bits_per_entry(cls->array);
        break;
    case CK_SM_CORE:
    case CK_MEMORY_CONTROLLER:
    case CK_DRAM:
    case CK_USER:
    case CK_COUNT: break;
    }
    return map_hash_bytes(words, sizeof words, 0);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_tech(const struct tech_params *a, const struct tech_params *b)
{
    return a->node_nm == b->node_nm && a->array_node_nm == b->array_node_nm &&
           a->temperature_k == b->temperature_k && a->voltage_v == b->voltage_v &&
           a->volt_ratio == b->volt_ratio && a->leakage == b->leakage && a->logic == b->logic &&
           a->timing_mode == b->timing_mode && a->arbiters == b->arbiters &&
           a->switches == b->switches && a->cell_margin == b->cell_margin && a->skew == b->skew &&
           a->array_device == b->array_device && same_text(a->data_dir, b->data_dir);
}

static bool same_asked(const struct asked *a, const struct asked *b)
{
    return book_same_spec(&a->cls, &b->cls) && a->engine == b->engine &&
           a->fallback == b->fallback && same_tech(&a->tech, &b->tech) && a->logic == b->logic &&
           a->arrays == b->arrays && same_text(a->program, b->program) &&
           same_text(a->cache_dir, b->cache_dir) && a->core_ghz == b->core_ghz;
}

static const char *kept_text(struct price_cache *c, const char *text)
{
    return text ? arena_strdup(c->mem, text) : NULL;
}

static struct entry *add_entry(struct price_cache *c, const struct asked *asked, uint64_t hash)
{
    struct entry *e = arena_new(c->mem, struct entry);
    e->asked = *asked;
    e->asked.cls.name = kept_text(c, asked->cls.name);
    e->asked.cls.group = kept_text(c, asked->cls.group);
    e->asked.program = kept_text(c, asked->program);
    e->asked.cache_dir = kept_text(c, asked->cache_dir);
    e->asked.tech.data_dir = kept_text(c, asked->tech.data_dir);
    if (asked->cls.kind == CK_ARRAY) {
        struct array *copy = arena_new(c->mem, struct array);
        *copy = *asked->cls.array;
        copy->name = kept_text(c, copy->name);
        for (uint32_t i = 0; i < copy->n_fields; i++)
            copy->fields[i].name = kept_text(c, copy->fields[i].name);
        e->asked.cls.array = copy;
    }
    e->next = c->buckets[hash % BUCKETS];
    c->buckets[hash % BUCKETS] = e;
    return e;
}

bool price_cache_take(struct price_cache *c, const struct book_class *cls,
                      const struct engine *engine, const struct engine *fallback,
                      const struct engine_ctx *ctx, double core_ghz, struct cost *out,
                      void **ticket)
{
    const struct asked asked = {*cls,         engine,           fallback,
                                *ctx->tech,   ctx->logic_techs, ctx->array_tables,
                                ctx->program, ctx->cache_dir,   core_ghz};
    uint64_t hash = hash_of(cls, core_ghz);
    pthread_mutex_lock(&c->lock);
    c->n_asked++;
    struct entry *e = c->buckets[hash % BUCKETS];
    while (e && !same_asked(&e->asked, &asked))
        e = e->next;
    while (e && e->state == PRICING)
        pthread_cond_wait(&c->changed, &c->lock);
    bool is_priced = e && e->state == PRICED;
    if (is_priced)
        *out = e->cost;
    else
        *ticket = e ? e : add_entry(c, &asked, hash);
    if (e && !is_priced)
        e->state = PRICING;
    pthread_mutex_unlock(&c->lock);
    return is_priced;
}

void price_cache_put(struct price_cache *c, void *ticket, const struct cost *cost)
{
    struct entry *e = ticket;
    pthread_mutex_lock(&c->lock);
    if (cost) {
        e->cost = *cost;
        e->cost.engine = kept_text(c, cost->engine);
        e->cost.technology = kept_text(c, cost->technology);
        e->cost.model = kept_text(c, cost->model);
        e->cost.note = kept_text(c, cost->note);
        c->n_priced++;
    }
    e->state = cost ? PRICED : FAILED;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

void price_cache_counts(struct price_cache *c, uint64_t *priced, uint64_t *asked)
{
    pthread_mutex_lock(&c->lock);
    *priced = c->n_priced;
    *asked = c->n_asked;
    pthread_mutex_unlock(&c->lock);
}
