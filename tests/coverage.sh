#!/bin/sh
# tests/coverage.sh BUILD [run|table|one TEST]: runs what `make test` judges - the unit and command-line tests and the
# failing calls of tests/faults.sh - with the build that counts (BUILD/cov), each with counters of its own in
# BUILD/cov/tests.data, and prints lines and branches by room and the files below 85 % of lines. `run` only runs, `table`
# only prints what the last run counted, `one` runs unit/NAME, cli/NAME or faults/few. Headers count where they hold code.
build=$1 which=${2:-all}
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 3
case $build in /*) ;; *) build=$root/$build ;; esac
cov=$build/cov data=$build/cov/tests.data
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

run_one() { # unit/NAME, cli/NAME or faults/few
    name=${1#*/}
    TMP=$scratch/$name CW=$cov/crosswatt GCOV_PREFIX=$data/$1
    GCOV_PREFIX_STRIP=$(echo "$cov" | tr -cd / | wc -c)
    # as tests/run.sh has them; what a test links itself has counters too
    variant=$cov CC="${CC:-cc} --coverage"
    export TMP CW GCOV_PREFIX GCOV_PREFIX_STRIP root build variant CC
    mkdir -p "$TMP" "$data/$1"
    start=$(date +%s%N)
    case $1 in
    unit/*) "$cov/unit/$name" >"$data/$1.log" 2>&1; echo "exit $?" >>"$data/$1.log" ;;
    faults/*) sh tests/faults.sh "$CW" "$build/tools" "$name" >"$data/$1.log" 2>&1; echo "exit $?" >>"$data/$1.log" ;;
    cli/*)
        sh "tests/cli/$name/cmd" >"$TMP.got" 2>&1 </dev/null
        echo "exit $?" >>"$TMP.got"
        sed "s|$TMP|\$TMP|g; s|$root|\$ROOT|g" "$TMP.got" >"$data/$1.log" ;;
    esac
    # a test that limits the size of files cuts off counters, too
    sed -n 's/^libgcov profiling error:\(.*\.gcda\):.*/\1/p' "$data/$1.log" | sort -u | xargs -r rm -f
    sed -i '/^libgcov profiling error:/d' "$data/$1.log"
    echo "$1 $((($(date +%s%N) - start) / 1000000))" >"$data/$1.ms"
    rm -rf "$TMP" "$TMP.got"
}

run_all() {
    rm -rf "$data"
    mkdir -p "$data/unit" "$data/cli" "$data/faults"
    find "$cov" -name '*.gcda' -exec rm -f {} +
    { echo faults/few; ls tests/unit | sed -n 's|\(.*_test\)\.c$|unit/\1|p'; ls tests/cli | sed 's|^|cli/|'; } |
        xargs -P "$(nproc 2>/dev/null || echo 2)" -n 1 sh tests/coverage.sh "$build" one
    cat "$data"/*/*.ms >"$data/times"
    for log in "$data"/unit/*.log "$data"/faults/*.log; do
        [ "$(tail -n 1 "$log")" = "exit 0" ] || echo "FAILED: $(basename "$log" .log)"
    done
    for log in "$data"/cli/*.log; do
        cmp -s "$log" "tests/cli/$(basename "$log" .log)/expect" || echo "FAILED: cli/$(basename "$log" .log)"
    done
}

# A test that kills a program may catch it while it writes its counters: a file that cannot be read is left out.
merge_two() { # A B TO
    until gcov-tool merge -o "$3" "$1" "$2" >/dev/null 2>"$scratch/merge"; do
        bad=$(sed -n 's|.* in \./\([^ ]*\.gcda\) .*|\1|p' "$scratch/merge" | head -1)
        rm -rf "$3"
        if [ -z "$bad" ]; then
            mv "$1" "$3"
            break
        fi
        echo "left out: the counters $bad of one test, which are damaged"
        # of the two, the one that cannot be read alone
        mkdir -p "$scratch/one" && rm -rf "$scratch/one"/* && mkdir -p "$scratch/one/$(dirname "$bad")" && cp "$1/$bad" "$scratch/one/$bad" 2>/dev/null
        if gcov-tool rewrite -o "$scratch/two" "$scratch/one" >/dev/null 2>&1; then rm -f "$2/$bad"; else rm -f "$1/$bad"; fi
    done
    rm -rf "$1" "$2"
}

# one set of counters from all: by twos, so that a test's are read a few times only
merge() {
    rm -rf "$cov/merge"
    mkdir -p "$cov/merge"
    i=0
    for d in "$data"/unit/*/ "$data"/cli/*/ "$data"/faults/*/; do
        [ -n "$(find "$d" -name '*.gcda' | head -1)" ] || continue
        i=$((i + 1))
        cp -R "$d" "$cov/merge/1.$i"
    done
    level=1
    while [ "$i" -gt 1 ]; do
        n=0 k=1
        while [ $k -le "$i" ]; do
            n=$((n + 1)) a=$cov/merge/$level.$k b=$cov/merge/$level.$((k + 1)) to=$cov/merge/$((level + 1)).$n
            if [ $k = "$i" ]; then mv "$a" "$to"; else merge_two "$a" "$b" "$to"; fi
            k=$((k + 2))
        done
        i=$n level=$((level + 1))
    done
    rm -rf "$cov/sum"
    mv "$cov/merge/$level.1" "$cov/sum"
    rm -rf "$cov/merge"
}

# counts of every line and branch of our sources: "line FILE N COUNT", "branch FILE N INDEX COUNT"
count() {
    for o in $(cd "$cov" && find base noc cache energy sim gen pic -name '*.gcno'); do
        mkdir -p "$cov/sum/$(dirname "$o")"
        ln -sf "$cov/$o" "$cov/sum/$o"
    done
    find "$cov/sum" -name '*.gcno' | xargs gcov -t -b -c 2>/dev/null | awk '
        /^ *-: *0:Source:/ { file = $0; sub(/.*:Source:/, "", file); is_ours = file !~ /^\// && file !~ /^tests\//; next }
        !is_ours { next }
        /^branch/ {
            key = file " " line " " n++
            branch[key] += $3 == "taken" ? $4 : 0
            next
        }
        /^ *[-#=0-9][0-9*#=]*: *[0-9]+:/ {
            split($0, part, ":")
            line = part[2] + 0
            n = 0
            gsub(/[ *]/, "", part[1])
            if (part[1] != "-") lines[file " " line] += part[1] + 0
        }
        END {
            for (key in lines) print "line", key, lines[key]
            for (key in branch) print "branch", key, branch[key]
        }' | sort >"$cov/counts"
}

table() {
    awk '
        function percent(a, b) { return b ? sprintf("%.1f", 100 * a / b) : "-" }
        {
            file = $2
            room = file
            sub(/\/[^\/]*$/, "", room)
            if ($1 == "line") { n[room]++; n["all"]++; f[file]++; if ($4) { hit[room]++; hit["all"]++; fh[file]++ } }
            else { b[room]++; b["all"]++; if ($5) { bh[room]++; bh["all"]++ } }
        }
        END {
            for (r in n) if (r != "all") print r, n[r], percent(hit[r], n[r]), b[r] + 0, percent(bh[r], b[r]) | "sort"
            close("sort")
            print "all", n["all"], percent(hit["all"], n["all"]), b["all"], percent(bh["all"], b["all"])
            for (x in f) if (fh[x] < 0.85 * f[x]) print x, f[x], percent(fh[x], f[x]), "below" | "sort -k3n"
            close("sort -k3n")
        }' "$cov/counts" | awk '
        BEGIN { printf "%-18s %8s %8s %10s %10s\n", "room", "lines", "run %", "branches", "taken %" }
        $4 == "below" { if (!said++) print "\nfiles below 85 % of lines:"; printf "%-34s %5d lines %6s %%\n", $1, $2, $3; next }
        { printf "%-18s %8d %8s %10d %10s\n", $1, $2, $3, $4, $5 }'
}

[ "$which" = one ] && { run_one "$3"; exit 0; }
[ "$which" = table ] || run_all
[ "$which" = run ] && exit 0
merge
count
table
