#!/bin/sh
# 40-net.sh PROGRAM REFERENCE: instructions for each flit-hop (callgrind, the difference of two runs, so
# that starting up cancels) and flit-hops per second. A flit-hop is one buffer write. Where a `booksim`
# program is on PATH, both simulators are timed on one configuration.
program=$1
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

value() { sed -n "s/.*\"$1\": *\([0-9.e+]*\).*/\1/p" "$2"; }

# label limit what-to-run…
measure() {
    label=$1 limit=$2
    shift 2
    for cycles in 500 2500; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" net "$@" \
            --cycles $cycles --json >"$scratch/$cycles.json" 2>"$scratch/$cycles.log" || return 1
    done
    i1=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/500.log")
    i2=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/2500.log")
    h1=$(value flit_hops "$scratch/500.json") h2=$(value flit_hops "$scratch/2500.json")
    cycles=${long:-20000}
    begin=$(date +%s.%N)
    "$program" net "$@" --cycles "$cycles" --json >"$scratch/time.json"
    end=$(date +%s.%N)
    hops=$(value flit_hops "$scratch/time.json")
    awk -v l="$label" -v lim="$limit" -v i=$((i2 - i1)) -v h=$((h2 - h1)) -v n="$hops" -v b="$begin" -v e="$end" \
        'BEGIN { printf "%-34s %8.0f %8s %14.2f\n", l, i / h, lim, n / (e - b) / 1e6; exit i / h > lim && lim > 0 }'
}

echo "network engine"
printf "%-34s %8s %8s %14s\n" "4 VCs x 8, uniform, iSLIP" "instr" "limit" "Mhops/s"
status=0
measure "mesh 8x8, 1 flit, 30 % load" 400 cfg/net/mesh8.cfg --rate 0.115 || status=1
measure "mesh 8x8, 1 flit, 90 % load" 400 cfg/net/mesh8.cfg --rate 0.345 || status=1
measure "mesh 8x8, 5 flits, 90 % load" 250 cfg/net/mesh8.cfg --rate 0.356 --flits 5 || status=1
measure "crossbar 80, 1 flit, 30 % load" 900 cfg/net/xbar80.cfg --rate 0.185 || status=1
measure "crossbar 80, 1 flit, 90 % load" 900 cfg/net/xbar80.cfg --rate 0.554 || status=1
measure "10-ary 2-fly, 1 flit, 90 % load" 0 cfg/net/fly10.cfg --rate 0.549
# BookSim2's file, its random numbers in its order: the same packets as BookSim2's
file=tests/data/booksim/configs/mesh8_uni_v4_b8_p1.cfg
xbar="topology=fly k=80 n=1 routing_function=dest_tag"
measure "--booksim mesh 8x8, 30 % load" 400 --booksim $file injection_rate=0.115 seed=1 || status=1
measure "--booksim mesh 8x8, 90 % load" 400 --booksim $file injection_rate=0.345 seed=1 || status=1
measure "--booksim mesh 8x8, 5 flits" 250 --booksim $file packet_size=5 injection_rate=0.356 seed=1 || status=1
measure "--booksim crossbar 80, 30 % load" 900 --booksim $file $xbar injection_rate=0.185 seed=1 || status=1
measure "--booksim crossbar 80, 90 % load" 900 --booksim $file $xbar injection_rate=0.554 seed=1 || status=1
# as large as it gets: the cost of a hop must not grow
long=4000
measure "mesh 32x32, 1 flit, 90 % load" 400 cfg/net/mesh8.cfg:gpu.sms=960,llc.slices=64,noc.mesh.columns=32,noc.mesh.rows=32 --rate 0.0716 || status=1
long=1000
measure "mesh 64x64, 1 flit, 30 % load" 400 cfg/net/mesh8.cfg:gpu.sms=4032,llc.slices=64,noc.mesh.columns=64,noc.mesh.rows=64 --rate 0.012 || status=1
if command -v booksim >/dev/null 2>&1; then
    config=tests/data/booksim/configs/mesh8_uni_v4_b8_p1.cfg
    begin=$(date +%s.%N)
    booksim $config injection_rate=0.345 sim_type=throughput sample_period=1000 seed=1 >/dev/null 2>&1
    middle=$(date +%s.%N)
    "$program" net --booksim $config injection_rate=0.345 sim_type=throughput sample_period=1000 seed=1 >/dev/null
    end=$(date +%s.%N)
    awk -v a="$begin" -v b="$middle" -v c="$end" 'BEGIN {
        printf "mesh 8x8 at 0.345 by BookSim2 %.3f s, by us %.3f s: %.0f times\n", b - a, c - b, (b - a) / (c - b) }'
fi
exit $status
