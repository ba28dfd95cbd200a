/* SPDX-License-Identifier: MIT */
#include "sim/runtime/run_settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct number {
    const char *name;
    uint64_t *at;
};
struct text {
    const char *name;
    const char **at;
};

#define N_NUMBERS 16
#define N_TEXTS 4

static void list_fields(struct runtime_settings *s, struct number numbers[N_NUMBERS],
                        struct text texts[N_TEXTS])
{
    const struct number n[N_NUMBERS] = {{"sms", &s->sms},
                                        {"clock_khz", &s->clock_khz},
                                        {"memory_clock_khz", &s->memory_clock_khz},
                                        {"memory_bus_bits", &s->memory_bus_bits},
                                        {"memory_mb", &s->memory_mb},
                                        {"l2_bytes", &s->l2_bytes},
                                        {"threads", &s->threads},
                                        {"ctas", &s->ctas},
                                        {"registers", &s->registers},
                                        {"shared_bytes", &s->shared_bytes},
                                        {"capability", &s->capability},
                                        {"first_launch", &s->first_launch},
                                        {"last_launch", &s->last_launch},
                                        {"as_ptx", &s->as_ptx},
                                        {"outside", &s->outside},
                                        {"all_races", &s->all_races}};
    const struct text t[N_TEXTS] = {{"device", &s->device},
                                    {"trace", &s->trace},
                                    {"report", &s->report},
                                    {"kernels", &s->kernels}};
    memcpy(numbers, n, sizeof n);
    memcpy(texts, t, sizeof t);
}

void runtime_settings_default(struct runtime_settings *s)
{
    *s = (struct runtime_settings){.device = "crosswatt",
                                   .sms = 80,
                                   .clock_khz = 1132000,
                                   .memory_clock_khz = 850000,
                                   .memory_bus_bits = 4096,
                                   .memory_mb = 8192,
                                   .l2_bytes = 6291456,
                                   .threads = 2048,
                                   .ctas = 32,
                                   .registers = 65536,
                                   .shared_bytes = 98304,
                                   .capability = 70,
                                   .first_launch = 1,
                                   .last_launch = UINT64_MAX};
}

static bool set_field(struct runtime_settings *s, const char *name, const char *value,
                      struct err *err)
{
    struct number numbers[N_NUMBERS];
    struct text texts[N_TEXTS];
    list_fields(s, numbers, texts);
    for (size_t i = 0; i < N_TEXTS; i++)
        if (strcmp(texts[i].name, name) == 0) {
            *texts[i].at = value;
            return true;
        }
    for (size_t i = 0; i < N_NUMBERS; i++)
        if (strcmp(numbers[i].name, name) == 0) {
            char *end;
            errno = 0;
            unsigned long long v = strtoull(value, &end, 10);
            if (end == value || *end || errno)
                return err_add(err, ERR_INPUT, NOWHERE, "%s: '%s' is no whole number", name, value);
            *numbers[i].at = v;
            return true;
        }
    return err_add(err, ERR_INPUT, NOWHERE, "unknown setting '%s' in " RUNTIME_ENVIRONMENT, name);
}

bool runtime_settings_read(const char *text, struct arena *mem, struct runtime_settings *s,
                           struct err *err)
{
    for (char *line = arena_strdup(mem, text), *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        char *value = strchr(line, '=');
        if (!value)
            return err_add(err, ERR_INPUT, NOWHERE, "'%s' is no setting: name=value", line);
        *value++ = '\0';
        if (!set_field(s, line, value, err))
            return false;
    }
    return true;
}

const char *runtime_settings_write(const struct runtime_settings *s, struct arena *mem)
{
    struct runtime_settings copy = *s;
    struct number numbers[N_NUMBERS];
    struct text texts[N_TEXTS];
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    list_fields(&copy, numbers, texts);
    for (size_t i = 0; i < N_NUMBERS; i++)
        buf_printf(&b, "%s=%" PRIu64 "\n", numbers[i].name, *numbers[i].at);
    for (size_t i = 0; i < N_TEXTS; i++)
        if (*texts[i].at)
            buf_printf(&b, "%s=%s\n", texts[i].name, *texts[i].at);
    return b.data;
}
