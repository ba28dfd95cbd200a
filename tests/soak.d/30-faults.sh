# tests/soak.d/30-faults.sh PROGRAM BUILD: every allocation and every write fails once
sh tests/faults.sh "$1" "$2/tools" all
