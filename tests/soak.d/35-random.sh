# tests/soak.d/35-random.sh PROGRAM BUILD: random descriptions over the table of keys, RANDOM_COUNT (3000) of them, and as
# many networks with random options of their routers, from RANDOM_SEED (by default another one every day, printed)
seed=${RANDOM_SEED:-$(date +%Y%m%d)0000} count=${RANDOM_COUNT:-3000} status=0
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
echo "random descriptions and router options from seed $seed"
CW_RANDOM_COUNT=$count CW_RANDOM_SEED=$seed "$2/quick/unit/random_config_test" >"$log" 2>&1 || status=1
grep -v '^\[' "$log"
CW_RANDOM_COUNT=$count CW_RANDOM_SEED=$seed "$2/quick/unit/net_options_test" >"$log" 2>&1 || { status=1; cat "$log"; }
exit $status
