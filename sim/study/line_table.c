/* SPDX-License-Identifier: MIT */
#include "sim/study/line_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

#define FIRST_SLOTS 4096u

static uint64_t *slot(const struct line_table *t, uint64_t i)
{
    return (uint64_t *)(void *)((char *)t->slots + i * t->entry_bytes);
}

void *line_table_find(const struct line_table *t, uint64_t number)
{
    uint64_t i = rng_mix(number) & (t->n_slots - 1);
    while (*slot(t, i) && *slot(t, i) != number + 1)
        i = (i + 1) & (t->n_slots - 1);
    return slot(t, i);
}

static int grow(struct line_table *t)
{
    struct line_table more = *t;
    more.n_slots = t->n_slots ? t->n_slots * 2 : FIRST_SLOTS;
    more.slots = calloc(more.n_slots, t->entry_bytes);
    if (!more.slots)
        return 0;
    for (uint64_t i = 0; i < t->n_slots; i++)
        if (*slot(t, i))
            memcpy(line_table_find(&more, *slot(t, i) - 1), slot(t, i), t->entry_bytes);
    free(t->slots);
    *t = more;
    return 1;
}

void *line_table_at(struct line_table *t, uint64_t number)
{
    if (t->n * 2 >= t->n_slots && !grow(t))
        return NULL;
    uint64_t *entry = line_table_find(t, number);
    t->n += !*entry;
    *entry = number + 1;
    return entry;
}

void line_table_end(struct line_table *t)
{
    free(t->slots);
    *t = (struct line_table){.entry_bytes = t->entry_bytes};
}
