#!/bin/sh
# tests/faults.sh PROGRAM TOOLS [few|all]: makes one allocation after the other fail, then one write, rename, fsync or
# close after the other. Every run must end with status 3 and a message, and leave no damaged file. `few` takes some of
# the calls, `all` each of them; of `compare`, which makes too many, the first 2,000 and 500 drawn ones, of `cluster` 500
# drawn ones. FAULTS="gen net" takes the commands whose line begins so; without it they go side by side, one on each core.
program=$1 tools=$2 which=${3:-few}
case $program in /*) ;; *) program=$PWD/$program ;; esac
case $tools in /*) ;; *) tools=$PWD/$tools ;; esac
cd "$(dirname "$0")/.." || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C CROSSWATT_CACHE="$scratch/out/cache"
if [ -z "$FAULTS" ]; then
    export program tools which scratch
    # the longest first
    words="explore sim $(sed -n 's/^ *try "\{0,1\}\([a-z-]*\).*/\1/p' tests/faults.sh | sort -u | grep -vx -e explore -e sim)"
    printf '%s\n' $words | xargs -P "$(nproc 2>/dev/null || echo 2)" -n 1 sh -c '
        FAULTS=$1 sh tests/faults.sh "$program" "$tools" "$which" >"$scratch/$1" 2>&1
        echo $? >"$scratch/$1.status"' -
    for w in $words; do cat "$scratch/$w"; done
    for w in $words; do [ "$(cat "$scratch/$w.status")" = 0 ] || exit 1; done
    exit 0
fi
wanted() { case " $FAULTS " in *" $1 "*) ;; *) return 1 ;; esac; }
design=cfg/paper/icc/icc.cfg
status=0

# NAME STEP COMMAND …: allocations STEP apart, all I/O
try() {
    name=$1 step=$2
    shift 2
    wanted "${name%% *}" || return
    [ "$which" = few ] || step=1
    for kind in alloc io; do
        [ $kind = alloc ] || step=1
        if "$tools/every_fault" -s "$step" $options $kind "$tools/faults.so" "$scratch/out" "$program" "$@" >"$scratch/log" 2>&1; then
            echo "$name, $kind: $(tail -n 1 "$scratch/log")"
        else
            echo "FAILED: $name, $kind: $(tail -n 1 "$scratch/log")"
            head -n 20 "$scratch/log"
            status=1
        fi
    done
}

options=
try check 31 check $design
try "check --json --resolved" 61 check --json --resolved $design
try cost 83 cost $design
try "cost --json" 83 cost --json $design
try "cost --energy-table" 167 cost $design --energy-table "$scratch/out/table.csv"
try gen 61 gen $design -o "$scratch/out/gen" --only network,structures,booksim,dsent,cacti,gpuwattch
try "sim of a made-up kernel" 67 sim $design synth:stream -p tiny -q
try "sim of a workload" 67 sim $design mm -p tiny -q
try "sim --interval-file" 301 sim $design mm -p tiny -q --interval 500 --interval-file "$scratch/out/rows.csv"
try "sim of an Accel-Sim trace" 97 sim $design tests/data/accelsim/traces/barriers/kernelslist.g -q
try "silicon" 97 silicon $design --only chain_int -q --threads 1
try "trace -o" 17 trace mm -p tiny -q -o "$scratch/out/mm.trace"
try "power" 7 power cfg/tech/gpuwattch-gtx480.xml tests/data/gpuwattch/gtx480_public_report.csv
try "net" 31 net $design -q
mkdir "$scratch/in"
# a curve with its picture; what gnuplot left is finished at the end
options="-l 60"
try "net --sweep" 2 net cfg/net/mesh8.cfg -q --sweep --range 0.1:0.3:2 -c 300 -o "$scratch/out/net"
options=
printf 'src,dst\n0,1\n1,2\n2,3\n3,0\n' >"$scratch/in/pairs.csv"
printf 'cycle,src,dst,flits\n0,0,5,2\n4,3,7,1\n' >"$scratch/in/packets.csv"
try "net --permutation" 67 net cfg/net/mesh8.cfg --permutation "$scratch/in/pairs.csv" -q
try "net --trace" 67 net cfg/net/mesh8.cfg --trace "$scratch/in/packets.csv" -q --json
printf 'n_in\n5\n' >"$scratch/in/router.csv"
printf 'bits\n8\n' >"$scratch/in/link.csv"
printf 'sites\n16\n' >"$scratch/in/mesh.csv"
printf 'cell\nINV\n' >"$scratch/in/cell.csv"
try "cost-router" 211 cost-router --csv "$scratch/in/router.csv"
try "cost-link" 211 cost-link --csv "$scratch/in/link.csv" --json
try "cost-network" 211 cost-network --csv "$scratch/in/mesh.csv"
try "cost-cell" 211 cost-cell --csv "$scratch/in/cell.csv"
try "gen of everything" 499 gen $design -o "$scratch/out/gen"
try "docs" 997 docs -o "$scratch/out/docs"
try "keys --json" 199 keys --json
try "stats" 31 stats
try "trace --info" 97 trace mm -p tiny -q --info
try "sim --dvfs" 1499 sim $design mm -p tiny -q --dvfs 0.5:1:0.25 --plot "$scratch/out/plot"
try "sim --solo" 199 sim $design mm hist -p tiny -q --solo
try "show --why" 199 show $design --why noc.clock_ghz
try "power of AccelWattch" 31 power cfg/tech/gpuwattch-qv100.xml tests/data/gpuwattch/qv100_accelwattch_smem_stencil.csv --clock 1132 --sms 80 --samples 5
try "silicon --record" 997 silicon $design --only chain_int -q --threads 1 --record "$scratch/out/record.csv"
try "reproduce" 997 reproduce icc --kind exact -q --threads 1 -o "$scratch/out/paper"
cat >"$scratch/in/space.cfg" <<'X'
base       = "cfg/paper/icc/icc.cfg";
vary       = ( { key = "noc.width"; values = ["16 B", "32 B"]; } );
objective  = ( "max perf_per_watt.system", "min noc.area_mm2" );
workloads  = ( "2dconv" );
X
try "explore" 499 explore "$scratch/in/space.cfg" -o "$scratch/out/space" -p tiny -q --threads 1
wanted results && CROSSWATT_CACHE=$scratch/in "$program" compare $design cfg/paper/icc/base.cfg -w mm -p tiny -q --threads 1 --no-curves >/dev/null
try "results" 31 results "$scratch"/in/results-*.sqlite -c cycles,power_w --json
try "results merge" 31 results merge "$scratch/out/results.sqlite" "$scratch"/in/results-*.sqlite
sed '1,/<<.CFG/d' tests/cli/import_translates/cmd | sed '/^CFG$/,$d' >"$scratch/in/machine.config"
# results that lie in a store are read at the end
if wanted compare; then
    CROSSWATT_CACHE=$scratch/in
    "$program" compare $design cfg/paper/icc/base.cfg -w mm -p tiny -q --threads 1 --no-curves >/dev/null
    options="-l 4200"
    try "compare of what is kept" 29 compare $design cfg/paper/icc/base.cfg -w mm -p tiny -q --threads 1 --no-curves --json
    options=
    CROSSWATT_CACHE=$scratch/out/cache
fi
try "import" 97 import "$scratch/in/machine.config" -o "$scratch/out/machine.cfg"
printf 'name,type,entries,word_bits,tech_nm\ntable,ram,512,64,40\nrows,ram,1024,32,40\n' >"$scratch/in/arrays.csv"
try "cost-array" 23 cost-array --csv "$scratch/in/arrays.csv"
try "show" 61 show $design
[ "$which" = all ] && options="-n 500 -r 1" || options="-n 5" # it runs a kernel many times
try "cluster --classify" 4999 cluster mm -p tiny -d $design --classify -q --threads 1
options=
if { wanted run || wanted sim; } && command -v clang >/dev/null && "$program" cc examples/vecadd_program.cu -o "$scratch/in/vecadd" 2>/dev/null; then
    try "run of a program" 7 run "$scratch/in/vecadd" 1000
    try "sim of a program" 211 sim $design -q -- "$scratch/in/vecadd" 1000
fi
if [ "$which" = all ]; then
    if command -v clang >/dev/null; then # two seconds each
        try "cc" 1 cc examples/vecadd_program.cu -o "$scratch/out/vecadd"
    fi
    for draw in "-n 2000" "-n 500 -r 1"; do
        options=$draw
        try "compare ($draw)" 1 compare $design cfg/paper/icc/base.cfg -w mm -p tiny -q --threads 1 --no-curves
    done
fi
exit $status
