#!/bin/sh
# tests/accuracy.d/20-cacti.sh PROGRAM REFERENCE: the array model against rows printed by CACTI 6.5.
# For each file and column: rows, median, 99th percentile and worst relative error, and the worst row.
# Fails when a figure is off by more than 0.1 % or fewer than 99 % of the rows have CACTI's organisation.
program=$1 reference=$2
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
status=0

compare() { # FILE NAME
    "$program" cost-array --csv "$1" >"$scratch/got" || { echo "cacti $2: cost-array failed"; status=1; return; }
    # one line per figure: column, error, row; organisations are counted apart
    awk -F, -v got="$scratch/got" -v orgs="$scratch/orgs" '
        function abs(x) { return x < 0 ? -x : x }
        NR == 1 {
            getline line < got
            n = split(line, other, ",")
            for (i = 1; i <= n; i++) place[other[i]] = i
            for (i = 1; i <= NF; i++) {
                if ($i == "access_ns") seen = 1
                if (seen && $i !~ /^(r65_|c7_)/) name[i] = $i
                if ($i == "id") id = i
            }
            next
        }
        {
            getline line < got
            split(line, value, ",")
            same = 1
            for (i in name) {
                v = value[place[name[i]]]
                e = ($i == "") != (v == "") ? 9.99 : $i == "" ? 0 : $i == 0 ? (v == 0 ? 0 : 9.99) : abs(v / $i - 1)
                if (name[i] ~ /^N/) { if (e > 1e-4) same = 0 }
                else if ($i != "" || v != "") printf "%d %s %.9f %s\n", i, name[i], e, $id
            }
            rows++
            equal += same
        }
        END { print rows, equal > orgs }' "$1" >"$scratch/errors"
    read -r rows equal <"$scratch/orgs"
    echo "cacti $2: $rows rows, organisation as CACTI's in $equal"
    [ $((equal * 100)) -ge $((rows * 99)) ] || status=1
    printf '  %-18s %5s %11s %11s %11s  %s\n' column rows median p99 worst 'worst row'
    sort -k1,1n -k3,3g "$scratch/errors" | awk '
        function flush(   m, p) {
            if (!n) return
            m = n % 2 ? e[(n + 1) / 2] : (e[n / 2] + e[n / 2 + 1]) / 2
            p = int(0.99 * n); if (p < 0.99 * n) p++
            printf "  %-18s %5d %11.2e %11.2e %11.2e  %s\n", last, n, m, e[p], e[n], row
            if (e[n] > 0.001) bad = 1
            n = 0
        }
        $2 != last { flush(); last = $2 }
        { e[++n] = $3; row = $4 }
        END { flush(); exit bad }' || status=1
}

found=no
for name in ram cam cache; do
    if [ -n "$reference" ] && [ -f "$reference/cacti/$name.csv" ]; then
        found=yes
        compare "$reference/cacti/$name.csv" "$name.csv"
    else
        compare "tests/data/cacti-$name.csv" "$name.csv (sample)"
    fi
done
[ $found = yes ] || echo "cacti: no reference set given; the sample in tests/data was used"
[ $status = 0 ] && echo "cacti: within 0.1 % everywhere" || echo "cacti: MISSED"
exit $status
