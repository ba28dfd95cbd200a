#!/bin/sh
# tests/by-node.sh PROGRAM: writes the tables of templates/technology.md that show what a node does to the demo's designs and
# to a paper's anew, from `compare`; `crosswatt docs` makes the page of it.
cw=$1
cd "$(dirname "$0")/.." || exit 3
page=templates/technology.md scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT

# rows NAME NODES DESIGNS… -- FLAGS…: geometric means of runs by design, over the first design at the first node
rows() {
    where=$1 nodes=$2 designs=
    shift 2
    while [ "$1" != -- ]; do designs="$designs $where/$1.cfg" && shift; done
    shift
    : >"$scratch/all"
    for node in $nodes; do
        logic=node nm=${node%f}
        [ "$nm" = "$node" ] || logic=finfet
        "$cw" compare $designs "$@" -p tiny -q --set tech.node=$nm --set tech.array_node=node --set tech.logic=$logic --json 2>"$scratch/err" >"$scratch/one" || { cat "$scratch/err" >&2; exit 1; }
        jq -c --arg node "$nm$([ $logic = node ] || echo ', FinFET')" '{node: $node, designs, results}' "$scratch/one" >>"$scratch/all"
    done
    jq -r -s 'def mean: (map(log) | add / length | exp);
        def of($d; $what): [.results[] | select(.design == $d) | .values[$what].value] | mean;
        def digits($n): . * pow(10; $n) | round / pow(10; $n) | tostring;
        def row: . as $o | .designs[] | . as $d | {node: $o.node, name, mm2: .noc_area_mm2, ghz: ."NoC clock",
            gips: ($o | of($d.name; "performance_gips")), noc: ($o | of($d.name; "noc_power_w")),
            w: ($o | of($d.name; "power_w")), per: ($o | of($d.name; "perf_per_watt.system"))};
        [.[] | row] as $r | $r[0] as $one | $r[] |
        "| \(.node) | \(.name) | \(.ghz | digits(2)) | \(.mm2 | digits(1)) | \(.noc | digits(2)) | \(.w | digits(1)) | \(.gips / $one.gips | digits(3)) | \(.per / $one.per | digits(2)) |"' "$scratch/all"
}
head_of() {
    printf '| node | design | clock of the network, GHz | its area, mm² | its power, W | the machine, W | performance | perf/W of the machine |\n'
    printf '| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n'
}
sed '/^<!-- made by tests\/by-node.sh/q' "$page" >"$scratch/page"
{
    printf '\nThe demo'"'"'s machine and kernels (`hs`, `2dconv`, `srad`, `mm`, at `tiny`), `compare … --set tech.node=N --set tech.array_node=node`, FinFET: with `--set tech.logic=finfet`; performance and perf/W over the first row:\n\n'
    head_of
    rows cfg/compare "12 22 12f 7 5 3" v100-mesh v100-crossbar v100-butterfly v100-cdxbar -- -w hs,2dconv,srad,mm || exit 1
    printf '\nThe CD-Xbar paper'"'"'s machine (22 nm), with the rules of today: the same with `--set energy.scaling=node --set energy.constant=parts`:\n\n'
    head_of
    rows cfg/paper/cdxbar "22 12 12f 7" 80-mesh 80-crossbar 80-cdxbar -- -w hs,2dconv,srad,mm --set energy.scaling=node --set energy.constant=parts || exit 1
    printf '\nand as the paper'"'"'s description has it (coefficients as fitted, constant power of a whole card):\n\n'
    head_of
    rows cfg/paper/cdxbar "22 12 12f 7" 80-mesh 80-crossbar 80-cdxbar -- -w hs,2dconv,srad,mm || exit 1
    echo
} >>"$scratch/page"
sed -n '/^<!-- end of what is made/,$p' "$page" >>"$scratch/page"
cp "$scratch/page" "$page" && "$cw" docs >/dev/null
