/* SPDX-License-Identifier: MIT */
#include "gen/draw.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"

/* The first line with words in it: what the program complains of. */
static const char *said(const struct proc_result *r, struct arena *mem)
{
    const char *line = r->err + strspn(r->err, " \t\r\n^");
    size_t n = strcspn(line, "\r\n");
    return n ? arena_printf(mem, "said: %s", arena_strndup(mem, line, n < 300 ? n : 300))
             : "said nothing";
}

static bool was_said(const struct err *err, const char *text)
{
    for (const struct err_entry *e = err->first; e; e = e->next) {
        if (e->kind == ERR_WARNING && strcmp(e->text, text) == 0)
            return true;
    }
    return false;
}

bool draw_run(const char *const argv[], const char *dir, double timeout_s, const char *what,
              struct arena *mem, struct err *err)
{
    const char *name = path_base(argv[0]);
    const char *late = arena_printf(mem, "%s: %s did not end within %g s", what, name, timeout_s);
    struct proc_result r;
    struct err inner;
    if (was_said(err, late))
        return false;
    err_init(&inner);
    bool ran = proc_run(argv, dir, timeout_s, 1 << 16, mem, &r, &inner), ok = false;
    if (!ran)
        err_warn_once(err, NOWHERE, arena_printf(mem, "%s: %s", what, inner.first->text));
    else if (r.timed_out)
        err_warn_once(err, NOWHERE, late);
    else if (r.signal)
        err_warn_once(err, NOWHERE,
                      arena_printf(mem, "%s: %s was ended by signal %d and %s", what, name,
                                   r.signal, said(&r, mem)));
    else if (r.status != 0)
        err_warn_once(err, NOWHERE,
                      arena_printf(mem, "%s: %s ended with status %d and %s", what, name, r.status,
                                   said(&r, mem)));
    else
        ok = true;
    err_free(&inner);
    return ok;
}
