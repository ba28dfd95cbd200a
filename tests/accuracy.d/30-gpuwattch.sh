#!/bin/sh
# GPUWattch's and AccelWattch's own reports, line by line, from their counters; allowed: 0.1 % and 1 %.
program=$1 reference=$2
status=0
check() { # title, allowed percent, arguments of `power`
    title=$1 allowed=$2
    shift 2
    "$program" power "$@" --json | jq -r --arg title "$title" --argjson allowed "$allowed" '
        [.[] | select(.difference_percent != null) | .difference_percent |= (if . < 0 then -. else . end)]
        | (max_by(.difference_percent)) as $worst
        | "gpuwattch \($title): \(length) lines, worst \($worst.difference_percent * 100000 | round / 100000) % (\($worst.line)), total \(last.power_w) W, reported \(last.reported_w) W",
          (if length < 15 or $worst.difference_percent > $allowed then "TOO FAR" else empty end)' | {
        while read -r line; do
            echo "$line"
            [ "$line" = "TOO FAR" ] && exit 1
        done
        exit 0
    } || status=1
}
data=tests/data/gpuwattch
check "GTX 480" 0.1 cfg/tech/gpuwattch-gtx480.xml $data/gtx480_public_report.csv
check "QV100" 1 cfg/tech/gpuwattch-qv100.xml $data/qv100_accelwattch_smem_stencil.csv --clock 1132 --sms 80 --samples 5
if [ -n "$reference" ] && [ -d "$reference/gpu/gpuwattch" ]; then
    dir=$reference/gpu/gpuwattch
    check "GTX 480, original XML" 0.1 "$dir/gpuwattch_gtx480.xml" "$dir/gtx480_public_report.csv"
    check "QV100, original XML" 1 "$dir/accelwattch_sass_sim_QV100.xml" "$dir/qv100_accelwattch_smem_stencil.csv" --clock 1132 --sms 80 --samples 5
fi
exit $status
