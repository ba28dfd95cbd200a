#!/bin/sh
# tests/soak.sh PROGRAM BUILD: runs every script in tests/soak.d, in order; fails if one does. Hours, not minutes.
cd "$(dirname "$0")/.." || exit 3
status=0
for script in tests/soak.d/*.sh; do
    [ -e "$script" ] || continue
    sh "$script" "$1" "$2" || status=1
done
exit $status
