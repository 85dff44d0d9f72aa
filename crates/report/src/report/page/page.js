
"use strict";
// Steps through the error path: selects a step, shows its line and the values that are known after it.  What it needs to
// know is in the element with the id "data"; text reaches the page by textContent only.
(() => {
  const byId = (id) => document.getElementById(id);
  const { initial, steps } = JSON.parse(byId("data").textContent);
  const links = steps.map((step) => byId("s" + step.number));
  let current = -1;

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  // ---- values

  // Global variables, and a frame for each open call: what was assigned last under each name.
  const stateAfter = (last) => {
    let globals = new Map();
    let frames = [];
    const set = (values, { name, value }, step) => values.set(name, { value, step });
    // Of a Boolean program also the locals of main.
    const start = { function: steps[0].function, values: new Map() };
    for (const value of initial) set(value.global ? globals : start.values, value, -1);
    frames.push(start);
    for (let i = 0; i <= last; i++) {
      const step = steps[i];
      if (i > 0 && step.number !== steps[i - 1].number + 1) {
        // Steps are left out: what held before them need not hold any more.
        globals = new Map();
        frames = [];
      }
      frames.length = Math.min(frames.length, step.depth + 1);
      while (frames.length <= step.depth) frames.push({ function: "", values: new Map() });
      const frame = frames[step.depth];
      frame.function = step.function;
      let target = frame;
      if (step.kind === "call") {
        target = { function: step.callee || "", values: new Map() };
        if (step.changed.length > 0) frames.push(target);
      }
      for (const value of step.changed) set(value.global ? globals : target.values, value, i);
    }
    return { globals, frames };
  };

  const FRAMES = 8;

  const tableOf = (title, values, index) => {
    const table = element("table");
    table.append(element("caption", title));
    for (const [name, { value, step }] of values) {
      const row = element("tr", undefined, step === index ? "changed" : "");
      const [left, right] = [element("td"), element("td")];
      left.append(element("code", name));
      right.append(element("code", value));
      row.append(left, right);
      table.append(row);
    }
    return table;
  };

  const showValues = (index) => {
    const { globals, frames } = stateAfter(index);
    const shown = [];
    if (globals.size > 0) shown.push(tableOf("global variables", globals, index));
    for (const frame of frames.slice(-FRAMES).reverse()) {
      if (frame.values.size > 0) shown.push(tableOf("in " + frame.function, frame.values, index));
    }
    if (frames.length > FRAMES) shown.push(element("p", frames.length - FRAMES + " outer calls are not shown"));
    if (shown.length === 0) shown.push(element("p", "None are known."));
    byId("values").replaceChildren(...shown);
  };

  // ---- selection

  // The lists of calls that a step is in, the innermost first; that of the call itself is not one.
  const callsAround = (link) => {
    const calls = [];
    let inner = link.parentElement;
    if (inner.localName === "summary") inner = inner.parentElement.parentElement;
    for (let call = inner.closest("details"); call; call = call.parentElement.closest("details")) calls.push(call);
    return calls;
  };

  // Scrolls within its box only, so that the page stays where it is.
  const reveal = (target) => {
    const box = target.closest(".scroll");
    const [inner, outer] = [target.getBoundingClientRect(), box.getBoundingClientRect()];
    const margin = Math.min(60, outer.height / 4);
    if (inner.top < outer.top + margin || inner.bottom > outer.bottom - margin) {
      box.scrollTop += inner.top - outer.top - outer.height / 3;
    }
  };

  const unmark = () => {
    for (const marked of document.querySelectorAll("[aria-current]")) marked.removeAttribute("aria-current");
    for (const hint of document.querySelectorAll(".hint")) hint.remove();
  };

  const markLine = (step) => {
    const line = step.line && byId(step.line);
    if (!line) return;
    // Of several files, only this one is unfolded, so that the line is beside the steps.
    const file = line.closest(".file");
    for (const other of document.querySelectorAll(".file")) other.open = other === file;
    line.setAttribute("aria-current", "true");
    if (step.changed.length > 0) {
      line.append(element("span", step.changed.map(({ name, value }) => name + " = " + value).join(", "), "hint"));
    }
    reveal(line);
  };

  const select = (index, { writesAddress = true } = {}) => {
    if (index < 0 || index >= steps.length) return;
    current = index;
    const [step, link] = [steps[index], links[index]];
    unmark();
    for (const call of callsAround(link)) call.open = true;
    link.setAttribute("aria-current", "step");
    reveal(link);
    markLine(step);
    showValues(index);
    const text = link.querySelector("code");
    byId("now").textContent = "Step " + step.number + " of " + steps[steps.length - 1].number + ", in " + step.function +
      (text ? ": " + text.textContent : "");
    byId("first").disabled = byId("previous").disabled = index === 0;
    byId("next").disabled = byId("last").disabled = index === steps.length - 1;
    document.body.dataset.step = step.number;
    if (writesAddress) history.replaceState(null, "", "#step=" + step.number);
  };

  // A call that is folded is stepped over.
  const move = (by) => {
    let index = current + by;
    while (links[index] && callsAround(links[index]).some((call) => !call.open)) index += by;
    select(index);
  };

  const fromAddress = () => {
    const match = /^#step=(\d+)$/.exec(location.hash);
    if (!match) return -1;
    const number = Number(match[1]);
    const index = steps.findIndex((step) => step.number >= number);
    return index < 0 ? steps.length - 1 : index;
  };

  const listen = () => {
    const actions = {
      first: () => select(0),
      previous: () => move(-1),
      next: () => move(1),
      last: () => select(steps.length - 1),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
    links.forEach((link, index) => link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      select(index);
    }));
    const keys = { j: "next", k: "previous", ArrowDown: "next", ArrowUp: "previous", Home: "first", End: "last" };
    document.addEventListener("keydown", (event) => {
      const action = keys[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey || !byId("keys").checked) return;
      // In a text, arrows scroll it.
      if (event.key.length > 1 && event.target.closest(".code, .values")) return;
      event.preventDefault();
      actions[action]();
    });
    window.addEventListener("hashchange", () => {
      const index = fromAddress();
      if (index >= 0) select(index, { writesAddress: false });
    });
  };

  if (steps.length > 0) {
    document.querySelector(".tools").hidden = false;
    document.querySelector(".values").hidden = false;
    listen();
    select(Math.max(fromAddress(), 0), { writesAddress: false });
  }
  document.body.dataset.ready = "true";
})();
