#!/bin/sh
# Speed of the router model beside a real dsent: same routers, same machine, one after the other.
# Without dsent in PATH: instruction counts (valgrind) and our own times beside published ones.
program=$1
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
echo "== routers: 22 nm, 256 bits, 4 VCs x 4 flits, 1 GHz, mode all; sizing, energies, leakage, critical path"
tool=$(command -v dsent || command -v dsent.exe)
now() { date +%s.%N; }
# CPU seconds of a command and its children, so that a busy machine does not matter
cpu() { LC_ALL=C bash -c 'time "$@" >/dev/null' bash "$@" 2>&1 | awk '/^user|^sys/ { split($2, t, /[ms]/); s += 60 * t[1] + t[2] } END { print s }'; }
header=n_in,n_out,flit_bits,vcs,bufs_per_vc,freq_hz,timing_mode
status=0
printf '  %-8s %12s %12s %10s  (CPU time)\n' router "ours, ms" "dsent, s" ratio
# ports, repetitions of ours, CPU seconds of dsent 0.91 as measured elsewhere
for line in "5 5 2000 0.3" "10 10 1000 2.1" "24 16 200 17" "80 16 100 48"; do
    set -- $line
    n_in=$1 n_out=$2 n=$3 published=$4
    { echo $header; yes "$n_in,$n_out,256,4,4,1e9,all" | head -n "$n"; } >"$scratch/many.csv"
    { echo $header; echo "$n_in,$n_out,256,4,4,1e9,all"; } >"$scratch/one.csv"
    all=$(cpu "$program" cost-router --csv "$scratch/many.csv")
    ours=$(awk -v a="$all" -v n="$n" 'BEGIN { print a / n }')
    if [ -n "$tool" ]; then
        real=$(cpu "$program" cost-router --engine dsent --csv "$scratch/one.csv")
        from=measured
    else
        real=$published
        from="not here: published"
    fi
    awk -v r="${n_in}x$n_out" -v o="$ours" -v d="$real" -v f="$from" 'BEGIN { printf "  %-8s %12.3f %12.2f %10.0f  (%s)\n", r, 1000 * o, d, d / o, f; exit d / o < 1000 }' || status=1
done
if [ -z "$tool" ] && command -v valgrind >/dev/null; then
    { echo $header; echo "80,16,256,4,4,1e9,all"; } >"$scratch/one.csv"
    valgrind --tool=none --log-file="$scratch/vg" true 2>/dev/null &&
        valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$scratch/vg" "$program" cost-router --csv "$scratch/one.csv" >/dev/null 2>&1 &&
        awk '/Collected/ { printf "  instructions of one run of the program on the 80x16: %s\n", $NF }' "$scratch/vg"
fi
start=$(now)
{ echo $header; echo "80,16,256,4,4,1e9,all"; } >"$scratch/one.csv"
"$program" cost-router --fmax --csv "$scratch/one.csv" | tail -1 | awk -F, -v a="$start" '{ printf "  largest clock of the 80x16: %.0f MHz (all), %.0f MHz (ck)\n", $(NF - 2) / 1e6, $(NF - 1) / 1e6 }'
awk -v a="$start" -v b="$(now)" 'BEGIN { printf "  found in %.3f s, both modes, program start included\n", b - a }'
exit $status
