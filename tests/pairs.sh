#!/bin/sh
# tests/pairs.sh PROGRAM: every workload at its smallest size on every shipped GPU, and a dozen of them on one design of
# each topology that the program knows, end. All of them on all designs: tests/soak.d/10-every-pair.sh, which this calls.
cd "$(dirname "$0")/.." || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
CROSSWATT_CACHE=$scratch/cache # the traces of the first are those of the second
export CROSSWATT_CACHE
gpus=$(find cfg/gpu -name '*.cfg' | sort)
designs=
for t in $("$1" keys noc.topology | sed -n '3s/[",]//gp'); do
    design=cfg/paper/cdxbar/20-$t.cfg
    [ -e "$design" ] || design=cfg/net/$t.cfg
    [ -e "$design" ] || {
        design=$scratch/$t.cfg
        printf 'base = "cfg/gpu/qv100.cfg";\nnoc: { topology = "%s"; };\n' "$t" >"$design"
    }
    designs="$designs $design"
done
status=0
DESIGNS=$gpus sh tests/soak.d/10-every-pair.sh "$1" || status=1
DESIGNS=$designs WORKLOADS="bfs bp gesummv hist hs kmeans lud mm nbo nw sad transpose_naive" sh tests/soak.d/10-every-pair.sh "$1" || status=1
exit $status
