#!/bin/sh
# tests/mutate.sh BUILD N SEED: would a test notice? Draws N mistakes in lines of the sources (tests/tools/mutants.c),
# makes each in a copy of the tree, builds it and runs the tests that run the line, the shortest first, until one fails:
# without sanitizers, then the shorter ones with them, which see memory that is lost, read before it is written or beyond
# its end. Failing calls (tests/faults.sh) are tried for lines that nothing else runs. Prints the mistakes that
# nothing noticed. What does not compile (a function without its last return included), or compiles to the same code, does
# not count; a line that no test runs counts as not noticed. As many at a time as there are cores; nothing new begins after
# MUTATE_MINUTES (55). The user's tree is only read. Needs BUILD/quick, BUILD/san and BUILD/cov; their counters are made
# anew where a source is younger.
build=$1 n=$2 seed=$3
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 3
case $build in /*) ;; *) build=$root/$build ;; esac
cov=$build/cov data=$build/cov/tests.data work=$build/mutate cores=$(nproc 2>/dev/null || echo 2)
export LC_ALL=C XDG_CONFIG_HOME=$work/none LSAN_OPTIONS=print_suppressions=0
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:hard_rss_limit_mb=4000
began=$(date +%s)
end=$((began + ${MUTATE_MINUTES:-55} * 60))
if [ ! -s "$cov/counts" ] || [ -n "$(find base noc cache energy sim gen tests/unit tests/cli -newer "$cov/counts" -type f | head -1)" ]; then
    echo "counting which test runs which line"
    sh tests/coverage.sh "$build" >"$build/coverage.txt"
fi
rm -rf "$work"
mkdir -p "$work"
awk '$1 == "line" && $2 ~ /\.c$/ { print $2, $3 }' "$cov/counts" | sort -k1,1 -k2,2n | "$build/tools/mutants" "$n" "$seed" >"$work/list"

# who runs which of these lines: FILE LINE TEST, of tests that pass
cut -f 1 "$work/list" | sort -u >"$work/files"
for t in $(sort -k2,2n "$data/times" | cut -d' ' -f1); do
    case $t in
    cli/installed) continue ;; # make installs from a tree that is built as a whole, which the copy is not
    unit/* | faults/*) [ "$(tail -n 1 "$data/$t.log")" = "exit 0" ] || continue ;;
    cli/*) cmp -s "$data/$t.log" "tests/$t/expect" || continue ;;
    esac
    counters=
    while read -r f; do
        o=${f%.c}
        for o in "$o" "pic/$o"; do # in the program, in the runtime library of CUDA programs
            [ -e "$data/$t/$o.gcda" ] || continue
            ln -sf "$cov/$o.gcno" "$data/$t/$o.gcno"
            counters="$counters $data/$t/$o.gcda"
        done
    done <"$work/files"
    [ -z "$counters" ] || gcov -t $counters 2>/dev/null | awk -v test="$t" '
        FNR == NR { split($0, f, "\t"); wanted[f[1] " " f[2]] = 1; next }
        /^ *-: *0:Source:/ { file = $0; sub(/.*:Source:/, "", file); next }
        /^ *[1-9][0-9]*\*?: *[0-9]+:/ { split($0, part, ":"); if ((file " " part[2] + 0) in wanted) print file, part[2] + 0, test }
    ' "$work/list" -
done >"$work/who"

tree() { # COPY: the sources with their times, and what is built of them
    mkdir -p "$1/build"
    { git ls-files -co --exclude-standard 2>/dev/null || find . -path './build*' -prune -o -type f -print; } | tar cf - -T - 2>/dev/null | tar xf - -C "$1"
    cp -a "$build/quick" "$build/san" "$build/cuda" "$build/pic" "$build/tools" "$1/build/"
    for v in quick san; do rm -f "$1/build/$v/unit"/* "$1/build/$v/crosswatt" "$1/build/$v/libcrosswatt.a"; done
    [ ! -e "$build/libconfig.a" ] || cp -a "$build/libconfig.a" "$1/build/"
}

# Reading the Makefile takes longer than to link a program: in the copy it is asked once how that is done. Archives name
# their objects and do not hold them.
ask_make() {
    programs=$(for v in quick san; do
        echo "build/$v/crosswatt"
        ls tests/unit | sed -n "s|\(.*_test\)\.c$|build/$v/unit/\1|p"
    done)
    make -n CC="$CC" $programs >recipes 2>/dev/null
    sed -n 's/^ar rcs /ar rcsT /p' recipes | sh
    grep -e ' -o build/[a-z]*/crosswatt ' -e ' -o build/[a-z]*/unit/' recipes >links
}
link() { # PROGRAM
    [ -e "$1" ] || sh -c "$(grep -F -e " -o $1 " links)" >/dev/null 2>&1
}

# one test in the copy: fails, or does not end within ten times its time
fails() ( # quick|san TEST
    ms=$(awk -v t="$2" '$1 == t { print $2 }' "$data/times")
    limit=$((ms / 100 + 20)) name=${2#*/}
    [ "$1" = san ] || ulimit -v 8000000 # the sanitizer reserves more than there is
    case $2 in
    unit/*)
        link "build/$1/unit/$name" || return 1
        ! timeout -k 1 $limit "build/$1/unit/$name" >/dev/null 2>&1 ;;
    cli/*)
        link "build/$1/crosswatt" || return 1
        TMP=$PWD.tmp CW=$PWD/build/$1/crosswatt root=$PWD build=$PWD/build variant=$PWD/build/$1
        export TMP CW root build variant
        rm -rf "$TMP"
        mkdir -p "$TMP"
        timeout -k 1 $limit sh "tests/$2/cmd" >"$TMP.got" 2>&1 </dev/null
        echo "exit $?" >>"$TMP.got"
        ! sed "s|$TMP|\$TMP|g; s|$PWD|\$ROOT|g" "$TMP.got" | cmp -s - "tests/$2/expect" ;;
    faults/*)
        link "build/$1/crosswatt" || return 1
        ! timeout -k 1 $limit sh tests/faults.sh "build/$1/crosswatt" build/tools "$name" >/dev/null 2>&1 ;;
    esac
)

# With sanitizers: what `make test` runs so (not the tests of breadth, which it runs with the optimised program), and of
# that what took less than ten seconds when it was counted.
is_sanitized() { [ ! -e "tests/$1/optimised" ] && awk -v t="$1" '$1 == t { exit $2 >= 10000 }' "$data/times"; }

same_code() { # OBJECT OBJECT
    strip -g -o a.o "$1" && strip -g -o b.o "$2" && cmp -s a.o b.o
}

try() { # FILE LINE COLUMN LENGTH WITH WHAT: prints noticed, missed, same or void, and the mistake
    object=${1%.c}.o
    cp -p "$1" original.c
    for v in quick san pic; do [ ! -e "build/$v/$object" ] || cp -p "build/$v/$object" original-$v.o; done
    awk -v line="$2" -v column="$3" -v length_="$4" -v with="$5" '
        NR == line { $0 = substr($0, 1, column - 1) with substr($0, column + length_) } { print }' original.c >"$1"
    verdict=missed by=
    # a function that ends without the return it needs has no meaning in C: what it gives is chance
    if ! make -s CC="$CC -Werror=return-type" "build/quick/$object" >/dev/null 2>&1; then
        verdict=void
    elif same_code "build/quick/$object" original-quick.o; then
        verdict=same
    else
        awk -v f="$1" -v l="$2" '$1 == f && $2 == l { print $3 }' "$work/who" >tests-of-line
        [ -s tests-of-line ] || by="(no test runs it)"
        tests=$(grep -v ^faults/ tests-of-line)
        rm -f build/quick/crosswatt build/quick/unit/*
        if [ -z "$tests" ] && grep -q ^faults/ tests-of-line; then
            if fails quick faults/few; then verdict=noticed by="quick faults/few"; fi
        fi
        [ -z "$tests" ] || [ ! -e "build/pic/$object" ] || make -s CC="$CC" build/cuda/libcrosswatt_cudart.so >/dev/null 2>&1
        for v in quick san; do
            [ $v = quick ] || [ -z "$tests" ] || make -s CC="$CC" "build/san/$object" >/dev/null 2>&1
            for t in $tests; do
                [ $v = quick ] || is_sanitized "$t" || continue
                if fails $v "$t"; then verdict=noticed by="$v $t"; break 2; fi
            done
        done
    fi
    cp -p original.c "$1"
    for v in quick san; do
        [ ! -e "build/$v/$object" ] || cp -p original-$v.o "build/$v/$object"
        rm -f build/$v/crosswatt build/$v/unit/*
    done
    [ ! -e "build/pic/$object" ] || cmp -s original-pic.o "build/pic/$object" || {
        cp -p original-pic.o "build/pic/$object"
        cp -p original.so build/cuda/libcrosswatt_cudart.so # older than its archive: the next mistake makes both again
    }
    printf '%s\n' "$verdict $1:$2: $6 $by"
}

worker() { # K: every so-many-th mistake, from the K-th
    copy=$work/tree$1
    tree "$copy"
    cd "$copy" || exit 3
    ask_make
    cp -p build/cuda/libcrosswatt_cudart.so original.so
    tab=$(printf '\t')
    awk -v k="$1" -v n="$cores" 'NR % n == k' "$work/list" | while IFS=$tab read -r file line column length with what; do
        [ "$(date +%s)" -lt "$end" ] || break
        try "$file" "$line" "$column" "$length" "$with" "$what"
    done >"$work/result$1"
}

k=0
while [ $k -lt "$cores" ]; do
    worker $k &
    k=$((k + 1))
done
wait
# what noticed a mistake must pass without one; a test that does not has noticed nothing
cd "$work/tree0" || exit 3
grep -h '^noticed' "$work"/result* | awk '{ print $(NF - 1), $NF }' | sort -u | while read -r v t; do
    ! fails "$v" "$t" || echo "$v $t"
done >"$work/fail"
cd "$root" || exit 3
if [ -s "$work/fail" ]; then
    sed 's/^/fails in the copy without a mistake: /' "$work/fail"
    sed 's/$/$/; s/^/ /' "$work/fail" >"$work/unsure"
    sed -i "$(sed 's|/|\\/|g; s|.*|/&/s/^noticed/unsure/|' "$work/unsure")" "$work"/result*
fi
sort "$work"/result* | grep '^missed\|^unsure' | sed 's/^missed/not noticed:/; s/^unsure/not judged:/'
count() { cat "$work"/result* | grep -c "^$1"; }
noticed=$(count noticed) missed=$(count missed)
echo "seed $seed: $noticed of $((noticed + missed)) mistakes noticed ($((100 * noticed / (noticed + missed + (noticed + missed == 0)))) %), $(count same) the same code, $(count void) did not compile, $(count '') of $(wc -l <"$work/list") tried, $((($(date +%s) - began + 59) / 60)) minutes"
rm -rf "$work"/tree?*
