#!/bin/sh
# tests/conclusion.sh PROGRAM [NAME…]: makes the tables of docs/conclusion.md anew, all or those named, from `compare`. A
# table is the block behind a line `<!-- conclusion.sh NAME -->`.
cw=$1
shift
cd "$(dirname "$0")/.." || exit 3
page=docs/conclusion.md scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export COLUMNS=150

# designs FOLDER NAMES…: their files
designs() {
    where=$1 && shift
    for d in "$@"; do printf '%s/%s.cfg ' "$where" "$d"; done
}
v100=$(designs cfg/compare v100-mesh v100-smesh v100-crossbar v100-clos v100-butterfly v100-cdxbar v100-hierarchical)
paper=$(designs cfg/paper/cdxbar 80-mesh 80-smesh 80-crossbar 80-clos 80-butterfly 80-cdxbar)
# one machine's combinations leave out the Clos network, which is best nowhere and costs the most cases to price
without_clos() { printf '%s' "$1" | sed 's| [^ ]*-clos\.cfg||'; }
each="-w hs,2dconv,srad,mm --assumptions each" all="-w hs,srad --assumptions all"
third="--set gpu.dram_clock_ghz=0.2923"

band() {
    case $1 in
    v100-each) set -- $v100 $each ;;
    v100-all) set -- $(without_clos "$v100") $all ;;
    third-each) set -- $v100 $each $third ;;
    third-all) set -- $(without_clos "$v100") $all $third ;;
    paper-each) set -- $paper $each ;;
    paper-all) set -- $(without_clos "$paper") $all ;;
    *) echo "conclusion.sh: no table is called $1" >&2 && return 2 ;;
    esac
    "$cw" compare "$@" -p tiny -q >"$scratch/out" 2>"$scratch/err" || { cat "$scratch/err" >&2 && return 1; }
    awk '/^The band:/ {inside = 1} /^every workload and every case:/ {exit} inside' "$scratch/out" | sed 's/ *$//' | fold -s -w 150 | sed 's/ *$//'
}

for name in ${*:-$(sed -n 's/^<!-- conclusion.sh \(.*\) -->$/\1/p' "$page")}; do
    band "$name" >"$scratch/table" || exit 1
    awk -v name="$name" -v table="$scratch/table" '
        $0 == "<!-- conclusion.sh " name " -->" {print; getline; print; while ((getline line <table) > 0) print line; skip = 1; next}
        skip && $0 != "```" {next}
        {skip = 0; print}' "$page" >"$scratch/page" && cat "$scratch/page" >"$page"
done
