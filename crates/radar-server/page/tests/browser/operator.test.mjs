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

let desk;
let folder;
let tiles;
const asked = [];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "radar-operator-"));
  await writeFile(join(folder, "keys"), "open-sesame-0123456789-abcdef\n");
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
  await page.fill("#key", "open-sesame-0123456789-abcdef");
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
