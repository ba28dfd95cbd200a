"use strict";
(() => {
  const data = JSON.parse(document.getElementById("x-data").textContent);
  const { keys, objectives, points } = data;
  const $ = (id) => document.getElementById(id);
  const NS = "http://www.w3.org/2000/svg";
  const el = (parent, name, attributes, text) => {
    const e = document.createElementNS(NS, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    parent.append(e);
    return e;
  };
  const ran = points.filter((p) => p.o.every((v) => v !== null));
  const show = (v) => v === null ? "–" : Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < 1e-3) ? String(+v.toExponential(3)) : String(+v.toPrecision(5));
  const value = (p, k) => p.c[k] === null ? "–" : keys[k].values[p.c[k]];
  const words = (p) => keys.map((k, i) => p.c[i] === null ? "" : `${k.path} = ${value(p, i)}`).filter(Boolean).join("\n");
  const title = (p) => words(p) + "\n" + objectives.map((o, i) => `${o.what}: ${show(p.o[i])}`).join("\n") + (p.s ? "\n(short runs)" : "");

  const tip = $("x-tip");
  const marks = new Map();
  let picked = null;
  const detail = (p) => {
    picked = p;
    for (const [q, list] of marks) for (const e of list) e.classList.toggle("picked", q === p);
    $("x-detail").textContent = `design ${p.h}${p.f ? ", of the front" : ""}\n${title(p)}\n\n` +
      (p.d !== undefined ? data.descriptions[p.d] : `crosswatt results ${data.file} --description ${p.h}`);
  };
  const hook = (e, p) => {
    if (!marks.has(p)) marks.set(p, []);
    marks.get(p).push(e);
    e.addEventListener("mousemove", (ev) => {
      tip.textContent = title(p);
      tip.style.display = "block";
      tip.style.left = Math.min(ev.clientX + 14, innerWidth - 280) + "px";
      tip.style.top = ev.clientY + 14 + "px";
    });
    e.addEventListener("mouseleave", () => { tip.style.display = "none"; });
    e.addEventListener("click", () => detail(p));
  };
  const extent = (list) => {
    let lo = Math.min(...list), hi = Math.max(...list);
    if (!(hi > lo)) { hi = lo + Math.abs(lo || 1) * 0.1; lo -= Math.abs(lo || 1) * 0.1; }
    return [lo, hi];
  };

  const ticks = (lo, hi, log) => { // round numbers between the two
    const list = [];
    if (log && hi > 5 * lo) {
      for (let e = Math.floor(Math.log10(lo)); 10 ** e <= hi; e++) for (const m of hi > 500 * lo ? [1] : [1, 2, 5]) list.push(m * 10 ** e);
    } else {
      const rough = (hi - lo) / 5, ten = 10 ** Math.floor(Math.log10(rough)), step = ten * ([1, 2, 5].find((m) => m * ten >= rough) || 10);
      for (let i = Math.ceil(lo / step); i * step <= hi; i++) list.push(i * step);
    }
    return list.filter((v) => v >= lo && v <= hi);
  };
  const scatter = (ix, iy) => {
    const svg = $("x-scatter");
    svg.replaceChildren();
    if (!ran.length) return;
    const one = objectives.length === 1;
    const number = new Map(ran.map((p, i) => [p, i]));
    const xs = (p) => one ? number.get(p) : p.o[ix];
    const [x0, x1] = extent(ran.map(xs)), [y0, y1] = extent(ran.map((p) => p.o[iy]));
    const lx = logs.checked && !one && x0 > 0, ly = logs.checked && y0 > 0;
    const at = (v, lo, hi, log) => log ? Math.log(v / lo) / Math.log(hi / lo) : (v - lo) / (hi - lo);
    const X = (v) => 80 + at(v, x0, x1, lx) * 790, Y = (v) => 410 - at(v, y0, y1, ly) * 380;
    for (const v of ticks(x0, x1, lx)) {
      el(svg, "line", { class: "grid", x1: X(v), y1: 30, x2: X(v), y2: 410 });
      el(svg, "text", { x: X(v), y: 428, "text-anchor": "middle" }, show(v));
    }
    for (const v of ticks(y0, y1, ly)) {
      el(svg, "line", { class: "grid", x1: 80, y1: Y(v), x2: 870, y2: Y(v) });
      el(svg, "text", { x: 74, y: Y(v) + 4, "text-anchor": "end" }, show(v));
    }
    el(svg, "text", { x: 475, y: 450, "text-anchor": "middle" }, one ? "point" : objectives[ix].text);
    el(svg, "text", { x: 80, y: 20 }, objectives[iy].text);
    const front = ran.filter((p) => p.f).sort((a, b) => xs(a) - xs(b));
    if (front.length > 1 && objectives.length === 2)
      el(svg, "polyline", { class: "step", points: front.map((p) => `${X(xs(p))},${Y(p.o[iy])}`).join(" ") });
    for (const p of [...ran].sort((a, b) => a.f - b.f))
      hook(el(svg, "circle", { class: p.f ? "win" : p.s ? "short" : "other", cx: X(xs(p)), cy: Y(p.o[iy]), r: p.f ? 5.5 : 4 }), p);
  };
  const axes = $("x-axes");
  const choose = (label, first) => {
    const l = document.createElement("label"), s = document.createElement("select");
    objectives.forEach((o, i) => s.add(new Option(o.text, i, i === first, i === first)));
    l.append(label + " ", s);
    axes.append(l);
    s.addEventListener("change", draw);
    return s;
  };
  const sy = choose("up", 0), sx = choose("across", objectives.length > 1 ? 1 : 0);
  const logs = document.createElement("input"), logLabel = document.createElement("label");
  logs.type = "checkbox";
  logLabel.append(logs, " logarithmic");
  axes.append(logLabel);
  logs.addEventListener("change", draw);
  logs.checked = objectives.some((o, i) => { const [lo, hi] = extent(ran.map((p) => p.o[i])); return lo > 0 && hi > 20 * lo; });
  function draw() { marks.clear(); scatter(+sx.value, +sy.value); parallel(); if (picked) detail(picked); }

  const kept = new Map(); // key -> value that is kept
  const isKept = (p) => [...kept].every(([k, v]) => p.c[k] === v);
  function parallel() {
    const svg = $("x-parallel");
    svg.replaceChildren();
    const n = keys.length + objectives.length, X = (i) => 60 + i * (780 / Math.max(n - 1, 1));
    const ranges = objectives.map((o, i) => extent(ran.map((p) => p.o[i])));
    const Y = (p, i) => {
      if (i < keys.length) return p.c[i] === null ? 350 : 320 - (keys[i].values.length > 1 ? p.c[i] / (keys[i].values.length - 1) : .5) * 270;
      const [lo, hi] = ranges[i - keys.length], t = (p.o[i - keys.length] - lo) / (hi - lo);
      return 320 - (objectives[i - keys.length].is_max ? t : 1 - t) * 270;
    };
    for (const p of [...ran].sort((a, b) => a.f - b.f)) {
      if (!isKept(p)) continue;
      hook(el(svg, "polyline", { class: "line" + (p.f ? " win" : ""), points: Array.from({ length: n }, (_, i) => `${X(i)},${Y(p, i)}`).join(" ") }), p);
    }
    for (let i = 0; i < n; i++) {
      el(svg, "line", { class: "axis", x1: X(i), y1: 45, x2: X(i), y2: 330 });
      const name = i < keys.length ? keys[i].path : objectives[i - keys.length].what;
      el(svg, "text", { x: X(i), y: i % 2 ? 18 : 34, "text-anchor": "middle" }, name.length > 24 ? "…" + name.slice(-23) : name);
      if (i < keys.length) keys[i].values.forEach((v, j) => {
        const t = el(svg, "text", { x: X(i) + 4, y: 324 - (keys[i].values.length > 1 ? j / (keys[i].values.length - 1) : .5) * 270, style: "cursor:pointer" + (kept.get(i) === j ? ";font-weight:700" : "") }, v);
        t.addEventListener("click", () => { if (kept.get(i) === j) kept.delete(i); else kept.set(i, j); draw(); });
      });
      else {
        const [lo, hi] = ranges[i - keys.length], up = objectives[i - keys.length].is_max;
        const side = i === n - 1 ? { x: X(i) + 56, "text-anchor": "end" } : { x: X(i) + 4 };
        el(svg, "text", { ...side, y: 46 }, show(up ? hi : lo));
        el(svg, "text", { ...side, y: 334 }, show(up ? lo : hi));
      }
    }
    el(svg, "text", { x: 60, y: 368 }, "at the bottom: the key has no effect there");
  }

  const effects = $("x-effects");
  const figures = [];
  objectives.forEach((o, oi) => keys.forEach((k, ki) => {
    const means = k.values.map((v, vi) => {
      const list = ran.filter((p) => p.c[ki] === vi).map((p) => p.o[oi]);
      return list.length ? list.reduce((a, b) => a + b, 0) / list.length : null;
    });
    const known = means.filter((m) => m !== null);
    if (known.length < 2) return;
    const hi = Math.max(...known.map(Math.abs));
    const figure = document.createElement("figure");
    const ratio = Math.min(...known) > 0 ? ` (${+(Math.max(...known) / Math.min(...known)).toPrecision(3)}×)` : "";
    const h = document.createElement("h3");
    h.textContent = `${k.path} → ${o.what}${ratio}`;
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("viewBox", `0 0 300 ${means.length * 24 + 8}`);
    svg.setAttribute("class", "x-plot");
    means.forEach((m, i) => {
      el(svg, "text", { x: 96, y: i * 24 + 20, "text-anchor": "end" }, k.values[i].slice(0, 13));
      if (m === null) return;
      el(svg, "rect", { class: "bar", x: 102, y: i * 24 + 7, height: 16, width: Math.max(1, 120 * Math.abs(m) / hi) });
      el(svg, "text", { x: 106 + 120 * Math.abs(m) / hi, y: i * 24 + 20 }, show(m));
    });
    figure.append(h, svg);
    figures.push([oi, (Math.max(...known) - Math.min(...known)) / hi, figure]);
  }));
  figures.sort((a, b) => a[0] - b[0] || b[1] - a[1]); // what moves an objective most comes first
  effects.append(...figures.map((f) => f[2]));

  const table = $("x-table"), body = table.tBodies[0], head = table.tHead.insertRow();
  for (const name of [...keys.map((k) => k.path), ...objectives.map((o) => o.text), "runs", "round", "design"]) {
    const th = document.createElement("th");
    th.tabIndex = 0;
    th.textContent = name;
    head.append(th);
  }
  const rows = points.map((p) => {
    const tr = document.createElement("tr");
    const cell = (text, sort) => { const td = tr.insertCell(); td.textContent = text; if (sort !== undefined) td.dataset.sort = sort; };
    keys.forEach((k, i) => cell(value(p, i), k.ordered ? (p.c[i] === null ? -1 : p.c[i]) : undefined));
    p.o.forEach((v) => cell(show(v), v === null ? "" : v));
    cell(p.e ? "failed: " + p.e : p.s ? "short" : p.o.every((v) => v !== null) ? "whole" : "none");
    cell(p.r || "–");
    cell(p.h);
    if (p.f) tr.className = "win";
    tr.addEventListener("click", () => { detail(p); $("x-detail").scrollIntoView({ block: "center" }); });
    return [tr, p, tr.textContent.toLowerCase()];
  });
  const filter = () => {
    const wanted = $("x-filter").value.toLowerCase().split(/\s+/).filter(Boolean), only = $("x-only").checked;
    const list = rows.filter(([, p, text]) => (!only || p.f) && wanted.every((w) => text.includes(w)));
    body.replaceChildren(...list.slice(0, 2000).map(([tr]) => tr));
    $("x-count").textContent = `${list.length} of ${data.n} points` + (list.length > 2000 ? ", 2,000 shown" : "");
  };
  $("x-filter").addEventListener("input", filter);
  $("x-only").addEventListener("change", filter);
  filter();
  draw();
  const best = ran.find((p) => p.f);
  if (best) detail(best);
})();
