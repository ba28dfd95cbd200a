#!/bin/sh
# PTX machine: host instructions per thread instruction (callgrind: a count, not a time) and bytes of
# trace per warp instruction, over the suite.
#   50-ptx.sh PROGRAM [REFERENCE] [PRESET]
# Counted is the whole program: reading, buffers, execution, compression; not the CPU reference.
program=$1 preset=${3:-tiny}
tmp=$(mktemp -d) || exit 3
trap 'rm -rf "$tmp"' EXIT
limit=150 trace_limit=8
failed=0
ln -s "$PWD/cfg/workloads/kernels" "$tmp/kernels"
printf '%-18s %14s %14s %10s %12s\n' workload 'thread insts' 'host insts' 'per inst' 'bytes/warp'
for file in cfg/workloads/*.cfg; do
    name=$(basename "$file" .cfg)
    sed '/^expected/d' "$file" >"$tmp/$name.cfg"
    valgrind --tool=callgrind --callgrind-out-file="$tmp/out" "$program" trace "$tmp/$name.cfg" \
        -p "$preset" -o "$tmp/t" --json >"$tmp/json" 2>"$tmp/log" || { echo "$name: failed"; failed=1; continue; }
    host=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$tmp/log")
    threads=$(sed -n 's/.*"all_thread_insts": \([0-9]*\).*/\1/p' "$tmp/json")
    warps=$(sed -n 's/.*"warp_insts": \([0-9]*\).*/\1/p' "$tmp/json" | head -1)
    bytes=$(sed -n 's/.*"bytes": \([0-9]*\).*/\1/p' "$tmp/json" | head -1)
    awk -v n="$name" -v t="$threads" -v h="$host" -v w="$warps" -v b="$bytes" \
        'BEGIN { printf "%-18s %14d %14d %10.1f %12.3f\n", n, t, h, h / t, b / w }'
    echo "$host $threads $bytes $warps $name" >>"$tmp/all"
done
awk -v limit=$limit -v trace_limit=$trace_limit '
    { r = $1 / $2; s += r; n++; if (r > w) { w = r; wn = $5 } b += $3; i += $4; h += $1; t += $2 }
    END {
        printf "mean of %d workloads: %.1f host instructions per thread instruction (limit %d); of all instructions together %.1f; worst %s with %.1f\n", n, s / n, limit, h / t, wn, w
        printf "trace: %.3f bytes per warp instruction over all (limit %d)\n", b / i, trace_limit
        exit !(s / n < limit && b / i < trace_limit)
    }' "$tmp/all" || failed=1
exit $failed
