#!/bin/sh
# The logic model against measured output of DSENT. Limit: 0.1 % on every column of every row, equal
# verdicts on timing. Without a reference folder the rows kept in tests/data/dsent are used.
program=$1 reference=$2/dsent
[ -f "$reference/router.csv" ] || reference=tests/data/dsent
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
status=0

# check NAME INPUTS COMMAND...: the command's output on NAME.csv against NAME.csv
check() {
    name=$1 inputs=$2
    shift 2
    # the cells that routers and links use
    grep -v '^[^,]*,\(XOR2\|LATQ\|ADDF\),' "$reference/$name.csv" >"$scratch/$name.csv"
    echo "$name.csv ($((($(wc -l <"$scratch/$name.csv")) - 1)) rows, crosswatt $*)"
    # the output columns are taken away, so that they cannot pass through
    cut -d, -f1-"$inputs" "$scratch/$name.csv" >"$scratch/in.csv"
    "$program" "$@" --csv "$scratch/in.csv" >"$scratch/out.csv" || status=1
    awk -F, -v limit=1e-3 -v inputs="$inputs" -f tests/compare_csv.awk "$scratch/$name.csv" "$scratch/out.csv" || status=1
}

echo "== routers and links against DSENT ($reference)"
check router 10 cost-router
check link 8 cost-link
check stdcell 3 cost-cell --model cell
check wire_rc 4 cost-cell --model wire
check mesh 8 cost-network --model mesh
check clos 12 cost-network --model clos
exit $status
