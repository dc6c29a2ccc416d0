// The pictures of the documentation: run by `make pictures`. NORN names the binary, BROWSER a Chromium.

import { chromium } from "playwright-core";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";

const target = "docs/pictures";
/** Larger ones do not belong into a repository. */
const LARGEST = 80_000;
const folder = mkdtempSync(join(tmpdir(), "norn-pictures-"));
const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"];
const offline = ["--disable-background-networking", "--disable-component-update"];
const browser = await chromium.launch({ executablePath: process.env.BROWSER, args: [...quiet, ...offline] });
mkdirSync(target, { recursive: true });

/** A chunk of a PNG file. */
function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** 256 colours for a picture: frequent ones first, then those that are far from all others, so that thin lines keep theirs. */
function paletteOf(counts, distance) {
  const left = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const palette = left.splice(0, 64).map(([color]) => color);
  const far = left.map(([color, count]) => ({ color, count, by: Math.min(...palette.map((other) => distance(color, other))) }));
  while (palette.length < 256 && far.length) {
    let best = 0;
    far.forEach((one, i) => { if (one.count * one.by > far[best].count * far[best].by) best = i; });
    const [{ color }] = far.splice(best, 1);
    palette.push(color);
    for (const one of far) one.by = Math.min(one.by, distance(one.color, color));
  }
  return palette;
}

/** Pixels of three bytes as a PNG of 256 colours: a quarter of the size. */
function indexed(pixels, width, height) {
  const counts = new Map();
  const at = (i) => (pixels[3 * i] << 16) | (pixels[3 * i + 1] << 8) | pixels[3 * i + 2];
  for (let i = 0; i < width * height; i++) counts.set(at(i), (counts.get(at(i)) || 0) + 1);
  const parts = (color) => [color >> 16, (color >> 8) & 255, color & 255];
  const distance = (a, b) =>
    ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;
  const palette = paletteOf(counts, distance);
  const nearest = new Map(palette.map((color, index) => [color, index]));
  const index = (color) => {
    if (!nearest.has(color)) {
      const best = palette.reduce((best, other, i) => (distance(color, other) < distance(color, palette[best]) ? i : best), 0);
      nearest.set(color, best);
    }
    return nearest.get(color);
  };
  // Each line begins with its filter: none.
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = index(at(y * width + x));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(parts))), chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0))]);
}

/** The pixels of a PNG, three bytes each: a browser can read it. */
async function pixelsOf(page, png) {
  const text = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let text = "";
    for (let i = 0; i < data.length; i += 4) text += String.fromCharCode(data[i], data[i + 1], data[i + 2]);
    return btoa(text);
  }, png.toString("base64"));
  return Buffer.from(text, "base64");
}

/** Runs Norn, which finds something wrong or does not: both are shown. One worker finds the same each time. */
function check(...options) {
  try {
    execFileSync(process.env.NORN, ["check", "--jobs", "1", ...options], { stdio: "pipe" });
  } catch (error) {
    if (error.status !== 1) throw error;
  }
}

/** A picture of the page that `options` ask for, after `act` was done to it. */
async function picture(name, options, { width, height, act = async () => {} }) {
  const file = join(folder, `${name}.html`);
  check(...options, file);
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: "light" });
  await page.goto(pathToFileURL(file).href);
  // How long a check took is another number each time.
  await page.evaluate(() => {
    const figures = document.getElementById("figures");
    figures.textContent = figures.textContent.replace(/ · [\d.]+ s$/, "");
  });
  await act(page);
  const path = join(target, `${name}.png`);
  const pixels = await pixelsOf(page, await page.screenshot());
  writeFileSync(path, indexed(pixels, width, height));
  await page.close();
  const { size } = statSync(path);
  if (size > LARGEST) throw new Error(`${path} has ${size} bytes`);
  console.log(`${path}: ${size} bytes`);
}

try {
  check("examples/dekker/buggy.c", "--graph", join(target, "dekker.svg"));
  check("examples/litmus/SB.litmus", "--graph", join(target, "sb.svg"));
  await picture("violation", ["examples/dekker/buggy.c", "--suggest", "--html"], {
    width: 1200, height: 860,
  });
  await picture("executions", ["examples/litmus/SB.litmus", "--model", "tso", "--explore-html"], {
    width: 1200, height: 620, act: (page) => page.locator("#executions select").first().selectOption("yes"),
  });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
