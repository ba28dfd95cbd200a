/* SPDX-License-Identifier: MIT
 *
 * tests/unit/noc_fixture.h: what the tests of networks share. */
#ifndef CW_TESTS_UNIT_NOC_FIXTURE_H
#define CW_TESTS_UNIT_NOC_FIXTURE_H

#include "tests/unit/noc_oracle.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "noc/topology.h"

static inline struct noc_params params_of(const char *topology, uint32_t sms, uint32_t llcs)
{
    return (struct noc_params){.topology = topology,
                               .n_sms = sms,
                               .n_llcs = llcs,
                               .width_bits = 256,
                               .vcs = 4,
                               .vc_depth = 4,
                               .at = {"a.cfg", 7, NULL}};
}

static inline void print_errors(const struct err *err)
{
    struct arena mem;
    arena_init(&mem, NULL, NULL);
    for (const struct err_entry *e = err->first; e; e = e->next)
        print_error("%s\n", err_entry_text(e, &mem));
    arena_free(&mem);
}

static inline bool build(struct noc_params *p, enum noc_dir dir, struct arena *mem, struct noc *noc,
                         struct noc_facts *facts)
{
    struct err err;
    err_init(&err);
    bool ok = noc_build(p, dir, false, mem, noc, facts, &err);
    if (!ok)
        print_errors(&err);
    err_free(&err);
    return ok;
}

/* The first error of a build that must fail, or "" if it did not. */
static inline const char *refusal(struct noc_params p, enum noc_dir dir, struct arena *mem)
{
    struct err err;
    struct noc noc;
    err_init(&err);
    const char *text = "";
    if (!noc_build(&p, dir, false, mem, &noc, NULL, &err))
        text = err_entry_text(err.first, mem);
    err_free(&err);
    return text;
}

static inline void check_consistency(const struct noc *noc)
{
    uint32_t ins = 0, outs = 0;
    for (uint32_t r = 0; r < noc->n_routers; r++) {
        for (uint32_t p = 0; p < noc->routers[r].n_in; p++) {
            uint32_t ch = noc_in_channel(noc, r, p);
            if (ch == NOC_NONE)
                continue;
            ins++;
            assert_true(noc->channels[ch].dst_node == NOC_ROUTER && noc->channels[ch].dst == r &&
                        noc->channels[ch].dst_port == p);
        }
        for (uint32_t p = 0; p < noc->routers[r].n_out; p++) {
            uint32_t ch = noc_out_channel(noc, r, p);
            if (ch == NOC_NONE)
                continue;
            outs++;
            assert_true(noc->channels[ch].src_node == NOC_ROUTER && noc->channels[ch].src == r &&
                        noc->channels[ch].src_port == p);
        }
    }
    uint32_t injects = 0, ejects = 0, sms = 0;
    for (uint32_t e = 0; e < noc->n_endpoints; e++) {
        bool is_sm = e < noc->n_sm_ports;
        assert_int_equal(noc->endpoints[e].kind, is_sm ? NOC_EP_SM : NOC_EP_LLC);
        injects += noc->endpoints[e].inject != NOC_NONE;
        ejects += noc->endpoints[e].eject != NOC_NONE;
        if (is_sm) {
            assert_int_equal(noc->endpoints[e].first, sms);
            sms += noc->endpoints[e].n;
        }
    }
    uint32_t sides = 0; /* on no port */
    for (uint32_t c = 0; c < noc->n_channels; c++)
        sides += noc->channels[c].is_side;
    assert_int_equal(ins + ejects + sides, noc->n_channels);
    assert_int_equal(outs + injects + sides, noc->n_channels);
}

static inline void check_network(const struct noc *noc, const struct noc_facts *facts)
{
    struct oracle o;
    bool small = noc->n_channels * noc->vcs < 1200;
    bool cycle = oracle_run(&o, noc, small);
    assert_int_equal(o.bad, 0);
    if (noc->flow != NOC_RING) /* there nothing waits: a ring is no cycle of dependencies */
        assert_false(cycle);
    assert_true(facts->is_deadlock_free);
    assert_int_equal(o.min_hops, facts->min_hops);
    assert_int_equal(o.max_hops, facts->max_hops);
    assert_close(o.total / (double)o.pairs, facts->mean_hops, 1e-9);
    if (noc->class_rule == NOC_CLASS_CHECKERBOARD)
        assert_false(o.saw_turn_at_half);
}

static inline uint32_t between(struct rng *r, uint32_t lo, uint32_t hi)
{
    return lo + rng_below(r, hi - lo + 1);
}

static inline uint32_t count_names(const char *const *names)
{
    uint32_t n = 0;
    while (names[n])
        n++;
    return n;
}

#endif
