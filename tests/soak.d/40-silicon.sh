#!/bin/sh
# docs/silicon.md and cfg/silicon/measured.csv are what `make silicon` writes today
crosswatt=$1
reference=../shared/reference
[ -d "$reference" ] || reference=
sh tests/silicon.sh "$crosswatt" "$reference" --check
