#!/bin/sh
# tests/run.sh BUILD FUZZ_SECONDS [unit|cli|fuzz|faults|pairs|quick]: runs the built tests and counts them.
#
# A command-line test is a folder tests/cli/NAME with `cmd` (a shell script; $CW is the program, the
# working directory is the project's root, $TMP an empty folder) and `expect` (its standard output and
# errors, then a line "exit N"); with a file `optimised` beside them, which is for breadth that says nothing about memory,
# $CW is the optimised program under `make test`. UPDATE=1 rewrites the expectations; ONLY="NAME …" runs these unit and
# command-line tests alone; TIMES=FILE gets a line for each of them, its processor time in seconds and its name, the
# longest first. `quick` is unit and cli of the build in BUILD/quick, without what has a file
# `slow` in its folder or its name in tests/unit/slow.
build=$1 fuzz_seconds=$2 which=${3:-all}
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 3
case $build in /*) ;; *) build=$root/$build ;; esac
passed=0 failed=0
jobs=$(nproc 2>/dev/null || echo 2)
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
variant=$build/san
[ "$which" = quick ] && variant=$build/quick
CW=$variant/crosswatt
export CW scratch variant root build which
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export LSAN_OPTIONS=print_suppressions=0
export LC_ALL=C
export XDG_CONFIG_HOME=$scratch/none # no settings of whoever runs the tests

is_part() { # of what is to run: PART
    [ "$which" = all ] || [ "$which" = "$1" ] || { [ "$which" = quick ] && [ "$1" != fuzz ] && [ "$1" != faults ] && [ "$1" != pairs ]; }
}
chosen() { # names on standard input, those to run on standard output
    while read -r name; do
        [ -n "$ONLY" ] && case " $ONLY " in *" $name "*) ;; *) continue ;; esac
        [ "$which" = quick ] && [ -z "$ONLY" ] && { [ -e "tests/cli/$name/slow" ] || grep -qx "$name" tests/unit/slow 2>/dev/null; } && continue
        echo "$name"
    done
}

unit=$(is_part unit && ls tests/unit | sed -n 's/\(_test\)\.c$/\1/p' | chosen)
cli=$(is_part cli && ls tests/cli | chosen)
# as many at a time as there are cores, the longest first so that no core waits for one that began late; each
# command-line test in a folder of its own, whose name differs from run to run
for name in $unit $cli; do echo "$name"; done >"$scratch/names"
{ grep -xFf "$scratch/names" tests/longest; grep -vxFf tests/longest "$scratch/names"; } | xargs -P "$jobs" -n 1 sh -c '
    case $1 in
    "") exit 0 ;;
    *_test)
        "$variant/unit/$1" >"$scratch/$1.log" 2>&1
        echo $? >"$scratch/$1.status"
        times >"$scratch/$1.times"
        exit 0 ;;
    esac
    TMP=$scratch/$1
    [ "$which" != all ] || [ ! -e "tests/cli/$1/optimised" ] || CW=$build/crosswatt
    export TMP CW
    mkdir -p "$TMP"
    sh "tests/cli/$1/cmd" >"$TMP.got" 2>&1 </dev/null
    echo "exit $?" >>"$TMP.got"
    times >"$TMP.times"
    sed "s|$TMP|\$TMP|g; s|$root|\$ROOT|g" "$TMP.got" >"$TMP.out"
    rm -rf "$TMP"' -

for name in $unit; do
    n=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$scratch/$name.log" | tail -1)
    passed=$((passed + ${n:-0}))
    if [ "$(cat "$scratch/$name.status")" != 0 ]; then
        failed=$((failed + 1))
        echo "FAILED: $name"
        grep -v '^\[ *\(RUN\|OK\) *\]' "$scratch/$name.log" | tail -40
    fi
done
for name in $cli; do
    if [ -n "$UPDATE" ]; then cp "$scratch/$name.out" "tests/cli/$name/expect"; fi
    if diff -u "tests/cli/$name/expect" "$scratch/$name.out" >"$scratch/diff"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: tests/cli/$name"
        head -40 "$scratch/diff"
    fi
done

if is_part fuzz; then
    names=$(ls tests/fuzz | sed -n 's/\(_fuzz\)\.c$/\1/p')
    export build fuzz_seconds
    echo "$names" | xargs -P "$jobs" -n 1 sh -c '
        corpus=tests/fuzz/corpus/${1%_fuzz}
        mkdir -p "$scratch/fuzz-$1"
        [ -d "$corpus" ] || corpus=
        "$build/fuzz/$1" -max_total_time="$fuzz_seconds" -rss_limit_mb=2048 -timeout=10 \
            -artifact_prefix="$build/fuzz/$1-" "$scratch/fuzz-$1" $corpus >"$scratch/$1.log" 2>&1
        echo $? >"$scratch/$1.status"' -
    for name in $names; do
        if [ "$(cat "$scratch/$name.status")" = 0 ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED: $name"
            tail -30 "$scratch/$name.log"
        fi
    done
fi

if is_part faults; then
    sh tests/faults.sh "$build/crosswatt" "$build/tools" few >"$scratch/log" 2>&1
    n=$(grep -c ' 0 wrong$' "$scratch/log")
    bad=$(grep -c '^FAILED' "$scratch/log")
    [ "$n" != 0 ] || bad=$((bad + 1))
    passed=$((passed + n)) failed=$((failed + bad))
    [ "$bad" = 0 ] || cat "$scratch/log"
fi

if is_part pairs; then
    sh tests/pairs.sh "$build/crosswatt" >"$scratch/log" 2>&1
    bad=$?
    n=$(sed -n 's/.*: \([0-9]*\) of [0-9]* ended$/\1/p' "$scratch/log" | awk "{ n += \$1 } END { print n + 0 }")
    [ "${n:-0}" != 0 ] || bad=1
    passed=$((passed + ${n:-0})) failed=$((failed + bad))
    [ "$bad" = 0 ] || { echo "FAILED: tests/pairs.sh"; cat "$scratch/log"; }
fi
if [ -n "$TIMES" ]; then # the second line of `times` is of what the shell has run: 0m1.5s 0m0.2s
    for t in "$scratch"/*.times; do
        [ -e "$t" ] && sed -n '2{s/[ms]/ /g;p}' "$t" | awk -v t="$(basename "$t" .times)" '{ printf "%.1f %s\n", 60 * ($1 + $3) + $2 + $4, t }'
    done | sort -rn >"$TIMES"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
