// What an operator may add: keys, map tiles, a network.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { begin, openCity, radar, settled, shot, solve, visit } from "./harness.mjs";

/** One grey pixel. */
const TILE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mOor6//DwAFhAKA9LQyTwAAAABJRU5ErkJggg==",
  "base64",
);

const KEY = "open-sesame-0123456789-abcdef";

let desk;
let folder;
let tiles;
const asked = [];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "radar-operator-"));
  await writeFile(join(folder, "keys"), `${KEY}\n`);
  const network = join(folder, "fresh.safetensors");
  await promisify(execFile)(radar, ["model", "new", "--preset", "small-vrp", "--name", "fresh", "-o", network]);
  tiles = createServer((request, answer) => {
    asked.push(request.url);
    answer.writeHead(200, { "Content-Type": "image/png" });
    answer.end(TILE);
  });
  await new Promise((done) => tiles.listen(0, "127.0.0.1", done));
  tiles.origin = `http://127.0.0.1:${tiles.address().port}`;
  const flags = [
    "--keys",
    join(folder, "keys"),
    "--model",
    network,
    "--tiles",
    `${tiles.origin}/{z}/{x}/{y}.png`,
    "--attribution",
    "Tiles by a test",
  ];
  desk = await begin(...flags);
});
after(async () => {
  await desk?.end();
  tiles.close();
  await rm(folder, { recursive: true });
});

test("with keys, tiles and a network: the key is asked for once, tiles lie below, confidence is a layer", async () => {
  const page = await visit(desk, { allowed: [tiles.origin] });
  await page.fill("#key", "wrong");
  await page.click("dialog .primary");
  await page.locator("dialog", { hasText: "did not take that key" }).waitFor();
  await page.fill("#key", KEY);
  await page.click("dialog .primary");
  await openCity(page);

  // Tiles around Porto, at a zoom that shows the city.
  await page.waitForFunction(() => document.querySelector(".credit").textContent === "Tiles by a test");
  await page.waitForTimeout(300);
  assert.ok(asked.length > 2);
  for (const url of asked) {
    const [zoom, column, row] = url.match(/\d+/g).map(Number);
    assert.ok(zoom >= 10 && zoom <= 15, url);
    assert.ok(
      Math.abs(column / 2 ** zoom - (180 - 8.61) / 360) < 0.001 && Math.abs(row / 2 ** zoom - 0.3745) < 0.001,
      url,
    );
  }

  // The stream of events carries the key, too.
  await solve(page, 0.5);
  await settled(page);
  await page.check("#confidence");
  await page.locator("#status", { hasText: /Confidence of fresh: \d+ arcs/ }).waitFor({ timeout: 20000 });
  await shot(page, "layers-light");

  // After a reload nobody is asked again.
  await page.reload();
  await settled(page);
  await page.clean();
});

test("a link to a job asks for the key once, and who cancels may try again", async () => {
  const problem = { version: 1, kind: "atsp", distance: [[0, 2, 9], [1, 0, 6], [7, 3, 0]] };
  const answer = await fetch(`${desk.base}/v1/jobs`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ problem, options: { time: 0.2 } }),
  });
  const { id } = await answer.json();
  const page = await visit(desk);
  await page.goto(`${desk.base}/#job=${id}`);
  await page.reload();
  await page.locator("dialog").waitFor();
  await page.waitForTimeout(300);
  assert.equal(await page.locator("dialog").count(), 1);
  await page.click("dialog button:text-is('Cancel')");
  await page.locator(".start .trouble", { hasText: "asks for a key" }).waitFor();
  assert.equal(await page.locator("dialog").count(), 0);
  assert.equal(await page.locator("text=Asking the server").count(), 0);
  await shot(page, "key-cancelled-light");
  await page.click(".start .again");
  await page.fill("#key", KEY);
  await page.click("dialog .primary");
  await settled(page);
  assert.equal((await page.textContent("#cost")).trim(), "13");
  await page.click("#new");
  await page.locator(".city").first().waitFor();
  await page.clean();
});
