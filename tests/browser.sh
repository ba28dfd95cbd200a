#!/bin/sh
# tests/browser.sh PROGRAM [SCREENSHOT_DIR]: opens a report in headless Chromium, light and dark, and checks that it
# has no console errors, that its links lead somewhere, that nothing comes from the network and that its tables sort.
# The checks are a script appended to a copy of the page, which leaves its answers in the page itself.
program=$1 shots=$2
cd "$(dirname "$0")/.." || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
CROSSWATT_CACHE=$scratch/cache "$program" compare cfg/paper/cdxbar/20-mesh.cfg cfg/paper/cdxbar/20-crossbar.cfg \
    cfg/paper/cdxbar/20-cdxbar.cfg -w hs,nn,2dconv -p tiny -q -o "$scratch/report" >/dev/null || exit 3
page=$scratch/report/checked.html
cp "$scratch/report/report.html" "$page"
cat >>"$page" <<'X'
<script>
window.addEventListener("load", () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const table = all("table.sortable")[1], head = table.tHead.rows[0].cells[2], rows = () => [...table.tBodies[0].rows];
  const column = () => rows().filter((r) => !r.classList.contains("mean")).map((r) => parseFloat(r.cells[2].dataset.sort));
  const sorted = (a) => a.every((v, i) => i === 0 || a[i - 1] <= v);
  head.click();
  const up = column();
  head.click();
  const down = column();
  const answers = {
    "title": document.title === "Comparison of GPU networks",
    "links lead somewhere": all('a[href^="#"]').every((a) => document.getElementById(a.hash.slice(1))),
    "nothing from the network": performance.getEntriesByType("resource").every((e) => !e.name.startsWith("http")),
    "plots are there": all("figure svg").length >= 8,
    "pictures load": [...document.images].every((i) => !i.complete || i.naturalWidth > 0),
    "fits the window": document.documentElement.scrollWidth <= window.innerWidth,
    "sorts upwards": sorted(up),
    "sorts downwards": sorted(down.reverse()),
    "means stay last": rows().at(-1).classList.contains("mean"),
  };
  const out = document.createElement("pre");
  out.id = "answers";
  out.textContent = Object.entries(answers).map(([k, v]) => `answer ${v ? "yes" : "no"} ${k}`).join("\n");
  document.body.append(out);
});
</script>
X
passed=0 failed=0
for scheme in light dark; do
    style=$([ $scheme = dark ] && echo "--force-dark-mode --blink-settings=preferredColorScheme=0")
    open_page() {
        chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
            --disable-component-update --disable-sync --enable-logging=stderr --user-data-dir="$scratch/profile-$scheme" \
            --window-size=1280,1800 $style "$@" 2>"$scratch/log"
    }
    open_page --dump-dom "file://$page" | sed -n 's/^.*\(answer \(yes\|no\) .*\)$/\1/p' | sed 's/<.*//' >"$scratch/answers"
    if grep -q 'CONSOLE.*\(error\|Error\)' "$scratch/log"; then
        echo "answer no console errors" >>"$scratch/answers"
        grep CONSOLE "$scratch/log" | head -3
    else
        echo "answer yes no console errors" >>"$scratch/answers"
    fi
    passed=$((passed + $(grep -c '^answer yes' "$scratch/answers")))
    failed=$((failed + $(grep -c '^answer no' "$scratch/answers")))
    [ "$(wc -l <"$scratch/answers")" = 10 ] || { failed=$((failed + 1)); echo "FAILED: $scheme: the page did not answer"; }
    sed -n "s/^answer no/FAILED: $scheme:/p" "$scratch/answers"
    if [ -n "$shots" ]; then
        mkdir -p "$shots"
        open_page --screenshot="$shots/report-$scheme.png" "file://$scratch/report/report.html" >/dev/null
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
