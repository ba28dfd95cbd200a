#!/bin/sh
# tests/demo.sh PROGRAM: generates and draws the CD-Xbar of the paper, and prints its component table
# beside the other topologies'.
cw=$1
cd "$(dirname "$0")/.." || exit 3
set -e
out=out/cdxbar
echo "The CD-Xbar of the paper: 80 SMs, 16 LLC slices"
echo
"$cw" show cfg/paper/cdxbar/80-cdxbar.cfg
echo
echo "Its network beside the other topologies, request and reply network together"
echo
"$cw" show cfg/paper/cdxbar/80-crossbar.cfg cfg/paper/cdxbar/80-mesh.cfg cfg/paper/cdxbar/80-smesh.cfg \
    cfg/paper/cdxbar/80-clos.cfg cfg/paper/cdxbar/80-butterfly.cfg cfg/paper/cdxbar/80-cdxbar.cfg
echo
"$cw" gen cfg/paper/cdxbar/80-cdxbar.cfg -o $out -q
echo "Written to $out: network.svg and floorplan.svg to look at, network.json, structures.csv,"
echo "inputs for BookSim2, DSENT and CACTI."
