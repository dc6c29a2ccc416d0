// Pages in a real browser: run by `make test-page`. NORN names the binary, BROWSER a Chromium.

import { chromium } from "playwright-core";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import test, { after, before } from "node:test";

const norn = process.env.NORN;
const folder = mkdtempSync(join(tmpdir(), "norn-page-"));
let browser;

before(async () => {
  const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];
  const offline = ["--disable-background-networking", "--disable-component-update"];
  browser = await chromium.launch({ executablePath: process.env.BROWSER, args: [...quiet, ...offline] });
});

after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

/** The page that Norn writes for a program, opened; it must neither ask for anything nor complain. */
async function open(program, { flag = "--html", options = [], width = 1400, exit = 1, scheme = "light" } = {}) {
  const file = join(folder, `${Math.random()}.html`);
  let code = 0;
  try {
    execFileSync(norn, ["check", program, flag, file, ...options], { stdio: "pipe" });
  } catch (error) {
    code = error.status;
  }
  assert.equal(code, exit, program);
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  await page.context().setOffline(true);
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  const address = pathToFileURL(file).href;
  page.on("request", (request) => request.url() === address || complaints.push(request.url()));
  await page.goto(address);
  page.complaints = complaints;
  return page;
}

async function done(page) {
  assert.deepEqual(page.complaints, []);
  await page.close();
}

const current = (page) => page.locator(".event.current").getAttribute("data-row").then(Number);

test("steps go forward and back, by keys, buttons and the slider", async () => {
  const page = await open("examples/dekker/buggy.c");
  const last = (await page.locator(".event").count()) - 1;
  await page.keyboard.press("Home");
  assert.equal(await current(page), 0);
  await page.keyboard.press("ArrowRight");
  await page.getByTitle("Next step").click();
  assert.equal(await current(page), 2);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await current(page), 1);
  await page.keyboard.press("End");
  assert.equal(await current(page), last);
  await page.locator("input[type=range]").fill("3");
  assert.equal(await current(page), 3);
  assert.match(await page.locator(".where").textContent(), /^4 of /);
  await done(page);
});

test("the source follows the steps, and memory shows what threads may still see", async () => {
  const page = await open("examples/dekker/buggy.c");
  await page.keyboard.press("Home");
  const first = await page.locator(".line.here .number").textContent();
  await page.keyboard.press("End");
  assert.notEqual(await page.locator(".line.here .number").textContent(), first);
  assert.match(await page.locator(".memory tbody").textContent(), /counter/);
  assert.ok((await page.locator("td.old").count()) > 0);
  await done(page);
});

test("a read says what else it could have been, by the model, and sc has one memory", async () => {
  const detail = async (model) => {
    const page = await open("examples/litmus/SB.litmus", { flag: "--explore-html", options: ["--model", model], exit: model === "sc" ? 0 : 1 });
    await page.getByLabel("Outcome").selectOption("=0:r0=0;1:r0=1");
    const boxes = await page.locator(".event").allTextContents();
    await page.locator(".event").nth(boxes.findIndex((text) => text.startsWith("load x"))).click();
    const text = await page.locator(".detail").textContent();
    const columns = await page.locator(".memory thead th").count();
    await done(page);
    return [text, columns];
  };
  const [weak, several] = await detail("c20");
  assert.match(weak, /It could also have been 0, if all is as it is that does not depend on it/);
  assert.equal(several, 4);
  const [strong, one] = await detail("sc");
  assert.match(strong, /It could not have been another one/);
  assert.equal(one, 2);
});

test("a race is shown with both accesses, and what no interleaving explains with its cycle", async () => {
  const page = await open("examples/dekker/buggy.c");
  assert.equal(await page.locator(".event.failing").count(), 2);
  assert.match(await page.locator(".reason").textContent(), /neither happens before the other/);
  await page.locator(".cycle summary").click();
  assert.equal(await page.locator(".cycle li").count(), 4);
  assert.equal(await page.locator(".edge.strong").count() > 0, true);
  await done(page);
});

test("relations can be switched on and off", async () => {
  const page = await open("examples/dekker/buggy.c");
  for (const [index, kind] of ["po", "rf", "co", "fr", "hb"].entries()) {
    const before = await page.locator(`.edge.${kind}`).count();
    await page.keyboard.press(String(index + 1));
    const after = await page.locator(`.edge.${kind}`).count();
    assert.ok((before === 0) !== (after === 0) || before === after, kind);
    assert.equal(await page.locator(`.toggle.${kind} input`).isChecked(), kind === "po" || kind === "co" || kind === "hb");
  }
  await done(page);
});

test("search marks events and goes to the next one", async () => {
  const page = await open("examples/dekker/buggy.c");
  await page.keyboard.press("Home");
  await page.keyboard.press("/");
  await page.keyboard.type("counter");
  const marked = await page.locator(".event.match").count();
  assert.ok(marked > 0);
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".event.current").textContent(), /counter/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  assert.ok((await page.locator(".event").count()) > marked);
  await done(page);
});

test("it fits a narrow window, and can be dark or light", async () => {
  const page = await open("examples/treiber_stack/buggy.c", { width: 700 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${overflow} pixels too wide`);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await page.keyboard.press("t");
  assert.notEqual(await ground(), before);
  await done(page);
});

/** How strongly two colours differ, as WCAG has it. */
const contrastIn = (page, selector) => page.locator(selector).first().evaluate((element) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const paint = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const grounds = [];
  for (let at = element; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
  canvas.clearRect(0, 0, 1, 1);
  const ground = grounds.reduce((_, color) => paint(color), paint("white"));
  const [a, b] = [light(ground), light(paint(getComputedStyle(element).color))].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
});

for (const scheme of ["dark", "light"]) {
  test(`everything can be read where it is ${scheme}`, async () => {
    const options = ["--suggest", "--minimise"];
    const page = await open("examples/dekker/buggy.c", { options, scheme });
    const parts = ["h1", "#figures", ".badge", "#advice p", ".toggle.po", ".toggle.rf", ".toggle.co", ".toggle.fr", ".toggle.hb",
      ".where", ".reason p", ".event", ".event.failing", ".lane-name", ".detail p", ".detail .at", ".line .number",
      ".line.here code", "thead th", "td", "td.old", ".keys", "kbd"];
    for (const part of parts) {
      const contrast = await contrastIn(page, part);
      assert.ok(contrast >= 4.4, `${part}: ${contrast.toFixed(1)}`);
    }
    await done(page);
    const browsed = await open("examples/litmus/SB.litmus", { flag: "--explore-html", options: ["--model", "tso"], scheme });
    for (const part of ["#executions .wrong button", "#executions .fine button", "#executions select", "#executions .where"]) {
      assert.ok((await contrastIn(browsed, part)) >= 4.4, part);
    }
    await done(browsed);
  });
}

test("the names of threads stay while one scrolls, and the event at hand is not hidden by them", async () => {
  for (const width of [1400, 700]) {
    const page = await open("examples/treiber_stack/buggy.c", { width });
    const box = (selector) => page.locator(selector).first().boundingBox();
    for (const key of ["End", "Home"]) {
      await page.keyboard.press(key);
      const [graph, names, event] = [await box(".graph"), await box(".lane-names"), await box(".event.current")];
      assert.ok(Math.abs(names.y - graph.y) <= 2, `${key}: ${names.y} and ${graph.y}`);
      assert.ok(event.y >= names.y + names.height && event.y + event.height <= graph.y + graph.height, key);
    }
    const widest = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.querySelector(".graph");
      return scrollWidth - clientWidth;
    });
    assert.ok(widest <= 0, `${widest} pixels of the lanes are out of sight`);
    await done(page);
  }
});

test("no lane and no step at hand is out of sight, and what is read is not cut off", async () => {
  for (const [example, width] of [["treiber_stack", 1400], ["mcs_lock", 700], ["chase_lev_deque", 1400]]) {
    const page = await open(`examples/${example}/buggy.c`, { width });
    for (const key of [null, "a"]) {
      if (key) await page.keyboard.press(key);
      const seen = await page.evaluate(() => {
        const [graph, current] = [".graph", ".event.current"].map((part) => document.querySelector(part).getBoundingClientRect());
        const { scrollWidth, clientWidth } = document.querySelector(".graph");
        return { wide: scrollWidth - clientWidth, above: graph.top - current.top, below: current.bottom - Math.min(graph.bottom, innerHeight) };
      });
      assert.ok(seen.wide <= 0 && seen.above < 0 && seen.below <= 0, `${example} ${key}: ${JSON.stringify(seen)}`);
    }
    const cut = await page.locator(".event").evaluateAll((boxes) =>
      boxes.filter((box) => /^load/.test(box.textContent) && box.scrollWidth > box.clientWidth).map((box) => box.textContent));
    assert.deepEqual(cut, [], example);
    await done(page);
  }
});

test("a thousand executions are read at once", async (t) => {
  const program = join(folder, "thousand.c");
  writeFileSync(program, `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *worker(void *arg) {
    for (int i = 0; i < 3; i++)
        atomic_store(&x, i);
    return arg;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
`);
  const start = performance.now();
  const page = await open(program, { flag: "--explore-html", exit: 0 });
  t.diagnostic(`searched and shown in ${Math.round(performance.now() - start)} ms`);
  assert.equal(await page.locator("#executions li").count(), 1000);
  assert.match(await page.locator("#executions .more").textContent(), /There may be others: a page shows 1000 at the most/);
  await page.keyboard.press("]");
  assert.equal(await page.locator("#executions .where").textContent(), "execution 2 of 1000");
  assert.equal((await page.locator(".event").allTextContents()).filter((text) => text.startsWith("store x")).length, 9);
  await done(page);
});

test("why a check is inconclusive is said in words", async () => {
  const page = await open("examples/litmus/SB.litmus", { options: ["--model", "sc", "--max-executions", "2"], exit: 3 });
  assert.match(await page.locator(".summary").textContent(), /the number given by --max-executions is reached/);
  await done(page);
});

test("two hundred events take less than a second", async (t) => {
  const program = join(folder, "many.c");
  writeFileSync(program, `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *worker(void *unused) { for (int i = 0; i < 60; i++) atomic_store(&x, i); return 0; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    for (int i = 0; i < 220; i++) atomic_store(&y, i);
    assert(atomic_load(&y) != 219);
}
`);
  const page = await open(program);
  await page.keyboard.press("a");
  assert.ok((await page.locator(".event").count()) > 200);
  const took = await page.evaluate(() => {
    const start = performance.now();
    window.page.show(0);
    window.page.viewer.showAll(true);
    document.body.getBoundingClientRect();
    return performance.now() - start;
  });
  t.diagnostic(`${await page.locator(".event").count()} events are drawn in ${Math.round(took)} ms`);
  assert.ok(took < 1000, `${took} ms`);
  await done(page);
});

test("several violations are a list, and a verified program is a summary", async () => {
  const program = join(folder, "two.c");
  writeFileSync(program, `#include <norn.h>
#include <assert.h>
int main(void) { int n = norn_choose(0, 2); assert(n != 1); assert(n != 2); }
`);
  const list = await open(program, { options: ["--keep-going"] });
  assert.equal(await list.locator("#violations li").count(), 2);
  await list.locator("#violations button").nth(1).click();
  assert.match(await list.locator("#message").textContent(), /n != 2|n != 1/);
  await done(list);
  const verified = await open("examples/dekker/fixed.c", { exit: 0 });
  assert.equal(await verified.locator(".badge.verified").count(), 1);
  assert.match(await verified.locator(".summary").textContent(), /Complete executions/);
  await done(verified);
});

test("all executions of a litmus test can be browsed, by outcome and by what they satisfy", async () => {
  const page = await open("examples/litmus/SB.litmus", { flag: "--explore-html", options: ["--model", "tso"] });
  const items = page.locator("#executions li");
  assert.equal(await items.count(), 4);
  const where = () => page.locator("#executions .where").textContent();
  assert.equal(await where(), "execution 1 of 4");
  await page.getByTitle("Next execution").click();
  assert.equal(await where(), "execution 2 of 4");
  await page.keyboard.press("]");
  await page.keyboard.press("[");
  assert.equal(await where(), "execution 2 of 4");
  const shown = await page.locator(".event").allTextContents();
  assert.equal(shown.filter((text) => text.startsWith("store")).length, 2);
  assert.equal(shown.filter((text) => text.startsWith("load")).length, 2);
  await page.getByLabel("Executions", { exact: true }).last().selectOption("yes");
  assert.equal(await items.count(), 1);
  assert.match(await items.textContent(), /^✗ .*satisfies the condition/);
  assert.match(await page.locator(".cycle summary").textContent(), /weak memory model/);
  await page.getByLabel("Executions", { exact: true }).last().selectOption("all");
  const outcome = await page.getByLabel("Outcome").locator("option").nth(1).getAttribute("value");
  await page.getByLabel("Outcome").selectOption(outcome);
  assert.equal(await items.count(), 1);
  assert.equal(await page.locator("#executions .more").isVisible(), false);
  await done(page);
});

test("executions of a program say what they end in and what is wrong with them", async () => {
  const program = join(folder, "lost.c");
  writeFileSync(program, `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *worker(void *unused) { atomic_store(&x, atomic_load(&x) + 1); return 0; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_store(&x, atomic_load(&x) + 1);
    pthread_join(thread, 0);
    assert(x == 2);
}
`);
  const page = await open(program, { flag: "--explore-html" });
  const lines = await page.locator("#executions li").allTextContents();
  const wrong = lines.filter((line) => line.startsWith("✗"));
  assert.ok(wrong.length > 0 && wrong.length < lines.length, lines.join("\n"));
  assert.ok(wrong.every((line) => /x = 1.*assertion/.test(line)), lines.join("\n"));
  assert.ok(lines.filter((line) => !line.startsWith("✗")).every((line) => /x = 2/.test(line)), lines.join("\n"));
  await page.getByLabel("Executions", { exact: true }).last().selectOption("wrong");
  assert.equal(await page.locator("#executions li").count(), wrong.length);
  assert.match(await page.locator("#message").textContent(), /assertion/);
  assert.ok((await page.locator(".event.failing").count()) > 0);
  await done(page);
});

test("what is beyond the limit is said", async () => {
  const page = await open("examples/litmus/SB.litmus", {
    flag: "--explore-html", options: ["--model", "sc", "--max-executions", "2"], exit: 3,
  });
  assert.equal(await page.locator("#executions li").count(), 2);
  assert.match(await page.locator("#executions .more").textContent(), /There may be others: .*--max-executions/);
  await done(page);
});

test("suggested orders and what was saved by minimising are shown", async () => {
  const page = await open("examples/double_checked/buggy.c", { options: ["--suggest", "--minimise"] });
  const advice = page.locator("#advice");
  assert.match(await advice.textContent(), /the program is verified with these orders/);
  assert.equal(await advice.locator("li").count(), 2);
  const change = advice.locator("li button").first();
  assert.match(await change.textContent(), /buggy\.c:(\d+): memory_order_relaxed -> memory_order_acquire \(load\)/);
  const [, line] = (await change.textContent()).match(/:(\d+):/);
  await change.click();
  assert.equal(await page.locator(".line.here .number").textContent(), line);
  assert.match(await page.locator(".minimised").textContent(), /Minimised: \d+ steps with \d+ thread switch/);
  await done(page);
});

test("a page without them has no room for them", async () => {
  const page = await open("examples/dekker/buggy.c");
  for (const part of ["#advice", "#executions"]) assert.equal(await page.locator(part).isVisible(), false);
  assert.equal(await page.locator(".minimised").count(), 0);
  await done(page);
});

test("a summary says what was assumed, which bounds there were and what is known of loops", async () => {
  const text = async (options) => {
    const page = await open("examples/dekker/fixed.c", { options, exit: 0 });
    const summary = await page.locator(".summary").textContent();
    await done(page);
    return summary;
  };
  const plain = await text([]);
  assert.match(plain, /Bounds\s*none/);
  assert.match(plain, /What was assumed.*memory that was freed is not handed out again/s);
  assert.match(plain, /fixed\.c:19 in lock: await: it repeats without effect when .*: it waits for another value of turn/);
  const told = await text(["--unroll", "9", "--no-race-detection", "--reuse-memory"]);
  assert.match(told, /loops go round no more often than --unroll 9 allows: none needs more/);
  assert.match(told, /data races were not looked for/);
  assert.doesNotMatch(told, /is not handed out again/);
});

test("arrows beside the last lane are not cut off", async () => {
  const page = await open("tests/faults/assertion_global_destructor.cpp", { width: 1400 });
  const right = (selector) => page.locator(selector).first().evaluate((element) => element.getBoundingClientRect().right);
  const [picture, arrow] = [await right(".edges"), await right(".edge.rf")];
  assert.ok(arrow <= picture, `${arrow} and ${picture}`);
  await done(page);
});

test("the cycle is read on paper, too", async () => {
  const page = await open("examples/dekker/buggy.c");
  assert.equal(await page.locator(".cycle li").first().isVisible(), false);
  await page.pdf();
  assert.equal(await page.locator(".cycle li").first().isVisible(), true);
  await done(page);
});

test("long lines of source are not cut off on paper", async () => {
  const page = await open("examples/treiber_stack/buggy.c", { width: 700 });
  await page.emulateMedia({ media: "print" });
  const overflow = await page.evaluate(() => {
    const lines = [...document.querySelectorAll(".line code")].map((line) => line.getBoundingClientRect().right);
    return Math.max(...lines) - document.querySelector(".lines").getBoundingClientRect().right;
  });
  assert.ok(overflow <= 0, `${overflow} pixels are out of sight`);
  await done(page);
});
