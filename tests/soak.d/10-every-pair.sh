# tests/soak.d/10-every-pair.sh PROGRAM BUILD: every workload at its smallest size on every shipped GPU and every design
# of a paper ends, within SOAK_LIMIT seconds (300). DESIGNS and WORKLOADS narrow it down.
case $1 in /*) program=$1 ;; *) program=$PWD/$1 ;; esac
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
: "${CROSSWATT_CACHE:=$scratch/cache}" # a trace is made once
limit=${SOAK_LIMIT:-300}
export program scratch limit CROSSWATT_CACHE LC_ALL=C
designs=${DESIGNS:-$(find cfg/gpu cfg/paper -name '*.cfg' ! -name experiment.cfg ! -path '*/parts/*' | sort)}
workloads=${WORKLOADS:-$(ls cfg/workloads/*.cfg | sed 's|.*/||; s|\.cfg$||')}
for w in $workloads; do for d in $designs; do echo "$d $w"; done; done >"$scratch/pairs"
xargs -P "$(nproc 2>/dev/null || echo 2)" -n 2 sh -c '
    log=$scratch/$(echo "$1 $2" | tr "/ " "__").log
    timeout "$limit" "$program" sim "$1" "$2" -p tiny --no-energy -q >"$log" 2>&1
    status=$?
    [ $status = 0 ] || {
        [ $status = 124 ] && echo "not within $limit s" >"$log"
        printf "%-44s %-18s %3d  %s\n" "$1" "$2" $status "$(grep -v "^ " "$log" | tail -n 1 | cut -c 1-110)"
    } >>"$scratch/failed"
    rm -f "$log"' - <"$scratch/pairs"
n=$(wc -l <"$scratch/pairs") bad=0
if [ -s "$scratch/failed" ]; then
    bad=$(wc -l <"$scratch/failed")
    printf "%-44s %-18s %s\n" design workload "status, last word"
    sort "$scratch/failed"
fi
echo "every workload on every design: $((n - bad)) of $n ended"
[ "$bad" = 0 ]
