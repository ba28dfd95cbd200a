#!/bin/sh
# tests/silicon-accelwattch.sh PROGRAM REFERENCE: cycles beside Accel-Sim and watts by component beside AccelWattch,
# on the machines that imitate Accel-Sim, as a part of docs/silicon.md.
crosswatt=$1 reference=$2
trace=$reference/gpu/accelsim/traces/smem_stencil/kernelslist.g
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
cat <<'END'
## Beside Accel-Sim and AccelWattch

One command gives Accel-Sim's cycles and our joules: `crosswatt sim cfg/gpu/accelsim/qv100.cfg dir/kernelslist.g`. The trace is a stencil in shared memory (120 CTAs).

| machine | Accel-Sim, cycles | ours, cycles | ours, mJ | ours, W |
| --- | ---: | ---: | ---: | ---: |
END
for g in gtx480 qv100; do
    "$crosswatt" sim cfg/gpu/accelsim/$g.cfg "$trace" --json -q >"$scratch/$g.json" || exit
    name=$([ $g = gtx480 ] && echo SM2_GTX480 || echo SM7_QV100)
    theirs=$(awk -F, -v n=$name 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cycles") c = i } $1 == n && $2 == "smem_stencil" { print $c }' "$reference/gpu/accelsim/results.csv")
    jq -r --arg g $g --arg t "$theirs" '"| `cfg/gpu/accelsim/\($g).cfg` | \($t) | \(.cycles) | \(.energy.total_j * 1e5 | round / 100) | \(.power.average_w * 10 | round / 10) |"' "$scratch/$g.json"
done
cat <<'END'

Watts by component on the Quadro V100. AccelWattch's are fits over all kernels of its authors; ours are models of arrays and networks, its fits for the cores' units, constant and static power,
less what has lines of its own here (`energy.leakage`): leakage of arrays and networks is counted once, in their lines. Network, register file and cores take more here, the sum less.

| component | AccelWattch, W | ours, W | ratio |
| --- | ---: | ---: | ---: |
END
jq -r '.power.by_component_w | to_entries[] | "\(.key),\(.value)"' "$scratch/qv100.json" | awk -F, '
function row(name, theirs, ours) { printf "| %s | %.2f | %.2f | %.2f |\n", name, theirs, ours, theirs ? ours / theirs : 0; a += theirs; b += ours }
FILENAME == "-" { w[$1] = $2; next }
$1 == "power_W" { p[$2] = $3 }
END {
    row("network", p["NOCP"], w["noc.request"] + w["noc.reply"])
    row("L2", p["L2CP"], w["l2"] + w["l2_mshr"])
    row("L1", p["DCP"], w["l1"] + w["l1_mshr"])
    row("shared memory", p["SHRDP"], w["shared_memory"])
    row("register file", p["RFP"], w["register_file"])
    row("lanes, issue, idle SMs", p["IBP"] + p["ICP"] + p["INTP"] + p["FPUP"] + p["INT_MULP"] + p["FP_MULP"] + p["SCHEDP"] + p["PIPEP"] + p["IDLE_COREP"], w["core"])
    row("memory controllers", p["MCP"], w["mc"] + w["dram_queue"])
    row("DRAM", p["DRAMP"], w["dram"])
    row("static", p["STATICP"], w["static"])
    row("constant", p["CONSTP"], w["constant"])
    printf "| all | %.2f | %.2f | %.2f |\n", p["kernel_avg_power"], b, b / p["kernel_avg_power"]
}' - "$reference/gpu/gpuwattch/qv100_accelwattch_smem_stencil.csv"
