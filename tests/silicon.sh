#!/bin/sh
# tests/silicon.sh PROGRAM REFERENCE [--check]: writes docs/silicon.md, the table in docs/prices.md and
# cfg/silicon/measured.csv anew, from what `silicon` measures on the shipped machines; with --check it says whether they
# are what it would write. The H100 and
# the A100 with other networks take minutes each: GPUS="v100 gtx480 a100 h100" and MACHINES="cfg/compare/*.cfg" measure them.
# REFERENCE may hold Accel-Sim's traces and AccelWattch's report (gpu/accelsim, gpu/gpuwattch); what needs them is
# left as it is in the page where they are not there.
crosswatt=$1 reference=$2 check=$3
cd "$(dirname "$0")/.." || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
page=$scratch/silicon.md table=$scratch/measured.csv
cp templates/silicon.md "$page"
for g in ${GPUS:-v100 gtx480 a100}; do
    [ -e cfg/gpu/$g.cfg ] || continue
    printf '## `cfg/gpu/%s.cfg`\n\n' $g >>"$page"
    "$crosswatt" silicon cfg/gpu/$g.cfg --markdown --record "$table" -q >>"$page" || exit
    echo >>"$page"
done
for f in ${MACHINES:-cfg/compare/v100-*.cfg}; do
    [ ! -e "$f" ] || "$crosswatt" silicon "$f" --record "$table" -q >/dev/null || exit
done
prices=shared_pj,l1_pj,l2_pj,noc_sector,flit_pj,register,dram_bit
sed '/^<!-- made by make silicon/q' docs/prices.md >"$scratch/prices.md"
{ echo && "$crosswatt" silicon cfg/gpu/v100.cfg --only $prices --markdown -q && echo; } >>"$scratch/prices.md" || exit
sed -n '/^<!-- end of what is made -->/,$p' docs/prices.md >>"$scratch/prices.md"
traces=$reference/gpu/accelsim/traces report=$reference/gpu/gpuwattch/qv100_accelwattch_smem_stencil.csv
if [ -n "$reference" ] && [ -d "$traces" ] && [ -e "$report" ]; then
    sh tests/silicon-accelwattch.sh "$crosswatt" "$reference" >>"$page" || exit
else
    sed -n '/^## Beside Accel-Sim/,$p' docs/silicon.md >>"$page"
fi
if [ -n "$check" ]; then
    cmp "$page" docs/silicon.md && cmp "$scratch/prices.md" docs/prices.md && cmp "$table" cfg/silicon/measured.csv && echo "docs/silicon.md is up to date"
else
    cp "$page" docs/silicon.md && cp "$scratch/prices.md" docs/prices.md && cp "$table" cfg/silicon/measured.csv
fi
