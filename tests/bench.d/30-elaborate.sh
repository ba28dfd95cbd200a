#!/bin/sh
# tests/bench.d/30-elaborate.sh PROGRAM: elaboration and checks grow no faster than the network.
# Instructions inside design_make (networks built, proven, placed, counted; components listed), from
# callgrind, per router and link at 80 SMs / 16 slices and at 1,024 / 128. Limit: a factor of 2.
# Besides the topologies of the table: checkerboard routing, and the CD-Xbar and a mesh written out
# as custom networks. The custom mesh is judged per router, link and table entry (router x
# destination), since its routes are a table.
program=$1
command -v valgrind >/dev/null 2>&1 || { echo "elaborate: skipped, no valgrind"; exit 0; }
command -v jq >/dev/null 2>&1 || { echo "elaborate: skipped, no jq"; exit 0; }
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
base=$(pwd)/cfg/paper/cdxbar

# custom_cdxbar SMS SLICES GROUPS: as noc/topology/cdxbar.c builds it, with 3 converged ports
custom_cdxbar() {
    awk -v s="$1" -v l="$2" -v g="$3" -v base="$base" 'BEGIN {
        printf "base = \"%s/80-crossbar.cfg\";\ngpu: { sms = %d; clusters = %d; };\nllc: { slices = %d; };\n", base, s, s, l
        printf "noc: { topology = \"custom\"; custom: { routers = ("
        for (i = 0; i < g; i++) printf "{ name = \"l%d\"; }, ", i
        printf "{ name = \"global\"; } );\n links = ("
        for (i = 0; i < g; i++) {
            printf "{ from = \"sm %d-%d\"; to = \"l%d\"; },\n", i * s / g, (i + 1) * s / g - 1, i
            for (p = 0; p < 3; p++) printf "{ from = \"l%d\"; to = \"global\"; },\n", i
        }
        printf "{ from = \"global\"; to = \"llc *\"; } ); }; };\n"
    }'
}

# custom_mesh SMS SLICES N: N x N routers, links both ways, nodes in order
custom_mesh() {
    awk -v s="$1" -v l="$2" -v n="$3" -v base="$base" 'BEGIN {
        printf "base = \"%s/80-crossbar.cfg\";\ngpu: { sms = %d; clusters = %d; };\nllc: { slices = %d; };\n", base, s, s, l
        printf "noc: { topology = \"custom\"; custom: { routers = ("
        for (i = 0; i < n * n; i++) printf "%s{ name = \"r%d\"; }", i ? ", " : "", i
        printf ");\n links = ("
        for (i = 0; i < n * n; i++) {
            if (i % n + 1 < n) printf "{ from = \"r%d\"; to = \"r%d\"; }, { from = \"r%d\"; to = \"r%d\"; },\n", i, i + 1, i + 1, i
            if (i + n < n * n) printf "{ from = \"r%d\"; to = \"r%d\"; }, { from = \"r%d\"; to = \"r%d\"; },\n", i, i + n, i + n, i
        }
        for (i = 0; i < s; i++) printf "{ from = \"sm %d\"; to = \"r%d\"; },\n", i, l + i
        for (i = 0; i < l; i++) printf "%s{ from = \"r%d\"; to = \"llc %d\"; }", i ? ",\n" : "", i, i
        printf "); }; };\n"
    }'
}

# measure CFG EXTRA OPTIONS...: instructions per router and link (and EXTRA more parts)
measure() {
    cfg=$1; extra=$2; shift 2
    n=$(valgrind --tool=callgrind --callgrind-out-file="$dir/out" --toggle-collect=design_make \
        "$program" check "$cfg" "$@" 2>&1 | awk '/Collected/ { print $4 }')
    parts=$("$program" show "$cfg" "$@" --json | jq ".noc.routers + .noc.links + $extra")
    [ -n "$n" ] && [ -n "$parts" ] && awk -v n="$n" -v p="$parts" 'BEGIN { printf "%.0f", n / p }'
}

status=0
judge() { # NAME SMALL LARGE
    [ -n "$2" ] && [ -n "$3" ] || { echo "elaborate $1: no measurement"; status=1; return; }
    awk -v name="$1" -v a="$2" -v b="$3" 'BEGIN {
        r = b / a
        printf "elaborate %-14s %6d instructions per part at 80/16, %6d at 1024/128: x %.2f (limit 2) %s\n",
               name, a, b, r, r < 2 ? "ok" : "MISSED"
        exit !(r < 2)
    }' || status=1
}

for topology in crossbar mesh smesh clos butterfly cdxbar; do
    cfg=$base/80-$topology.cfg
    judge $topology "$(measure "$cfg" 0)" \
        "$(measure "$cfg" 0 --set gpu.sms=1024 --set gpu.clusters=1024 --set llc.slices=128)"
done
judge checkerboard "$(measure "$base/80-mesh.cfg" 0 --set noc.routing=checkerboard)" \
    "$(measure "$base/80-mesh.cfg" 0 --set noc.routing=checkerboard --set gpu.sms=1024 --set gpu.clusters=1024 --set llc.slices=128)"
custom_cdxbar 80 16 8 >"$dir/c80.cfg"
custom_cdxbar 1024 128 64 >"$dir/c1024.cfg"
judge custom-cdxbar "$(measure "$dir/c80.cfg" 0)" "$(measure "$dir/c1024.cfg" 0)"
custom_mesh 80 16 10 >"$dir/m80.cfg"
custom_mesh 1024 128 34 >"$dir/m1024.cfg"
judge custom-mesh "$(measure "$dir/m80.cfg" $((100 * 96)))" \
    "$(measure "$dir/m1024.cfg" $((1156 * 1152)))"
exit $status
