#!/bin/sh
# tests/demo.sh PROGRAM: five networks of an 80-SM GPU on four kernels, from one command to performance
# per Watt.
cw=$1
cd "$(dirname "$0")/.." || exit 3
out=${DEMO_OUT:-out/demo}
echo "Five networks between 80 SMs and 16 cache slices, on four CUDA kernels that are executed from their"
echo "PTX, checked, traced once, and replayed on every design."
echo
"$cw" compare cfg/paper/cdxbar/80-mesh.cfg cfg/paper/cdxbar/80-crossbar.cfg cfg/paper/cdxbar/80-clos.cfg \
    cfg/paper/cdxbar/80-butterfly.cfg cfg/paper/cdxbar/80-cdxbar.cfg \
    -w hs,2dconv,srad,mm -p "${DEMO_PRESET:-small}" -o "$out"
