// The book in a real browser: run by `make test-docs`. BOOK names its folder, BROWSER a Chromium. SHOTS, if it is
// given, names a folder for pictures of all pages.

import { chromium } from "playwright-core";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";
import test, { after, before } from "node:test";

const { BOOK, BROWSER, SHOTS } = process.env;
let browser;

before(async () => {
  const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];
  const offline = ["--disable-background-networking", "--disable-component-update"];
  browser = await chromium.launch({ executablePath: BROWSER, args: [...quiet, ...offline] });
});

after(() => browser.close());

/** A page of the book; it must neither ask for anything outside of the folder nor complain. */
async function open(name, width = 1400) {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  page.complaints = [];
  page.on("console", (message) => page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("requestfailed", (request) => page.complaints.push(`failed: ${request.url()}`));
  page.on("request", (request) => request.url().startsWith("file:") || page.complaints.push(request.url()));
  await page.goto(pathToFileURL(join(BOOK, name)).href);
  return page;
}

async function done(page) {
  assert.deepEqual(page.complaints, []);
  await page.close();
}

/** The files of all chapters, in the order of the table of contents. */
async function chapters() {
  const page = await open("index.html");
  const links = await page.locator("mdbook-sidebar-scrollbox .chapter a[href]").evaluateAll((all) =>
    all.map((link) => link.href).filter((link) => !link.includes("#")));
  await done(page);
  const base = pathToFileURL(`${BOOK}/`).href;
  return [...new Set(links)].map((link) => link.slice(base.length));
}

test("the table of contents leads through the book, and so do the arrows", async () => {
  const names = await chapters();
  assert.ok(names.length >= 20, names.join());
  const page = await open("index.html");
  for (const name of names.slice(1)) {
    await page.locator("a.nav-chapters.next").first().click();
    assert.equal(page.url(), pathToFileURL(join(BOOK, name)).href);
  }
  await page.locator(".chapter a", { hasText: "Three bugs" }).first().click();
  assert.match(await page.locator("main h1").textContent(), /Three bugs/);
  await done(page);
});

for (const width of [1400, 700]) {
  test(`every page is as wide as the window, at ${width} pixels, and shows its pictures`, async () => {
    let pictures = 0;
    for (const name of await chapters()) {
      const page = await open(name, width);
      const { scroll, inner } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth, inner: innerWidth,
      }));
      assert.ok(scroll <= inner, `${name} is ${scroll} wide`);
      const sizes = await page.locator("main img").evaluateAll((all) => all.map((one) => one.naturalWidth));
      assert.ok(sizes.every((size) => size > 0), name);
      pictures += sizes.length;
      if (SHOTS) {
        mkdirSync(SHOTS, { recursive: true });
        const path = join(SHOTS, `${name.replaceAll("/", "-")}-${width}.png`);
        await page.screenshot({ path, fullPage: true });
      }
      await done(page);
    }
    assert.ok(pictures >= 6, `${pictures} pictures`);
  });
}

test("code is highlighted, and what is printed is left as it is", async () => {
  const page = await open("bugs.html");
  assert.ok((await page.locator("code.language-c .hljs-keyword, code.language-c .hljs-type").count()) > 0);
  const block = page.locator("code.language-console").first();
  assert.match(await block.textContent(), /^\$ norn check .*\nerror\[assertion\]/);
  assert.ok((await page.locator("button.clip-button").count()) > 0);
  await done(page);
});

test("search finds a word and leads to it", async () => {
  const page = await open("index.html");
  await page.keyboard.press("s");
  await page.locator("#mdbook-searchbar").pressSequentially("ticket");
  const first = page.locator("#mdbook-searchresults a").first();
  await first.waitFor();
  assert.match(await first.getAttribute("href"), /bugs\.html/);
  await first.click();
  await page.waitForURL(/bugs\.html/);
  await page.locator("main mark").first().waitFor({ state: "attached" });
  await done(page);
});

test("a dark theme can be chosen, and stays", async () => {
  const page = await open("index.html");
  await page.locator("#mdbook-theme-toggle").click();
  await page.locator("#mdbook-theme-navy").click();
  const isDark = () => page.waitForFunction(() => document.documentElement.classList.contains("navy"));
  await isDark();
  await page.locator("a.nav-chapters.next").first().click();
  await page.waitForURL(/tutorial\.html/);
  await isDark();
  await done(page);
});
