#!/bin/sh
# tests/slurm.sh PROGRAM: explorations on a Slurm of one node that this script starts on 127.0.0.1, with all files in a
# temporary folder, and stops at its end. Needs slurmctld, slurmd, slurm-client and munge (make test-slurm installs them).
program=$1
case $program in /*) ;; *) program=$PWD/$program ;; esac
cd "$(dirname "$0")/.." || exit 3
PATH=$PATH:/usr/sbin:/sbin
dir=$(mktemp -d) || exit 3
me=$(id -un) host=$(hostname -s) cpus=$(nproc)
controller=${SLURM_TEST_PORT:-16817} daemon=$((${SLURM_TEST_PORT:-16817} + 1))
failed=0
stop() {
    for p in slurmd slurmctld munged; do [ ! -f "$dir/$p.pid" ] || kill "$(cat "$dir/$p.pid")" 2>/dev/null; done
    sleep 1
    rm -rf "$dir"
}
trap stop EXIT
trap 'exit 3' INT TERM
must() { # WHAT COMMAND …
    what=$1
    shift
    if "$@"; then echo "ok: $what"; else echo "FAILED: $what"; failed=1; fi
}

# ---- without Slurm: what to run by hand -------------------------------------------------------------
cat >"$dir/space.cfg" <<'END'
base       = "cfg/paper/cdxbar/20-cdxbar.cfg";
vary       = ( { key = "noc.topology"; values = ["cdxbar", "crossbar", "mesh"]; }, { key = "noc.cdxbar.ports"; values = [2, 3, 4]; },
               { key = "noc.width"; values = ["16 B", "32 B"]; }, { key = "noc.vcs"; values = [1, 2]; } );
objective  = ( "max perf_per_watt.system", "min noc.area_mm2" );
workloads  = ( "dct", "hs" );
END
export CROSSWATT_CACHE="$dir/cache" CROSSWATT_DATA="$PWD"
"$program" explore "$dir/space.cfg" -o "$dir/plain" -p tiny -q >/dev/null || exit 1
mkdir "$dir/tools" && for t in sh dirname cat seq; do ln -s "$(command -v $t)" "$dir/tools/"; done
PATH="$dir/tools" "$program" explore "$dir/space.cfg" -o "$dir/hand" -p tiny --slurm --shards 2 >"$dir/hand.txt"
must "says by status 3 that there is no Slurm" test $? = 3
sed -n 's/^    //p' "$dir/hand.txt" >"$dir/hand.sh"
sh "$dir/hand.sh"
must "what is printed to be run by hand gives the front of a plain run" cmp "$dir/plain/front.csv" "$dir/hand/front.csv"

# ---- a Slurm of one node ------------------------------------------------------------------------------
mkdir -p "$dir/ctld" "$dir/d" "$dir/log"
chmod 755 "$dir"
head -c 128 /dev/urandom >"$dir/munge.key"
chmod 600 "$dir/munge.key"
munged --key-file="$dir/munge.key" --socket="$dir/munge.sock" --pid-file="$dir/munged.pid" --log-file="$dir/log/munged.log" \
    --seed-file="$dir/munge.seed" --num-threads=2 || exit 3
cat >"$dir/slurm.conf" <<CONF
ClusterName=solo
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$dir/munge.sock
CredType=cred/munge
SlurmctldPort=$controller
SlurmdPort=$daemon
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$dir/ctld
SlurmdSpoolDir=$dir/d
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
NodeName=localhost NodeHostname=$host NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=sweep Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$dir/slurm.conf"
slurmctld -f "$dir/slurm.conf" && slurmd -f "$dir/slurm.conf" -N localhost || exit 3
for i in $(seq 1 30); do
    [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && break
    sleep 1
done
must "a node is idle" test "$(sinfo -h -o %t)" = idle

# ---- an array to its end -------------------------------------------------------------------------------
began=$(date +%s)
"$program" explore "$dir/space.cfg" -o "$dir/a" -p tiny --slurm --shards 4 --wait
must "an array of 4 shards and its merge end well" test $? = 0
echo "    took $(($(date +%s) - began)) s"
must "its front is that of a plain run" cmp "$dir/plain/front.csv" "$dir/a/front.csv"
must "there is a report" test -s "$dir/a/report.html"
"$program" explore "$dir/space.cfg" -o "$dir/a" -p tiny --slurm --shards 4 --wait >"$dir/again.txt"
must "again: no shard is submitted" grep -q "all 4 shards are done" "$dir/again.txt"

# ---- cancelled and failed tasks --------------------------------------------------------------------------
"$program" explore "$dir/space.cfg" -o "$dir/b" -p tiny --slurm --shards 4 --sbatch "--hold" >"$dir/b.txt"
must "returns at once without --wait" test $? = 0
job=$(sed -n 's/^job \([0-9]*\): .* shards.*/\1/p' "$dir/b.txt") merge=$(sed -n 's/^job \([0-9]*\): merges.*/\1/p' "$dir/b.txt")
scancel "${job}_2" "${job}_3"
scontrol release "$job" "$merge"
for i in $(seq 1 60); do
    [ -z "$(squeue -h)" ] && break
    sleep 1
done
must "two of four shards were cancelled" test "$(ls "$dir/b/slurm" | grep -c '^done-')" = 2
mkdir "$dir/b/shard-2-of-4.sqlite" # this one fails: its file cannot be opened
"$program" explore "$dir/space.cfg" -o "$dir/b" -p tiny --slurm --shards 4 --wait >"$dir/b2.txt" 2>"$dir/b2.err"
must "a shard that fails is said, with status 3" test $? = 3
must "only the missing ones were submitted" grep -q "2 of 4 shards (2-3)" "$dir/b2.txt"
must "the failed one is named" grep -q "1 of 4 shards did not end well: 2 " "$dir/b2.err"
rmdir "$dir/b/shard-2-of-4.sqlite"
"$program" explore "$dir/space.cfg" -o "$dir/b" -p tiny --slurm --shards 4 --wait >"$dir/b3.txt"
must "the next run goes on with it alone" grep -q "1 of 4 shards (2)" "$dir/b3.txt"
must "and the front is that of a plain run" cmp "$dir/plain/front.csv" "$dir/b/front.csv"

# ---- a space that is drawn from, with files that are named from where the user is ------------------------
mkdir "$dir/user"
cp examples/vecadd.cfg examples/vecadd.ptx "$dir/user/"
sed 's|^base.*|base = "mine.cfg";|; s/^workloads.*/workloads = ( "dct", "vecadd.cfg" ); listed = 10; drawn = 30; limit = 4; budget = 12;/' "$dir/space.cfg" >"$dir/user/drawn.cfg"
echo 'base = "cfg/paper/cdxbar/20-cdxbar.cfg";' >"$dir/user/mine.cfg"
(cd "$dir/user" && "$program" explore drawn.cfg -o "$dir/e" -p tiny --slurm --shards 2 --wait)
must "shards of a drawn space end well" test $? = 0
rows() { "$program" results "$dir/e/$1" --csv --sql "SELECT count(*) FROM result" | tail -n 1; }
must "each shard has run its half of the budget" test "$(rows shard-1-of-2.sqlite) $(rows shard-2-of-2.sqlite)" = "12 12"
must "and every point that ran is looked at for the front" test "$(tail -n +2 "$dir/e/points.csv" | wc -l)" = 12

"$program" explore "$dir/space.cfg" -o "$dir/c" -p tiny --slurm --sbatch "--partition=none" 2>"$dir/c.err"
must "what sbatch refuses is said" grep -q "sbatch: .*artition" "$dir/c.err"
exit $failed
