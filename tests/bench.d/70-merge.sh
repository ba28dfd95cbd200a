# tests/bench.d/70-merge.sh PROGRAM: merging 1,000 shard files of 1,000 results (MERGE_FILES, MERGE_ROWS for others). The rows are those
# of a real run, with other hashes: statistics, energies, designs with figures. About 7 MB a file, and as much again for the merged one.
program=$1
files=${MERGE_FILES:-1000} rows=${MERGE_ROWS:-1000}
command -v sqlite3 >/dev/null || { echo "merge: needs sqlite3"; exit 0; }
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/space.cfg" <<'END'
base      = "cfg/paper/cdxbar/20-cdxbar.cfg";
vary      = ( { key = "noc.vcs"; values = [1, 2]; } );
objective = ( "max perf_per_watt.system" );
workloads = ( "dct" );
END
export CROSSWATT_CACHE="$scratch/cache"
"$program" explore "$scratch/space.cfg" -o "$scratch" -p tiny -q --shard 1/1 >/dev/null || exit 1
one=$scratch/shard-1-of-1.sqlite
sqlite3 "$one" "PRAGMA journal_mode = DELETE" >/dev/null
i=0
while [ $i -lt "$files" ]; do
    i=$((i + 1))
    id=$(printf '%04x' $i)
    sqlite3 "$scratch/s$id.sqlite" >/dev/null <<END
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
$(sqlite3 "$one" .schema | sed 's/CREATE TABLE IF NOT EXISTS/CREATE TABLE/; s/$/ /')
PRAGMA application_id = 1129791828; PRAGMA user_version = $(sqlite3 "$one" "PRAGMA user_version");
ATTACH '$one' AS o;
BEGIN;
CREATE TEMP TABLE n AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < $rows) SELECT printf('%08x%08x', (($i * $rows + x) * 2654435761) % 4294967296, $i * $rows + x) AS h FROM c;
INSERT INTO description SELECT * FROM o.description;
INSERT INTO workload SELECT * FROM o.workload;
INSERT INTO statistic SELECT * FROM o.statistic;
INSERT INTO design SELECT h, h, d.name, d.description, d.changes, d.error, d.figures, d.provenance FROM n, (SELECT * FROM o.design LIMIT 1) d;
INSERT INTO point SELECT p.space, h, p.settings FROM n, (SELECT * FROM o.point LIMIT 1) p;
INSERT INTO result SELECT h, h, r.workload, r.window, r.seconds, r.statistics, r.parts, r.links, r.sum, r.provenance FROM n, (SELECT * FROM o.result LIMIT 1) r;
COMMIT;
END
done
times >"$scratch/before"
begun=$(date +%s.%N)
"$program" results merge "$scratch/all.sqlite" "$scratch"/s[0-9a-f]*.sqlite || exit 1
ended=$(date +%s.%N)
times >"$scratch/after"
used=$(awk 'FNR == 2 { split($1 $2, t, /[ms]/); s = 60 * (t[1] + t[3]) + t[2] + t[4] - s } END { printf "%.1f", s }' "$scratch/before" "$scratch/after")
size=$(($(stat -c %s "$scratch/all.sqlite") / 1000000))
echo "merge: $files files of $rows results in $(echo "$begun $ended" | awk '{ printf "%.1f", $2 - $1 }') s, $used s of processor time, $size MB"
# of processor time: the clock says as much of what else the machine does
echo "$used" | awk -v n="$files" '$1 > 60 * n / 1000 { print "FAILED: more than 60 s of processor time for 1,000 files"; exit 1 }'
