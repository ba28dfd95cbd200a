#!/bin/sh
# tests/bench.d/20-array.sh PROGRAM: the array model with its complete search beside a real cacti: same
# arrays, same machine, one after the other, CPU time. Without cacti in PATH: our own times beside
# published ones of CACTI 6.5, and instructions per organisation looked at. Limit: 75 times less.
program=$1
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
tool=$(command -v cacti)
cpu() { LC_ALL=C bash -c 'time "$@" >/dev/null' bash "$@" 2>&1 | awk '/^user|^sys/ { split($2, t, /[ms]/); s += 60 * t[1] + t[2] } END { print s }'; }
header=type,size_B,block_B,assoc,out_bits,tech_nm,data_orgs,tag_orgs
status=0
echo "== arrays: 40 nm, ED^2, every organisation evaluated"
printf '  %-26s %8s %12s %10s %8s\n' array organisations "ours, ms" "cacti, s" ratio
# name, row, CPU seconds of CACTI 6.5 as measured elsewhere
while IFS='|' read -r name row published; do
    { echo $header; echo "$row,40,,"; } >"$scratch/one.csv"
    "$program" cost-array --csv "$scratch/one.csv" --repeat 25 | tail -1 >"$scratch/out" || status=1
    ours=$(awk -F, '{ print $NF }' "$scratch/out")
    orgs=$(awk -F, '{ print $7 + $8 }' "$scratch/out")
    if [ -n "$tool" ]; then
        real=$(cpu "$program" cost-array --engine cacti --csv "$scratch/one.csv")
        from=measured
    else
        real=$published from="published"
    fi
    awk -v n="$name" -v o="$ours" -v g="$orgs" -v d="$real" -v f="$from" 'BEGIN {
        printf "  %-26s %8d %12.3f %10.2f %8.0f  (%s)\n", n, g, o, d, 1000 * d / o, f; exit 1000 * d / o < 75 }' || status=1
done <<EOF
304 B RAM, 8 B words|ram,304,8,1,64|0.09
48 KB RAM, 128 B words|ram,49152,128,1,1024|0.24
16 KB cache, 4 ways|cache,16384,128,4,256|0.33
512 KB cache, 8 ways|cache,524288,128,8,256|1.25
2 MB cache, 16 ways|cache,2097152,128,16,256|2.1
EOF
if command -v valgrind >/dev/null; then
    { echo $header; echo "cache,2097152,128,16,256,40,,"; } >"$scratch/one.csv"
    valgrind --tool=callgrind --toggle-collect=amodel_cost --callgrind-out-file=/dev/null --log-file="$scratch/vg" \
        "$program" cost-array --csv "$scratch/one.csv" >"$scratch/out" 2>/dev/null &&
        awk -v n="$(tail -1 "$scratch/out" | awk -F, '{ print $7 + $8 }')" '/Collected/ {
            printf "  instructions per organisation, 2 MB cache: %.0f\n", $NF / n; exit $NF / n > 8000 }' "$scratch/vg" || status=1
fi
[ $status = 0 ] || echo "  MISSED: less than 75 times faster, or more than 8000 instructions an organisation"
exit $status
