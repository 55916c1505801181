// Ways in: pasted text good and bad, a table with its stops, points placed by hand.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { begin, planOf, settled, shot, solve, visit } from "./harness.mjs";

let desk;
before(async () => (desk = await begin()));
after(() => desk.end());

const example = (name) => fileURLToPath(new URL(`../../../../../examples/${name}`, import.meta.url));

async function paste(page, text) {
  await page.click("text=Paste text");
  await page.fill("#pasted", text);
  await page.click("dialog .primary");
}

test("a bad file gives a readable error, a good one after it opens", async () => {
  const page = await visit(desk);
  await paste(page, "0,1,2\n1,0,x\n2,1,0");
  const box = page.locator(".start .trouble");
  await box.waitFor();
  assert.match(await box.innerText(), /‘x’/);
  assert.match(await box.innerText(), /not-a-number/);
  await shot(page, "bad-file-light");

  await paste(page, "0,4,3,9,2\n2,0,3,1,1\n1,4,0,3,4\n2,2,2,0,6\n9,1,3,4,0");
  await page.locator("dialog", { hasText: "Tour or routes?" }).waitFor();
  await shot(page, "kind-light");
  await page.click(".choice >> nth=0");
  await page.locator("#caveat", { hasText: "No coordinates: placed by travel cost" }).waitFor();
  await solve(page, 1);
  await page.locator("#badge", { hasText: "proved optimal" }).waitFor();
  assert.equal((await page.textContent("#cost")).trim(), "7");
  assert.equal((await planOf(page))[0].length, 4);
  assert.ok(await page.locator("#download-geojson").isDisabled());
  await shot(page, "no-points-light");
  await page.clean();
});

test("a table and a CSV of its stops come together", async () => {
  const page = await visit(desk);
  await page.setInputFiles("#files", [example("porto20-stops.csv"), example("porto20-osrm.json")]);
  await page.locator("#solve").waitFor();
  assert.match(await page.textContent(".about"), /19 stops, time windows/);
  // Amounts without a capacity are refused, in words; with one they are not.
  await solve(page, 0.5);
  await page.locator(".side .trouble", { hasText: "capacity" }).waitFor();
  await page.fill("#capacity", "40");
  await page.press("#capacity", "Tab");
  await page.click("#solve");
  await settled(page);
  assert.equal((await planOf(page)).flat().length, 19);
  await page.clean();
});

test("times of day with a table that does not say what it counts in are asked about", async () => {
  const page = await visit(desk);
  const file = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  const table = file("table.csv", "0,12,25\n15,0,11\n20,10,0\n");
  const stops = "id,demand,open,close\ndepot,0,08:00,18:00\nshop,3,09:00,10:00\nfarm,4,08:00,12:00\n";
  await page.setInputFiles("#files", [table, file("stops.csv", stops)]);
  await page.locator("dialog", { hasText: "Seconds, minutes or hours?" }).waitFor();
  await page.click(".choice >> nth=1");
  await page.locator("#solve").waitFor();
  assert.match(await page.textContent(".about"), /2 stops, time windows/);
  await page.clean();
});

test("points placed by hand are solved at costs that are said to be invented", async () => {
  const page = await visit(desk);
  await page.click("button:text-is('Place points')");
  await page.locator("#caveat", { hasText: "Invented costs: straight lines" }).waitFor();
  assert.ok(await page.locator("#solve").isDisabled());
  const box = await page.locator("canvas.map").boundingBox();
  const spot = (at) => [box.x + 90 + ((at * 197) % (box.width - 200)), box.y + 90 + ((at * 131) % (box.height - 180))];
  for (let at = 0; at < 13; at += 1) await page.mouse.click(...spot(at));
  // Two more, without a mouse.
  await page.locator("canvas.map").focus();
  for (const key of ["ArrowRight", "Enter", "ArrowDown", "ArrowDown", "Enter", "ArrowUp", "ArrowUp", "ArrowLeft"])
    await page.keyboard.press(key);
  await page.locator("text=Depot and 14 stops").waitFor();
  // One moves, one is chosen and goes.
  await page.mouse.move(...spot(5));
  await page.mouse.down();
  await page.mouse.move(spot(5)[0] + 40, spot(5)[1] + 30, { steps: 3 });
  await page.mouse.up();
  await page.mouse.click(...spot(6));
  await page.click("text=Remove this stop");
  await page.locator("text=Depot and 13 stops").waitFor();
  await page.fill("#sketch-capacity", "6");
  await shot(page, "points-light");
  await solve(page, 0.5);
  await settled(page);
  const plan = await planOf(page);
  assert.equal(plan.flat().length, 13);
  assert.ok(plan.length >= 3 && plan.every((visits) => visits.length <= 6));
  assert.ok(await page.locator("#caveat").isVisible());
  await shot(page, "points-solved-light");

  // The points are still there to be changed, and a tour can be had instead.
  await page.click("#edit-points");
  await page.check("#kind-atsp");
  await page.click("#solve");
  await settled(page);
  assert.deepEqual(
    (await planOf(page)).map((visits) => visits.length),
    [13],
  );
  await page.clean();
});
