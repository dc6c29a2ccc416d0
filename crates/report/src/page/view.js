// Shows a report: its verdict, its violations one at a time, and what was counted.

"use strict";

const NAMES = {
  po: "program order", rf: "reads from", co: "coherence", fr: "reads before", hb: "happens before",
};
const ROW = 36;
const BOX = { height: 26, left: 16, top: 5 };
/** The least and the most that a lane takes. */
const LANE = [200, 380];

/** An element with attributes and children. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** An SVG element. */
function draw(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const byId = (id) => document.getElementById(id);

/** The page: which violation or execution is shown, and how. */
class Page {
  constructor({ report, sources, words, browsed }) {
    this.report = report;
    this.sources = sources;
    this.words = words;
    this.violations = [report.violation, ...report.more_violations].filter(Boolean);
    this.showHeader();
    this.showAdvice();
    if (browsed && browsed.executions.length) {
      byId("figures").prepend(`${report.verdict} · `);
      this.browser = new Browser(browsed, (execution) => this.view(execution.view, null));
    } else if (this.violations.length) {
      this.listViolations();
      this.show(0);
    } else {
      byId("main").replaceChildren(summary(report));
    }
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("resize", () => this.viewer && this.viewer.drawLanes());
  }

  showHeader() {
    const { report } = this;
    const badge = byId("verdict");
    badge.textContent = report.verdict;
    badge.className = `badge ${report.verdict}`;
    byId("message").textContent = this.violations.length ? this.violations[0].message : report.files.join(", ");
    const figures = [
      `${report.executions} complete executions`, `${report.blocked} blocked`, `model ${report.model}`,
      `algorithm ${report.algorithm}`, `${report.seconds.toFixed(2)} s`,
    ];
    byId("figures").textContent = figures.join(" · ");
  }

  listViolations() {
    const nav = byId("violations");
    nav.hidden = this.violations.length < 2;
    const items = this.violations.map((violation, index) =>
      make("li", {}, make("button", { type: "button", onclick: () => this.show(index) }, violation.message)));
    nav.replaceChildren(make("ol", {}, ...items));
  }

  show(index) {
    byId("message").textContent = this.violations[index].message;
    byId("violations").querySelectorAll("button").forEach((button, at) => {
      button.setAttribute("aria-current", at === index);
    });
    this.view(this.violations[index], this.words.minimised[index]);
  }

  view(violation, minimised) {
    this.viewer = new Viewer(violation, this.sources, minimised);
    byId("main").replaceChildren(...this.viewer.elements());
    this.viewer.go(this.viewer.step, false);
  }

  /** The orders that would mend the program. */
  showAdvice() {
    const { suggestion } = this.words;
    if (!suggestion) return;
    const { changes } = this.report.suggestion;
    const items = suggestion.changes.map((text, i) =>
      make("li", {}, make("button", { type: "button", class: "link", onclick: () => this.look(changes[i]) }, text)));
    const advice = byId("advice");
    advice.hidden = false;
    advice.append(make("p", {}, make("b", {}, "Suggestion: "), suggestion.headline),
      ...(items.length ? [make("ul", {}, ...items)] : []),
      ...(suggestion.effort ? [make("p", { class: "effort" }, `${suggestion.effort}.`)] : []));
  }

  look(place) {
    if (this.viewer) this.viewer.look(place);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.viewer) return;
    if (event.target.matches("input[type=search], select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if ((this.browser && this.browser.key(event.key)) || this.viewer.key(event.key)) event.preventDefault();
  }
}

/** What was found where nothing is wrong, or where that is not known. */
function summary(report) {
  const rows = [
    ["Files", report.files.join(", ")], ["Memory model", report.model], ["Algorithm", report.algorithm],
    ["Complete executions", report.executions], ["Blocked executions", report.blocked],
    ["Time", `${report.seconds.toFixed(2)} s`],
    ["Memory", `${(report.peak_memory_bytes / 1e6).toFixed(0)} MB`],
  ];
  const list = (title, items) => items.length
    ? make("section", {}, make("h2", {}, title), make("ul", {}, ...items.map((item) => make("li", {}, item))))
    : null;
  const place = ({ file, line }) => (file ? ` (${file}:${line})` : "");
  const sentence = (item) => (typeof item === "string" ? item.replaceAll("_", " ") : JSON.stringify(item));
  return make("div", { class: "summary" },
    make("table", {}, ...rows.map(([name, value]) =>
      make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, String(value))))),
    list("Why it is not verified", report.reasons.map(sentence)),
    list("Outcomes", report.outcomes),
    list("Warnings", report.warnings.map((warning) => warning.message + place(warning))));
}

/** One violation: lanes, source, memory, and the step at hand. */
class Viewer {
  constructor(violation, sources, minimised) {
    this.violation = violation;
    this.sources = sources;
    this.minimised = minimised;
    this.execution = buildExecution(violation);
    this.late = lateReads(this.execution);
    this.cycle = findCycle(this.execution);
    this.all = !this.execution.nodes.some((node) => node.step);
    this.on = { po: false, rf: true, co: false, fr: Boolean(this.cycle), hb: false };
    this.focus = null;
    this.place = null;
    this.choose();
    const failing = this.execution.failing[0];
    this.step = failing ? Math.max(0, this.shown.indexOf(failing)) : this.shown.length - 1;
  }

  /** Which nodes are shown, in order. */
  choose() {
    const told = (node) => this.all || node.step || this.execution.failing.includes(node);
    this.shown = this.execution.order.filter(told);
    const used = new Set(this.shown.map((node) => node.thread));
    this.lanes = this.execution.threads.filter(({ thread }) => used.has(thread));
  }

  elements() {
    this.lanesElement = make("div", { class: "lanes", role: "group", "aria-label": "Events by thread" });
    this.sourceElement = make("div", { class: "source" });
    this.memoryElement = make("div", { class: "memory" });
    this.detailElement = make("div", { class: "detail", "aria-live": "polite" });
    const panel = (title, element, kind) => make("section", { class: `panel ${kind}` }, make("h2", {}, title), element);
    return [
      this.toolbar(),
      this.reason(),
      this.minimised ? make("p", { class: "minimised" }, make("b", {}, "Minimised: "), this.minimised) : null,
      make("div", { class: "columns" },
        make("div", { class: "graph", tabindex: "0", "aria-label": "Execution" }, this.lanesElement),
        make("div", { class: "side" },
          panel("This step", this.detailElement, "step"), panel("Source", this.sourceElement, "code"),
          panel("Memory", this.memoryElement, "state"))),
    ].filter(Boolean);
  }

  toolbar() {
    const button = (label, title, action) => make("button", { type: "button", title, onclick: action }, label);
    this.range = make("input", {
      type: "range", min: 0, "aria-label": "Step", oninput: (event) => this.go(Number(event.target.value)),
    });
    this.where = make("span", { class: "where" });
    this.search = make("input", {
      type: "search", placeholder: "Search events ( / )", "aria-label": "Search events",
      oninput: () => this.find(), onkeydown: (event) => event.key === "Enter" && this.find(event.shiftKey ? -1 : 1),
    });
    this.toggles = RELATIONS.map((kind, index) => {
      const box = make("input", { type: "checkbox", onchange: (event) => this.toggle(kind, event.target.checked) });
      box.checked = this.on[kind];
      const title = `${NAMES[kind]} (${index + 1})`;
      return make("label", { class: `toggle ${kind}`, title }, box, kind);
    });
    this.allBox = make("input", { type: "checkbox", onchange: (event) => this.showAll(event.target.checked) });
    this.allBox.checked = this.all;
    return make("div", { class: "toolbar", role: "toolbar", "aria-label": "Steps and relations" },
      button("|◀", "First step (Home)", () => this.go(0)), button("◀", "Step back (←)", () => this.go(this.step - 1)),
      this.range, button("▶", "Next step (→)", () => this.go(this.step + 1)),
      button("▶|", "Last step (End)", () => this.go(this.shown.length - 1)), this.where,
      make("span", { class: "group" }, ...this.toggles),
      make("label", { class: "toggle", title: "Also what the report leaves out (a)" }, this.allBox, "all events"),
      this.search, button("◐", "Dark or light (t)", switchTheme));
  }

  /** The race or the cycle, in words. */
  reason() {
    const { failing } = this.execution;
    const name = (node) => `${this.threadName(node.thread)}: ${node.text}`;
    const parts = [];
    if (this.violation.kind === "data_race" && failing.length > 1) {
      parts.push(make("p", {}, "Nothing orders ", this.link(failing[1], name), " and ", this.link(failing[0], name),
        ": neither happens before the other."));
    }
    if (this.cycle) {
      const lines = cycleInWords(this.cycle, name).map((line, i) =>
        make("li", {}, make("button", {
          type: "button", class: "link", onclick: () => this.goTo(this.cycle[i].from),
        }, line)));
      parts.push(make("details", { class: "cycle" },
        make("summary", {}, "No interleaving explains this: it needs a weak memory model"), make("ol", {}, ...lines)));
    }
    return parts.length ? make("div", { class: "reason" }, ...parts) : null;
  }

  link(node, name) {
    return make("button", { type: "button", class: "link", onclick: () => this.goTo(node) }, name(node));
  }

  threadName(thread) {
    return this.execution.threads[thread].name;
  }

  goTo(node) {
    if (!this.shown.includes(node)) this.showAll(true);
    this.go(this.shown.indexOf(node));
  }

  /** Goes to a step, and makes it visible; whoever opens the page begins at its top, so then only among the lanes. */
  go(step, moves = true) {
    this.step = Math.min(Math.max(step, 0), this.shown.length - 1);
    this.place = null;
    this.update();
    const box = this.boxes.get(this.shown[this.step]);
    const graph = this.lanesElement.parentElement;
    if (box && moves) box.scrollIntoView({ block: "nearest", inline: "nearest" });
    else if (box) graph.scrollTop = Math.max(0, box.offsetTop + 2 * ROW - graph.clientHeight);
  }

  toggle(kind, on) {
    this.on[kind] = on;
    this.toggles[RELATIONS.indexOf(kind)].firstChild.checked = on;
    this.update();
  }

  showAll(all) {
    const at = this.shown[this.step];
    this.all = all;
    this.allBox.checked = all;
    this.choose();
    this.step = Math.max(0, this.shown.indexOf(at));
    this.update();
  }

  /** Marks what matches the search, and goes to the next of it. */
  find(direction = 0) {
    const text = this.search.value.trim().toLowerCase();
    const matches = (node) => text !== "" && `${node.text} ${this.threadName(node.thread)}`.toLowerCase().includes(text);
    for (const [node, box] of this.boxes) box.classList.toggle("match", matches(node));
    if (!direction) return;
    const count = this.shown.length;
    for (let i = 1; i <= count; i++) {
      const at = (((this.step + i * direction) % count) + count) % count;
      if (matches(this.shown[at])) {
        this.go(at);
        return;
      }
    }
  }

  /** Whether the key means something. */
  key(key) {
    const relation = RELATIONS[Number(key) - 1];
    const last = this.shown.length - 1;
    const actions = {
      ArrowRight: () => this.go(this.step + 1), ArrowDown: () => this.go(this.step + 1), j: () => this.go(this.step + 1),
      ArrowLeft: () => this.go(this.step - 1), ArrowUp: () => this.go(this.step - 1), k: () => this.go(this.step - 1),
      Home: () => this.go(0), End: () => this.go(last), a: () => this.showAll(!this.all), t: switchTheme,
      "/": () => this.search.focus(), n: () => this.find(1), N: () => this.find(-1),
    };
    const action = relation ? () => this.toggle(relation, !this.on[relation]) : actions[key];
    if (action) action();
    return Boolean(action);
  }

  update() {
    this.range.max = this.shown.length - 1;
    this.range.value = this.step;
    this.where.textContent = `${this.step + 1} of ${this.shown.length}`;
    this.drawLanes();
    this.find();
    const node = this.shown[this.step];
    if (!node) return;
    this.detailElement.replaceChildren(...this.detail(node));
    this.sourceElement.replaceChildren(...this.source(node));
    this.memoryElement.replaceChildren(this.memory(node));
  }

  drawLanes() {
    this.boxes = new Map();
    const room = this.lanesElement.parentElement.clientWidth / this.lanes.length;
    const lane = Math.floor(Math.min(Math.max(room, LANE[0]), LANE[1]));
    this.laneWidth = lane;
    this.boxWidth = lane - 2 * BOX.left;
    const width = lane * this.lanes.length;
    const height = ROW * (this.shown.length + 1);
    const children = this.lanes.map(({ name }, index) =>
      make("div", { class: "lane-name", style: `left:${index * lane}px;width:${lane}px` }, name));
    this.shown.forEach((node, row) => {
      const box = this.box(node, row);
      this.boxes.set(node, box);
      children.push(box);
    });
    const svg = draw("svg", { width, height, class: "edges", "aria-hidden": "true" });
    svg.append(arrowHeads());
    const inCycle = new Set(this.cycle || []);
    for (const kind of RELATIONS) {
      if (!this.on[kind]) continue;
      for (const edge of this.execution.edges[kind]) {
        const path = this.path(edge, inCycle.has(edge));
        if (path) svg.append(path);
      }
    }
    this.lanesElement.style.width = `${width}px`;
    this.lanesElement.style.height = `${height}px`;
    this.lanesElement.replaceChildren(svg, ...children);
  }

  position(node) {
    const lane = this.lanes.findIndex(({ thread }) => thread === node.thread);
    const row = this.shown.indexOf(node);
    if (lane < 0 || row < 0) return null;
    return { x: lane * this.laneWidth + BOX.left, y: (row + 1) * ROW + BOX.top };
  }

  box(node, row) {
    const { x, y } = this.position(node);
    const classes = ["event"];
    if (row > this.step) classes.push("later");
    if (row === this.step) classes.push("current");
    if (this.execution.failing.includes(node)) classes.push("failing");
    if (this.late.has(node)) classes.push("late");
    const title = [node.text, ...this.notes(node)].join("\n");
    return make("button", {
      type: "button", class: classes.join(" "), title, tabindex: "-1", "data-row": row,
      "aria-current": row === this.step ? "step" : null, style: `left:${x}px;top:${y}px;width:${this.boxWidth}px`,
      onclick: () => this.go(row),
    }, node.text.replace(/ \([^()]*\)$/, ""));
  }

  /** What is worth saying of a node beyond what it does. */
  notes(node) {
    const notes = [];
    if (node.read && node.read.from.event) {
      const source = this.execution.nodeOf.get(node.read.from.event);
      notes.push(`The value comes from ${this.threadName(source.thread)}: ${source.text}.`);
    } else if (node.read) {
      notes.push("The value is the initial one.");
    }
    const others = alternatives(this.execution, node).filter(({ taken }) => !taken);
    if (others.length) {
      const values = [...new Set(others.map(({ text }) => text))].join(", ");
      notes.push(`Happens-before would also have allowed: ${values}.`);
    }
    const newer = this.late.get(node);
    if (newer) {
      const write = `${this.threadName(newer.thread)}: ${newer.text}`;
      notes.push(`In this order a newer value was there already (${write}): memory is weaker than an interleaving.`);
    }
    if (node.read && node.read.blocked) notes.push("The thread cannot go on with this value.");
    return notes;
  }

  path({ kind, from, to }, strong) {
    const a = this.position(from);
    const b = this.position(to);
    if (!a || !b) return null;
    const middle = BOX.height / 2;
    let d;
    if (a.x === b.x) {
      const x = a.x + this.boxWidth;
      const bend = Math.min(22, 8 + Math.abs(b.y - a.y) / 12);
      d = `M${x},${a.y + middle} C${x + bend},${a.y + middle} ${x + bend},${b.y + middle} ${x + 2},${b.y + middle}`;
    } else {
      const right = b.x > a.x;
      const x1 = right ? a.x + this.boxWidth : a.x;
      const x2 = right ? b.x - 2 : b.x + this.boxWidth + 2;
      const bend = (right ? 1 : -1) * 40;
      d = `M${x1},${a.y + middle} C${x1 + bend},${a.y + middle} ${x2 - bend},${b.y + middle} ${x2},${b.y + middle}`;
    }
    const current = this.shown[this.step];
    const near = from === current || to === current;
    const path = draw("path", {
      d, class: `edge ${kind}${strong ? " strong" : ""}${near ? " near" : ""}`, "marker-end": `url(#head-${kind})`,
    });
    return path;
  }

  detail(node) {
    const place = node.at ? `${node.at.file}:${node.at.line}` : "";
    const calls = node.callers.map((caller) =>
      make("li", {}, make("button", { type: "button", class: "link", onclick: () => this.look(caller) },
        `called at ${caller.file}:${caller.line}${caller.function ? `, in ${caller.function}` : ""}`)));
    return [
      make("p", { class: "what" }, make("b", {}, this.threadName(node.thread)), ` ${node.text}`),
      make("p", { class: "at" }, node.at && node.at.function ? `${place}, in ${node.at.function}` : place),
      ...this.notes(node).map((note) => make("p", {}, note)),
      calls.length ? make("ul", { class: "calls" }, ...calls) : null,
    ].filter(Boolean);
  }

  /** Shows another place of the source without leaving the step. */
  look(place) {
    this.place = place;
    this.sourceElement.replaceChildren(...this.source(this.shown[this.step]));
  }

  source(node) {
    const at = this.place || node.at || this.violation;
    const text = at && this.sources[at.file];
    if (!text) return [make("p", {}, at && at.file ? `${at.file} is not at hand.` : "No source is known.")];
    const marked = new Map();
    for (const { file, line, label } of this.violation.involved) if (file === at.file) marked.set(line, label);
    const lines = text.replace(/\n$/, "").split("\n").map((line, index) => {
      const number = index + 1;
      const classes = [number === at.line ? "here" : "", marked.has(number) ? "marked" : ""].join(" ").trim();
      return make("div", { class: `line ${classes}`, title: marked.get(number) || null },
        make("span", { class: "number" }, String(number)), make("code", {}, line || " "));
    });
    const pane = make("div", { class: "lines", tabindex: "0", "aria-label": at.file }, ...lines);
    const here = lines[at.line - 1];
    requestAnimationFrame(() => {
      if (here) pane.scrollTop = here.offsetTop - pane.offsetTop - pane.clientHeight / 2;
    });
    return [make("p", { class: "file" }, at.file), pane];
  }

  /** The memory after the step at hand: the newest values, and what each thread cannot see behind. */
  memory(node) {
    const { threads } = this.execution;
    const rows = memoryAfter(this.execution, node.row + 1);
    const head = make("tr", {}, make("th", { scope: "col" }, "location"), make("th", { scope: "col" }, "newest"),
      ...this.lanes.map(({ name }) => make("th", { scope: "col", title: "the oldest value that it may still read" }, name)));
    const cell = (seen) =>
      make("td", { class: seen && seen.old ? "old" : null, title: seen && seen.old ? "may still read this older value" : null },
        seen ? seen.text : "");
    const body = rows.map(({ name, newest, seen }) =>
      make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, newest),
        ...this.lanes.map((lane) => cell(seen[threads.indexOf(lane)]))));
    return make("div", { class: "table" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
  }
}

function arrowHeads() {
  const defs = draw("defs", {});
  for (const kind of RELATIONS) {
    const marker = draw("marker", {
      id: `head-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, orient: "auto",
      markerUnits: "userSpaceOnUse", class: `head ${kind}`,
    });
    marker.append(draw("path", { d: "M0,0 L8,4 L0,8 z" }));
    defs.append(marker);
  }
  return defs;
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

window.page = new Page(JSON.parse(byId("data").textContent));
