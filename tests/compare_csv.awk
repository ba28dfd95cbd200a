# tests/compare_csv.awk: awk -F, -f compare_csv.awk [-v limit=1e-3] REFERENCE OURS
# Per column of REFERENCE that OURS has too and that the program computes: rows, median, 99th percentile and worst
# relative error, and the line of the worst. Empty against empty is equal; empty against a number, or different text,
# is an error of 1. -v inputs=N: the first N columns are inputs. Exit 1 if a column's worst is above the limit.
function quantile(a, n, p,   i) { i = int(p * (n - 1) + 0.999999) + 1; return a[i] }
function sort(a, n,   i, j, t, gap) {
    for (gap = int(n / 2); gap > 0; gap = int(gap / 2))
        for (i = gap + 1; i <= n; i++) {
            t = a[i]
            for (j = i; j > gap && a[j - gap] > t; j -= gap) a[j] = a[j - gap]
            a[j] = t
        }
}
{ sub(/\r$/, "") }
FNR == 1 { file++; for (i = 1; i <= NF; i++) if (file == 1) { name[i] = $i; n_columns = NF } else ours[$i] = i; next }
file == 1 { for (i = 1; i <= NF; i++) ref[FNR, i] = $i; n_rows = FNR; next }
{
    for (c = inputs + 1; c <= n_columns; c++) {
        if (!(name[c] in ours)) continue
        a = ref[FNR, c]; b = $(ours[name[c]])
        if (a == b) e = 0
        else if (a == "" || b == "" || a + 0 != a && a !~ /^[-+0-9.]/) e = 1
        else { e = a - b; if (e < 0) e = -e; m = a < 0 ? -a : a + 0; e = m > 0 ? e / m : 1 }
        error[c, ++n[c]] = e
        if (!(c in worst) || e > worst[c]) { worst[c] = e; at[c] = FNR }
    }
    n_ours = FNR
}
END {
    if (n_ours != n_rows) { printf "  %d lines instead of %d\n", n_ours, n_rows; exit 1 }
    printf "  %-24s %6s %10s %10s %10s  %s\n", "column", "rows", "median", "99 %", "worst", "line of the worst"
    for (c = 1; c <= n_columns; c++) {
        if (!n[c]) continue
        for (i = 1; i <= n[c]; i++) list[i] = error[c, i]
        sort(list, n[c])
        bad = worst[c] > limit
        printf "  %-24s %6d %10.2g %10.2g %10.2g  %d%s\n", name[c], n[c], quantile(list, n[c], 0.5), quantile(list, n[c], 0.99), worst[c], at[c], bad ? "  ABOVE " limit : ""
        failed += bad
    }
    exit failed > 0
}
