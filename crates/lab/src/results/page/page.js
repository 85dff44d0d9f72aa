"use strict";
const rows = JSON.parse(document.getElementById("data").textContent).rows;
const element = (name) => document.getElementById(name);
const most = 500;
const columns = [
  { title: "program", key: "program" },
  { title: "property", key: "property" },
  { title: "options", key: "options" },
  { title: "verdict", key: "verdict" },
  { title: "seconds", key: "seconds", number: (v) => v.toFixed(2) },
  { title: "MiB", key: "memory", number: (v) => (v / 1048576).toFixed(0) },
  { title: "expected", key: "expected" },
  { title: "node", key: "node" },
  { title: "how", key: "how" },
  { title: "reason", key: "reason" },
].filter((c) => rows.some((row) => row[c.key] !== null && row[c.key] !== ""));
let sorted = { key: null, down: false };
let all = false;

// A choice between the values that there are.
function choices(select, key) {
  const values = [...new Set(rows.map((row) => row[key]).filter((v) => v !== null))].sort();
  select.append(new Option("all", "*"));
  for (const value of values) {
    select.append(new Option(value === "" ? "not run" : value, value));
  }
  select.parentElement.hidden = values.length < 2;
  select.addEventListener("change", show);
}

function isShown(row) {
  const is = (name, key) => element(name).value === "*" || row[key] === element(name).value;
  const text = element("text").value.toLowerCase();
  return row.program.toLowerCase().includes(text) && is("verdict", "verdict") && is("property", "property") &&
    is("options", "options") && is("reason", "code");
}

function order(a, b) {
  const [x, y] = [a[sorted.key], b[sorted.key]];
  if (x === y) return 0;
  if (x === null) return 1;
  if (y === null) return -1;
  return (x < y ? -1 : 1) * (sorted.down ? -1 : 1);
}

function cell(row, column) {
  const td = document.createElement("td");
  const value = row[column.key];
  td.className = column.number ? "number" : column.key;
  if (column.key === "verdict") {
    td.classList.add(row.verdict);
    td.textContent = row.verdict === "WRONG" ? `${row.is}, WRONG` : row.verdict;
  } else if (column.key === "program" && row.page !== null) {
    const link = document.createElement("a");
    link.href = row.page;
    link.textContent = value;
    td.append(link);
  } else if (value !== null) {
    td.textContent = column.number ? column.number(value) : value;
  }
  return td;
}

function show() {
  const found = rows.filter(isShown);
  if (sorted.key !== null) found.sort(order);
  const part = all ? found : found.slice(0, most);
  const body = document.querySelector("#tasks tbody");
  body.replaceChildren(...part.map((row) => {
    const tr = document.createElement("tr");
    tr.append(...columns.map((column) => cell(row, column)));
    return tr;
  }));
  const sum = found.reduce((total, row) => total + (row.seconds ?? 0), 0);
  element("shown").textContent = `${found.length} of ${rows.length} tasks, ${sum.toFixed(1)} s`;
  element("more").hidden = part.length === found.length;
  for (const th of document.querySelectorAll("#tasks th")) {
    const is = th.dataset.key === sorted.key;
    th.setAttribute("aria-sort", is ? (sorted.down ? "descending" : "ascending") : "none");
  }
}

for (const [name, key] of [["verdict", "verdict"], ["property", "property"], ["options", "options"], ["reason", "code"]]) {
  choices(element(name), key);
}
for (const column of columns) {
  const th = document.createElement("th");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = column.title;
  th.dataset.key = column.key;
  if (column.number) th.className = "number";
  button.addEventListener("click", () => {
    sorted = { key: column.key, down: sorted.key === column.key && !sorted.down };
    show();
  });
  th.append(button);
  document.querySelector("#tasks thead tr").append(th);
}
element("text").addEventListener("input", show);
element("filters").addEventListener("submit", (event) => event.preventDefault());
element("more").addEventListener("click", () => {
  all = true;
  show();
});
show();
