#!/bin/sh
# tests/bench.d/60-gpu.sh PROGRAM REFERENCE: speed of the GPU simulator in thousand warp instructions per second of user
# CPU time, one thread, reading the trace included, beside Accel-Sim's (power model off in both). Best of five runs.
# Limit: 50 times on every trace of more than 20,000 warp instructions.
program=$1
folder=${2:+$2/gpu/accelsim}
if [ -z "$folder" ] || [ ! -e "$folder/results.csv" ]; then
    echo "== GPU simulator: speed beside Accel-Sim needs the reference set (REFERENCE=…): left out"
    exit 0
fi
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
echo "== GPU simulator: thousand warp instructions per second of CPU time, beside Accel-Sim"
printf '  %-11s %-13s %12s %12s %12s %8s\n' config trace "warp insts" ours Accel-Sim ratio
tr -d '\r' <"$folder/results.csv" >"$scratch/results.csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["warp_insts"] > 20000 { print $1, $2, $c["warp_insts"], $c["host_kwips"] }' "$scratch/results.csv" |
    while read -r config trace insts theirs; do
        case $config in
        SM2_GTX480) name=gtx480 ;;
        SM7_QV100) name=qv100 ;;
        *) continue ;;
        esac
        for i in 1 2 3 4 5; do
            "$program" sim "cfg/gpu/accelsim/$name.cfg" "$folder/traces/$trace/kernelslist.g" --json --quiet --no-energy |
                awk '/"host_user_s"/ { gsub(/[,:]/, " "); print $2 }'
        done | sort -n | head -1 | awk -v c="$config" -v t="$trace" -v n="$insts" -v k="$theirs" '
            { printf "  %-11s %-13s %12d %12.1f %12.2f %7.1fx%s\n", c, t, n, n / $1 / 1000, k, n / $1 / 1000 / k, n / $1 / 1000 / k < 50 ? " !" : "" }'
    done | tee "$scratch/table"
! grep -q '!$' "$scratch/table"
