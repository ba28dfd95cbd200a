# tests/soak.d/40-extremes.sh PROGRAM BUILD: what `check` accepts, `cost` prices and `sim` ends, seen from outside: every
# value that `crosswatt keys` calls least, most, a word or a choice, alone on a small machine, then EXTREME_PAIRS (1000)
# pairs of them drawn from EXTREME_SEED (1). Each is three commands; a run is broken off after some hundred thousand
# cycles, which is no mistake; a crash, a refusal after check said ok, or EXTREME_LIMIT seconds (60) is one.
# EXTREME_SINGLES=0 leaves the first part out.
case $1 in /*) program=$1 ;; *) program=$PWD/$1 ;; esac
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
limit=${EXTREME_LIMIT:-60}
export program scratch limit LC_ALL=C
cat >"$scratch/small.cfg" <<'X'
gpu: { sms = 4; clusters = 2; };
llc: { slices = 4; };
dram: { controllers = 2; };
sim: { max_cycles = 200000; };
synth: { ctas = 12; threads = 128; rounds = 4; footprint = 65536; };
X
# one setting a line. What names files or programs of the user's, and what only makes made-up kernels long, is left out.
"$program" keys --json | jq -r '.[] | [.path, .type, .legal] | @tsv' | awk -F'\t' '
    $1 ~ /^energy\.(core|core_base|table|user|dsent_path|cacti_path|noc_engine|array_engine)$/ || $1 ~ /^synth\./ || $1 == "sim.max_cycles" { next }
    $2 == "true or false" { print $1 "=true"; print $1 "=false"; next }
    match($3, /^-?[0-9.e+]*[0-9]\.\.[0-9][0-9.e+]*/) { range = substr($3, 1, RLENGTH); at = index(range, ".."); print $1 "=" substr(range, 1, at - 1); print $1 "=" substr(range, at + 2) }
    { n = split($3, word, "\""); for (i = 2; i <= n; i += 2) print $1 "=" word[i] }' | sort -u >"$scratch/settings"
n=$(wc -l <"$scratch/settings")
[ "$n" -gt 300 ] || { echo "only $n settings were read from the table of keys"; exit 1; }
[ "${EXTREME_SINGLES:-1}" = 0 ] || cat "$scratch/settings" >"$scratch/cases"
awk -v n="${EXTREME_PAIRS:-1000}" -v seed="${EXTREME_SEED:-1}" '
    { s[NR] = $0 }
    END { srand(seed); while (n > 0) { a = s[1 + int(rand() * NR)]; b = s[1 + int(rand() * NR)]
          split(a, x, "="); split(b, y, "="); if (x[1] != y[1]) { print a " " b; n-- } } }' "$scratch/settings" >>"$scratch/cases"
cat >"$scratch/try" <<'X'
sets= log=$scratch/$$.log
for s in $1; do sets="$sets --set $s"; done
say() { printf '%s: %s %s: %s\n' "$1" "$2" "$sets" "$(grep -v '^ ' "$log" | tail -n 1 | cut -c 1-160)"; }
timeout "$limit" "$program" check "$scratch/small.cfg" $sets >"$log" 2>&1
status=$?
if [ $status = 2 ]; then echo refused; rm -f "$log"; exit; fi
[ $status = 0 ] || { say WRONG "check ends with $status"; exit; }
for command in "cost" "sim"; do
    case $command in cost) words= ;; sim) words="synth:random --no-energy -q" ;; esac
    timeout "$limit" "$program" $command "$scratch/small.cfg" $words $sets >"$log" 2>&1
    status=$?
    [ $status = 0 ] || grep -q 'does not fit into an SM' "$log" || { say WRONG "$command ends with $status"; exit; }
done
rm -f "$log"
echo ends
X
tr '\n' '\0' <"$scratch/cases" | xargs -0 -P "$(nproc 2>/dev/null || echo 2)" -n 1 sh "$scratch/try" >"$scratch/out"
grep '^WRONG' "$scratch/out"
wrong=$(grep -c '^WRONG' "$scratch/out")
echo "extremes: $(wc -l <"$scratch/cases") descriptions of $n settings: $(grep -c '^ends' "$scratch/out") end, $(grep -c '^refused' "$scratch/out") refused, $wrong wrong"
[ "$wrong" = 0 ]
