#!/bin/sh
# tests/validate.d/60-gpu.sh PROGRAM REFERENCE: the GPU simulator beside Accel-Sim, trace by trace, with what Accel-Sim
# assumes (cfg/gpu/accelsim). Limits: cycles 15 %; accesses, hits, misses and DRAM commands 5 % or 64 events; activates
# 25 % (or 4); unloaded latencies 5 %. The traces of REFERENCE, and always those kept in tests/data/accelsim.
program=$1
folder=${2:+$2/gpu/accelsim}
own=tests/data/accelsim
status=0
if [ -n "$folder" ] && [ -e "$folder/results.csv" ] && [ "$folder" != "$own" ] && [ -z "$3" ]; then
    sh "$0" "$program" "$2" only || status=1
    folder=$own
elif [ -z "$3" ]; then
    folder=$own
fi
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

echo "== GPU simulator beside Accel-Sim, $([ "$folder" = "$own" ] && echo "traces of tests/data" || echo "traces of the reference set"): ours / theirs (difference); '!' is beyond its limit"
tr -d '\r' <"$folder/results.csv" >"$scratch/results.csv"
tail -n +2 "$scratch/results.csv" | cut -d, -f1,2 | while IFS=, read -r config trace; do
    case $config in
    SM2_GTX480) name=gtx480 ;;
    SM7_QV100) name=qv100 ;;
    SM75_RTX2060) name=rtx2060 ;;
    SM86_RTX3070) name=rtx3070 ;;
    SM7_TITANV) name=titanv ;;
    SM6_TITANX) name=titanx ;;
    SM3_KEPLER_TITAN) name=kepler_titan ;;
    *) continue ;; # no configuration of ours
    esac
    "$program" sim "cfg/gpu/accelsim/$name.cfg" "$folder/traces/$trace/kernelslist.g" --json --quiet --no-energy \
        >"$scratch/out" || { echo "$config,$trace,failed,1"; continue; }
    # the JSON's top level: one "name": number per line
    awk -v c="$config" -v t="$trace" '/^ "[a-z0-9_]+": [-0-9.e+]+,?$/ { gsub(/[",:]/, " "); print c "," t "," $1 "," $2 }' "$scratch/out"
done >"$scratch/ours.csv"

awk -F, '
function difference(a, b) { return b == 0 ? (a == 0 ? 0 : 1) : (a - b) / b }
function size(x) { return x < 0 ? -x : x }
function cell(name, a, b, limit, least,    d, bad, is_known) {
    d = difference(a, b)
    bad = size(d) > limit && size(a - b) > least
    is_known = (c " " t " " name) in known
    failures += bad && !is_known
    misses += bad && is_known
    checks++
    return sprintf("%s %d/%d (%+.1f %%)%s", name, a, b, 100 * d, bad ? (is_known ? " !known" : " !") : "")
}
# what is put into known["CONFIG TRACE FIGURE"] is beyond its limit for a reason that docs/validation-gpu.md gives
FNR == NR { if ($3 == "failed") failed[$1, $2] = 1; else ours[$1, $2, $3] = $4; next }
FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
    c = $column["config"]; t = $column["trace"]
    if (failed[c, t]) { printf "%-11s %-13s FAILED\n", c, t; failures++; next }
    if (!((c, t, "cycles") in ours)) next
    line = sprintf("%-11s %-13s", c, t)
    line = line "  " cell("cycles", ours[c, t, "cycles"], $column["cycles"], 0.15, 0)
    cycles = size(difference(ours[c, t, "cycles"], $column["cycles"])); worst = cycles > worst ? cycles : worst
    n = split("l1d_accesses l1d_misses l1d_pending_hits l2_accesses l2_misses l2_read_hit dram_rd dram_wr", names, " ")
    for (i = 1; i <= n; i++)
        line = line "  " cell(names[i], ours[c, t, names[i]], $column[names[i]], 0.05, 64)
    line = line "  " cell("dram_act", ours[c, t, "dram_act"], $column["dram_act"], 0.25, 4)
    line = line "  " cell("thread_insts", ours[c, t, "thread_insts"], $column["thread_insts"], 0, 0)
    print line
    if (t ~ /^chase/) {
        # one dependent load after the other: cycles are latency times loads
        loads = $column["l1d_accesses"]
        a = ours[c, t, "cycles"] / loads; b = $column["cycles"] / loads
        beyond = size(a - b) > 0.05 * b
        printf "%-11s %-13s  unloaded latency, cycles per load: %.2f / %.2f (%+.2f %%)%s\n", "", "", a, b, 100 * (a - b) / b, beyond ? " !" : ""
        failures += beyond; checks++
    }
}
END {
    printf "%d of %d figures within their limits%s; cycles differ by at most %.2f %%\n", checks - failures - misses, checks, \
        misses ? sprintf(", %d of the others known", misses) : "", 100 * worst
    exit failures > 0
}' "$scratch/ours.csv" "$scratch/results.csv" || status=1
exit $status
