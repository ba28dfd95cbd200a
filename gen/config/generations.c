/* SPDX-License-Identifier: MIT
 *
 * Each row is what was measured on a card (load to use, unloaded) less what the machine itself
 * makes of it: issue to write-back of the SM (5 cycles around the L1, 4 around shared memory), the
 * array's access (1 or 2), and for the L2 the network's way there and back. Measurements and how
 * they were made: docs/latency.md.
 *
 *   fermi    L1 22, shared 14, L2 155, DRAM 342: a GF106's shader clocks, two a core clock
 *            (Andersch et al. 2015); arithmetic 9 to 11 (18 to 22 shader clocks, Volkov 2010)
 *   kepler   L1 82, shared 24: Accel-Sim's tested TITAN, whose authors set them by microbenchmarks
 *            (a K80: 35 and 26, Jia et al. 2018, recalled); L2 200 (Jia); arithmetic 9
 *   maxwell, pascal   L1 82 to 110, shared 24 to 40, L2 207 to 250, DRAM 380 to 415 (Jia et al.
 *            2018; mt4g, P6000); arithmetic 6 (vendor's tuning guides)
 *   volta    V100: L1 30, shared 23.5, L2 215, DRAM 428 (gpu-benches, mt4g; Jin et al., MICRO
 *            2024); arithmetic 4 (vendor's Volta tuning guide)
 *   turing   L1 32 to 34, shared 29, L2 176 to 236, DRAM 496 (mt4g, 2080 Ti; Jia 2019)
 *   ampere   A100: L1 36, shared 23 to 29, L2 213 in the near half, DRAM 572 (gpu-benches; Jin)
 *   hopper   H100: L1 38 to 41, shared 29 to 30, L2 219 to 263, DRAM 479 to 834 (mt4g; Luo 2024)
 *   ada      RTX 4090: L1 40 to 43, shared 30, L2 273 to 296, DRAM 541 to 636 (Luo 2024)
 *
 * Tensor units, products of 16 bits a cycle and SM as the vendor's architecture papers have them:
 * V100, TU102 and AD102 512, GA100 1024, GH100 2048 (of which mma.sync, the instruction that is
 * modelled, reaches some 62 %, Luo 2024: it counts as 1024 here, the next whole number of cycles);
 * before, the single precision lanes do it, eight warps' worth a step. Latency: a step of Volta 10
 * (Raihan, Goli and Aamodt, ISPASS 2019: sets of four steps begin 10 cycles apart, the last of 16
 * ends after 54), of Ampere 15 (Sun et al., TPDS 2023: m16n8k8 takes 18 cycles on an A100, which is
 * four steps); Turing as Volta, Ada and Hopper as Ampere.
 *
 * Rates of what does not go at its unit's: results a clock and SM, as NVIDIA's CUDA C++ Programming
 * Guide tabulates them by compute capability ("Throughput of Native Arithmetic Instructions"; its
 * 4.2, 7.0 and 10 editions, 2.0 to 7.0, and the notes on later ones); Fermi's and its threads at
 * barriers are of the shader clock there, two a core clock. A product of integers is several
 * instructions on Maxwell and Pascal: three, of which 128 go in a clock. Barriers: the same guide
 * and the Best Practices Guide ("Synchronization Instruction": 16 of 2.x, 128 of 3.x, 64 of 5.x and
 * 6.1, 16 of 7.x and 8.x); on an A100 one of n warps takes 21 + 2 n cycles, n from 1 to 32
 * (Burtchell and Burtscher, IISWC 2024: their logs), which is this rate and a latency of 21; one
 * warp 22 on a V100 (Zhang et al., IPDPS 2020, table II). Shuffles: 22 cycles on a V100 and 31 on
 * a P100 (the same table), 25 on an A100 (the same logs). Assumed: barriers of Fermi as the 20
 * shader clocks of a GT200 (Wong et al., ISPASS 2010; recalled), those from Kepler to Pascal as
 * Volta's, shuffles of Kepler, Maxwell, Turing and Ada as their neighbours'. Who does it since
 * Volta: an engineer of NVIDIA on GV100's pipes (developer forum 108729: the FMA pipe
 * multiplies integers), Nsight Compute's list of pipes (XU: special functions and conversions).
 *
 * Predicates and jumps: what the compiler has a warp wait between a comparison and an instruction
 * under its predicate or a jump by it, and behind a jump: ptxas 13.0 for sm_75 (taken for Volta,
 * too), sm_80, sm_89 and sm_90; 13 on Maxwell by the tables of maxas (S. Gray, class "cmp"), whose
 * jumps, and Pascal, are taken to be the same. Nothing was found of those before. */
#include "gen/config/generations.h"

/* L1, shared, L2, DRAM, arithmetic, predicate, jump, tensor (2); lanes: half precision, integer
 * products, shifts, bits, conversions, those of 64 bits, shuffles, barriers; latency of shuffles,
 * of barriers */
/* clang-format off */
const struct generation generations[GENERATIONS] = {
    [GENERATION_generic] = {0, 0, 0, 100, 4, 0, 0, 10, 2, {0, 0, 0, 0, 0, 0, 0, 0}, 0, 0, false},
    [GENERATION_fermi] = {16, 9, 125, 150, 10, 0, 0, 18, 8, {0, 32, 32, 32, 32, 32, 0, 32}, 0, 10, false},
    [GENERATION_kepler] = {77, 19, 130, 100, 9, 0, 0, 17, 8, {0, 32, 64, 32, 32, 32, 32, 128}, 24, 20, false},
    [GENERATION_maxwell] = {77, 19, 130, 100, 6, 13, 5, 14, 8, {0, 43, 64, 32, 32, 4, 32, 64}, 31, 20, false},
    [GENERATION_pascal] = {77, 19, 130, 100, 6, 13, 5, 14, 8, {0, 43, 64, 32, 32, 4, 32, 64}, 31, 20, false},
    [GENERATION_volta] = {25, 18, 130, 160, 4, 12, 5, 10, 2, {0, 64, 64, 16, 16, 16, 32, 16}, 22, 20, true},
    [GENERATION_turing] = {27, 24, 110, 170, 4, 12, 5, 10, 2, {0, 64, 64, 16, 16, 2, 32, 16}, 22, 20, true},
    [GENERATION_ampere] = {30, 22, 110, 220, 4, 13, 5, 15, 1, {128, 64, 64, 16, 16, 16, 32, 16}, 25, 21, true},
    [GENERATION_hopper] = {34, 24, 150, 250, 4, 13, 5, 15, 1, {128, 64, 64, 16, 16, 16, 32, 16}, 25, 21, true},
    [GENERATION_ada] = {35, 25, 200, 270, 4, 13, 5, 15, 2, {0, 64, 64, 16, 16, 2, 32, 16}, 25, 21, true},
};
/* clang-format on */
