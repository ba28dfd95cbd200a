/* SPDX-License-Identifier: MIT
 *
 * The engine's own checks: each kind of damage to its state is seen and named, and nothing else. */
#include "tests/unit/noc_fixture.h"

#include "base/buf.h"
#include "noc/topology/plain.h"
#include "sim/net/engine_impl.h"
#include "sim/net/net.h"
#include "tests/unit/defaults.h"

enum { HELD = 5 };

struct fixture {
    struct arena mem;
    struct noc noc;
    struct arch arch;
    struct net *net;
    struct ivc *full, *empty; /* holds flits and has an output VC; holds nothing */
};

/* Sixteen nodes, of which one takes nothing: what goes there waits in the routers. */
static void begin(struct fixture *f, bool general, uint64_t watchdog_cycles)
{
    struct err err;
    struct noc_plain plain = {
        .k = 4, .n = 2, .vcs = 2, .vc_depth = 4, .width_bits = 128, .classes = 1};
    const uint16_t *cycles;
    *f = (struct fixture){.arch = arch_defaults()};
    arena_init(&f->mem, NULL, NULL);
    err_init(&err);
    assert_true(noc_plain_mesh(&plain, &f->mem, &f->noc, &cycles, &err));
    struct net_params p = {.router = &f->arch.noc[0].router,
                           .general = general,
                           .source_depth = 64,
                           .watchdog_cycles = watchdog_cycles};
    f->net = net_new(&f->noc, &p, &f->mem, &err);
    print_errors(&err);
    assert_non_null(f->net);
    err_free(&err);
    net_hold(f->net, HELD, true);
    for (uint32_t i = 0; i < 40; i++) {
        struct net_packet packet = {.src = i % 4, .dst = HELD, .flits = 3, .tag = i};
        assert_true(net_inject(f->net, &packet));
    }
}

static const char *problem(struct fixture *f)
{
    struct buf text;
    buf_init(&text, &f->mem, 4096);
    net_problem(f->net, &text);
    return text.data;
}

static void fill(struct fixture *f)
{
    struct net *n = f->net;
    for (int i = 0; i < 300; i++)
        assert_true(net_step(n));
    for (uint32_t i = 0; i < n->n_iports << n->vshift; i++) {
        if (n->ivcs[i].n > 2 && net_vc_state(n, &n->ivcs[i]) == VC_ACTIVE)
            f->full = &n->ivcs[i];
        if (!n->ivcs[i].n && net_vc_state(n, &n->ivcs[i]) == VC_IDLE)
            f->empty = &n->ivcs[i];
    }
    assert_non_null(f->full);
    assert_non_null(f->empty);
    assert_true(net_check(n));
    assert_string_equal(problem(f), "no problem");
}

/* `damage` makes it and undoes it. */
enum how {
    CREDIT,
    ORDER,
    TWO_HEADS,
    IDLE,
    OWNER,
    LOST,
    CROWDED,
    FREE,
    OVERFULL,
    SOURCE,
    SINK,
    N_HOW
};

static const char *const wants[N_HOW] = {
    [CREDIT] = "under way + ",           [ORDER] = "is out of order",
    [TWO_HEADS] = "is out of order",     [IDLE] = "idle with",
    [OWNER] = "has two owners",          [LOST] = "flits are in the network, ",
    [CROWDED] = "are to arrive at once", [FREE] = "more packets are free than there are",
    [OVERFULL] = "flits in 4 slots",     [SOURCE] = "packets in a source of 64",
    [SINK] = "flits at its sink",
};

static void damage(struct fixture *f, enum how how, bool undo)
{
    struct net *n = f->net;
    struct ivc *q = f->full;
    uint32_t *second = &q->slots[(q->read + 1) & n->dmask];
    static uint32_t kept;
    static struct ivc *user;
    switch (how) {
    case CREDIT: q->o->credits += undo ? -1u : 1; break;
    case ORDER: *second ^= 1; break; /* another packet's */
    case TWO_HEADS: *second ^= FLIT_HEAD; break;
    case IDLE: q->state = undo ? (uint32_t)VC_ACTIVE : (uint32_t)VC_IDLE; break;
    case OWNER:
        if (!undo)
            kept = q->o->owner, user = q->o->user;
        q->o->owner = undo ? kept : f->empty->index;
        q->o->user = undo ? user : f->empty;
        break;
    case LOST: n->flits_in_flight += undo ? UINT64_MAX : 1; break;
    case CROWDED:
        if (undo)
            n->slots[1].end[1] -= n->n_ends + 1;
        else
            n->slots[1].end[1] += n->n_ends + 1;
        break;
    case FREE:
        if (!undo)
            kept = n->n_free_packets;
        n->n_free_packets = undo ? kept : n->n_packets + 1;
        break;
    case OVERFULL: f->empty->n = undo ? 0 : 5; break;
    case SOURCE: n->ends[9].q_n = undo ? 0 : 65; break;
    case SINK: n->ends[9].e_n = undo ? 0 : 9; break;
    default: fail();
    }
}

static void damage_is_seen_and_named(void **state)
{
    (void)state;
    for (int general = 0; general < 2; general++) {
        struct fixture f;
        begin(&f, general, 0);
        fill(&f);
        assert_int_equal(f.net->full != NULL, general);
        for (int how = 0; how < N_HOW; how++) {
            if (how == IDLE && !general) /* a VC that holds flits is not idle there */
                continue;
            if (how == TWO_HEADS || how == ORDER) /* a body flit is second */
                assert_false(f.full->slots[(f.full->read + 1) & f.net->dmask] & FLIT_HEAD);
            damage(&f, (enum how)how, false);
            assert_false(net_check(f.net));
            assert_true(strncmp(problem(&f), "cycle 300: ", 11) == 0);
            if (!strstr(problem(&f), wants[how])) {
                print_error("%d: %s\n", how, problem(&f));
                fail();
            }
            /* the first problem stays */
            net_fail(f.net, "another");
            assert_null(strstr(problem(&f), "another"));
            damage(&f, (enum how)how, true);
            f.net->failed = false;
            assert_true(net_check(f.net));
        }
        arena_free(&f.mem);
    }
}

/* Nothing waits in a ring: the watchdog names the first that waits, or nobody. */
static void the_watchdog_names_who_waits_for_a_sink(void **state)
{
    (void)state;
    for (int general = 0; general < 2; general++) {
        struct fixture f;
        begin(&f, general, 100);
        bool ok = true;
        int cycles = 0;
        for (; cycles < 2000 && ok; cycles++)
            ok = net_step(f.net);
        assert_false(ok);
        assert_true(cycles > 100 && cycles < 400);
        assert_non_null(strstr(problem(&f), "nothing has moved for 100 cycles with "));
        assert_non_null(strstr(problem(&f), "; the first packet that waits:\n  packet "));
        assert_non_null(strstr(problem(&f), "-> 5, created 0) at router "));
        arena_free(&f.mem);
        begin(&f, general, 0);
        f.net->flits_in_flight = 3; /* all of them lost */
        f.net->now = 77;
        net_watchdog(f.net);
        assert_string_equal(problem(&f),
                            "cycle 77: nothing has moved for 77 cycles with 3 flits in flight");
        arena_free(&f.mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_seen_and_named),
        cmocka_unit_test(the_watchdog_names_who_waits_for_a_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
