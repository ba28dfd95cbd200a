#!/bin/sh
# tests/browser.sh PROGRAM [SCREENSHOT_DIR]: opens a comparison, a reproduction and an exploration in headless Chromium,
# light and dark, and checks that they have no console errors, that their links lead somewhere, that nothing comes from
# the network, that their tables sort, and that an exploration's points can be hovered, clicked and filtered. The checks are a script appended to a copy of the page, which leaves its answers
# in the page itself.
program=$1 shots=$2
cd "$(dirname "$0")/.." || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export CROSSWATT_CACHE="$scratch/cache"
"$program" compare cfg/paper/cdxbar/20-mesh.cfg cfg/paper/cdxbar/20-crossbar.cfg cfg/paper/cdxbar/20-cdxbar.cfg \
    -w hs,nn,2dconv -p tiny -q -o "$scratch/compare" >/dev/null || exit 3
"$program" reproduce icc --quick -p tiny -q -o "$scratch/reproduce" >/dev/null || exit 3
cat >"$scratch/space.cfg" <<'X'
base       = "cfg/paper/cdxbar/20-cdxbar.cfg";
vary       = ( { key = "noc.topology"; values = ["mesh", "cdxbar", "crossbar"]; }, { key = "noc.cdxbar.ports"; values = [2, 3]; },
               { key = "noc.width"; values = ["16 B", "32 B"]; }, { key = "noc.vcs"; values = [1, 2]; } );
objective  = ( "max perf_per_watt.system", "min noc.area_mm2" );
workloads  = ( "dct" );
X
"$program" explore "$scratch/space.cfg" -o "$scratch/explore" -p tiny -q >/dev/null || exit 3
cp "$scratch/explore/report.html" "$scratch/explore/checked.html"
cat >>"$scratch/explore/checked.html" <<'X'
<script>
window.addEventListener("load", () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const get = (id) => document.getElementById(id);
  const rows = () => [...get("x-table").tBodies[0].rows];
  const send = (e, type) => e.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: 300, clientY: 300 }));
  const dots = all("#x-scatter circle"), front = all("#x-scatter circle.win");
  send(dots[0], "mousemove");
  const tip = get("x-tip").style.display === "block" && get("x-tip").textContent.includes("noc.width = ");
  send(dots[0], "mouseleave");
  const gone = get("x-tip").style.display === "none";
  send(front.at(-1), "click");
  const description = get("x-detail").textContent;
  const n = rows().length, at = [...get("x-table").tHead.rows[0].cells].findIndex((c) => c.textContent.includes("area"));
  const values = () => rows().map((r) => parseFloat(r.cells[at].dataset.sort));
  const sorted = (a) => a.every((v, i) => i === 0 || a[i - 1] <= v);
  get("x-table").tHead.rows[0].cells[at].click();
  const up = values();
  get("x-table").tHead.rows[0].cells[at].click();
  const down = values();
  const type = (text) => { get("x-filter").value = text; get("x-filter").dispatchEvent(new Event("input")); return rows(); };
  const meshes = type("mesh").length, none = type("nothing").length;
  type("");
  get("x-only").click();
  const only = rows().length;
  const answers = {
    "every point is drawn": dots.length === 16 && n === 16,
    "hover shows a point": tip && gone,
    "a click shows its description": description.includes("of the front") && description.includes("gpu.sms = 20"),
    "a line for every point": all("#x-parallel polyline").length === 16,
    "main effects of every key": all("#x-effects figure").length >= 7,
    "sort": up.length === 16 && sorted(up) && sorted(down.reverse()),
    "filter": meshes === 4 && none === 0,
    "the front alone": only === front.length && only > 0,
    "the winner under assumptions": document.body.textContent.includes("who wins"),
    "nothing from the network": performance.getEntriesByType("resource").every((e) => !e.name.startsWith("http")),
    "fits the window": document.documentElement.scrollWidth <= window.innerWidth,
  };
  const out = document.createElement("pre");
  out.textContent = Object.entries(answers).map(([k, v]) => `answer ${v ? "yes" : "no"} ${k}`).join("\n");
  document.body.append(out);
});
</script>
X
for kind in compare reproduce; do
    cp "$scratch/$kind/report.html" "$scratch/$kind/checked.html"
    cat >>"$scratch/$kind/checked.html" <<'X'
<script>
window.addEventListener("load", () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const number = (row) => parseFloat(row.cells[2].dataset.sort ?? row.cells[2].textContent);
  const free = (table) => [...table.tBodies[0].rows].filter((r) => !r.classList.contains("mean"));
  const column = (table) => free(table).map(number);
  const numeric = (t) => t.tHead.rows[0].cells.length > 2 && column(t).length > 2 && column(t).every((v) => !Number.isNaN(v));
  const tables = all("table.sortable").filter(numeric);
  const sorted = (a) => a.every((v, i) => i === 0 || a[i - 1] <= v);
  const after = (table) => { table.tHead.rows[0].cells[2].click(); return column(table); };
  const up = tables.map(after), down = tables.map(after);
  const files = all("a[href]:not([href^='#'])").map((a) => a.getAttribute("href"));
  const answers = {
    "title": document.title.length > 10,
    "links lead somewhere": all('a[href^="#"]').every((a) => document.getElementById(a.hash.slice(1))),
    "files are beside the page": files.every((f) => !f.includes(":")),
    "nothing from the network": performance.getEntriesByType("resource").every((e) => !e.name.startsWith("http")),
    "plots are there": all("figure svg").length >= 8,
    "pictures load": [...document.images].every((i) => !i.complete || i.naturalWidth > 0),
    "fits the window": document.documentElement.scrollWidth <= window.innerWidth,
    "tables to sort": tables.length >= 3,
    "sort upwards": up.every(sorted),
    "sort downwards": down.every((a) => sorted(a.reverse())),
    "means stay last": tables.every((t) => !t.querySelector("tr.mean") || [...t.tBodies[0].rows].at(-1).classList.contains("mean")),
  };
  const out = document.createElement("pre");
  out.id = "answers";
  out.textContent = Object.entries(answers).map(([k, v]) => `answer ${v ? "yes" : "no"} ${k}`).join("\n");
  document.body.append(out);
});
</script>
X
    # files that the page names are really there
    grep -o 'href="plots/[^"]*"' "$scratch/$kind/report.html" | sed 's/href="//; s/"$//' | while read -r f; do
        [ -e "$scratch/$kind/$f" ] || echo "FAILED: $kind: $f is missing"
    done
done
open_page() { # WIDTH HEIGHT SCHEME ARGUMENTS
    width=$1 height=$2 scheme=$3
    shift 3
    style=$([ "$scheme" = dark ] && echo "--force-dark-mode --blink-settings=preferredColorScheme=0")
    chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --hide-scrollbars --enable-logging=stderr \
        --user-data-dir="$scratch/profile" --window-size="$width,$height" $style "$@" 2>"$scratch/log"
}
passed=0 failed=0
for kind in compare reproduce explore; do
    for scheme in light dark; do
        open_page 1280 1800 $scheme --dump-dom "file://$scratch/$kind/checked.html" |
            sed -n 's/^.*\(answer \(yes\|no\) .*\)$/\1/p' | sed 's/<.*//' >"$scratch/answers"
        if grep -q 'CONSOLE.*\(error\|Error\)' "$scratch/log"; then
            echo "answer no console errors" >>"$scratch/answers"
            grep CONSOLE "$scratch/log" | head -3
        else
            echo "answer yes no console errors" >>"$scratch/answers"
        fi
        passed=$((passed + $(grep -c '^answer yes' "$scratch/answers")))
        failed=$((failed + $(grep -c '^answer no' "$scratch/answers")))
        [ "$(wc -l <"$scratch/answers")" = 12 ] || { failed=$((failed + 1)); echo "FAILED: $kind, $scheme: the page did not answer"; }
        sed -n "s/^answer no/FAILED: $kind, $scheme:/p" "$scratch/answers"
        if [ -n "$shots" ]; then # laptop and projector
            mkdir -p "$shots"
            open_page 1366 1800 $scheme --screenshot="$shots/$kind-laptop-$scheme.png" "file://$scratch/$kind/report.html" >/dev/null
            open_page 1920 1080 $scheme --screenshot="$shots/$kind-projector-$scheme.png" "file://$scratch/$kind/report.html" >/dev/null
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
