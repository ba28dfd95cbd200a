# tests/soak.d/40-explore.sh PROGRAM: the search against every point of a space of 2,000 (four kernels, preset tiny; some six minutes on
# two cores): a tenth of the runs must find 95 % of the room under the true front, measured from the true front's worst corner.
program=$1
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export CROSSWATT_CACHE="$scratch/cache"
space=tests/data/explore/two-thousand.cfg
"$program" explore $space -o "$scratch/all" -p tiny -q --assumptions none --exhaustive >/dev/null || exit 1
"$program" explore $space -o "$scratch/found" -p tiny -q --assumptions none >/dev/null || exit 1
all=$(($(wc -l <"$scratch/all/points.csv") - 1)) found=$(($(wc -l <"$scratch/found/points.csv") - 1))
# the last three columns: performance per Watt (large is good), area (small is good), hash
for f in all found; do tail -n +2 "$scratch/$f/front.csv" | awk -F, '{ print -$(NF - 2), $(NF - 1) }' | sort -g >"$scratch/$f.txt"; done
share=$(awk 'function room(x, y, n, wx, wy,   i, s, top) { top = wy; for (i = 1; i <= n; i++) if (x[i] < wx && y[i] < top) { s += (wx - x[i]) * (top - y[i]); top = y[i] } return s }
    FNR == NR { ax[++n] = $1; ay[n] = $2; if (n == 1 || $1 > wx) wx = $1; if (n == 1 || $2 > wy) wy = $2; if (n == 1 || $1 < lx) lx = $1; if (n == 1 || $2 < ly) ly = $2; next }
    { fx[++m] = $1; fy[m] = $2 }
    END { wx += 0.01 * (wx - lx); wy += 0.01 * (wy - ly); printf "%.4f", room(fx, fy, m, wx, wy) / room(ax, ay, n, wx, wy) }' "$scratch/all.txt" "$scratch/found.txt")
echo "explore: $found of $all points run, $share of the hypervolume"
awk -v s="$share" -v f="$found" -v a="$all" 'BEGIN { if (s < 0.95 || f > a / 10 + 1) { print "FAILED: the search against every point"; exit 1 } }'
