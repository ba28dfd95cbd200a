#!/bin/sh
# Elaboration and checks must grow no faster than the network: instructions of design_make per router
# and channel (callgrind) at 80 SMs / 16 slices and at 1,024 SMs / 128 slices, less than 2 x apart.
cw=$1
cd "$(dirname "$0")/../.." || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
measure() { # topology sms slices -> "instructions components"
    set -- cfg/paper/cdxbar/80-"$1".cfg --set gpu.sms="$2" --set llc.slices="$3"
    valgrind --tool=callgrind --toggle-collect=design_make --callgrind-out-file="$scratch/out" \
        "$cw" check "$@" -q 2>"$scratch/log" || { cat "$scratch/log" >&2; exit 3; }
    instructions=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$scratch/log")
    components=$("$cw" show "$@" --json | jq '.noc.routers + .noc.links')
    echo "$instructions $components"
}
status=0
printf '%-10s %14s %14s %8s\n' elaborate "80/16 instr" "1024/128 instr" ratio
printf '%-10s %14s %14s %8s\n' "" "per component" "per component" "(< 2)"
for t in crossbar mesh smesh clos butterfly cdxbar; do
    small=$(measure $t 80 16) && large=$(measure $t 1024 128) || exit 3
    echo "$t $small $large" | awk '{
        a = $2 / $3; b = $4 / $5
        printf "%-10s %14.0f %14.0f %8.2f %s\n", $1, a, b, b / a, b / a < 2 ? "" : "MISSED"
        exit b / a < 2 ? 0 : 1
    }' || status=1
done
exit $status
