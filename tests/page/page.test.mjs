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
async function open(program, { options = [], width = 1400, exit = 1 } = {}) {
  const file = join(folder, `${Math.random()}.html`);
  let code = 0;
  try {
    execFileSync(norn, ["check", program, "--html", file, ...options], { stdio: "pipe" });
  } catch (error) {
    code = error.status;
  }
  assert.equal(code, exit, program);
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => request.url().startsWith("file:") || complaints.push(request.url()));
  await page.goto(pathToFileURL(file).href);
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

test("two hundred events take less than a second", async () => {
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
