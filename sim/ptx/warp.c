/* SPDX-License-Identifier: MIT
 *
 * The instruction loop of a warp. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif
#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/exec.h"

#define REG32(w, place) ((lane_u32 *)(void *)((w)->file + (place)))
#define REG64(w, place) ((lane_u64 *)(void *)((w)->file + (place)))

static void put_pred(struct ptx_warp *w, uint32_t pred, uint32_t value, uint32_t mask)
{
    w->preds[pred] = (w->preds[pred] & ~mask) | (value & mask);
}

static void put_uniform(struct ptx_warp *w, uint32_t place, uint32_t value, uint32_t mask)
{
    lane_u32 *d = REG32(w, place);
    LANES d[i] = mask & ptx_lane_bits[i] ? value : d[i];
}

/* ---- arithmetic with rounding, flushing, saturation ------------------------------------------ */

static void alu_plain(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    _Alignas(32) uint64_t t[PTX_LANES];
    uint8_t *f = w->file;
    if (mask == w->alive) { /* what is in lanes that have ended does not matter */
        c->u.alu(f + c->d, f + c->a, f + c->b, f + c->c, f + c->e);
        return;
    }
    c->u.alu(t, f + c->a, f + c->b, f + c->c, f + c->e);
    if (c->wide)
        ptx_blend64(REG64(w, c->d), t, mask);
    else
        ptx_blend32(REG32(w, c->d), (const void *)t, mask);
}

static void alu_extended(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    _Alignas(32) uint32_t in[3][PTX_LANES];
    _Alignas(32) uint64_t t[PTX_LANES];
    const uint8_t *f = w->file;
    const void *a = f + c->a, *b = f + c->b, *s = f + c->c;

    if (c->flags & PF_FLUSH_IN) {
        ptx_alu_flush(in[0], a);
        ptx_alu_flush(in[1], b);
        ptx_alu_flush(in[2], s);
        a = in[0], b = in[1], s = in[2];
    }
    if (c->round)
        fesetround(modes[c->round]);
    c->u.alu(t, a, b, s, f + c->e);
    if (c->round)
        fesetround(FE_TONEAREST);
    if (c->flags & PF_SATURATE) {
        if (c->wide)
            ptx_alu_saturate_f64(t, t);
        else if (c->type == PT_F16 || c->type == PT_F16X2)
            ptx_alu_saturate_f16(t, t);
        else
            ptx_alu_saturate(t, t);
    }
    if (c->flags & PF_FLUSH_OUT)
        ptx_alu_flush(t, t);
    if (c->wide)
        ptx_blend64(REG64(w, c->d), t, mask);
    else
        ptx_blend32(REG32(w, c->d), (const void *)t, mask);
}

/* ---- comparisons and predicates -------------------------------------------------------------- */

static uint32_t combine(enum ptx_bool op, uint32_t x, uint32_t y)
{
    switch (op) {
    case PB_AND: return x & y;
    case PB_OR: return x | y;
    case PB_XOR: return x ^ y;
    case PB_NOT: return ~x;
    case PB_MOV: break;
    }
    return x;
}

static uint32_t compare(struct ptx_warp *w, const struct ptx_code *c)
{
    if (c->flags & PF_FLUSH_IN) {
        _Alignas(16) uint32_t a[PTX_LANES], b[PTX_LANES];
        ptx_alu_flush(a, w->file + c->a);
        ptx_alu_flush(b, w->file + c->b);
        return c->u.cmp(a, b);
    }
    return c->u.cmp(w->file + c->a, w->file + c->b);
}

static uint32_t pred_c(const struct ptx_warp *w, const struct ptx_code *c)
{
    return c->c_negated ? ~w->preds[c->c] : w->preds[c->c];
}

static void exec_setp(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    uint32_t t = compare(w, c), not_t = ~t;
    if (c->sub) {
        uint32_t p = pred_c(w, c);
        not_t = combine((enum ptx_bool)c->sub, not_t, p);
        t = combine((enum ptx_bool)c->sub, t, p);
    }
    put_pred(w, c->d, t, mask);
    if (c->q != PTX_NO_PRED)
        put_pred(w, c->q, not_t, mask);
}

static void exec_set(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    uint32_t t = compare(w, c), yes = c->type == PT_F32 ? 0x3f800000 : UINT32_MAX;
    if (c->sub)
        t = combine((enum ptx_bool)c->sub, t, pred_c(w, c));
    put_uniform(w, c->d, yes, mask & t);
    put_uniform(w, c->d, 0, mask & ~t);
}

static void exec_selp(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    uint32_t p = pred_c(w, c);
    if (c->wide) {
        lane_u64 *d = REG64(w, c->d);
        const lane_u64 *a = REG64(w, c->a), *b = REG64(w, c->b);
        _Alignas(32) lane_u64 t[PTX_LANES];
        LANES t[i] = p & ptx_lane_bits[i] ? a[i] : b[i];
        ptx_blend64(d, t, mask);
    } else {
        lane_u32 *d = REG32(w, c->d);
        const lane_u32 *a = REG32(w, c->a), *b = REG32(w, c->b);
        _Alignas(32) lane_u32 t[PTX_LANES];
        LANES t[i] = p & ptx_lane_bits[i] ? a[i] : b[i];
        ptx_blend32(d, t, mask);
    }
}

/* ---- carry ----------------------------------------------------------------------------------- */

static void exec_carry(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    bool is_signed = ptx_is_signed((enum ptx_type)c->type);
    uint32_t bits = c->wide ? 64 : 32, out = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        uint64_t a = c->wide ? REG64(w, c->a)[i] : REG32(w, c->a)[i];
        uint64_t b = c->wide ? REG64(w, c->b)[i] : REG32(w, c->b)[i];
        unsigned __int128 in = c->flags & PF_CARRY_IN ? w->carry >> i & 1 : 0, r;
        if (c->sub == PC_MAD_LO || c->sub == PC_MAD_HI) {
            uint64_t add = c->wide ? REG64(w, c->c)[i] : REG32(w, c->c)[i];
            unsigned __int128 p = !is_signed ? (unsigned __int128)a * b
                                  : c->wide
                                      ? (unsigned __int128)((__int128)(int64_t)a * (int64_t)b)
                                      : (unsigned __int128)((__int128)(int32_t)a * (int32_t)b);
            uint64_t half = (uint64_t)(c->sub == PC_MAD_HI ? p >> bits : p);
            a = c->wide ? half : (uint32_t)half;
            b = add;
        }
        /* subtraction: the flag is a borrow */
        r = c->sub == PC_SUB ? (unsigned __int128)a - b - in : (unsigned __int128)a + b + in;
        out |= (uint32_t)(r >> bits & 1) << i;
        if (c->wide)
            REG64(w, c->d)[i] = (uint64_t)r;
        else
            REG32(w, c->d)[i] = (uint32_t)r;
    }
    if (c->flags & PF_CARRY_OUT)
        w->carry = (w->carry & ~mask) | out;
}

/* ---- between lanes --------------------------------------------------------------------------- */

/* PTX ISA, shfl: the source lane stays inside its segment, or the lane reads itself. */
static void exec_shuffle(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    const lane_u32 *a = REG32(w, c->a), *b = REG32(w, c->b), *cc = REG32(w, c->c);
    uint32_t t[PTX_LANES] = {0}, inside = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        uint32_t by = b[i] & 31, clamp = cc[i] & 31, segment = cc[i] >> 8 & 31;
        int32_t max = (int32_t)((i & segment) | (clamp & ~segment));
        int32_t min = (int32_t)(i & segment), j = 0;
        bool ok = false;
        switch ((enum ptx_shuffle)c->sub) {
        case PSH_UP:
            j = (int32_t)i - (int32_t)by;
            ok = j >= max;
            break;
        case PSH_DOWN:
            j = (int32_t)(i + by);
            ok = j <= max;
            break;
        case PSH_BFLY:
            j = (int32_t)(i ^ by);
            ok = j <= max;
            break;
        case PSH_IDX:
            j = min | (int32_t)(by & ~segment);
            ok = j <= max;
            break;
        }
        if (!ok)
            j = (int32_t)i;
        t[i] = a[j & 31];
        inside |= (uint32_t)ok << i;
    }
    for (uint32_t m = mask; m; m &= m - 1)
        REG32(w, c->d)[__builtin_ctz(m)] = t[__builtin_ctz(m)];
    if (c->q != PTX_NO_PRED)
        put_pred(w, c->q, inside, mask);
}

/* The lanes of `mask` that name the same members as the first of them: those vote together. */
static uint32_t same_members(const struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    const lane_u32 *members = REG32(w, c->b);
    uint32_t of_first = members[__builtin_ctz(mask)], together = 0;
    for (uint32_t m = mask; m; m &= m - 1)
        together |= members[__builtin_ctz(m)] == of_first ? m & (0u - m) : 0;
    return together;
}

static void exec_vote(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    uint32_t preds = pred_c(w, c) & mask; /* the result may go where they are */
    for (uint32_t left = mask, voters; left; left &= ~voters) {
        voters = same_members(w, c, left);
        uint32_t all = mask & REG32(w, c->b)[__builtin_ctz(voters)], yes = preds & all;
        switch ((enum ptx_vote)c->sub) {
        case PV_ALL: put_pred(w, c->d, yes == all ? PTX_ALL : 0, voters); break;
        case PV_ANY: put_pred(w, c->d, yes ? PTX_ALL : 0, voters); break;
        case PV_UNI: put_pred(w, c->d, yes == all || yes == 0 ? PTX_ALL : 0, voters); break;
        case PV_BALLOT: put_uniform(w, c->d, yes, voters); break;
        }
    }
}

/* Lanes with the same value among the members; .all: the members, if all have the same. */
static void exec_match(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    uint32_t t[PTX_LANES] = {0}, all = 0;
    bool wide = ptx_type_bytes((enum ptx_type)c->type) == 8;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        uint64_t v = wide ? REG64(w, c->a)[i] : REG32(w, c->a)[i];
        uint32_t members = mask & REG32(w, c->b)[i];
        for (uint32_t k = members; k; k &= k - 1) {
            uint32_t j = (uint32_t)__builtin_ctz(k);
            uint64_t u = wide ? REG64(w, c->a)[j] : REG32(w, c->a)[j];
            t[i] |= (uint32_t)(u == v) << j;
        }
        all |= t[i] == members ? 1u << i : 0;
    }
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        REG32(w, c->d)[i] = c->sub == 0 || all >> i & 1 ? t[i] : 0;
    }
    if (c->q != PTX_NO_PRED)
        put_pred(w, c->q, all, mask);
}

static uint32_t reduce(const lane_u32 *a, const struct ptx_code *c, uint32_t members)
{
    uint32_t r = members ? a[__builtin_ctz(members)] : 0;
    bool is_signed = c->type == PT_S32;
    for (uint32_t m = members & (members - 1); m; m &= m - 1) {
        uint32_t v = a[__builtin_ctz(m)];
        bool less = is_signed ? (int32_t)v < (int32_t)r : v < r;
        switch ((enum ptx_redux)c->sub) {
        case PR_ADD: r += v; break;
        case PR_MIN: r = less ? v : r; break;
        case PR_MAX: r = less ? r : v; break;
        case PR_AND: r &= v; break;
        case PR_OR: r |= v; break;
        case PR_XOR: r ^= v; break;
        }
    }
    return r;
}

static void exec_redux(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    lane_u32 before[PTX_LANES]; /* the result may go where the operand is */
    memcpy(before, REG32(w, c->a), sizeof before);
    for (uint32_t left = mask, together; left; left &= ~together) {
        together = same_members(w, c, left);
        uint32_t members = mask & REG32(w, c->b)[__builtin_ctz(together)];
        put_uniform(w, c->d, reduce(before, c, members), together);
    }
}

/* ---- odds and ends --------------------------------------------------------------------------- */

/* Clocks count the warp's own instructions: monotonic and the same in every run. */
static void exec_clock(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    bool high = c->sub == SR_CLOCK_HI || c->sub == SR_GLOBALTIMER_HI;
    uint64_t v = high ? w->steps >> 32 : w->steps;
    if (c->wide) {
        lane_u64 *d = REG64(w, c->d);
        LANES d[i] = mask & ptx_lane_bits[i] ? v : d[i];
    } else {
        put_uniform(w, c->d, (uint32_t)v, mask);
    }
}

static void exec_isspace(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    const lane_u64 *a = REG64(w, c->a);
    uint32_t yes = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(m);
        bool shared = a[i] - PTX_SHARED_WINDOW < PTX_WINDOW_BYTES;
        bool local = a[i] - PTX_LOCAL_WINDOW < PTX_WINDOW_BYTES;
        bool param = a[i] - PTX_PARAM_BASE < PTX_PARAM_BYTES;
        bool constant = a[i] >= PTX_CONST_BASE && a[i] < PTX_GLOBAL_BASE;
        bool in = c->space == PS_SHARED  ? shared
                  : c->space == PS_LOCAL ? local
                  : c->space == PS_PARAM ? param
                  : c->space == PS_CONST ? constant
                                         : !shared && !local && !param && !constant;
        yes |= (uint32_t)in << i;
    }
    put_pred(w, c->d, yes, mask);
}

static void exec_cvta(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    const lane_u64 *a = REG64(w, c->a);
    uint64_t window = c->space == PS_SHARED ? PTX_SHARED_WINDOW : PTX_LOCAL_WINDOW;
    _Alignas(32) lane_u64 t[PTX_LANES];
    if (c->kind == PK_TO_SPACE)
        window = 0 - window;
    LANES t[i] = a[i] + window;
    ptx_blend64(REG64(w, c->d), t, mask);
}

/* The address of a variable of a function, which is where its frame is. */
static void put_frame(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    uint64_t v = w->frame_base + (uint64_t)c->imm;
    if (c->wide) {
        lane_u64 *d = REG64(w, c->d);
        LANES d[i] = mask & ptx_lane_bits[i] ? v : d[i];
    } else {
        put_uniform(w, c->d, (uint32_t)v, mask);
    }
}

static void exec_elect(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask)
{
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    put_uniform(w, c->d, lane, mask);
    if (c->q != PTX_NO_PRED)
        put_pred(w, c->q, 1u << lane, mask);
}

/* ---- control --------------------------------------------------------------------------------- */

bool ptx_push_path(struct ptx_exec *x, struct ptx_warp *w, struct ptx_path p)
{
    if (w->n_paths == w->cap_paths) {
        uint32_t cap = w->cap_paths ? w->cap_paths * 2 : 32;
        struct ptx_path *more = realloc(w->paths, cap * sizeof *more);
        if (!more) {
            x->failed = true;
            return err_add(x->err, ERR_MACHINE, NOWHERE, "no memory for diverged paths");
        }
        w->paths = more;
        w->cap_paths = cap;
    }
    w->paths[w->n_paths++] = p;
    return true;
}

/* The running path splits: the path itself goes on at the meeting point, unless it would end there
 * anyway, and the parts are put above it. */
static bool split(struct ptx_exec *x, struct ptx_warp *w, uint32_t meet, uint32_t pc_a,
                  uint32_t mask_a, uint32_t pc_b, uint32_t mask_b)
{
    struct ptx_path *top = &w->paths[w->n_paths - 1];
    if (meet == top->meet && !top->is_call)
        w->n_paths--;
    else
        top->pc = meet;
    if (mask_b && pc_b != meet &&
        !ptx_push_path(x, w, (struct ptx_path){pc_b, meet, mask_b, false}))
        return false;
    return !mask_a || pc_a == meet ||
           ptx_push_path(x, w, (struct ptx_path){pc_a, meet, mask_a, false});
}

/* Where the parts of a branch meet: at the latest where the path itself is waited for. */
static uint32_t meet_of(const struct ptx_warp *w, const struct ptx_code *c)
{
    return c->meet == PTX_NO_PC ? w->paths[w->n_paths - 1].meet : c->meet;
}

static bool exec_table(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                       uint32_t mask, uint32_t others, uint32_t next)
{
    const lane_u32 *a = REG32(w, c->a);
    struct ptx_path *top = &w->paths[w->n_paths - 1];
    uint32_t left = mask, first = a[__builtin_ctz(mask)];
    for (uint32_t m = mask; m; m &= m - 1)
        if (a[__builtin_ctz(m)] >= c->n_targets)
            return ptx_fault(x, w, c, (uint32_t)__builtin_ctz(m),
                             "entry %u of a table of %u targets", a[__builtin_ctz(m)],
                             c->n_targets);
    uint32_t same = 0;
    for (uint32_t m = mask; m; m &= m - 1)
        same |= (uint32_t)(c->u.targets[a[__builtin_ctz(m)]] == c->u.targets[first])
                << __builtin_ctz(m);
    if (same == mask && !others) {
        top->pc = c->u.targets[first];
        return true;
    }
    uint32_t meet = meet_of(w, c);
    if (!split(x, w, meet, next, others, 0, 0))
        return false;
    while (left) {
        uint32_t to = c->u.targets[a[__builtin_ctz(left)]], part = 0;
        for (uint32_t m = left; m; m &= m - 1)
            part |= (uint32_t)(c->u.targets[a[__builtin_ctz(m)]] == to) << __builtin_ctz(m);
        left &= ~part;
        if (to != meet && !ptx_push_path(x, w, (struct ptx_path){to, meet, part, false}))
            return false;
    }
    return true;
}

/* Threads end: they leave every path. */
static void end_threads(struct ptx_warp *w, uint32_t mask)
{
    w->alive &= ~mask;
    for (uint32_t i = 0; i < w->n_paths; i++)
        w->paths[i].mask &= ~mask;
}

/* Takes finished paths off; false when none is left. */
static bool settle(struct ptx_exec *x, struct ptx_warp *w)
{
    while (w->n_paths) {
        const struct ptx_path *top = &w->paths[w->n_paths - 1];
        if (top->mask && top->pc != top->meet)
            return true;
        if (top->is_call)
            ptx_leave_function(x, w);
        w->n_paths--;
    }
    w->state = PW_DONE;
    return false;
}

/* A warning first, where the launch wants one; then the end. */
static bool too_long(struct ptx_exec *x, const struct ptx_warp *w, const struct ptx_code *c)
{
    uint64_t most = ptx_max_steps(x->launch);
    if (x->max_steps < most) {
        struct ptx_source s = x->kernel->sources[c - x->kernel->codes];
        const struct ptx_module *m = x->kernel->module;
        const char *file = s.line ? ptx_find_source(m, s.file) : NULL;
        struct arena mem;
        arena_init(&mem, NULL, NULL);
        err_warn_once(
            x->err, file ? AT_LINE(file, (int)s.line) : AT_LINE(m->file, c->line),
            arena_printf(&mem,
                         "kernel %s: a warp has run %llu instructions and goes on; if it waits for "
                         "another CTA, it will not end, as CTAs run one after the other",
                         x->kernel->name, (unsigned long long)w->steps));
        arena_free(&mem);
        if (x->device->host.told)
            x->device->host.told(x->device->host.ctx);
        x->max_steps = most;
        return true;
    }
    return ptx_fault(x, w, c, (uint32_t)__builtin_ctz(w->alive ? w->alive : 1),
                     "its warp has run %llu instructions and does not end; it may wait for another "
                     "warp or CTA that cannot run",
                     (unsigned long long)w->steps);
}

/* What only computes, and goes on with the next instruction. False: not of these. */
static inline bool compute(struct ptx_warp *w, const struct ptx_code *c, uint32_t mask,
                           uint32_t active)
{
    switch ((enum ptx_kind)c->kind) {
    case PK_ALU: alu_plain(w, c, mask); return true;
    case PK_ALUX: alu_extended(w, c, mask); return true;
    case PK_SETP: exec_setp(w, c, mask); return true;
    case PK_SET: exec_set(w, c, mask); return true;
    case PK_SELP: exec_selp(w, c, mask); return true;
    case PK_PRED:
        put_pred(w, c->d, combine((enum ptx_bool)c->sub, w->preds[c->a], w->preds[c->b]), mask);
        return true;
    case PK_NOTHING: return true;
    case PK_VOTE: exec_vote(w, c, mask); return true;
    case PK_SHUFFLE: exec_shuffle(w, c, mask); return true;
    case PK_MATCH: exec_match(w, c, mask); return true;
    case PK_REDUX: exec_redux(w, c, mask); return true;
    case PK_ACTIVEMASK: put_uniform(w, c->d, active, mask); return true;
    case PK_CLOCK: exec_clock(w, c, mask); return true;
    case PK_CARRY: exec_carry(w, c, mask); return true;
    case PK_ISSPACE: exec_isspace(w, c, mask); return true;
    case PK_TO_SPACE:
    case PK_FROM_SPACE: exec_cvta(w, c, mask); return true;
    case PK_ELECT: exec_elect(w, c, mask); return true;
    case PK_MMA: ptx_multiply(w, c, mask); return true;
    case PK_FRAME: put_frame(w, c, mask); return true;
    case PK_LOAD:
    case PK_STORE:
    case PK_TEXTURE:
    case PK_LDMATRIX:
    case PK_FRAGMENT:
    case PK_PREFETCH:
    case PK_ATOMIC:
    case PK_BRANCH:
    case PK_TABLE:
    case PK_EXIT:
    case PK_BARRIER:
    case PK_FENCE:
    case PK_SERVICE:
    case PK_CALL:
    case PK_RETURN:
    case PK_TRAP: return false;
    }
    return false;
}

/* What changes the paths of a warp or stops it; the running path is in w->paths, at this
 * instruction. */
static bool redirect(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                     uint32_t mask)
{
    struct ptx_path *top = &w->paths[w->n_paths - 1];
    uint32_t others = top->mask & ~mask;
    switch ((enum ptx_kind)c->kind) {
    case PK_BRANCH: return split(x, w, meet_of(w, c), c->target, mask, top->pc + 1, others);
    case PK_TABLE: return exec_table(x, w, c, mask, others, top->pc + 1);
    case PK_EXIT:
        top->pc++;
        end_threads(w, mask);
        return true;
    case PK_BARRIER: top->pc++; return ptx_arrive(x, w, c, mask);
    case PK_FENCE:
        top->pc++;
        if (x->is_watched)
            ptx_races_fence(x->races, w->id);
        return true;
    case PK_SERVICE: top->pc++; return ptx_serve(x, w, c, mask);
    case PK_CALL: return ptx_call_functions(x, w, c, mask);
    case PK_RETURN:
        top->pc++;
        ptx_return_from(w, mask);
        return true;
    default: return ptx_fault(x, w, c, (uint32_t)__builtin_ctz(mask), "the kernel trapped");
    }
}

/* What the instruction is on hardware, for all lanes and then for those off the quick path. */
static bool note_sequence(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                          uint32_t mask)
{
    const struct ptx_sequence *q = c->sequence;
    uint32_t slow = q->is_slow && mask ? q->is_slow(w->file + c->a, w->file + c->b) & mask : 0;
    uint32_t n = q->n_fast + (slow ? q->n_slow : 0u);
    x->warp_insts += n;
    x->thread_insts +=
        (uint64_t)q->n_fast * ptx_count(mask) + (uint64_t)q->n_slow * ptx_count(slow);
    for (uint32_t i = 0; i < n && x->recording; i++)
        if (!ptx_record(x, w, c->stat + i, i < q->n_fast ? mask : slow, 0, 0))
            return false;
    return true;
}

/* Counts an instruction other than an access, and writes it into the trace. */
static inline bool note(struct ptx_exec *x, struct ptx_warp *w, const struct ptx_code *c,
                        uint32_t mask)
{
    if (c->flags & PF_SILENT)
        return true;
    if (c->sequence)
        return note_sequence(x, w, c, mask);
    uint32_t n = 1u + c->extra;
    x->warp_insts += n;
    x->thread_insts += n * ptx_count(mask);
    for (; n && x->recording; n--)
        if (!ptx_record(x, w, c->stat, mask, 0, 0))
            return false;
    return true;
}

/* Instructions under a predicate that no lane has, where PTX jumps over them: hardware issues them.
 */
static bool note_skipped(struct ptx_exec *x, struct ptx_warp *w, uint32_t from, uint32_t to)
{
    for (uint32_t pc = from; pc < to; pc++) {
        const struct ptx_code *c = &x->kernel->codes[pc];
        if (!note(x, w, c, 0))
            return false;
    }
    return true;
}

/* Other warps may see what it does, or it may see what they did. */
static bool is_seen_by_others(const struct ptx_exec *x, const struct ptx_code *c)
{
    return x->n_warps > 1 && c->space <= PS_SHARED;
}

/* Runs the top path until it meets the one below, the paths change, or the turn ends. */
static bool run_path(struct ptx_exec *x, struct ptx_warp *w, uint32_t *steps_left)
{
    const struct ptx_code *codes = x->kernel->codes;
    struct ptx_path *top = &w->paths[w->n_paths - 1];
    uint32_t pc = top->pc, meet = top->meet, active = top->mask, left = *steps_left;
    for (; left && pc != meet; left--) {
        const struct ptx_code *c = &codes[pc];
        uint32_t mask = active & (w->preds[c->guard] ^ c->guard_flip);
        if (++w->steps > x->max_steps && !too_long(x, w, c))
            return false;
        if (c->kind >= PK_LOAD && c->kind <= PK_ATOMIC) {
            if (!ptx_access(x, w, c, mask))
                return false;
            if (x->grid && w->state == PW_GRID) { /* it is done when the others have come */
                left = 0;
                break;
            }
            pc++;
            if (is_seen_by_others(x, c)) {
                left = 0;
                break;
            }
            continue;
        }
        if (!note(x, w, c, mask))
            return false;
        if (mask == 0 || compute(w, c, mask, active)) {
            pc++;
        } else if (c->kind == PK_BRANCH && mask == active) {
            if (c->is_predicate && !note_skipped(x, w, pc + 1, c->target))
                return false;
            pc = c->target;
        } else {
            top->pc = pc;
            *steps_left = left - 1;
            return redirect(x, w, c, mask);
        }
    }
    top->pc = pc;
    *steps_left = left;
    return true;
}

bool ptx_run_warp(struct ptx_exec *x, struct ptx_warp *w, uint32_t quantum)
{
    while (w->state != PW_WAITS && w->state != PW_GRID && settle(x, w) && quantum)
        if (!run_path(x, w, &quantum))
            return false;
    return true;
}
