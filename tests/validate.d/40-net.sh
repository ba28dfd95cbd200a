#!/bin/sh
# 40-net.sh PROGRAM REFERENCE: the network engine against BookSim2. Deterministic cases to the cycle and
# every packet of the traced ones; random traffic row by row with the row's own seed, equal in every
# figure; and the same rows as the mean of five seeds. REFERENCE/booksim holds the full tables; without
# it the sample in tests/data/booksim is used. Two tables are always there: further.csv, settings that
# the reference does not have, and seeds.csv, BookSim2's own figures for five seeds of the rows whose
# single run is far from that mean.
program=$1
data=${2:+$2/booksim}
kept=tests/data/booksim
[ -n "$data" ] && [ -d "$data" ] || data=$kept
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
status=0

split_csv='
    function split_csv(line, out,   n, i, c, q) {   # fields may be quoted
        sub(/\r$/, "", line)
        n = 1; q = 0; out[1] = ""
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (c == "\"") q = !q
            else if (c == "," && !q) out[++n] = ""
            else out[n] = out[n] c
        }
        return n
    }'

echo "network engine against BookSim2 ($data)"
"$program" net --booksim-csv "$data/micro.csv" --packets "$scratch/packets.csv" >"$scratch/micro.csv" || exit 1
awk -v ours="$scratch/micro.csv" "$split_csv"'
    NR == 1 { m = split_csv($0, name); getline line < ours; next }
    {
        split_csv($0, ref); getline line < ours; split_csv(line, got)
        wrong = 0
        for (i = 1; i <= m; i++)
            if (name[i] ~ /^(batch_cycles|[pnf]lat_.*|hops_avg)$/ && ref[i] != "") {
                d = ref[i] - got[i]; if (d < 0) d = -d
                if (d > 6e-6 * (ref[i] > 1 ? ref[i] : 1)) wrong = 1   # six digits are given
            }
        cases++; exact += !wrong
        if (wrong) print "  differs: " ref[1]
    }
    END { printf "deterministic cases exact:          %d of %d\n", exact, cases; exit exact != cases }
' "$data/micro.csv" || status=1
awk -F, '{ sub(/\r$/, "") }
    NR == FNR { if (FNR > 1) seen[$0]++; next }
    FNR > 1 { n++; exact += seen[$0] > 0 }
    END { printf "traced packets exact:               %d of %d\n", exact, n; exit exact != n }
' "$scratch/packets.csv" "$data/micro_trace.csv" || status=1

# label table: every figure that BookSim2 printed (six digits) must be ours, with the same seed
equal_rows() {
    "$program" net --booksim-csv "$2" >"$scratch/rows.csv" || return 1
    awk -v ours="$scratch/rows.csv" -v label="$1" "$split_csv"'
        NR == 1 { m = split_csv($0, name); getline line < ours; next }
        {
            split_csv($0, ref); getline line < ours; split_csv(line, got)
            wrong = ""
            for (i = 1; i <= m; i++)
                if (name[i] ~ /^(stable|booksim_converged|accepted_.*|.*_latency_.*|hops_avg|packets_measured|sim_cycles)$/ && ref[i] != "")
                    if (ref[i] ~ /^[0-9.e+-]*$/ ? ref[i] + 0 != got[i] + 0 || got[i] == "" : ref[i] != got[i])
                        wrong = wrong " " name[i] " " got[i] " not " ref[i] ";"
            rows++; exact += wrong == ""
            if (wrong != "") print "  differs: row " NR " " ref[1] ":" wrong
        }
        END { printf "%-35s %d of %d\n", label, exact, rows; exit exact != rows }
    ' "$2"
}
echo "random traffic, each row with its own seed, rows equal in every figure:"
equal_rows "  reference table" "$data/load_latency.csv" || status=1
equal_rows "  further configurations" "$kept/further.csv" || status=1
equal_rows "  five seeds of the rows below" "$kept/seeds.csv" || status=1

echo "random traffic, the mean of five seeds against the reference's single run:"
"$program" net --booksim-csv "$data/load_latency.csv" --seeds 5 >"$scratch/load.csv" || exit 1
awk -v ours="$scratch/load.csv" -v sat="$data/saturation.csv" -v seeds="$kept/seeds.csv" "$split_csv"'
    BEGIN {
        getline line < sat; k = split_csv(line, h); for (i = 1; i <= k; i++) s[h[i]] = i
        while ((getline line < sat) > 0) {
            split_csv(line, f)
            # between the highest stable and the lowest unstable load where both are known, else the
            # overload value
            a = f[s["overload_accepted_per_injecting_node"]] + 0; b = f[s["highest_stable_offered"]] + 0
            full[f[1]] = f[s["lowest_unstable_offered"]] != "" ? b : a > b ? a : b
        }
        getline line < seeds; k = split_csv(line, h); for (i = 1; i <= k; i++) p[h[i]] = i
        while ((getline line < seeds) > 0) {
            split_csv(line, f)
            key = f[p["config"]] " " f[p["mode"]] " " f[p["offered"]] + 0
            runs[key]++; own_latency[key] += f[p["packet_latency_avg"]]; own_accepted[key] += f[p["accepted_avg"]]
        }
        split("low middle overload high", group, " ")
        limit["low"] = 3; limit["middle"] = 8; limit["overload"] = 4
        text["low"] = "latency below 0.5 of saturation"; text["middle"] = "latency from 0.5 to 0.85"
        text["overload"] = "overload throughput"; text["high"] = "latency above 0.85 (report only)"
    }
    function same(a, b) { return a - b < 1e-5 * b && b - a < 1e-5 * b }
    NR == 1 { m = split_csv($0, name); for (i = 1; i <= m; i++) at[name[i]] = i; getline line < ours; next }
    {
        split_csv($0, ref); getline line < ours; split_csv(line, got)
        if (ref[at["mode"]] == "throughput") { g = "overload"; c = at["accepted_avg"] }
        else {
            if (ref[at["stable"]] != 1) next
            x = ref[at["offered"]] / full[ref[1]]
            g = x < 0.5 ? "low" : x <= 0.85 ? "middle" : "high"; c = at["packet_latency_avg"]
        }
        e = 100 * (got[c] / ref[c] - 1); if (e < 0) e = -e
        n[g]++; sum[g] += e; if (e > worst[g]) { worst[g] = e; who[g] = ref[1] " at " ref[at["offered"]] }
        if (!(g in limit)) next
        inside[g] += e <= limit[g]; rows++; good += e <= limit[g]
        if (e <= limit[g]) next
        key = ref[at["config"]] " " ref[at["mode"]] " " ref[at["offered"]] + 0
        own = g == "overload" ? own_accepted[key] : own_latency[key]
        if (e > 2 * limit[g]) beyond++
        if (runs[key] == 5 && same(got[c], own / 5)) {
            proven++
            list[++misses] = sprintf("  %s: %.1f %% from the single run %s; BookSim2 itself has the mean %.6g over these seeds, and so have we", key, e, ref[c], own / 5)
        } else list[++misses] = sprintf("  %s: %.1f %% from the single run %s, and seeds.csv does not have it", key, e, ref[c])
    }
    END {
        printf "%-34s %6s %8s %8s %8s %8s  %s\n", "", "rows", "mean %", "worst %", "limit %", "inside %", "worst row"
        for (i = 1; i <= 4; i++) {
            g = group[i]; if (!n[g]) continue
            if (g in limit) {
                share = 100 * inside[g] / n[g]
                printf "%-34s %6d %8.2f %8.2f %8d %8.1f  %s\n", text[g], n[g], sum[g] / n[g], worst[g], limit[g], share, who[g]
            } else printf "%-34s %6d %8.2f %8.2f %8s %8s  %s\n", text[g], n[g], sum[g] / n[g], worst[g], "-", "-", who[g]
        }
        printf "rows within their limits: %d of %d, %.1f %% (95 %% are asked for); beyond twice their limit: %d\n", good, rows, 100 * good / rows, beyond
        for (i = 1; i <= misses; i++) print list[i]
        exit good < 0.95 * rows || proven != misses
    }
' "$data/load_latency.csv" || status=1
[ $status = 0 ] && echo "all as BookSim2" || echo "NOT all as BookSim2"
exit $status
