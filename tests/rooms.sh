#!/bin/sh
# tests/rooms.sh [--check]: who includes whom, room by room, and how many files each has. With --check only what is
# wrong is printed: an include that the table in docs/architecture.md does not allow, a room without a line in it or
# the other way round, a cycle in the table, two files of one name.
cd "$(dirname "$0")/.." || exit 3
sources=$(ls base/*.[ch] noc/*.[ch] noc/*/*.[ch] cache/*.[ch] sim/*.[ch] sim/*/*.[ch] cuda/*/*.[ch] energy/*.[ch] energy/*/*.[ch] gen/*.[ch] gen/*/*.[ch] 2>/dev/null)
awk -v check="$1" '
function room(path) { sub(/\/[^\/]*$/, "", path); return path }
function visit(r,    i, n, list) { # depth first; state 1: on the way, 2: done
    state[r] = 1
    n = split(may[r], list, " ")
    for (i = 1; i <= n; i++) {
        if (state[list[i]] == 1) { print "docs/architecture.md: a cycle through " r " and " list[i]; bad = 1 }
        else if (!state[list[i]]) visit(list[i])
    }
    state[r] = 2
}
FILENAME == "docs/architecture.md" {
    if ($0 !~ /^\| `[a-z]+(\/[a-z]+)?` \|/) next
    n = split($0, cell, "|")
    gsub(/[` ]/, "", cell[2])
    gsub(/`/, "", cell[n - 1])
    rooms[++n_rooms] = cell[2]
    known[cell[2]] = 1
    may[cell[2]] = cell[n - 1]
    k = split(cell[n - 1], list, " ")
    for (i = 1; i <= k; i++) allowed[cell[2], list[i]] = 1
    next
}
FNR == 1 {
    r = room(FILENAME)
    files[r]++
    if (!known[r]) { print FILENAME ": its room " r " has no line in docs/architecture.md"; bad = 1 }
    name = FILENAME
    sub(/.*\//, "", name)
    # a command and an output bear the word that the user types
    if (r != "gen/command" && r != "gen/emit") {
        if (name in where) { print FILENAME ": has the name of " where[name]; bad = 1 }
        where[name] = FILENAME
    }
}
/^#include "/ {
    split($0, part, "\"")
    to = room(part[2])
    if (to == r) next
    if (!((r, to) in seen)) { seen[r, to] = 1; graph[r] = graph[r] " " to }
    if (!((r, to) in allowed)) { print FILENAME ":" FNR ": " r " may not include " part[2]; bad = 1 }
}
END {
    for (i = 1; i <= n_rooms; i++) {
        r = rooms[i]
        if (!files[r]) { print "docs/architecture.md: room " r " has no files"; bad = 1 }
        if (!state[r]) visit(r)
        k = split(may[r], list, " ")
        for (j = 1; j <= k; j++)
            if (!((r, list[j]) in seen)) { print "docs/architecture.md: " r " does not include " list[j] " any more"; bad = 1 }
        if (check == "") printf "%-16s %3d files ->%s\n", r, files[r], graph[r]
    }
    exit bad
}' docs/architecture.md $sources
