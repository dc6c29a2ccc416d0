// Shows a list of executions, of which one is looked at.

"use strict";

/** A list of executions of which one is shown. */
class Browser {
  constructor(executions, notShown, show) {
    this.executions = executions.map((execution, index) => ({ ...execution, number: index + 1 }));
    this.show = show;
    const outcomes = new Map();
    for (const { outcome } of executions) outcomes.set(outcome, (outcomes.get(outcome) || 0) + 1);
    const option = (value, text) => make("option", { value }, text);
    const kinds = [["all", "all executions"], ["wrong", "with something wrong"], ["stuck", "that do not end"],
      ["yes", "that satisfy the condition"], ["no", "that do not satisfy it"]];
    this.outcome = make("select", { "aria-label": "Outcome", onchange: () => this.filter() },
      option("", `any outcome (${outcomes.size})`),
      ...[...outcomes].sort().map(([outcome, count]) => option(`=${outcome}`, `${outcome || "none"} (${count})`)));
    this.kind = make("select", { "aria-label": "Executions", onchange: () => this.filter() },
      ...kinds.filter(([kind]) => executions.some((one) => this.isKind(one, kind))).map(([kind, text]) => option(kind, text)));
    const button = (label, title, by) =>
      make("button", { type: "button", title, onclick: () => this.go(this.at + by) }, label);
    this.where = make("span", { class: "where" });
    this.list = make("ol", {});
    const nav = byId("executions");
    nav.hidden = false;
    nav.replaceChildren(
      make("div", { class: "choice" }, button("◀ previous", "Previous execution ([)", -1),
        button("next ▶", "Next execution (])", 1), this.where, this.kind, this.outcome),
      this.list, make("p", { class: "more", hidden: !notShown }, notShown || ""));
    this.filter();
  }

  isKind({ wrong, ends, satisfies }, kind) {
    return { all: true, wrong: wrong.length > 0, stuck: !ends, yes: satisfies === true, no: satisfies === false }[kind];
  }

  filter() {
    const fits = (one) => this.isKind(one, this.kind.value) &&
      (this.outcome.value === "" || this.outcome.value === `=${one.outcome}`);
    this.chosen = this.executions.filter(fits);
    this.list.replaceChildren(...this.chosen.map((one, index) => {
      const verdict = one.wrong.length ? "wrong" : one.ends ? "fine" : "stuck";
      const mark = { wrong: "✗", fine: "✓", stuck: "…" }[verdict];
      const condition = one.satisfies === null ? "" : one.satisfies ? " · satisfies the condition" : "";
      const text = `${one.outcome || (one.ends ? "ends" : "does not end")}${condition}`;
      // What is said of the outcome is seen already.
      const wrong = one.wrong.filter((message) => !one.outcome || !message.includes(one.outcome));
      return make("li", { value: one.number, class: verdict },
        make("button", { type: "button", title: one.wrong.join("\n") || null, onclick: () => this.go(index) },
          `${mark} ${text}${wrong.length ? `: ${wrong.join("; ").replaceAll("`", "")}` : ""}`));
    }));
    if (this.chosen.length) this.go(0);
    else this.where.textContent = "none";
  }

  go(at) {
    if (!this.chosen.length) return;
    this.at = Math.min(Math.max(at, 0), this.chosen.length - 1);
    const one = this.chosen[this.at];
    [...this.list.querySelectorAll("button")].forEach((button, index) => {
      button.setAttribute("aria-current", index === this.at);
      if (index === this.at) this.list.scrollTop = button.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    });
    const of = this.chosen.length === this.executions.length ? "" : ` (${this.chosen.length} chosen)`;
    this.where.textContent = `execution ${one.number} of ${this.executions.length}${of}`;
    const badge = byId("verdict");
    badge.textContent = one.wrong.length ? "wrong" : one.ends ? "fine" : "does not end";
    badge.className = `badge ${one.wrong.length ? "violation" : one.ends ? "verified" : ""}`;
    const message = [`execution ${one.number}`, one.wrong[0] || one.outcome].filter(Boolean).join(": ");
    byId("message").replaceChildren(...prose(message));
    this.show(one);
  }

  key(key) {
    if (key !== "[" && key !== "]") return false;
    this.go(this.at + (key === "]" ? 1 : -1));
    return true;
  }
}
