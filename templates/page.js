"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const key = (row, i) => {
    const cell = row.cells[i];
    if (!cell) return "";
    const text = cell.dataset.sort ?? cell.textContent.trim();
    const number = parseFloat(text);
    return Number.isNaN(number) ? text : number;
  };
  const sort = (i) => {
    const up = heads[i].getAttribute("aria-sort") !== "ascending";
    heads.forEach((h) => h.removeAttribute("aria-sort"));
    heads[i].setAttribute("aria-sort", up ? "ascending" : "descending");
    const rows = [...body.rows];
    const fixed = rows.filter((r) => r.classList.contains("mean"));
    const free = rows.filter((r) => !r.classList.contains("mean"));
    free.sort((a, b) => {
      const x = key(a, i), y = key(b, i);
      const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
      return up ? order : -order;
    });
    body.append(...free, ...fixed);
  };
  heads.forEach((h, i) => {
    h.addEventListener("click", () => sort(i));
    h.addEventListener("keydown", (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); sort(i); } });
  });
}
