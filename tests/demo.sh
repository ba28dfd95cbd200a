#!/bin/sh
# tests/demo.sh PROGRAM: seven networks of a V100 on four kernels, from one command to performance per Watt, and how far
# the answer reaches: one assumption at a time, at the kernels' smallest size so that all of it takes less than a minute.
cw=$1
cd "$(dirname "$0")/.." || exit 3
out=${DEMO_OUT:-out/demo}
echo "A V100 (80 SMs, 32 slices of the L2, HBM2) with its own network and with six others, on four CUDA kernels"
echo "that are executed from their PTX, checked, traced once, and replayed on every design. Then the same under other"
echo "assumptions, one at a time and with the kernels at their smallest size; docs/conclusion.md has all combinations."
echo
"$cw" compare cfg/compare/v100-mesh.cfg cfg/compare/v100-smesh.cfg cfg/compare/v100-crossbar.cfg \
    cfg/compare/v100-clos.cfg cfg/compare/v100-butterfly.cfg cfg/compare/v100-cdxbar.cfg \
    cfg/compare/v100-hierarchical.cfg -w hs,2dconv,srad,mm -p "${DEMO_PRESET:-small}" -o "$out" \
    --assumptions each --assumptions-preset tiny
