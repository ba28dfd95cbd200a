/* SPDX-License-Identifier: MIT */
#include "gen/config/arch.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"
#include "gen/config/keys.h"

const char *arch_named_file(const struct arch *arch, const char *key, const char *name,
                            const char *data_dir, struct arena *mem)
{
    int net;
    const struct origin *o = key_origin(key_find(key, &net), arch, 0);
    const char *beside =
        o->kind == ORIGIN_FILE ? path_join(mem, path_dir(mem, o->at.file), name) : name;
    return file_exists(beside) ? beside : path_find(mem, ".", name, data_dir);
}

const char *arch_title(const struct arch *arch, struct arena *mem)
{
    return arch->variant[0] ? arena_printf(mem, "%s %s", arch->file, arch->variant) : arch->file;
}

const char *arch_hash(const struct arch *arch, struct arena *mem)
{
    struct buf b;
    buf_init(&b, mem, BUF_NO_MAX);
    for (size_t k = 0; k < n_keys; k++) {
        for (int net = 0; net < (keys[k].per_network ? 2 : 1); net++) {
            key_add_value(&keys[k], arch, net, &b);
            buf_putc(&b, '\n');
        }
    }
    return arena_printf(mem, "%016llx", (unsigned long long)map_hash_bytes(b.data, b.len, 0));
}
