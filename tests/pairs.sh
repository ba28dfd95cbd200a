#!/bin/sh
# tests/pairs.sh PROGRAM: every workload at its smallest size on every shipped GPU, and a dozen of them on the H100 (the A100's network
# with more of it), on the machines that were imported from Accel-Sim and on one design of each topology that the program knows, end. All of them on all designs: tests/soak.d/10-every-pair.sh, which this calls.
cd "$(dirname "$0")/.." || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
CROSSWATT_CACHE=$scratch/cache # the traces of the first are those of the second
export CROSSWATT_CACHE
gpus="$(ls cfg/gpu/*.cfg | grep -v /h100) cfg/gpu/accelsim/gtx480.cfg cfg/gpu/accelsim/qv100.cfg"
designs=$(ls cfg/gpu/h100.cfg cfg/gpu/accelsim/*.cfg | grep -v -e /gtx480 -e /qv100)
for t in $("$1" keys noc.topology | sed -n '3s/[",]//gp'); do
    design=cfg/paper/cdxbar/20-$t.cfg
    [ -e "$design" ] || design=cfg/paper/cdxbar/56-$t.cfg
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
