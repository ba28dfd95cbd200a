#!/bin/sh
# tests/validate.sh PROGRAM REFERENCE: runs every script in tests/validate.d, in order; fails if one does.
# REFERENCE may be empty: the scripts then use the small tables kept in tests/data.
cd "$(dirname "$0")/.." || exit 3
status=0
for script in tests/validate.d/*.sh; do
    [ -e "$script" ] || continue
    sh "$script" "$1" "$2" || status=1
done
exit $status
