// Shows a report: its verdict, its violations one at a time, and what was counted.

"use strict";

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
      byId("figures").prepend(`the check: ${report.verdict} · `);
      this.browser = new Browser(restore(browsed.executions, browsed.table), browsed.not_shown,
        (execution) => this.view(execution.view));
    } else if (this.violations.length) {
      this.listViolations();
      this.show(0);
    } else {
      byId("main").replaceChildren(summary(report, words));
    }
    document.addEventListener("keydown", (event) => this.key(event));
    // On paper nothing can be opened.
    window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => (part.open = true)));
    window.addEventListener("resize", () => this.viewer && this.viewer.drawLanes());
  }

  showHeader() {
    const { report } = this;
    const badge = byId("verdict");
    badge.textContent = report.verdict;
    badge.className = `badge ${report.verdict}`;
    byId("message").replaceChildren(...prose(this.violations.length ? this.violations[0].message : report.files.join(", ")));
    const figures = [
      `${count(report.executions, "complete execution", "complete executions")}${report.up_to_symmetry ? " up to symmetry" : ""}`,
      `${report.blocked} blocked`,
      `model ${report.model}`, `algorithm ${report.algorithm}`, `${report.seconds.toFixed(2)} s`,
    ];
    byId("figures").textContent = figures.join(" · ");
  }

  listViolations() {
    const nav = byId("violations");
    nav.hidden = this.violations.length < 2;
    const items = this.violations.map((violation, index) =>
      make("li", {}, make("button", { type: "button", onclick: () => this.show(index) }, ...prose(violation.message))));
    nav.replaceChildren(make("ol", {}, ...items));
  }

  show(index) {
    byId("message").replaceChildren(...prose(this.violations[index].message));
    byId("violations").querySelectorAll("button").forEach((button, at) => {
      button.setAttribute("aria-current", at === index);
    });
    this.view(this.violations[index], this.words.minimised[index]);
  }

  view(violation, minimised) {
    this.viewer = new Viewer(violation, this.sources, { minimised, views: this.words.views });
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
function summary(report, words) {
  const rows = [
    ["Files", report.files.join(", ")], ["Memory model", report.model], ["Algorithm", report.algorithm],
    ["Complete executions", report.executions], ["Blocked executions", report.blocked],
    ["Bounds", words.bounds.length ? words.bounds.join("; ") : "none"],
    ["Time", `${report.seconds.toFixed(2)} s`],
    ["Memory", `${(report.peak_memory_bytes / 1e6).toFixed(0)} MB`],
  ];
  const list = (title, items) => items.length
    ? make("section", {}, make("h2", {}, title), make("ul", {}, ...items.map((item) => make("li", {}, item))))
    : null;
  const place = ({ file, line }) => (file ? ` (${file}:${line})` : "");
  return make("div", { class: "summary" },
    make("table", {}, ...rows.map(([name, value]) =>
      make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, String(value))))),
    list("Why it is not verified", words.reasons),
    list("Outcomes", report.outcomes),
    list("What was assumed", words.assumed),
    list("What is recognised of its loops", words.loops),
    list("Warnings", report.warnings.map((warning) => warning.message + place(warning))));
}

window.page = new Page(JSON.parse(byId("data").textContent));
