/* SPDX-License-Identifier: MIT */
#include "sim/trace/sass.h"

#include <string.h>

#include "sim/trace/trace.h"

struct row {
    const char *name;
    uint8_t cls, space;
    bool is_generic;
};

/* Sorted by name; ACCELSIM_TRACE.md section 7 is where the classes come from. */
static const struct row rows[] = {
    {"ATOM", TC_ATOMIC, TS_GLOBAL, true},    {"ATOMG", TC_ATOMIC, TS_GLOBAL, false},
    {"ATOMS", TC_ATOMIC, TS_SHARED, false},  {"B2R", TC_INT, TS_NONE, false},
    {"BAR", TC_BARRIER, TS_NONE, false},     {"BFE", TC_INT, TS_NONE, false},
    {"BFI", TC_INT, TS_NONE, false},         {"BMMA", TC_TENSOR, TS_NONE, false},
    {"BMOV", TC_BRANCH, TS_NONE, false},     {"BMSK", TC_INT, TS_NONE, false},
    {"BPT", TC_BRANCH, TS_NONE, false},      {"BRA", TC_BRANCH, TS_NONE, false},
    {"BREAK", TC_BRANCH, TS_NONE, false},    {"BREV", TC_INT, TS_NONE, false},
    {"BRK", TC_BRANCH, TS_NONE, false},      {"BRX", TC_BRANCH, TS_NONE, false},
    {"BRXU", TC_BRANCH, TS_NONE, false},     {"BSSY", TC_BRANCH, TS_NONE, false},
    {"BSYNC", TC_BRANCH, TS_NONE, false},    {"CAL", TC_BRANCH, TS_NONE, false},
    {"CALL", TC_BRANCH, TS_NONE, false},     {"CCTL", TC_NOP, TS_NONE, false},
    {"CCTLL", TC_NOP, TS_NONE, false},       {"CCTLT", TC_NOP, TS_NONE, false},
    {"CONT", TC_BRANCH, TS_NONE, false},     {"CS2R", TC_INT, TS_NONE, false},
    {"CSET", TC_INT, TS_NONE, false},        {"CSETP", TC_INT, TS_NONE, false},
    {"CSMTEST", TC_INT, TS_NONE, false},     {"DADD", TC_FP64, TS_NONE, false},
    {"DEPBAR", TC_INT, TS_NONE, false},      {"DFMA", TC_FP64, TS_NONE, false},
    {"DMMA", TC_TENSOR, TS_NONE, false},     {"DMNMX", TC_FP64, TS_NONE, false},
    {"DMUL", TC_FP64, TS_NONE, false},       {"DSET", TC_FP64, TS_NONE, false},
    {"DSETP", TC_FP64, TS_NONE, false},      {"ERRBAR", TC_FENCE, TS_NONE, false},
    {"EXIT", TC_EXIT, TS_NONE, false},       {"F2F", TC_INT, TS_NONE, false},
    {"F2FP", TC_INT, TS_NONE, false},        {"F2I", TC_INT, TS_NONE, false},
    {"F2IP", TC_INT, TS_NONE, false},        {"FADD", TC_FP32, TS_NONE, false},
    {"FADD32I", TC_FP32, TS_NONE, false},    {"FCHK", TC_FP32, TS_NONE, false},
    {"FCMP", TC_FP32, TS_NONE, false},       {"FFMA", TC_FP32, TS_NONE, false},
    {"FFMA32I", TC_FP32, TS_NONE, false},    {"FLO", TC_INT, TS_NONE, false},
    {"FMNMX", TC_FP32, TS_NONE, false},      {"FMUL", TC_FP32, TS_NONE, false},
    {"FMUL32I", TC_FP32, TS_NONE, false},    {"FRND", TC_INT, TS_NONE, false},
    {"FSEL", TC_FP32, TS_NONE, false},       {"FSET", TC_FP32, TS_NONE, false},
    {"FSETP", TC_FP32, TS_NONE, false},      {"FSWZADD", TC_FP32, TS_NONE, false},
    {"GETLMEMBASE", TC_INT, TS_NONE, false}, {"HADD2", TC_FP16, TS_NONE, false},
    {"HADD2_32I", TC_FP16, TS_NONE, false},  {"HFMA2", TC_FP16, TS_NONE, false},
    {"HFMA2_32I", TC_FP16, TS_NONE, false},  {"HMMA", TC_TENSOR, TS_NONE, false},
    {"HMNMX2", TC_FP16, TS_NONE, false},     {"HMUL2", TC_FP16, TS_NONE, false},
    {"HMUL2_32I", TC_FP16, TS_NONE, false},  {"HSET2", TC_FP16, TS_NONE, false},
    {"HSETP2", TC_FP16, TS_NONE, false},     {"I2F", TC_INT, TS_NONE, false},
    {"I2FP", TC_INT, TS_NONE, false},        {"I2I", TC_INT, TS_NONE, false},
    {"I2IP", TC_INT, TS_NONE, false},        {"IABS", TC_INT, TS_NONE, false},
    {"IADD", TC_INT, TS_NONE, false},        {"IADD3", TC_INT, TS_NONE, false},
    {"IADD32I", TC_INT, TS_NONE, false},     {"ICMP", TC_INT, TS_NONE, false},
    {"IDE", TC_INT, TS_NONE, false},         {"IDP", TC_INT_MUL, TS_NONE, false},
    {"IDP4A", TC_INT_MUL, TS_NONE, false},   {"IMAD", TC_INT_MUL, TS_NONE, false},
    {"IMMA", TC_TENSOR, TS_NONE, false},     {"IMNMX", TC_INT, TS_NONE, false},
    {"IMUL", TC_INT_MUL, TS_NONE, false},    {"IMUL32I", TC_INT_MUL, TS_NONE, false},
    {"ISCADD", TC_INT, TS_NONE, false},      {"ISCADD32I", TC_INT, TS_NONE, false},
    {"ISET", TC_INT, TS_NONE, false},        {"ISETP", TC_INT, TS_NONE, false},
    {"JCAL", TC_BRANCH, TS_NONE, false},     {"JMP", TC_BRANCH, TS_NONE, false},
    {"JMX", TC_BRANCH, TS_NONE, false},      {"JMXU", TC_BRANCH, TS_NONE, false},
    {"KIL", TC_EXIT, TS_NONE, false},        {"KILL", TC_EXIT, TS_NONE, false},
    {"LD", TC_LOAD, TS_GLOBAL, true},        {"LDC", TC_INT, TS_NONE, false},
    {"LDG", TC_LOAD, TS_GLOBAL, false},      {"LDGDEPBAR", TC_INT, TS_NONE, false},
    {"LDGSTS", TC_LOAD, TS_GLOBAL, false},   {"LDL", TC_LOAD, TS_LOCAL, false},
    {"LDS", TC_LOAD, TS_SHARED, false},      {"LDSM", TC_LOAD, TS_SHARED, false},
    {"LEA", TC_INT, TS_NONE, false},         {"LEPC", TC_INT, TS_NONE, false},
    {"LOP", TC_INT, TS_NONE, false},         {"LOP3", TC_INT, TS_NONE, false},
    {"LOP32I", TC_INT, TS_NONE, false},      {"MATCH", TC_SHUFFLE, TS_NONE, false},
    {"MEMBAR", TC_FENCE, TS_NONE, false},    {"MOV", TC_INT, TS_NONE, false},
    {"MOV32I", TC_INT, TS_NONE, false},      {"MOVM", TC_INT, TS_NONE, false},
    {"MUFU", TC_SFU, TS_NONE, false},        {"NANOSLEEP", TC_BRANCH, TS_NONE, false},
    {"NOP", TC_NOP, TS_NONE, false},         {"P2R", TC_INT, TS_NONE, false},
    {"PBK", TC_BRANCH, TS_NONE, false},      {"PCNT", TC_BRANCH, TS_NONE, false},
    {"PLOP3", TC_INT, TS_NONE, false},       {"PMTRIG", TC_NOP, TS_NONE, false},
    {"POPC", TC_INT, TS_NONE, false},        {"PRET", TC_BRANCH, TS_NONE, false},
    {"PRMT", TC_INT, TS_NONE, false},        {"PSET", TC_INT, TS_NONE, false},
    {"PSETP", TC_INT, TS_NONE, false},       {"QSPC", TC_INT, TS_NONE, false},
    {"R2B", TC_INT, TS_NONE, false},         {"R2P", TC_INT, TS_NONE, false},
    {"R2UR", TC_UNIFORM, TS_NONE, false},    {"RED", TC_REDUCE, TS_GLOBAL, true},
    {"REDUX", TC_SHUFFLE, TS_NONE, false},   {"RET", TC_BRANCH, TS_NONE, false},
    {"RPCMOV", TC_BRANCH, TS_NONE, false},   {"RRO", TC_SFU, TS_NONE, false},
    {"RTT", TC_BRANCH, TS_NONE, false},      {"S2R", TC_INT, TS_NONE, false},
    {"S2UR", TC_UNIFORM, TS_NONE, false},    {"SEL", TC_INT, TS_NONE, false},
    {"SETCTAID", TC_INT, TS_NONE, false},    {"SETLMEMBASE", TC_INT, TS_NONE, false},
    {"SGXT", TC_INT, TS_NONE, false},        {"SHF", TC_INT, TS_NONE, false},
    {"SHFL", TC_SHUFFLE, TS_NONE, false},    {"SHL", TC_INT, TS_NONE, false},
    {"SHR", TC_INT, TS_NONE, false},         {"SSY", TC_BRANCH, TS_NONE, false},
    {"ST", TC_STORE, TS_GLOBAL, true},       {"STG", TC_STORE, TS_GLOBAL, false},
    {"STL", TC_STORE, TS_LOCAL, false},      {"STS", TC_STORE, TS_SHARED, false},
    {"SUATOM", TC_ATOMIC, TS_GLOBAL, false}, {"SULD", TC_LOAD, TS_TEXTURE, false},
    {"SURED", TC_REDUCE, TS_GLOBAL, false},  {"SUST", TC_STORE, TS_GLOBAL, false},
    {"SYNC", TC_BRANCH, TS_NONE, false},     {"TEX", TC_LOAD, TS_TEXTURE, false},
    {"TEXS", TC_LOAD, TS_TEXTURE, false},    {"TLD", TC_LOAD, TS_TEXTURE, false},
    {"TLD4", TC_LOAD, TS_TEXTURE, false},    {"TLDS", TC_LOAD, TS_TEXTURE, false},
    {"TMML", TC_LOAD, TS_TEXTURE, false},    {"TXD", TC_LOAD, TS_TEXTURE, false},
    {"TXQ", TC_LOAD, TS_TEXTURE, false},     {"VABSDIFF", TC_INT, TS_NONE, false},
    {"VABSDIFF4", TC_INT, TS_NONE, false},   {"VOTE", TC_SHUFFLE, TS_NONE, false},
    {"VOTEU", TC_UNIFORM, TS_NONE, false},   {"VOTE_VTG", TC_INT, TS_NONE, false},
    {"WARPSYNC", TC_BRANCH, TS_NONE, false}, {"XMAD", TC_INT_MUL, TS_NONE, false},
    {"YIELD", TC_BRANCH, TS_NONE, false},
};

static const struct row *find(const char *name, size_t n)
{
    size_t lo = 0, hi = sizeof rows / sizeof rows[0];
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        int c = strncmp(rows[mid].name, name, n);
        if (c == 0 && rows[mid].name[n])
            c = 1;
        if (c == 0)
            return &rows[mid];
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return NULL;
}

static bool is_part(const char *part, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(part, word, n) == 0;
}

/* The first modifier that is a plain number or U and a number is the width in bits. */
static uint8_t width_of(const char *part, size_t n)
{
    size_t i = n && part[0] == 'U' ? 1 : 0;
    unsigned bits = 0;
    if (i == n || n - i > 3)
        return 0;
    for (; i < n; i++) {
        if (part[i] < '0' || part[i] > '9')
            return 0;
        bits = bits * 10 + (unsigned)(part[i] - '0');
    }
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 ? (uint8_t)(bits / 8)
                                                                              : 0;
}

/* Steps of 256 products of 16 bits in a product of matrices: "HMMA.16816.F32" has 8. */
static uint8_t steps_of(const char *text, size_t n)
{
    static const struct {
        const char *start;
        uint8_t steps;
    } shapes[] = {{"HMMA.1684", 4}, {"HMMA.1688", 4},  {"HMMA.16816", 8},
                  {"IMMA.8816", 2}, {"IMMA.16816", 4}, {"IMMA.16832", 8},
                  {"IMMA.8832", 2}, {"DMMA.884", 16},  {"BMMA.88128", 2}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        size_t k = strlen(shapes[i].start);
        if (n >= k && memcmp(text, shapes[i].start, k) == 0 && (n == k || text[k] == '.'))
            return shapes[i].steps;
    }
    return 1;
}

struct sass_op sass_classify(const char *text, size_t n)
{
    const char *dot = memchr(text, '.', n);
    size_t name_n = dot ? (size_t)(dot - text) : n;
    const struct row *r = find(text, name_n);
    struct sass_op op = {.cls = TC_INT, .space = TS_NONE};

    if (!r && name_n > 1 && text[0] == 'U') /* uniform datapath: UIADD3, ULDC, … */
        op = (struct sass_op){.cls = TC_UNIFORM, .space = TS_NONE, .is_known = true};
    else if (r)
        op = (struct sass_op){
            .cls = r->cls, .space = r->space, .is_generic = r->is_generic, .is_known = true};
    if (op.cls == TC_TENSOR)
        op.bytes = steps_of(text, n);
    if (op.space == TS_NONE)
        return op;
    bool strong = false, gpu = false;
    for (const char *p = dot; p && p < text + n;) {
        const char *part = p + 1;
        const char *end = memchr(part, '.', (size_t)(text + n - part));
        size_t part_n = (size_t)((end ? end : text + n) - part);
        if (!op.bytes)
            op.bytes = width_of(part, part_n);
        strong |= is_part(part, part_n, "STRONG");
        gpu |= is_part(part, part_n, "GPU");
        if (is_part(part, part_n, "CONSTANT"))
            op.flags |= TF_READ_ONLY;
        p = end;
    }
    if (strong && gpu && op.cls == TC_LOAD)
        op.flags |= TF_BYPASS_L1;
    if (!op.bytes)
        op.bytes = 4;
    return op;
}
