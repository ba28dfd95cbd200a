/* SPDX-License-Identifier: MIT
 *
 * PTX that is refused when it is loaded: each with its line and what is wrong. */
#include "tests/unit/test.h"

#include "sim/ptx/interpreter.h"

#define HEAD ".version 7.0\n.target sm_75\n.address_size 64\n"

struct fixture {
    struct err err;
    struct ptx_device dev;
    struct ptx_kernel kernel;
};

static bool load(struct fixture *f, const char *body, bool is_whole)
{
    static const char *const before =
        ".shared .b32 shared_words[4];\n.func takes_two(.param .b32 x, .param .b32 y) { ret; }\n"
        ".func takes_wide(.param .b64 x) { ret; }\n"
        ".visible .entry k(.param .u64 out)\n{ .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; "
        ".reg .f64 %d<9>; .reg .b16 %h<9>; .reg .pred %p<9>;\n";
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    const char *text = arena_printf(&mem, "%s%s%s%s", HEAD, is_whole ? "" : before, body,
                                    is_whole ? "\n" : "\nret;\n}\n");
    *f = (struct fixture){0};
    err_init(&f->err);
    bool ok = ptx_device_load(&f->dev, "k.ptx", text, strlen(text), &f->err) &&
              ptx_decode(&f->dev.layout, "k", &f->dev.mem, &f->kernel, &f->err);
    arena_free(&mem);
    return ok;
}

struct refusal {
    const char *body, *why;
};

/* "k.ptx:LINE: … why" */
static void check(const struct refusal *r, bool is_whole, int line)
{
    struct fixture f;
    char where[32];
    snprintf(where, sizeof where, "k.ptx:%d: ", line);
    bool ok = load(&f, r->body, is_whole);
    const char *text = f.err.first ? err_entry_text(f.err.first, &f.err.mem) : "";
    size_t n = strlen(text), k = strlen(r->why);
    if (ok || strncmp(text, where, strlen(where)) != 0 || n < k ||
        strcmp(text + n - k, r->why) != 0) {
        print_error("%s\ngot:  %s\nwant: %s%s\n", r->body, ok ? "no refusal" : text, where, r->why);
        fail();
    }
    ptx_device_close(&f.dev);
    err_free(&f.err);
}

static void what_an_instruction_lacks_is_said(void **state)
{
    static const struct refusal cases[] = {
        {"add.s32 %r0, %r1, !%r2;", "'!' is for predicates"},
        {"add.ftz.f64 %d0, %d1, %d2;", "'.ftz' is for single precision"},
        {"add.rz.f16 %h0, %h1, %h2;", "half precision rounds to nearest only"},
        {"add %r0, %r1, %r2;", "it has no type"},
        {"add.pred %p0, %p1, %p2;", "it is not defined for predicates"},
        {"brx.far %r0, nothing;", "only brx.idx is supported"},
        {"T: ret; brx.idx %r0, T;", "'T' is not a table of 1 to 4096 targets"},
        {"T: .branchtargets U; U: bra T;", "'T' is a table of targets"},
        {"nanosleep.u32 %r0, %r1;", "it has 2 operands"},
        {"bar.warp.sync;", "it has 0 operands"},
        {"mul.wide.u64 %rd0, %rd1, %rd2;", "there is no wider type than .u64"},
        {"mul24.u32 %r0, %r1, %r2;", "'.lo' or '.hi' must be given"},
        {"mul24.lo.u64 %rd0, %rd1, %rd2;", "operation 'mul24.lo.u64' is not supported"},
        {"mad24.lo.u32 %r0, %r1, %r2;", "it has 3 operands"},
        {"mad.u32 %r0, %r1, %r2, %r3;",
         "'.lo', '.hi' or '.wide' belongs to integers, and must be given"},
        {"fma.rn.s32 %r0, %r1, %r2, %r3;", "fma is for real numbers"},
        {"fma.rn.f32 %f0, %f1;", "it has 2 operands"},
        {"sad.u32 %r0, %r1;", "it has 2 operands"},
        {"and.pred %p0, %p1;", "it has 2 operands"},
        {"and.pred %p0, !%p1, %p2;", "'!' is not supported here"},
        {"shl.b32 %r0, %r1;", "it has 2 operands"},
        {"shf.b32 %r0, %r1, %r2, %r3;", "direction and mode must be given"},
        {"bfe.u32 %r0, %r1;", "it has 2 operands"},
        {"bfi.b32 %r0, %r1, %r2;", "it has 3 operands"},
        {"shf.l.b32 %r0, %r1, %r2, %r3;", "direction and mode must be given"},
        {"lop3.b32 %r0, %r1, %r2, %r3, %r4;", "the table of lop3 must be a number"},
        {"prmt.b64 %rd0, %rd1, %rd2, %rd3;", "prmt is for .b32"},
        {"prmt.b32 %r0, %r1, %r2;", "it has 3 operands"},
        {"setp.foo.s32 %p0, %r0, %r1;", "it has no comparison"},
        {"setp.lt.b32 %p0, %r0, %r1;", "comparison 'lt.b32' is not supported"},
        {"setp.ltu.s32 %p0, %r0, %r1;", "comparison 'ltu.s32' is not supported"},
        {"setp.lt.s32 %p0, %r0;", "it has 2 operands"},
        {"setp.s32 %p0, %r0, %r1;", "it has no comparison"},
        {"setp.lt.s32 %r0, %r0, %r1;", "result %r0 is not a predicate"},
        {"setp.lt.and.s32 %p0, %r0, %r1, %r2;", "operand %r2 is not a predicate"},
        {"set.lt.f64.s32 %d0, %r0, %r1;", "results of type .f64 are not supported"},
        {"testp.f32 %p0, %f0;", "it has no test"},
        {"testp.finite.f32 %p0;", "it has 1 operands"},
        {"selp.b32 %r0, %r1, %r2, %r3;", "operand %r3 is not a predicate"},
        {"selp.b32 %r0, %r1;", "it has 2 operands"},
        {"slct.b32.s32 %r0, %r1;", "it has 2 operands"},
        {"cvt.rni.f32.f64 %f0, %d0;", "'.rni' is for integers, or for results of the same type"},
        {"cvt.rn.tf32.f32 %r0, %f0;", "only cvt.rna.tf32.f32 is supported"},
        {"cvt.pack.u8.s32.b32 %r0, %r1, %r2, %r3;",
         "only two .s32 to 8 or 16 bits each are supported"},
        {"cvt.u32.u64 %h0, %rd0;", "the result does not fit its register"},
        {"ld.global.pred %p0, [%rd0];", "type .pred is not supported"},
        {"ld.global.v4.f64 {%d0, %d1, %d2, %d3}, [%rd0];",
         "accesses of more than 16 bytes are not supported"},
        {"ld.global.v2.u32 {%r0, %r1, %r2}, [%rd0];", "expected 2 registers"},
        {"ld.global.u64 %r0, [%rd0];", "register %r0 is too small"},
        {"ld.global.v2.u32 {%r0, %rd1}, [%rd0];", "registers of different widths"},
        {"ld.global.u32 %r0;", "it has 1 operands"},
        {"ld.shared.u32 %r0, [out];", "'out' is not in the space of the instruction"},
        {"ld.global.u32 %r0, [nosuch];", "'nosuch' is not declared"},
        {"ld.const.u32 %r0, [shared_words];",
         "'shared_words' is not in the space of the instruction"},
        {"st.const.u32 [%rd0], %r0;", "this space cannot be written"},
        {"st.global.u32 [%rd0];", "it has 1 operands"},
        {"st.param.u32 [out], %r0;", "this space cannot be written"},
        {"atom.global.add.f16x3 %r0, [%rd0], %r1;", "it has no type"},
        {"atom.global.min.f32 %f0, [%rd0], %f1;", "this operation on type .f32 is not supported"},
        {"atom.local.add.u32 %r0, [%rd0], %r1;", "atomics are for global and shared memory"},
        {"atom.global.add.u32 %r0, [%rd0];", "it has 2 operands"},
        {"atom.global.u32 %r0, [%rd0], %r1;", "this operation on type .u32 is not supported"},
        {"atom.global.cas.b32 %r0, [%rd0], %r1;", "it has 3 operands"},
        {"membar.gl %r0;", "it has 1 operands"},
        {"fence.sc.gpu %r0;", "it has 1 operands"},
        {"prefetch.global [%rd0];", "expected .L1 or .L2"},
        {"prefetch.global.L1 %rd0;", "expected an address in brackets"},
        {"prefetch.global.L1 [%rd0], %r0;", "it has 2 operands"},
        {"applypriority.global.L2::evict_normal [%rd0], 128, 3;", "it has 3 operands"},
        {"discard.global.L2 %rd0, 128;", "expected an address in brackets"},
        {"mov.b64 {%r0, %r1, %r2}, %rd0;", "vectors of this shape are not supported"},
        {"mov.b32 %r0, {%h0, %h1, %h2};", "vectors of this shape are not supported"},
        {"mov.b128 %rd0, %rd1;", "moves of type .b128 are not supported"},
        {"mov.v2.u32 %r0, %r1;", "modifier '.v2' is not supported"},
        {"mov.u32 %r0;", "it has 1 operands"},
        {"mov.u32 %r0, nothing_here;", "'nothing_here' is not declared"},
        {"mov.u64 %rd0, local_name_that_is_not;", "'local_name_that_is_not' is not declared"},
        {"mov.u32 5, %r0;", "the result does not go to a register"},
        {"mov.u32 %rd0, 5;", "result %rd0 has type .b64, not .u32"},
        {"cvta.u64 %rd0, %rd1;", "it names no space"},
        {"cvta.to.global.u32 %r0, %r1;", "addresses have 64 bits"},
        {"cvta.global.u64 %rd0;", "it has 1 operands"},
        {"isspacep.u64 %p0, %rd1;", "it names no space"},
        {"isspacep.global %p0;", "it has 1 operands"},
        {"shfl.sync.foo.b32 %r0, %r1, 1, 31, -1;",
         "its mode must be up, down, bfly or idx, its type .b32"},
        {"shfl.sync.up.b64 %rd0, %rd1, 1, 31, -1;",
         "its mode must be up, down, bfly or idx, its type .b32"},
        {"shfl.sync.up.b32 %r0, %r1;", "it has 2 operands"},
        {"vote.sync.most.pred %p0, %p1, -1;",
         "its mode must be all, any, uni (.pred) or ballot (.b32)"},
        {"vote.sync.ballot.pred %p0, %p1, -1;",
         "its mode must be all, any, uni (.pred) or ballot (.b32)"},
        {"vote.sync.all.pred %p0;", "it has 1 operands"},
        {"match.sync.b32 %r0, %r1, -1;", "its mode must be any or all"},
        {"match.any.sync.b32 %r0;", "it has 1 operands"},
        {"redux.sync.mul.s32 %r0, %r1, -1;", "this operation or type is not supported"},
        {"redux.sync.add.s32 %r0;", "it has 1 operands"},
        {"redux.sync.add.s32 %r0, %r1, -1, 0;", "it has 4 operands"},
        {"mad.u32 %r0, %r1, %r2, %r3;",
         "'.lo', '.hi' or '.wide' belongs to integers, and must be given"},
        {"mul24.u32 %r0, %r1, %r2;", "'.lo' or '.hi' must be given"},
        {"shf.l.b32 %r0, %r1, %r2, %r3;", "direction and mode must be given"},
        {"atom.global.add.u32 %r0, [%rd0];", "it has 2 operands"},
        {"red.global.add.u32 [%rd0];", "it has 1 operands"},
        {"atom.local.add.u32 %r0, [%rd0], 1;", "atomics are for global and shared memory"},
        {"ld.global.u32 %r0;", "it has 1 operands"},
        {"st.global.u32 [%rd0];", "it has 1 operands"},
        {"st.const.u32 [%rd0], %r0;", "this space cannot be written"},
        {"ld.global.u32 %r0, [nosuch];", "'nosuch' is not declared"},
        {"mov.u64 %rd0, nosuch;", "'nosuch' is not declared"},
        {"cvt.u32.f32 %r0, %f0;", "real to integer needs a rounding: .rni, .rzi, .rmi or .rpi"},
        {"cvt.rzi.f32.s32 %f0, %r0;", "'.rzi' is for integers, or for results of the same type"},
        {"cvt.rn.tf32.f32 %r0, %f0;", "only cvt.rna.tf32.f32 is supported"},
        {"cvt.pack.sat.s8.s32 %r0, %r1, %r2;", "only two .s32 to 8 or 16 bits each are supported"},
        {"cvt.u32.u64 %r0;", "it has 1 operands"},
        {"activemask.b32 %r0, %r1;", "it has 2 operands"},
        {"elect.sync %r0;", "it has 1 operands"},
        {"activemask.b32 %p0;", "result %p0 has type .pred, not .b32"},
        {"bar.sync;", "it has 0 operands"},
        {"bar.arrive 0;", "arrive needs a number of threads"},
        {"bar.red.foo.u32 %r0, 0, %p0;", "it must be popc.u32, and.pred or or.pred"},
        {"bar.foo 0;", "it must be sync, arrive or red"},
        {"call nosuch;", "function 'nosuch' has no body in this file"},
        {"call (%r0), k;", "'k' is a kernel"},
        {"call 5;", "it has operands of an unknown kind"},
        {"call takes_two, (%r0);", "'takes_two' takes 2 arguments and returns 0"},
        {"call takes_two, (%r0, 4.5, 7);", "'takes_two' takes 2 arguments and returns 0"},
        {"call takes_wide, (%r0);", "an argument of this kind is not supported"},
        {"bra %r0;", "label '%r0' is not defined"},
        {"bra;", "it has 0 operands"},
        {"brx.idx %r0, nothing;", "label 'nothing' is not defined"},
        {"brx.idx %r0;", "it has 1 operands"},
        {"ret %r0;", "it has 1 operands"},
        {"wmma.mix.sync.aligned.row.m16n16k16.f16 {%r0}, [%rd0];", "it must be load, mma or store"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0}, [%rd0];",
         "a matrix of 8 registers is expected"},
        {"wmma.load.a.sync.aligned.row.m17n16k16.f16 {%r0}, [%rd0];",
         "a matrix of this shape and type is not supported"},
        {"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0};", "it has 1 operands"},
        {"wmma.store.d.sync.aligned.row.m16n16k16.f16 [%rd0], {%r0};",
         "a matrix of 4 registers is expected"},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f0}, {%r1}, {%r2}, {%f3};",
         "a matrix of 8 registers is expected"},
        {"wmma.mma.sync.aligned.row.col.m16n16k99.f32.f32 {%f0}, {%r1}, {%r2}, {%f3};",
         "a product of matrices of this shape and type is not supported"},
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r1}, {%r2}, {%f3};",
         "a matrix of 4 registers is expected"},
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0};", "it has 1 operands"},
        {"mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r0}, {%r1}, {%r2}, {%r3}, %r4, 0;",
         "products of sparse matrices are not supported"},
        {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0}, {%r1}, {%r2}, {%f3};",
         "a product of matrices of this shape and type is not supported"},
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f0}, {%r1}, {%r2}, {%f3};",
         "a product of matrices of this shape and type is not supported"},
        {"mma.sync.aligned.m16n8k16.row.col.s32.f16.f16.s32 {%r0}, {%r1}, {%r2}, {%r3};",
         "a product of matrices of this shape and type is not supported"},
        {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f0}, {%r1}, {%r2}, {%f3};",
         "it has no type"},
        {"mma.sync.aligned.m8n8k16.row.row.s32.s8.s8.s32 {%r0}, {%r1}, {%r2}, {%r3};",
         "a product of matrices of this shape and type is not supported"},
        {"ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0}, [%r1];",
         "only m8n8 of .b16, x1, x2 or x4"},
        {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0}, [%r1];",
         "a matrix of 2 registers is expected"},
        {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r0};",
         "instruction 'stmatrix' is not supported"},
        {"ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r0}, [%r1];",
         "modifier '.global' is not supported"},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0};", "it has 1 operands"},
        {"cp.bulk.shared.global [%r0], [%rd0], 4;", "only cp.async is supported"},
        {"cp.async.ca.shared.global [%r0];", "it has 1 operands"},
        {"cp.async.wait_group %r0, %r1;", "it has 2 operands"},
        {"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%rd0, {%f0}];",
         "it has 1 coordinates, and needs 2"},
        {"tex.2d.v4.f32.f32 {%f0, %f1}, [%rd0, {%f0, %f1}];", "expected 4 registers"},
        {"tex.2d.v4.f32.u8 {%f0, %f1, %f2, %f3}, [%rd0, {%f0, %f1}];",
         "types must be of 32 bits, coordinates .s32 or .f32"},
        {"tex.2d.v4.f32.f32 {%d0, %f1, %f2, %f3}, [%rd0, {%f0, %f1}];",
         "register %d0 has the wrong width"},
        {"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, %rd0;",
         "expected a texture or surface and coordinates in brackets"},
        {"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3};", "it has 1 operands"},
        {"suld.p.2d.b32.trap %r0, [%rd0, {%r0, %r1}];",
         "only raw surfaces (.b) of 1d, 2d, 3d, a1d or a2d are supported"},
        {"suld.b.2d.b32.trap %r0, [%rd0, {%r0}];", "it has 1 coordinates, and needs 2"},
        {"sust.b.2d.v2.b32.trap [%rd0, {%r0, %r1}], {%r0};", "expected 2 registers"},
        {"sust.b.2d.b64.trap [%rd0, {%r0, %r1}], %r0;", "register %r0 has the wrong width"},
        {"sust.b.2d.b32.trap [%rd0, {%r0, %r1}];", "it has 1 operands"},
        {"@%r0 mov.u32 %r0, 1;", "guard '%r0' is not a predicate register"},
        {"@5 mov.u32 %r0, 1;", "malformed guard"},
        {"mov.u32 %r0 %r1;", "expected ',' or ';', found '%r1'"},
        {".foo 3;", "directive '.foo' is not supported here"},
        {"mov.u32 %r0, [;", "expected an integer, found ';'"},
        {"ld.global.u32 %r0, [%rd0+];", "expected an integer, found ']'"},
        {"ld.global.u32 %r0, [5 + ];", "expected ']', found '+'"},
        {"ld.global.u32 %r0, [{%r0}];", "expected an integer, found '{'"},
        {"mov.u32 %r0, {{{{{{{{{{1}}}}}}}}}};", "operands are nested too deeply"},
        {"add.a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.u32 %r0, %r1, %r2;",
         "too many modifiers"},
        {"mov.u32 %r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0, "
         "%r0, %r0;",
         "too many operands"},
        {".reg .texref %q;", "registers of this kind are not supported: '.texref'"},
        {".reg .b32 5;", "expected the name of a register"},
        {".reg .b32 %q<-4>;", "-4 registers '%q'"},
        {".reg .b32 %q<99999999>;", "99999999 registers '%q'"},
        {".reg .b32 %q<4;", "expected '>', found ';'"},
        {".shared .b32;", "expected a name, found ';'"},
        {".shared .align 3 .b32 q;", "alignment 3 is not a power of two in 1..4096"},
        {".shared .align x .b32 q;", "expected an integer, found 'x'"},
        {".shared .b32 q[99999999999];", "the size of 'q' is out of range"},
        {".shared .b32 q[4;", "expected ']', found ';'"},
        {".shared .b32 q[x];", "expected an integer, found 'x'"},
        {".local .b32 q = 5;", "'q' cannot have an initial value"},
        {".shared .b32 q = 5;", "'q' cannot have an initial value"},
        {"T: .branchtargets 5;", "expected a label"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&cases[i], false, 9);
    check(&(struct refusal){"mov.u32 %r0, 1", "expected ',' or ';', found 'ret'"}, false, 10);
}

static void what_a_module_lacks_is_said(void **state)
{
    static const struct refusal cases[] = {
        {".global .b32 q[2] = {1, 2, 3};", "more initial values than the variable has room for"},
        {".global .b32 q[2] = {1, {2, {3, {4, {5, {6, {7, {8}}}}}}}};",
         "more initial values than the variable has room for"},
        {".global .f16 q = 0f3f800000;", "initial values of type f16 are not supported"},
        {".global .f32 q = -;", "expected a number, found ';'"},
        {".global .u32 q = ;", "expected an integer, found ';'"},
        {".global .u64 q = generic(x;", "expected ')', found ';'"},
        {".global .u64 q = generic x);", "expected '(', found 'x'"},
        {".global .u64 q[1] = {+};", "expected an integer, found '}'"},
        {".global .u32 q[9999999999] = {1};", "the size of 'q' is out of range"},
        {".global .foo .b32 q;", "declarations with '.foo' are not supported"},
        {".global .b32 q = 1; .global .b32 q = 2;", "'q' is declared twice"},
        {".visible .entry k(.param .b32) { ret; }", "expected a name, found ')'"},
        {".visible .entry k(.local .b32 x) { ret; }", "expected .param, found '.local'"},
        {".visible .entry k(.param .b32 x[99999]) { ret; }", "parameter 'x' of 399996 bytes"},
        {".visible .entry k(.param .b32 x { ret; }", "expected ')', found '{'"},
        {".visible .entry k() .foo 3 { ret; }", "attribute '.foo' is not supported"},
        {".visible .entry k() .maxntid x { ret; }", "expected an integer, found 'x'"},
        {".visible .entry 5() { ret; }", "expected the name of a function"},
        {".visible .entry k() { ret; } .visible .entry k() { ret; }",
         "function 'k' is defined twice"},
        {".func (.reg .b32) f() { ret; }", "malformed parameter"},
        {".func f(.reg .texref x) { ret; }", "malformed parameter"},
        {".address_size 32", "only 64-bit addresses are supported, not 32"},
        {".address_size x", "expected an integer, found 'x'"},
        {".visible .entry k() { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { { "
         "{ { { { { { ret; } } }",
         "braces are nested too deeply"},
        {".visible .entry k() { mov; }", "it has no type"},
        {".visible .entry k() { 5; }", "expected an instruction, found '5'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&cases[i], true, 4);
    check(&(struct refusal){".section .debug {", "a section does not end"}, true, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_instruction_lacks_is_said),
        cmocka_unit_test(what_a_module_lacks_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
