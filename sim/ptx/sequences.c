/* SPDX-License-Identifier: MIT
 *
 * What one PTX instruction is on hardware where that is several: division, roots, reciprocals,
 * remainders, and the approximations that scale their operand. The rows were read off the machine
 * code that ptxas 13.0 makes for sm_75 (opcodes in order, without what loads and stores the
 * operands). The conditions under which the quick path does not do are ours, by what keeps its
 * intermediate results in range; the machine's check of a single precision division is one
 * instruction (FCHK) that nobody documents. Integers over a number are shorter, whatever the number
 * (a power of two, too): the reciprocal is made all the same, but waits for nothing. What compilers
 * mean to be a product or a mask they write so; this is what ptxas makes of what is left.
 *
 * A sequence is written as steps "Xd=sources": X is the unit (S special functions and conversions
 * between integer and real, F single, D double precision, I integer and comparisons, M integer
 * multiplication, B branch), d and the sources are registers: 0..5 of the sequence, p and q its
 * predicates, a and b the operands, a dot the result. "*n" repeats a step. */
#include <string.h>

#include "sim/ptx/decode.h"

/* ---- when the quick path does not do --------------------------------------------------------- */

#define EACH_LANE(type, body)                                                                      \
    const type *a = a_, *b = b_;                                                                   \
    uint32_t slow = 0;                                                                             \
    (void)b;                                                                                       \
    for (uint32_t i = 0; i < PTX_LANES; i++)                                                       \
        slow |= (uint32_t)(body) << i;                                                             \
    return slow;

typedef uint32_t seq_u32 __attribute__((may_alias));
typedef uint64_t seq_u64 __attribute__((may_alias));

static float as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static bool slow_quotient(uint32_t a, uint32_t b)
{
    int32_t ea = (int32_t)(a >> 23 & 255), eb = (int32_t)(b >> 23 & 255);
    /* operands normal, reciprocal normal, quotient normal, remainder (24 bits below a) normal */
    return ea <= 24 || ea == 255 || eb == 0 || eb >= 253 || ea - eb < -125 || ea - eb > 126;
}
static uint32_t slow_div_f32(const void *a_, const void *b_)
{
    EACH_LANE(seq_u32, slow_quotient(a[i], b[i]))
}
static uint32_t slow_rcp_f32(const void *a_, const void *b_)
{
    EACH_LANE(seq_u32, ((a[i] + 0x1800000u) & 0x7f800000u) <= 0x1ffffffu)
}
static uint32_t slow_sqrt_f32(const void *a_, const void *b_)
{
    EACH_LANE(seq_u32, a[i] - 0xd000000u > 0x727fffffu)
}

static bool is_at_least(uint64_t bits, float least)
{
    float f = as_float((uint32_t)(bits >> 32) & 0x7fffffffu);
    return f >= least; /* not for what is no number as single precision */
}
static bool slow_quotient64(uint64_t a, uint64_t b)
{
    double x, y, q;
    uint64_t bits;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    q = x / y;
    memcpy(&bits, &q, sizeof bits);
    return !is_at_least(a, 6.5827683646048100446e-37f) ||
           !is_at_least(bits, 1.469367938527859385e-39f);
}
static uint32_t slow_div_f64(const void *a_, const void *b_)
{
    EACH_LANE(seq_u64, slow_quotient64(a[i], b[i]))
}
static uint32_t slow_rcp_f64(const void *a_, const void *b_)
{
    EACH_LANE(seq_u64, !is_at_least(a[i] + ((uint64_t)0x300402 << 32), 5.8789094863358348022e-39f))
}
static uint32_t slow_root_f64(const void *a_, const void *b_)
{
    EACH_LANE(seq_u64, (uint32_t)(a[i] >> 32) - 0x3500000u >= 0x7ca00000u)
}

/* ---- the rows: the first that fits is taken -------------------------------------------------- */

#define DIV_F32 "S0=b Sp=ab F1=0b F0=01 F2=a0 F3=2ba F.=032 B=p"
#define DIV_F32_SLOW "B= I0=a I1=b I2=01*8 I0=2*6 Ip=0 B=p*4 S3=1 F4=3b F3=43*7 I.=3*7 B="
#define RCP_F32 "I1=a I1=1 Ip=1 B=p S0=a F1=0a F1=1 F.=01"
#define RCP_F32_SLOW "B= I0=a*8 Ip=0 B=p*3 S1=0 F2=1a F1=12*3 I.=1*14 B="
#define SQRT_F32 "I1=a S0=a Ip=1 B=p F2=a0 F3=0 F4=22a F.=432"
#define SQRT_F32_SLOW "B= I0=a Ip=a*3 B=p*4 F0=a S1=0 F2=01 F1=1 F3=2 F2=23 F2=21 F.=2 I1=1*4 B="
#define DIV_S64                                                                                    \
    "B= I0=a*2 I1=b*4 S2=1*3 I2=2 M2=21*4 M3=21*4 I2=23*6 M2=21*4 M3=21*4 I2=23*6 M4=2a*5 "        \
    "M5=4b*6 "                                                                                     \
    "M4=4*5 I5=54*12 Ip=5*6 I4=4p*10 I.=4b*4 B="
#define DIV_U64                                                                                    \
    "B= S2=b*3 I2=2 M2=2b*4 M3=2b*4 I2=23*4 M2=2b*4 M3=2b*4 I2=23*4 M4=2a*5 M5=4b*6 M4=4*5 "       \
    "I5=54*8 Ip=5*6 I4=4p*8 I.=4b*4 B="
#define REM_U64                                                                                    \
    "B= S2=b*3 I2=2 M2=2b*4 M3=2b*4 I2=23*4 M2=2b*4 M3=2b*4 I2=23*4 M4=2a*5 M5=4b*6 M4=4*5 "       \
    "I5=54*6 Ip=5*5 I5=5p*7 I.=5b*4 B="
#define REM_S64                                                                                    \
    "B= I0=a*2 I1=b*3 S2=1*3 I2=2 M2=21*4 M3=21*4 I2=23*5 M2=21*4 M3=21*4 I2=23*5 M4=2a*5 "        \
    "M5=4b*6 "                                                                                     \
    "M4=4*5 I5=54*10 Ip=5*6 I5=5p*8 I.=5b*5 B="
/* over a number */
#define RECIPROCAL_64 "B= S2=*3 I2=2 M2=2*4 M3=2*4 I2=23*4 M2=2*4 M3=2*4 I2=23*3 "
#define NUMBER_DIV_U64 RECIPROCAL_64 "M4=2a*4 M5=4*4 M4=4*4 I5=54*6 Ip=5*6 I4=4p*8 I.=4*4 B="
#define NUMBER_REM_U64 RECIPROCAL_64 "M4=2a*4 M5=4*4 M4=4*3 I5=54*6 Ip=5*5 I5=5p*6 I.=5*4 B="
#define NUMBER_DIV_S64                                                                             \
    RECIPROCAL_64 "I0=a*4 M4=20*6 M5=4*5 M4=4*5 I5=54*7 Ip=5*6 I4=4p*8 I.=4q*4 B="
#define NUMBER_REM_S64                                                                             \
    RECIPROCAL_64 "I0=a*4 M4=20*6 M5=4*5 M4=4*4 I5=54*6 Ip=5*5 I5=5p*7 I.=5q*4 B="
/* a subnormal operand is scaled before and its result after */
#define SCALED "Ip=a F0=ap S1=0 F.=1p"

static const struct row {
    const char *op, *mods; /* all of mods must stand behind op */
    const char *fast, *slow;
    ptx_cmp_fn is_slow;
} rows[] = {
    {"div", "approx ftz f32", "S0=b F.=a0", NULL, NULL},
    {"div", "approx f32", "Ip=b F1=bp F0=ap S1=1 F.=01", NULL, NULL},
    {"div", "full ftz f32", "Ip=b F1=bp F0=ap S1=1 F.=01", NULL, NULL},
    {"div", "full f32", "Ip=b Iq=b F1=bp F0=ap F1=1q F0=0q S1=1 F.=01", NULL, NULL},
    {"div", "f32", DIV_F32, DIV_F32_SLOW, slow_div_f32},
    {"div", "f64", "S0=b Ip=a D1=0b D1=1 D0=01 D1=0b D0=01 D2=a0 D3=2ba D.=032 F4=b Iq=4p B=q",
     "B= I0=a*6 I1=b*6 S2=1 D2=2b*5 D3=2b*3 I4=3*12 D3=3b*3 Ip=4*3 B=p*3 I.=3*7 B=", slow_div_f64},
    {"rcp", "approx ftz f32", "S.=a", NULL, NULL},
    {"rcp", "approx f32", "Ip=a Iq=a I0=p I1=q F0=a0 S0=0 F.=01", NULL, NULL},
    {"rcp", "approx f64", "S.=a I.=a", NULL, NULL},
    {"rcp", "f32", RCP_F32, RCP_F32_SLOW, slow_rcp_f32},
    {"rcp", "f64", "S0=a I1=a Ip=1 D1=0a D1=1 D0=01 D1=0a D.=01 B=p",
     "B= Dp=a B=p*3 I0=a*4 S1=0 D1=1a*8 D.=1 I0=0*4 B=", slow_rcp_f64},
    {"sqrt", "approx ftz f32", "S.=a", NULL, NULL},
    {"sqrt", "approx f32", SCALED, NULL, NULL},
    {"sqrt", "f32", SQRT_F32, SQRT_F32_SLOW, slow_sqrt_f32},
    {"sqrt", "f64",
     "S0=a I1=a Ip=1 D1=00 D2=1a D3=2 D2=20 D0=320 D1=a0 I2=0 M3=2 D4=11a D.=421 B=p",
     "B= Ip=a Dp=a B=p*3 D0=a I1=0*3 S1=1 D2=11 D1=12*6 I3=1 D.=1 I1=1*4 B=", slow_root_f64},
    {"rsqrt", "ftz f32", "S.=a", NULL, NULL},
    {"rsqrt", "f32", SCALED, NULL, NULL},
    {"rsqrt", "ftz f64", "S.=a I.=a", NULL, NULL},
    {"rsqrt", "f64", "S0=a I1=a Ip=1 D1=00 D2=1a D3=2 D2=20 D.=320 B=p",
     "B= Dp=a*2 B=p*3 D0=a I1=0*3 S1=1 D2=11 D1=12*4 D.=1 I1=1*4 B=", slow_root_f64},
    {"sin", "f32", "F0=a S.=0", NULL, NULL},
    {"cos", "f32", "F0=a S.=0", NULL, NULL},
    {"lg2", "ftz f32", "S.=a", NULL, NULL},
    {"lg2", "f32", SCALED, NULL, NULL},
    {"ex2", "ftz f32", "S.=a", NULL, NULL},
    {"ex2", "f32", SCALED, NULL, NULL},
    {"div", "s32",
     "I0=b I5=a S1=0 S1=1 I1=1 I5=a I4=ab S1=1 Iq=b M2=1 M2=20 M1=12 M5=5 M1=12 M2=15 M3=20 Ip=35 "
     "M3=30p I2=2p Ip=30 Iq=4 I2=2p M2=2q I.=2b",
     NULL, NULL},
    {"div", "u32",
     "S1=b M2=b Iq=b S1=1 I1=1 S1=1 I3=1 M2=2 M1=12 M2=1a M3=2 M3=3ba Ip=3b I3=3bp I2=2p Ip=3b "
     "I2=2p I.=2q",
     NULL, NULL},
    {"rem", "s32",
     "I0=b I5=a I4=a S1=0 Iq=b S1=1 I1=1 I3=0 S1=1 M2=1 M2=20 M3=3 M1=12 M2=15 M3=235 Ip=30 M3=30p "
     "Ip=30 Iq=4 M3=30p I3=3q I.=3b",
     NULL, NULL},
    {"rem", "u32",
     "S1=b M2=b Iq=b S1=1 I1=1 S1=1 I3=1 M2=2 M1=12 M2=1a M2=2 M3=2ba Ip=3b I3=3bp Ip=3b I3=3bp "
     "I.=3q",
     NULL, NULL},
    {"div", "s64", DIV_S64, NULL, NULL},
    {"div", "u64", DIV_U64, NULL, NULL},
    {"rem", "s64", REM_S64, NULL, NULL},
    {"rem", "u64", REM_U64, NULL, NULL},
    {"div", "u16",
     "B= S0=a S1=b Ip=1*2 I2=p*2 Iq=b I3=1*2 F1=1 S1=1 F1=1 I1=1 F0=01 S0=0 I.=0*4 B=", NULL, NULL},
    {"rem", "u16",
     "B= S0=a S1=b Ip=1*2 I2=p*2 Iq=b F1=1 S1=1 F1=1 I1=1 F0=01 S0=0 I0=0 M2=0b*2 I2=2*2 M2=2a*2 "
     "I.=2q "
     "B=",
     NULL, NULL},
    {"div", "s16",
     "B= I0=a*2 I1=b*2 S0=0 S1=1 Ip=1*2 I2=p*2 Iq=b I3=1 F1=1 S1=1 F1=1 I1=1 F0=01 S0=0 I4=ab "
     "I5=0*3 "
     "M5=54*2 I.=5q*3 B=",
     NULL, NULL},
    {"rem", "s16",
     "B= I0=a*2 I1=b*2 S0=0 S1=1 Ip=1*2 I2=p*2 Iq=b F1=1 S1=1 F1=1 M3=a I1=1 F0=01 I4=a S0=0 "
     "I5=0*2 "
     "M5=5b*3 I5=54*3 I.=5q*3 B=",
     NULL, NULL},
};

/* Integers over a number. */
static const struct row by_number[] = {
    {"div", "s32",
     "S0= S0=0 I0=0 S1=0 M2= M2=1 M1=12 I5=a I4=a M2=15 Iq=4 M3=25 Ip=3 I3=3p I2=2p Ip=3 I2=2p "
     "M.=2q",
     NULL, NULL},
    {"div", "u32", "S0= S0=0 I0=0 S1=0 M2= M2=1 M1=12 M2=1a M3=2a Ip=3 I3=3p I2=2p Ip=3 I.=2p",
     NULL, NULL},
    {"rem", "s32",
     "S0= S0=0 I0=0 S1=0 M2= M2=1 M1=12 I5=a Iq=a M2=15 M3=25 Ip=3 I3=3p Ip=3 I3=3p M.=3q", NULL,
     NULL},
    {"rem", "u32", "S0= S0=0 I0=0 S1=0 I2= M2=1 M1=12 M2=1a M3=2a Ip=3 I3=3p Ip=3 I.=3p", NULL,
     NULL},
    {"div", "s64", NUMBER_DIV_S64, NULL, NULL},
    {"div", "u64", NUMBER_DIV_U64, NULL, NULL},
    {"rem", "s64", NUMBER_REM_S64, NULL, NULL},
    {"rem", "u64", NUMBER_REM_U64, NULL, NULL},
    {"div", "u16", "I1= B= S0=a I2= F0=0 S0=0 I.=0 B=", NULL, NULL},
    {"rem", "u16", "I1= B= S0=a F0=0 I2= S0=0 I0=0 M0=0a I.=0 B=", NULL, NULL},
    {"div", "s16", "I1= B= I0=a I5=a S0=0 I5=5 M1= F0=0 M1=1 S0=0 I0=0*2 I.=05 B=", NULL, NULL},
    {"rem", "s16", "I1= B= I0=a I5=a S0=0 M1= F0=0 S0=0 I0=0 M0=0a I4=5 M0=04 I0=0 I.=05 B=", NULL,
     NULL},
};

static bool has_mods(const struct ptx_stmt *s, const char *mods)
{
    while (*mods) {
        size_t n = strcspn(mods, " ");
        uint32_t i = 0;
        while (i < s->n_mods && !(strlen(s->mods[i]) == n && memcmp(s->mods[i], mods, n) == 0))
            i++;
        if (i == s->n_mods)
            return false;
        mods += n + (mods[n] == ' ');
    }
    return true;
}

/* ---- steps ----------------------------------------------------------------------------------- */

struct maker {
    struct ptx_decoder *d;
    uint32_t vregs[128]; /* [letter]: virtual register + 1; 0: none */
    uint8_t units;       /* of a register of the sequence */
    uint32_t n;
};

static uint32_t vreg_of(const struct ptx_decoder *d, uint32_t operand)
{
    const struct ptx_operand *o = &d->st->operands[operand];
    return operand < d->st->n_operands && o->kind == PO_REG ? d->in->reg_vreg[o->index] : 0;
}

/* Registers of the sequence live as long as the instruction: they are written there. */
static uint32_t register_of(struct maker *m, char letter)
{
    uint32_t *v = &m->vregs[(unsigned char)letter & 127];
    struct ptx_uses *now = &m->d->now;
    if (*v || letter == 'a' || letter == 'b')
        return *v;
    bool is_predicate = letter == 'p' || letter == 'q';
    vec_push(m->d->mem, &m->d->vregs, (struct ptx_vreg){is_predicate ? 0 : m->units});
    *v = (uint32_t)m->d->vregs.n;
    if (now->n_dst < sizeof now->dst / sizeof *now->dst)
        now->dst[now->n_dst++] = *v - 1;
    return *v;
}

static uint8_t class_of(char unit)
{
    switch (unit) {
    case 'S': return TC_SFU;
    case 'F': return TC_FP32;
    case 'D': return TC_FP64;
    case 'M': return TC_INT_MUL;
    case 'B': return TC_BRANCH;
    default: return TC_INT;
    }
}

/* One step from its text; returns where the next one begins. */
static const char *add_step(struct maker *m, const char *at)
{
    struct ptx_step step = {.cls = class_of(at[0])};
    uint32_t times = 1;
    if (*++at != '=')
        step.dst = register_of(m, *at++);
    for (at++; *at && *at != ' ' && *at != '*'; at++)
        if (step.n_src < sizeof step.src / sizeof *step.src) {
            uint32_t v = register_of(m, *at);
            if (v)
                step.src[step.n_src++] = v - 1;
        }
    if (*at == '*')
        for (times = 0, at++; *at >= '0' && *at <= '9'; at++)
            times = times * 10 + (uint32_t)(*at - '0');
    for (uint32_t i = 0; i < times; i++, m->n++)
        vec_push(m->d->mem, &m->d->steps, step);
    return at + (*at == ' ');
}

static uint32_t add_steps(struct maker *m, const char *text)
{
    uint32_t before = m->n;
    while (text && *text)
        text = add_step(m, text);
    return m->n - before;
}

static const struct row *find_row(const struct ptx_stmt *s, const struct row *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(of[i].op, s->op) == 0 && has_mods(s, of[i].mods))
            return &of[i];
    return NULL;
}

const struct ptx_sequence *ptx_find_sequence(struct ptx_decoder *d)
{
    if (d->st->n_operands < 2 || d->now.n_dst > 1)
        return NULL;
    const struct row *row = NULL;
    if (d->st->n_operands == 3 && ptx_is_number(d->in, &d->st->operands[2]))
        row = find_row(d->st, by_number, sizeof by_number / sizeof *by_number);
    if (!row)
        row = find_row(d->st, rows, sizeof rows / sizeof *rows);
    if (!row)
        return NULL;
    struct maker m = {.d = d, .units = strstr(row->mods, "64") ? 2 : 1};
    m.vregs['a'] = vreg_of(d, 1);
    m.vregs['b'] = vreg_of(d, 2);
    m.vregs['.'] = d->now.n_dst ? d->now.dst[0] + 1 : 0;
    struct ptx_sequence *s = arena_new(d->mem, struct ptx_sequence);
    s->first_step = (uint32_t)d->steps.n;
    s->n_fast = (uint16_t)add_steps(&m, row->fast);
    s->n_slow = (uint16_t)add_steps(&m, row->slow);
    s->is_slow = row->is_slow;
    return s;
}
