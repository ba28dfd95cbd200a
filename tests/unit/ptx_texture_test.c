/* SPDX-License-Identifier: MIT
 *
 * Textures and surfaces: every geometry, format, border and filter beside what the CUDA C++
 * Programming Guide (appendix on texture fetching) says of them, computed here in doubles. */
#include "tests/unit/test.h"

#include "base/rng.h"
#include "sim/ptx/interpreter.h"
#include "sim/trace/sink.h"

enum { POINTS = 256, WIDTH = 5, HEIGHT = 3, DEPTH = 4, ROOM = 4096 };

enum geometry { LINE, PLANE, BODY, LINES, PLANES };

static const char *const geometry_name[] = {"1d", "2d", "3d", "a1d", "a2d"};

struct fixture {
    struct err err;
    struct ptx_device dev;
    struct ptx_kernel kernel;
    struct ptx_counts counts;
    struct ptx_texture t;
    uint64_t params[4]; /* out, where, texture */
    uint32_t *out;      /* [point][4] */
    union {
        float real;
        int32_t whole;
    } (*where)[4]; /* [point]: x, y, z or the layer */
    uint8_t *texels;
    int64_t *touched; /* [point], bytes from the first texel; NULL: nobody asks */
};

static void *segment(struct fixture *f, const char *name, uint64_t bytes, uint64_t *address)
{
    uint32_t s = ptx_device_alloc(&f->dev, name, bytes, NOWHERE, &f->err);
    *address = f->dev.segments[s].base;
    return f->dev.segments[s].host;
}

/* Coordinates are in %x, %y, %z, as bits, the data in %w0 to %w3. */
static void load(struct fixture *f, const char *body)
{
    static const char head[] =
        ".version 7.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry k(.param .u64 out, .param .u64 at, .param .u64 tex)\n{\n"
        ".reg .b32 %t, %x, %y, %z;\n.reg .b32 %w<4>;\n.reg .b64 %q<4>;\n.reg .b64 %o, %a, %h;\n"
        "mov.u32 %t, %tid.x;\nmul.wide.u32 %o, %t, 16;\nld.param.u64 %a, [at];\n"
        "add.u64 %a, %a, %o;\nld.param.u64 %h, [out];\nadd.u64 %o, %h, %o;\n"
        "ld.param.u64 %h, [tex];\nld.global.u32 %x, [%a];\nld.global.u32 %y, [%a+4];\n"
        "ld.global.u32 %z, [%a+8];\nld.global.v4.u32 {%w0, %w1, %w2, %w3}, [%o];\n"
        "ld.global.v2.u64 {%q0, %q1}, [%o];\n";
    struct arena mem;
    memset(f, 0, sizeof *f);
    arena_init(&mem, NULL, NULL);
    err_init(&f->err);
    const char *text = arena_printf(&mem, "%s%s\nret;\n}\n", head, body);
    if (!ptx_device_load(&f->dev, "k.ptx", text, strlen(text), &f->err) ||
        !ptx_decode(&f->dev.layout, "k", &f->dev.mem, &f->kernel, &f->err))
        fail_msg("%s: %s", body, err_entry_text(f->err.first, &mem));
    arena_free(&mem);
    f->out = segment(f, "out", POINTS * 16, &f->params[0]);
    f->where = segment(f, "where", POINTS * 16, &f->params[1]);
    f->texels = segment(f, "texels", ROOM, &f->t.base);
    f->t.handle = f->params[2] = 77;
    f->dev.textures = &f->t;
    f->dev.n_textures = 1;
}

static bool begin(void *ctx, const struct trace_kernel *kernel, struct err *err)
{
    (void)ctx, (void)kernel, (void)err;
    return true;
}

/* What the instruction on a texture or surface touches: of the accesses that is in no buffer. */
static bool take_cta(void *ctx, const struct trace_cta *cta, struct err *err)
{
    struct fixture *f = ctx;
    (void)err;
    for (uint32_t w = 0; w < cta->n_warps; w++)
        for (uint32_t i = 0; i < cta->warps[w].n_insts; i++) {
            const struct trace_inst *inst = &cta->warps[w].insts[i];
            const uint64_t *at = cta->addresses + inst->first_address;
            for (uint32_t k = 0; k < inst->n_addresses; k++)
                if (at[k] >= f->t.base && at[k] < f->t.base + ROOM)
                    f->touched[32 * w + k] = (int64_t)(at[k] - f->t.base);
        }
    return true;
}

static bool end(void *ctx, const struct trace_static *statics, uint32_t n, struct err *err)
{
    (void)ctx, (void)statics, (void)n, (void)err;
    return true;
}

static bool run(struct fixture *f, uint32_t points)
{
    struct trace_sink sink = {f, begin, take_cta, end};
    struct ptx_launch l = {.kernel = &f->kernel,
                           .grid = {1, 1, 1},
                           .block = {points, 1, 1},
                           .params = (const uint8_t *)f->params,
                           .max_warp_insts = 1000};
    return ptx_run(&f->dev, &l, f->touched ? &sink : NULL, &f->counts, &f->err);
}

static void done(struct fixture *f)
{
    ptx_device_close(&f->dev);
    err_free(&f->err);
}

static void shape(struct fixture *f, enum geometry g, int channels, int bits, enum ptx_channel kind)
{
    uint32_t texel = (uint32_t)(channels * bits / 8);
    f->t.width = WIDTH;
    f->t.height = g == LINE || g == LINES ? 0 : HEIGHT;
    f->t.depth = g == LINE || g == PLANE ? 0 : DEPTH;
    f->t.pitch = WIDTH * texel + 16;
    f->t.slice = f->t.pitch * HEIGHT + 32;
    f->t.channels = (uint8_t)channels;
    f->t.channel_bits = (uint8_t)bits;
    f->t.kind = kind;
    f->t.border[0] = f->t.border[1] = f->t.border[2] = PTX_CLAMP;
}

/* ---- what is to be --------------------------------------------------------------------------- */

static const uint8_t *texel_at(const struct fixture *f, const int64_t i[3], int channel)
{
    return f->texels + (uint64_t)i[2] * f->t.slice + (uint64_t)i[1] * f->t.pitch +
           (uint64_t)(i[0] * f->t.channels + channel) * f->t.channel_bits / 8;
}

static uint32_t bits_at(const struct fixture *f, const int64_t i[3], int channel)
{
    const uint8_t *p = texel_at(f, i, channel);
    uint32_t bits = 0;
    for (int k = 0; k < f->t.channel_bits / 8; k++)
        bits |= (uint32_t)p[k] << (8 * k);
    if (f->t.kind == PTX_SIGNED && f->t.channel_bits < 32 && bits >> (f->t.channel_bits - 1))
        bits |= UINT32_MAX << f->t.channel_bits;
    return bits;
}

static double real_at(const struct fixture *f, const int64_t i[3], int channel)
{
    uint32_t u = bits_at(f, i, channel);
    float real;
    memcpy(&real, &u, sizeof real);
    if (f->t.kind == PTX_FLOAT && f->t.channel_bits == 32)
        return real;
    if (f->t.kind == PTX_FLOAT) /* normal numbers of half precision */
        return (u >> 15 ? -1 : 1) * ldexp(1024 + (u & 1023), (int)(u >> 10 & 31) - 25);
    if (f->t.kind == PTX_UNSIGNED)
        return u / (ldexp(1, f->t.channel_bits) - 1);
    return fmax(-1, (int32_t)u / (ldexp(1, f->t.channel_bits - 1) - 1));
}

/* The texel that stands for number i of n; -1: none, which reads as zero. */
static int64_t border(int64_t i, int64_t n, enum ptx_border b)
{
    if (i >= 0 && i < n)
        return i;
    if (b == PTX_CLAMP)
        return i < 0 ? 0 : n - 1;
    if (b == PTX_BORDER)
        return -1;
    while (i < 0)
        i += 2 * n;
    return b == PTX_WRAP ? i % n : i % (2 * n) < n ? i % (2 * n) : 2 * n - 1 - i % (2 * n);
}

static double filtered(const struct fixture *f, const double at[3], int n_real, int64_t layer,
                       int channel)
{
    const int64_t size[3] = {WIDTH, HEIGHT, DEPTH};
    double sum = 0;
    for (int corner = 0; corner < 1 << n_real; corner++) {
        int64_t i[3] = {0, 0, layer};
        double weight = 1;
        bool outside = false;
        for (int k = 0; k < n_real; k++) {
            double low = floor(at[k] - 0.5), share = at[k] - 0.5 - low;
            bool next = corner >> k & 1;
            weight *= next ? share : 1 - share;
            i[k] = border((int64_t)low + next, size[k], f->t.border[k]);
            outside = outside || i[k] < 0;
        }
        sum += outside ? 0 : weight * real_at(f, i, channel);
    }
    return sum;
}

/* ---- textures -------------------------------------------------------------------------------- */

static const char *tex(struct arena *mem, enum geometry g, bool is_real)
{
    static const char *const places[] = {"%x", "%x, %y", "%x, %y, %z, %t", "%z, %x",
                                         "%z, %x, %y, %t"};
    return arena_printf(mem,
                        "tex.%s.v4.u32.%s {%%w0, %%w1, %%w2, %%w3}, [%%h, {%s}];\n"
                        "st.global.v4.u32 [%%o], {%%w0, %%w1, %%w2, %%w3};",
                        geometry_name[g], is_real ? "f32" : "s32", places[g]);
}

/* Coordinates in 1/256 of a texel, so that the weights of a filter are exact. */
static void draw_places(struct fixture *f, struct rng *r, enum geometry g)
{
    const uint32_t size[3] = {WIDTH, HEIGHT, DEPTH};
    for (int p = 0; p < POINTS; p++)
        for (int k = 0; k < 3; k++) {
            int texels = f->t.is_normalized ? 3 : 12; /* each way; or whole textures */
            double v = rng_below(r, 512u * (uint32_t)texels);
            f->where[p][k].real = (float)(v / 256 - texels);
            if (k == 2 && g >= LINES)
                f->where[p][k].whole = (int32_t)rng_below(r, size[k]);
        }
}

static void fill_texels(struct fixture *f, struct rng *r)
{
    for (int i = 0; i < ROOM; i++)
        f->texels[i] = (uint8_t)rng_below(r, 256);
    if (f->t.kind == PTX_FLOAT && f->t.channel_bits == 16)
        for (int i = 1; i < ROOM; i += 2) /* between 2 to the -11 and 2 to the 4 */
            f->texels[i] = (uint8_t)((f->texels[i] & 0x83) | (4 + f->texels[i] % 15) << 2);
    if (f->t.kind == PTX_FLOAT && f->t.channel_bits == 32)
        for (int i = 0; i < ROOM; i += 4) {
            float v = (float)((double)rng_below(r, 2001) / 8 - 125);
            memcpy(f->texels + i, &v, 4);
        }
}

static void compare(struct fixture *f, enum geometry g)
{
    const uint32_t size[3] = {WIDTH, HEIGHT, DEPTH};
    int n_real = g == BODY ? 3 : g == PLANE || g == PLANES ? 2 : 1;
    for (int p = 0; p < POINTS; p++) {
        double at[3];
        int64_t layer = g >= LINES ? f->where[p][2].whole : 0, i[3] = {0, 0, layer};
        bool outside = false;
        for (int k = 0; k < n_real; k++) {
            at[k] = (double)f->where[p][k].real * (f->t.is_normalized ? size[k] : 1);
            i[k] = border((int64_t)floor(at[k]), size[k], f->t.border[k]);
            outside = outside || i[k] < 0;
        }
        for (int c = 0; c < 4; c++) {
            float got;
            memcpy(&got, &f->out[4 * p + c], sizeof got);
            if (f->t.is_linear) {
                double want = c < f->t.channels ? filtered(f, at, n_real, layer, c) : 0;
                if (!(fabs(got - want) <= 1e-6 * fmax(fabs(want), 128)))
                    fail_msg("%s (%g %g %g).%d: %g, not %g", geometry_name[g], at[0], at[1], at[2],
                             c, (double)got, want);
            } else if (c >= f->t.channels || outside) {
                assert_int_equal(f->out[4 * p + c], 0);
            } else if (f->t.kind == PTX_FLOAT || f->t.to_unit) {
                assert_close((double)got, (double)(float)real_at(f, i, c), 1.2e-7);
            } else {
                assert_int_equal(f->out[4 * p + c], bits_at(f, i, c));
            }
        }
    }
}

static const struct {
    int channels, bits;
    enum ptx_channel kind;
} formats[] = {
    {1, 32, PTX_FLOAT},  {4, 32, PTX_FLOAT},    {2, 16, PTX_FLOAT},    {4, 8, PTX_UNSIGNED},
    {1, 8, PTX_SIGNED},  {2, 16, PTX_UNSIGNED}, {4, 16, PTX_SIGNED},   {1, 32, PTX_SIGNED},
    {2, 32, PTX_SIGNED}, {1, 32, PTX_UNSIGNED}, {1, 16, PTX_UNSIGNED},
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

static void read_all(enum geometry g, bool is_linear, bool is_normalized, bool to_unit)
{
    struct arena mem;
    struct fixture f;
    struct rng r;
    rng_seed(&r, 1, "texels", 0);
    arena_init(&mem, NULL, NULL);
    load(&f, tex(&mem, g, true));
    for (int k = 0; k < N_FORMATS * 4; k++) {
        enum ptx_border b = (enum ptx_border)(k % 4);
        shape(&f, g, formats[k / 4].channels, formats[k / 4].bits, formats[k / 4].kind);
        f.t.is_linear = is_linear;
        f.t.is_normalized = is_normalized;
        f.t.to_unit = to_unit && f.t.kind != PTX_FLOAT;
        if (is_linear && !to_unit && f.t.kind != PTX_FLOAT)
            continue; /* not possible in CUDA */
        /* texels by number are at their edges, unless zero lies beyond */
        if (!is_normalized && b != PTX_BORDER)
            b = PTX_CLAMP;
        for (int i = 0; i < 3; i++)
            f.t.border[i] = b;
        fill_texels(&f, &r);
        draw_places(&f, &r, g);
        if (!run(&f, POINTS))
            fail_msg("%s", err_entry_text(f.err.first, &mem));
        compare(&f, g);
    }
    done(&f);
    arena_free(&mem);
}

static void a_texture_gives_the_texel_that_its_coordinates_lie_in(void **state)
{
    (void)state;
    for (enum geometry g = LINE; g <= PLANES; g++)
        for (int i = 0; i < 4; i++)
            read_all(g, false, i & 1, i & 2);
}

static void a_filter_weighs_the_texels_around(void **state)
{
    (void)state;
    for (enum geometry g = LINE; g <= PLANES; g++)
        for (int i = 0; i < 4; i++)
            read_all(g, true, i & 1, i & 2);
}

/* Whole coordinates are the texel itself, whatever the filter and the border; zero beyond. */
static void whole_coordinates_fetch_a_texel_or_zero(void **state)
{
    (void)state;
    for (enum geometry g = LINE; g <= PLANES; g++) {
        struct arena mem;
        struct fixture f;
        struct rng r;
        const int64_t size[3] = {WIDTH, HEIGHT, DEPTH};
        int n_whole = g == BODY ? 3 : g == PLANE || g == PLANES ? 2 : 1;
        rng_seed(&r, 2, "texels", 0);
        arena_init(&mem, NULL, NULL);
        load(&f, tex(&mem, g, false));
        shape(&f, g, 2, 16, PTX_UNSIGNED);
        fill_texels(&f, &r);
        for (int p = 0; p < POINTS; p++)
            for (int k = 0; k < 3; k++)
                f.where[p][k].whole = k == 2 && g >= LINES ? (int32_t)rng_below(&r, DEPTH)
                                                           : (int32_t)rng_below(&r, 8) - 2;
        assert_true(run(&f, POINTS));
        for (int p = 0; p < POINTS; p++) {
            int64_t at[3] = {0, 0, g >= LINES ? f.where[p][2].whole : 0};
            bool inside = true;
            for (int k = 0; k < n_whole; k++) {
                at[k] = f.where[p][k].whole;
                inside = inside && at[k] >= 0 && at[k] < size[k];
            }
            for (int c = 0; c < 4; c++)
                assert_int_equal(f.out[4 * p + c], inside && c < 2 ? bits_at(&f, at, c) : 0);
        }
        done(&f);
        arena_free(&mem);
    }
}

/* The trace has one access a thread: to the first texel that counts, or to the beginning. */
static void a_fetch_touches_its_first_texel(void **state)
{
    static const struct {
        float x, y;
        bool is_linear;
        int touched[2]; /* texel */
    } cases[] = {
        {2, 1, false, {2, 1}},       {4.9f, 2.9f, false, {4, 2}},  {-1, 0, false, {0, 0}},
        {2.5f, 1.5f, true, {2, 1}},  {2.75f, 1.5f, true, {2, 1}},  {2.25f, 1.5f, true, {1, 1}},
        {2.5f, 1.25f, true, {2, 0}}, {0.25f, 0.25f, true, {0, 0}}, {5.25f, 2.75f, true, {4, 2}},
    };
    enum { N = sizeof cases / sizeof *cases };
    struct arena mem;
    struct fixture f;
    int64_t touched[POINTS];
    (void)state;
    arena_init(&mem, NULL, NULL);
    load(&f, tex(&mem, PLANE, true));
    f.touched = touched;
    shape(&f, PLANE, 1, 32, PTX_FLOAT);
    for (int i = 0; i < N; i++) {
        f.t.border[0] = f.t.border[1] = PTX_BORDER;
        f.t.is_linear = cases[i].is_linear;
        f.where[0][0].real = cases[i].x;
        f.where[0][1].real = cases[i].y;
        touched[0] = -1;
        assert_true(run(&f, 1));
        assert_int_equal(touched[0],
                         cases[i].touched[1] * (int)f.t.pitch + cases[i].touched[0] * 4);
    }
    done(&f);
    arena_free(&mem);
}

static void far_away_is_the_edge(void **state)
{
    const float far[] = {1e30f, INFINITY, 2e9f, -1e30f, -INFINITY, -2e9f};
    struct arena mem;
    struct fixture f;
    (void)state;
    arena_init(&mem, NULL, NULL);
    load(&f, tex(&mem, LINE, true));
    shape(&f, LINE, 1, 32, PTX_UNSIGNED);
    f.texels[0] = 1;
    f.texels[4 * (WIDTH - 1)] = 2;
    for (int i = 0; i < 6; i++)
        f.where[i][0].real = far[i];
    assert_true(run(&f, 6));
    for (int i = 0; i < 6; i++)
        assert_int_equal(f.out[4 * i], i < 3 ? 2 : 1);
    done(&f);
    arena_free(&mem);
}

static void what_is_not_wanted_of_a_texel_goes_nowhere(void **state)
{
    struct fixture f;
    (void)state;
    load(&f, "tex.1d.v4.u32.s32 {%w0, _, %w2, _}, [%h, {%x}];\n"
             "st.global.v4.u32 [%o], {%w0, %w1, %w2, %w3};");
    shape(&f, LINE, 4, 8, PTX_UNSIGNED);
    memcpy(f.texels, "\1\2\3\4", 4);
    for (uint32_t k = 0; k < 4; k++)
        f.out[k] = 10 + k;
    assert_true(run(&f, 1));
    const uint32_t want[] = {1, 11, 3, 13};
    assert_memory_equal(f.out, want, sizeof want);
    done(&f);
}

/* ---- surfaces -------------------------------------------------------------------------------- */

static const struct {
    const char *vector, *type, *registers;
    int n, bytes;
} widths[] = {
    {"", "b8", "%w0", 1, 1},
    {"", "b16", "%w0", 1, 2},
    {"", "b32", "%w0", 1, 4},
    {"", "b64", "%q0", 1, 8},
    {".v2", "b8", "{%w0, %w1}", 2, 1},
    {".v2", "b16", "{%w0, %w1}", 2, 2},
    {".v2", "b64", "{%q0, %q1}", 2, 8},
    {".v4", "b8", "{%w0, %w1, %w2, %w3}", 4, 1},
    {".v4", "b32", "{%w0, %w1, %w2, %w3}", 4, 4},
};

enum { N_WIDTHS = sizeof widths / sizeof *widths };

static const char *surface(struct arena *mem, enum geometry g, const char *op, const char *outside,
                           size_t k)
{
    static const char *const places[] = {"%x", "%x, %y", "%x, %y, %z, %t", "%z, %x",
                                         "%z, %x, %y, %t"};
    const char *place = arena_printf(mem, "[%%h, {%s}]", places[g]);
    bool is_load = strcmp(op, "suld") == 0, is_wide = widths[k].bytes == 8;
    return arena_printf(mem, "%s.b.%s%s.%s.%s %s, %s;\n%s", op, geometry_name[g], widths[k].vector,
                        widths[k].type, outside, is_load ? widths[k].registers : place,
                        is_load ? place : widths[k].registers,
                        !is_load  ? ""
                        : is_wide ? "st.global.v2.u64 [%o], {%q0, %q1};"
                                  : "st.global.v4.u32 [%o], {%w0, %w1, %w2, %w3};");
}

/* Bytes of the surface at a point's place, which is x in bytes; -1: outside. */
static int64_t offset_at(const struct fixture *f, int p, enum geometry g, int bytes, bool clamps)
{
    const int64_t most[3] = {WIDTH * 8 - bytes, g == LINE || g == LINES ? 0 : HEIGHT - 1,
                             g == LINE || g == PLANE ? 0 : DEPTH - 1};
    int64_t at[3] = {f->where[p][0].whole, f->where[p][1].whole, f->where[p][2].whole};
    for (int k = 0; k < 3; k++) {
        bool counts = k == 0 || (k == 1 && g != LINE && g != LINES) || (k == 2 && g >= BODY);
        if (!counts)
            at[k] = 0;
        if (clamps)
            at[k] = at[k] < 0 ? 0 : at[k] > most[k] ? most[k] : at[k];
        if (at[k] < 0 || at[k] > most[k])
            return -1;
    }
    return at[2] * (int64_t)f->t.slice + at[1] * (int64_t)f->t.pitch + at[0];
}

static void draw_surface(struct fixture *f, struct rng *r, enum geometry g, int bytes)
{
    shape(f, g, 2, 32, PTX_FLOAT); /* rows of 40 bytes */
    for (int i = 0; i < ROOM; i++)
        f->texels[i] = (uint8_t)rng_below(r, 256);
    for (int i = 0; i < 4 * POINTS; i++)
        f->out[i] = (uint32_t)rng_u64(r);
    for (int p = 0; p < POINTS; p++) {
        f->where[p][0].whole = ((int32_t)rng_below(r, 60) - 10) / bytes * bytes;
        f->where[p][1].whole = (int32_t)rng_below(r, 6) - 1;
        f->where[p][2].whole = (int32_t)rng_below(r, 7) - 1;
        if (g == LINE || g == PLANE)
            f->where[p][2].whole = 0;
        if (g == LINE)
            f->where[p][1].whole = 0;
    }
}

static void surfaces_are_read_by_the_byte(void **state)
{
    (void)state;
    for (enum geometry g = LINE; g <= PLANES; g++)
        for (size_t k = 0; k < 2 * N_WIDTHS; k++) {
            size_t w = k / 2;
            bool clamps = k % 2;
            int bytes = widths[w].bytes, n = widths[w].n, room = bytes == 8 ? 8 : 4;
            struct arena mem;
            struct fixture f;
            struct rng r;
            int64_t touched[POINTS];
            rng_seed(&r, 3, "texels", k);
            arena_init(&mem, NULL, NULL);
            load(&f, surface(&mem, g, "suld", clamps ? "clamp" : "zero", w));
            draw_surface(&f, &r, g, bytes);
            uint8_t old[POINTS * 16];
            memcpy(old, f.out, sizeof old);
            f.touched = touched;
            if (!run(&f, POINTS))
                fail_msg("%s", err_entry_text(f.err.first, &mem));
            for (int p = 0; p < POINTS; p++) {
                int64_t from = offset_at(&f, p, g, n * bytes, clamps);
                uint8_t want[16];
                memcpy(want, old + 16 * p, sizeof want);
                memset(want, 0, (size_t)(n * room));
                for (int i = 0; i < n && from >= 0; i++)
                    memcpy(want + i * room, f.texels + from + i * bytes, (size_t)bytes);
                assert_memory_equal(f.out + 4 * p, want, 16);
                assert_int_equal(touched[p], from < 0 ? 0 : from);
            }
            done(&f);
            arena_free(&mem);
        }
}

static void surfaces_are_written_by_the_byte(void **state)
{
    (void)state;
    for (enum geometry g = LINE; g <= PLANES; g++)
        for (size_t k = 0; k < 2 * N_WIDTHS; k++) {
            size_t w = k / 2;
            bool clamps = k % 2;
            int bytes = widths[w].bytes, n = widths[w].n, room = bytes == 8 ? 8 : 4;
            struct arena mem;
            struct fixture f;
            struct rng r;
            uint8_t want[ROOM];
            rng_seed(&r, 4, "texels", k);
            arena_init(&mem, NULL, NULL);
            load(&f, surface(&mem, g, "sust", clamps ? "clamp" : "zero", w));
            draw_surface(&f, &r, g, bytes);
            memcpy(want, f.texels, sizeof want);
            if (!run(&f, POINTS))
                fail_msg("%s", err_entry_text(f.err.first, &mem));
            for (int p = 0; p < POINTS; p++) { /* in the order of threads */
                int64_t to = offset_at(&f, p, g, n * bytes, clamps);
                for (int i = 0; i < n && to >= 0; i++)
                    memcpy(want + to + i * bytes, (uint8_t *)f.out + 16 * p + i * room,
                           (size_t)bytes);
            }
            assert_memory_equal(f.texels, want, sizeof want);
            done(&f);
            arena_free(&mem);
        }
}

static void outside_a_surface_a_trap_says_its_size(void **state)
{
    static const struct {
        int32_t x, y, z;
        bool is_inside;
    } cases[] = {{0, 0, 0, true},  {36, 2, 3, true},  {37, 0, 0, false}, {0, 3, 0, false},
                 {0, 0, 4, false}, {-1, 0, 0, false}, {0, -1, 0, false}, {0, 0, -1, false}};
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct fixture f;
        load(&f, surface(&mem, BODY, "suld", "trap", 2));
        shape(&f, BODY, 2, 32, PTX_FLOAT);
        f.where[0][0].whole = cases[k].x;
        f.where[0][1].whole = cases[k].y;
        f.where[0][2].whole = cases[k].z;
        assert_int_equal(run(&f, 1), cases[k].is_inside);
        if (!cases[k].is_inside) {
            assert_int_equal(f.dev.fault, PTX_BAD_ADDRESS);
            assert_non_null(strstr(err_entry_text(f.err.first, &mem),
                                   "outside the surface of 5 x 3 x 4 texels"));
        }
        done(&f);
    }
    arena_free(&mem);
}

static void textures_that_are_gone_are_faults(void **state)
{
    struct arena mem;
    (void)state;
    arena_init(&mem, NULL, NULL);
    for (int k = 0; k < 3; k++) {
        struct fixture f;
        load(&f, k == 2 ? surface(&mem, LINE, "suld", "trap", 2) : tex(&mem, LINE, false));
        shape(&f, LINE, 1, 32, PTX_FLOAT);
        if (k == 0)
            f.params[2] = 78;
        else
            f.t.base += ROOM + (1 << 20);
        assert_false(run(&f, 1));
        static const char *const words[] = {"0x4e is no texture or surface that is bound",
                                            "the texture's memory is gone",
                                            "the surface's memory is gone"};
        assert_non_null(strstr(err_entry_text(f.err.first, &mem), words[k]));
        if (k > 0)
            assert_int_equal(f.dev.fault, PTX_BAD_ADDRESS);
        done(&f);
    }
    arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_texture_gives_the_texel_that_its_coordinates_lie_in),
        cmocka_unit_test(a_filter_weighs_the_texels_around),
        cmocka_unit_test(whole_coordinates_fetch_a_texel_or_zero),
        cmocka_unit_test(a_fetch_touches_its_first_texel),
        cmocka_unit_test(far_away_is_the_edge),
        cmocka_unit_test(what_is_not_wanted_of_a_texel_goes_nowhere),
        cmocka_unit_test(surfaces_are_read_by_the_byte),
        cmocka_unit_test(surfaces_are_written_by_the_byte),
        cmocka_unit_test(outside_a_surface_a_trap_says_its_size),
        cmocka_unit_test(textures_that_are_gone_are_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
