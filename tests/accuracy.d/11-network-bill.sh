#!/bin/sh
# `crosswatt cost` against networks composed from the real DSENT's routers and links. Limit: 0.5 % for area,
# leakage (both variants) and dynamic power (by flow and by component) of every row.
program=$1 table=$2/dsent/cdxbar_check.csv
[ -f "$table" ] || table=tests/data/dsent/cdxbar_check.csv
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
echo "== the network's bill against DSENT ($table)"

# ask ROW-SETTINGS...: the sums of the bill, one "name value" a line
ask() {
    "$program" cost --json "$@" >"$scratch/bill.json" 2>"$scratch/err" || { cat "$scratch/err" >&2; return 1; }
    awk '/^ "sum": \{/ { sum = 1 } /^ "classes"/ { sum = 0 }
         /^ "(fmax_ghz|meets_timing)"/ || sum { gsub(/[",:{}]/, " "); if ($2 != "") print $1, $2 }' "$scratch/bill.json"
}

i=0
tail -n +2 "$table" | tr -d '\r' >"$scratch/rows"
echo "sms,llcs,topology,freq_hz,llc_links,reply_traffic,active_mm2,active_routers_mm2,active_links_mm2,global_wire_mm2,dyn_routers_w,dyn_links_w,clock_w,leak_w,leak13_w,power_w,power13_w,dyn_component_w,power_component_w,power13_component_w" >"$scratch/ours.csv"
while IFS=, read -r sms llcs topology freq llc_links reply rest; do
    base=cfg/paper/cdxbar/$sms-$topology.cfg
    [ -f "$base" ] || base=cfg/paper/cdxbar/$sms-mesh.cfg
    case $topology in crossbar) sm=long llc=long router=long ;; mesh) sm=short llc=short router=short ;;
    cdxbar) sm=short llc=$llc_links router=long ;; *) sm=short llc=short router=long ;; esac
    ghz=$(awk -v f="$freq" 'BEGIN { print f / 1e9 }')
    set -- "$base" --rate 0.1 --reply "$reply" --set noc.topology=$topology --set noc.clock_ghz="$ghz" --set noc.clock_limit=none \
        --set tech.links.sm=$sm --set tech.links.llc="$llc" --set tech.links.router=$router
    ask "$@" >"$scratch/a" && ask "$@" --set tech.leakage=2013 >"$scratch/b" && ask "$@" --activity component >"$scratch/c" || exit 1
    { sed 's/^/a /' "$scratch/a"; sed 's/^/b /' "$scratch/b"; sed 's/^/c /' "$scratch/c"; } |
        awk -v head="$sms,$llcs,$topology,$freq,$llc_links,$reply" '
        # within "sum", area_mm2, leakage and dynamic by part come last: the first of equal names counts
        { if (!(($1, $2) in v)) v[$1, $2] = $3; last[$1, $2] = $3 }
        END {
            links = last["a", "links"]; clock = last["a", "clock"]; dyn = v["a", "dynamic_w"]
            comp = v["c", "dynamic_w"]
            printf "%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", head, v["a", "active_mm2"], v["a", "routers_mm2"], v["a", "repeaters_mm2"],
                v["a", "global_wire_mm2"], dyn - links - clock, links, clock, v["a", "leakage_w"], v["b", "leakage_w"], v["a", "power_w"], v["b", "power_w"],
                comp, comp + v["a", "leakage_w"], comp + v["b", "leakage_w"]
        }' >>"$scratch/ours.csv"
done <"$scratch/rows"
tr -d '\r' <"$table" >"$scratch/table.csv"
awk -F, -v limit=5e-3 -v inputs=6 -f tests/compare_csv.awk "$scratch/table.csv" "$scratch/ours.csv"
