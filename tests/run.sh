#!/bin/sh
# tests/run.sh BUILD FUZZ_SECONDS [unit|cli|fuzz]: runs the built tests and counts them.
#
# A command-line test is a folder tests/cli/NAME with `cmd` (a shell script; $CW is the program, the
# working directory is the project's root, $TMP an empty folder) and `expect` (its standard output and
# errors, then a line "exit N"). UPDATE=1 rewrites the expectations.
build=$1 fuzz_seconds=$2 which=${3:-all}
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 3
case $build in /*) ;; *) build=$root/$build ;; esac
passed=0 failed=0
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export LSAN_OPTIONS=print_suppressions=0
export LC_ALL=C
export XDG_CONFIG_HOME=$scratch/none # no settings of whoever runs the tests

if [ "$which" = all ] || [ "$which" = unit ]; then
    for source in tests/unit/*_test.c; do
        name=$(basename "$source" .c)
        if "$build/san/unit/$name" >"$scratch/log" 2>&1; then
            n=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$scratch/log" | tail -1)
            passed=$((passed + ${n:-0}))
        else
            n=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$scratch/log" | tail -1)
            passed=$((passed + ${n:-0})) failed=$((failed + 1))
            echo "FAILED: $name"
            grep -v '^\[ *\(RUN\|OK\) *\]' "$scratch/log" | tail -40
        fi
    done
fi

if [ "$which" = all ] || [ "$which" = cli ]; then
    CW=$build/san/crosswatt
    export CW
    # two at a time, each in a folder of its own
    run_one() {
        name=$1
        TMP=$scratch/$name
        mkdir -p "$TMP"
        export TMP
        sh "tests/cli/$name/cmd" >"$scratch/$name.got" 2>&1 </dev/null
        echo "exit $?" >>"$scratch/$name.got"
        # the names of the scratch folder and of the project's differ from run to run
        sed "s|$TMP|\$TMP|g; s|$root|\$ROOT|g" "$scratch/$name.got" >"$scratch/$name.out"
        rm -rf "$TMP"
    }
    names=$(ls tests/cli)
    i=0
    for name in $names; do
        run_one "$name" &
        i=$((i + 1))
        [ $((i % 2)) = 0 ] && wait
    done
    wait
    for name in $names; do
        if [ -n "$UPDATE" ]; then cp "$scratch/$name.out" "tests/cli/$name/expect"; fi
        if diff -u "tests/cli/$name/expect" "$scratch/$name.out" >"$scratch/diff"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: tests/cli/$name"
            head -40 "$scratch/diff"
        fi
    done
fi

if [ "$which" = all ] || [ "$which" = fuzz ]; then
    for source in tests/fuzz/*_fuzz.c; do
        [ -e "$source" ] || continue
        name=$(basename "$source" .c)
        corpus=tests/fuzz/corpus/${name%_fuzz}
        mkdir -p "$scratch/fuzz-$name"
        [ -d "$corpus" ] || corpus=
        if "$build/fuzz/$name" -max_total_time="$fuzz_seconds" -rss_limit_mb=2048 -timeout=10 \
            -artifact_prefix="$build/fuzz/$name-" "$scratch/fuzz-$name" $corpus >"$scratch/log" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: $name"
            tail -30 "$scratch/log"
        fi
    done
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
