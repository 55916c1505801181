// A real server, a real browser, and what several tests need of them.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
/** The program under test. */
export const radar = resolve(process.env.RADAR ?? join(here, "../../../../../target/release/radar"));
const shots = process.env.SHOTS;

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts a server; what is given back ends it. */
async function serve(base, flags) {
  const server = spawn(radar, ["serve", "--listen", new URL(base).host, ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (part) => (said += part));
  for (let tries = 0; ; tries += 1) {
    const up = await fetch(`${base}/health`).then(
      (answer) => answer.status < 500,
      () => false,
    );
    if (up) break;
    assert.ok(server.exitCode === null && tries < 200, `the server does not start: ${said}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  return async (signal = "SIGTERM") => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = new Promise((done) => server.once("exit", done));
    server.kill(signal);
    await gone;
  };
}

/** Starts the server with a store of its own, and a browser. */
export async function begin(...flags) {
  const store = await mkdtemp(join(tmpdir(), "radar-page-test-"));
  const base = `http://127.0.0.1:${await freePort()}`;
  const start = () => serve(base, ["--store", store, ...flags]);
  let stop = await start();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  return {
    base,
    browser,
    /** Starts the server again, without its jobs. */
    async forget() {
      await stop();
      await rm(store, { recursive: true });
      stop = await start();
    },
    /** Ends the server: in order, unless the signal is another. */
    async down(signal) {
      await stop(signal);
    },
    async up() {
      stop = await start();
    },
    async end() {
      await browser.close();
      await stop();
      await rm(store, { recursive: true, force: true });
    },
  };
}

/** A fresh page. Errors in it, and anything fetched from elsewhere, fail the test that calls `clean`. */
export async function visit({ base, browser }, { allowed = [], ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A refusal by the server is no error of the page.
    const refused = /status of (4\d\d|503)/.test(message.text());
    if (message.type() === "error" && !refused) wrong.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const known = [base, "blob:", "data:", ...allowed].some((origin) => request.url().startsWith(origin));
    if (!known) wrong.push(`fetched ${request.url()}`);
  });
  await page.goto(base);
  page.clean = async () => {
    assert.deepEqual(wrong, []);
    await context.close();
  };
  return page;
}

/** Opens the city of sixty stops. */
export async function openCity(page) {
  await page
    .locator(".city", { hasText: "Porto" })
    .filter({ hasText: /\b60\b/ })
    .first()
    .click();
  await page.locator("#solve").waitFor();
}

export async function solve(page, seconds) {
  await page.fill("#time", String(seconds));
  await page.press("#time", "Tab");
  await page.click("#solve");
}

/** Waits until a plan stands there. */
export async function settled(page) {
  await page.locator("#badge.good, #badge.bad").waitFor({ timeout: 30000 });
}

/** The plan as the schedule shows it: lists of node numbers. */
export async function planOf(page) {
  // Rows out of sight are filled when they are scrolled to.
  const rows = page.locator(".route:not(.out, .fresh)");
  for (let row = 0; row < (await rows.count()); row += 1) {
    await rows.nth(row).scrollIntoViewIfNeeded();
    await rows.nth(row).locator("[data-node], .hint").first().waitFor();
  }
  return page.$$eval(".route:not(.out, .fresh)", (routes) =>
    routes.map((route) => [...route.querySelectorAll("[data-node]")].map((chip) => Number(chip.dataset.node))),
  );
}

/** Where the nodes are on the screen, as long as nobody has moved the map: all of them fit into it with a margin. */
export async function pixelsOf(page, problem) {
  const box = await page.locator("canvas.map").boundingBox();
  const places = problem.points.map(([lat, lon]) => {
    const angle = (lat * Math.PI) / 180;
    return [(lon + 180) / 360, (1 - Math.log(Math.tan(angle) + 1 / Math.cos(angle)) / Math.PI) / 2];
  });
  const bounds = [0, 1].map((axis) => [
    Math.min(...places.map((place) => place[axis])),
    Math.max(...places.map((place) => place[axis])),
  ]);
  const scale = Math.min(
    ...[box.width, box.height].map((extent, axis) => (extent - 88) / (bounds[axis][1] - bounds[axis][0])),
  );
  const corner = [box.x + box.width / 2, box.y + box.height / 2];
  return places.map((place) =>
    place.map((value, axis) => corner[axis] + (value - (bounds[axis][0] + bounds[axis][1]) / 2) * scale),
  );
}

/** Whether nothing stands wider than the screen. */
export async function fitsAcross(page) {
  return page.evaluate(
    () => document.documentElement.scrollWidth <= window.innerWidth && window.innerWidth <= screen.width,
  );
}

/** A picture for people to look at. */
export async function shot(page, name) {
  if (!shots) return;
  await mkdir(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}
