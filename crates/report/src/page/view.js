// Shows one execution: its steps, the source, memory and relations. What makes elements is here, too.

"use strict";

const NAMES = {
  po: "program order", rf: "reads from", co: "coherence", fr: "reads before", hb: "happens before",
};
const ROW = 36;
const BOX = { height: 26, left: 16, top: 5 };
/** The least and the most that a lane takes, what of that is beside its letters, and to what long texts may be cut. */
const LANE = { least: 130, most: 420, margin: 2 * BOX.left + 18, cut: 200 };
/** What a letter in a box takes, and how much smaller letters may be. */
const LETTER = 7.6;
const SCALES = [1, 0.92, 0.84];

/** What the memory says of a thread. */
const VIEWS = { ordered: "the oldest value that it may still read", own: "the newest value that it has read or written itself" };

const KEYS = [["← →", "step"], ["Home End", "first, last"], ["1 … 5", "relations"], ["a", "all events"], ["/ n N", "search"],
  ["t", "dark or light"]];

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

/** A sentence in which parts of the source stand between backticks. */
const prose = (text) => text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));

/** A number of things. */
const count = (number, one, more) => `${number} ${number === 1 ? one : more}`;

/** One violation: lanes, source, memory, and the step at hand. */
class Viewer {
  constructor(violation, sources, { minimised = null, views }) {
    this.violation = violation;
    this.sources = sources;
    this.minimised = minimised;
    this.views = views;
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
          panel("Memory", this.memoryElement, "state"),
          make("p", { class: "keys" }, ...KEYS.map(([key, what]) => make("span", {}, make("kbd", {}, key), ` ${what}`))))),
    ].filter(Boolean);
  }

  toolbar() {
    const button = (label, title, action) => make("button", { type: "button", title, onclick: action }, label);
    this.range = make("input", {
      type: "range", min: 0, "aria-label": "Step", oninput: (event) => this.go(Number(event.target.value)),
    });
    this.where = make("span", { class: "where" });
    this.search = make("input", {
      type: "search", placeholder: "Search (/)", "aria-label": "Search events",
      oninput: () => this.find(), onkeydown: (event) => event.key === "Enter" && this.find(event.shiftKey ? -1 : 1),
    });
    this.toggles = RELATIONS.map((kind, index) => {
      const box = make("input", { type: "checkbox", onchange: (event) => this.toggle(kind, event.target.checked) });
      box.checked = this.on[kind];
      const title = `${NAMES[kind]} (${index + 1})`;
      return make("label", { class: `toggle ${kind}`, title }, box, kind, make("span", { class: "long" }, NAMES[kind]));
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
    if (!moves) graph.style.setProperty("--above", `${Math.round(graph.getBoundingClientRect().top + scrollY)}px`);
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
    this.go(Math.max(0, this.shown.indexOf(at)));
  }

  /** Marks what matches the search, and goes to the next of it. */
  find(direction = 0) {
    const text = this.search.value.trim().toLowerCase();
    const matches = (node) => text !== "" && `${node.text} ${this.threadName(node.thread)}`.toLowerCase().includes(text);
    for (const [node, box] of this.boxes) box.classList.toggle("match", matches(node));
    if (!direction) return;
    const all = this.shown.length;
    for (let i = 1; i <= all; i++) {
      const at = (((this.step + i * direction) % all) + all) % all;
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
    this.rows = new Map(this.shown.map((node, row) => [node, row]));
    const width = this.shareRoom();
    const height = ROW * (this.shown.length + 1);
    const at = (index) => `left:${this.places[index].left}px;width:${this.places[index].width}px`;
    const names = this.lanes.map(({ name }, index) => make("div", { class: "lane-name", style: at(index) }, name));
    const children = this.lanes.map((_, index) => make("div", { class: "lane", style: at(index) }));
    children.push(make("div", { class: "lane-names" }, ...names));
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

  /** Gives each lane what its longest text takes, and shares what is left; the width of all. */
  shareRoom() {
    const letters = this.lanes.map(({ thread, name }) => {
      const texts = this.shown.filter((node) => node.thread === thread).map((node) => shortText(node).length);
      return Math.max(name.length + 1, ...texts);
    });
    const room = this.lanesElement.parentElement.clientWidth;
    const { scale, widths } = fit(letters, room);
    this.lanesElement.style.setProperty("--letters", `${(12.5 * scale).toFixed(1)}px`);
    const spare = Math.max(0, room - widths.reduce((sum, width) => sum + width, 0)) / widths.length;
    let left = 0;
    this.places = widths.map((need) => {
      const width = Math.floor(Math.min(need + spare, Math.max(need, LANE.most)));
      left += width;
      return { left: left - width, width };
    });
    this.laneOf = new Map(this.lanes.map(({ thread }, index) => [thread, index]));
    // Arrows beside the last lane may take what no lane takes.
    return Math.max(left, room);
  }

  position(node) {
    const place = this.places[this.laneOf.get(node.thread)];
    const row = this.rows.get(node);
    if (!place || row === undefined) return null;
    return { x: place.left + BOX.left, y: (row + 1) * ROW + BOX.top, width: place.width - 2 * BOX.left };
  }

  box(node, row) {
    const { x, y, width } = this.position(node);
    const classes = ["event"];
    if (row > this.step) classes.push("later");
    if (row === this.step) classes.push("current");
    if (this.execution.failing.includes(node)) classes.push("failing");
    if (this.late.has(node)) classes.push("late");
    const title = [node.text, ...this.notes(node)].join("\n");
    return make("button", {
      type: "button", class: classes.join(" "), title, tabindex: "-1", "data-row": row,
      "aria-current": row === this.step ? "step" : null, style: `left:${x}px;top:${y}px;width:${width}px`,
      onclick: () => this.go(row),
    }, shortText(node));
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
    const others = alternatives(this.execution, node);
    if (others) {
      const what = others.length ? `could also have been ${others.join(" or ")}` : "could not have been another one";
      notes.push(`It ${what}, if all is as it is that does not depend on it.`);
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
      const x = a.x + a.width;
      const bend = Math.min(18, 8 + Math.abs(b.y - a.y) / 12);
      d = `M${x},${a.y + middle} C${x + bend},${a.y + middle} ${x + bend},${b.y + middle} ${x + 2},${b.y + middle}`;
    } else {
      const right = b.x > a.x;
      const x1 = right ? a.x + a.width : a.x;
      const x2 = right ? b.x - 2 : b.x + b.width + 2;
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
      if (!here) return;
      const { height } = here.getBoundingClientRect();
      pane.scrollTop = Math.round((here.offsetTop - pane.offsetTop - pane.clientHeight / 2) / height) * height;
    });
    return [make("p", { class: "file" }, at.file), pane];
  }

  /** The memory after the step at hand: the newest values, and what each thread cannot see behind. */
  memory(node) {
    const { threads } = this.execution;
    const rows = memoryAfter(this.execution, node.row + 1, this.views);
    const lanes = this.views === "one" ? [] : this.lanes;
    const title = VIEWS[this.views];
    const head = make("tr", {}, make("th", { scope: "col" }, "location"),
      make("th", { scope: "col" }, lanes.length ? "newest" : "value"),
      ...lanes.map(({ name }) => make("th", { scope: "col", title }, name)));
    const cell = (seen) =>
      make("td", { class: seen && seen.old ? "old" : null, title: seen && seen.old ? title : null }, seen ? seen.text : "");
    const body = rows.map(({ name, newest, seen }) =>
      make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, newest),
        ...lanes.map((lane) => cell(seen[threads.indexOf(lane)]))));
    return make("div", { class: "table" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
  }
}

/** How large the letters are, and what each lane takes whose longest text has so many. */
function fit(letters, room) {
  const at = (scale) => letters.map((count) =>
    Math.ceil(Math.min(Math.max(count * LETTER * scale + LANE.margin, LANE.least), LANE.most)));
  const scale = SCALES.find((scale) => at(scale).reduce((sum, width) => sum + width, 0) <= room);
  if (scale) return { scale, widths: at(scale) };
  // Long texts that are cut are better than a lane out of sight, if enough is left of them.
  const smallest = SCALES[SCALES.length - 1];
  const most = widest(at(smallest), room);
  if (most < LANE.cut) return { scale: 1, widths: at(1) };
  return { scale: smallest, widths: at(smallest).map((width) => Math.min(width, most)) };
}

/** The most that one of `needs` may get so that there is room for all. */
function widest(needs, room) {
  const sorted = [...needs].sort((a, b) => a - b);
  for (const [index, need] of sorted.entries()) {
    const share = room / (sorted.length - index);
    if (need > share) return share;
    room -= need;
  }
  return Infinity;
}

/** A node in its box: without the order and the like, which the details have. */
function shortText(node) {
  return node.text.replace(/ \([^()]*\)$/, "");
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
