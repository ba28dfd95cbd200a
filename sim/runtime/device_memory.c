/* SPDX-License-Identifier: MIT
 *
 * Memory of the device, and what host and device share. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/runtime/runtime.h"

#define ALIGN 512u /* as cudaMalloc */
#define PAGE 4096u

static uint64_t align_up(uint64_t v, uint64_t a)
{
    return (v + a - 1) / a * a;
}

/* The number of the first allocation above the address. */
static size_t first_above(const struct runtime *r, uint64_t address)
{
    size_t low = 0, high = r->memory.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (r->memory.at[mid].base <= address)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The lowest gap that is large enough, so that what is freed is used again. */
static uint64_t find_gap(const struct runtime *r, uint64_t bytes, uint64_t align)
{
    uint64_t at = RUNTIME_HEAP;
    for (size_t i = first_above(r, RUNTIME_HEAP - 1); i < r->memory.n; i++) {
        const struct runtime_memory *m = &r->memory.at[i];
        if (m->base >= RUNTIME_HEAP_END)
            break;
        if (m->base >= at + bytes + ALIGN)
            return at;
        at = align_up(m->base + m->bytes + ALIGN, align);
    }
    return at + bytes < RUNTIME_HEAP_END ? at : 0;
}

static enum runtime_code add(struct runtime *r, const struct runtime_memory *m, const char *name)
{
    struct ptx_segment s = {
        .base = m->base, .size = m->bytes, .name = name, .writable = true, .host = m->room};
    struct err scrap;
    err_init(&scrap);
    bool ok = ptx_device_map(&r->device, &s, &scrap);
    err_free(&scrap);
    if (!ok)
        return RC_ErrorMemoryAllocation;
    size_t at = first_above(r, m->base);
    vec_push(&r->mem, &r->memory, *m);
    memmove(r->memory.at + at + 1, r->memory.at + at, (r->memory.n - 1 - at) * sizeof *m);
    r->memory.at[at] = *m;
    return RC_Success;
}

static void give_back(const struct runtime_memory *m)
{
    if (m->kind == RM_DEVICE)
        free(m->room);
    else if (m->kind != RM_REGISTERED)
        munmap(m->room, m->room_bytes);
}

enum runtime_code runtime_allocate(struct runtime *r, enum runtime_memory_kind kind, uint64_t bytes,
                                   uint64_t *address)
{
    bool is_host = kind != RM_DEVICE;
    struct runtime_memory m = {.bytes = bytes, .kind = kind};
    if (bytes > r->device.max_bytes)
        return RC_ErrorMemoryAllocation;
    uint64_t room = is_host ? align_up(bytes, PAGE) : bytes;
    m.base = find_gap(r, room, is_host ? PAGE : ALIGN);
    if (!m.base)
        return RC_ErrorMemoryAllocation;
    if (is_host)
        m.base = align_up(m.base, PAGE);
    m.room_bytes = room;
    if (is_host) {
        m.room = mmap((void *)(uintptr_t)m.base, room, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (m.room == MAP_FAILED)
            return RC_ErrorMemoryAllocation;
    } else {
        m.room = calloc(bytes + 16, 1);
        if (!m.room)
            return RC_ErrorMemoryAllocation;
    }
    enum runtime_code code = add(r, &m,
                                 kind == RM_MANAGED  ? "managed memory"
                                 : kind == RM_PINNED ? "pinned memory"
                                                     : "cudaMalloc");
    if (code != RC_Success)
        give_back(&m);
    else
        *address = m.base;
    return code;
}

enum runtime_code runtime_register(struct runtime *r, void *host, uint64_t bytes)
{
    struct runtime_memory m = {
        .base = (uint64_t)(uintptr_t)host, .bytes = bytes, .kind = RM_REGISTERED, .room = host};
    return add(r, &m, "registered memory") == RC_Success ? RC_Success
                                                         : RC_ErrorHostMemoryAlreadyRegistered;
}

enum runtime_code runtime_free(struct runtime *r, uint64_t address)
{
    size_t k = first_above(r, address);
    if (k == 0 || r->memory.at[k - 1].base != address)
        return RC_ErrorInvalidValue;
    ptx_device_unmap(&r->device, address);
    give_back(&r->memory.at[k - 1]);
    r->memory.n--;
    memmove(r->memory.at + k - 1, r->memory.at + k, (r->memory.n - (k - 1)) * sizeof *r->memory.at);
    return RC_Success;
}

void runtime_free_all(struct runtime *r)
{
    while (r->memory.n)
        runtime_free(r, r->memory.at[r->memory.n - 1].base);
}

const struct runtime_memory *runtime_memory_at(const struct runtime *r, uint64_t address)
{
    size_t k = first_above(r, address);
    if (k == 0 || address - r->memory.at[k - 1].base >= r->memory.at[k - 1].bytes)
        return NULL;
    return &r->memory.at[k - 1];
}

bool runtime_is_device(const struct runtime *r, uint64_t address)
{
    (void)r;
    return (address >= RUNTIME_WINDOW && address < RUNTIME_HEAP_END) ||
           (address >= PTX_CONST_BASE && address < PTX_GLOBAL_BASE &&
            ptx_device_at(&r->device, address));
}

void *runtime_bytes(struct runtime *r, const void *address, uint64_t bytes, const char *what)
{
    uint64_t a = (uint64_t)(uintptr_t)address;
    const struct ptx_segment *s = ptx_device_at(&r->device, a);
    if (!s && !runtime_is_device(r, a))
        return (void *)(uintptr_t)address;
    if (s && bytes <= s->size - (a - s->base))
        return s->host + (a - s->base);
    if (s)
        err_add(r->err, ERR_INPUT, NOWHERE,
                "%s: %llu bytes at 0x%llx go beyond '%s', which has %llu from there", what,
                (unsigned long long)bytes, (unsigned long long)a, s->name,
                (unsigned long long)(s->size - (a - s->base)));
    else
        err_add(r->err, ERR_INPUT, NOWHERE, "%s: 0x%llx is in no memory of the device", what,
                (unsigned long long)a);
    return NULL;
}
