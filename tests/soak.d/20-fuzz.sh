# tests/soak.d/20-fuzz.sh PROGRAM BUILD: every fuzz target for FUZZ_SECONDS (60)
sh tests/run.sh "$2" "${FUZZ_SECONDS:-60}" fuzz
