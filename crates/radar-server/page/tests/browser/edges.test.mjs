// Names and notes that are too long, blank or in the way; edits that would be lost; focus that would be.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, openCity, planOf, settled, shot, solve, visit } from "./harness.mjs";

let desk;
before(async () => (desk = await begin()));
after(() => desk.end());

const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);

test("long names stay within the pane, blank ones show their number", async () => {
  const page = await visit(desk);
  const problem = {
    version: 1,
    kind: "vrp",
    distance: Array.from({ length: 5 }, (_, from) => Array.from({ length: 5 }, (_, to) => Math.abs(from - to))),
    ids: ["depot", "a".repeat(300), "", "   ", "d"],
  };
  const data = { name: "names.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(problem)) };
  await page.setInputFiles("#files", [data]);
  await solve(page, 0.5);
  await settled(page);
  assert.equal((await planOf(page)).flat().length, 4);
  const pane = await page.locator("#pane-schedule").boundingBox();
  for (const chip of await page.locator(".chip").all()) {
    const box = await chip.boundingBox();
    assert.ok(box.x + box.width <= pane.x + pane.width);
  }
  assert.equal(await page.locator('[data-node="2"] .name').innerText(), "2");
  assert.equal(await page.locator('[data-node="3"] .name').innerText(), "3");
  // Solved at once: there is no curve to show.
  assert.equal(await page.locator(".curve-box").isVisible(), false);
  await page.locator('[data-node="1"]').click();
  // The card is beside the map, not on it.
  const [card, map] = [await page.locator(".stop-card").boundingBox(), await page.locator("canvas").boundingBox()];
  assert.ok(card.x >= map.x + map.width && card.x + card.width <= 1440);
  await shot(page, "names-light");
  await page.clean();
});

test("points placed by hand keep clear of the note about them", async () => {
  const page = await visit(desk, { viewport: { width: 1280, height: 800 } });
  await page.click("text=Place points >> nth=-1");
  const box = await page.locator("canvas").boundingBox();
  const across = [0.5, 0.3, 0.7, 0.3, 0.7, 0.6];
  const down = [0.5, 0.3, 0.3, 0.7, 0.7, 0.2];
  for (const [index, x] of across.entries())
    await page.mouse.click(box.x + box.width * x, box.y + box.height * down[index]);
  await solve(page, 0.5);
  await settled(page);
  await page.waitForTimeout(200);
  const note = await page.locator("#caveat").boundingBox();
  // The topmost stop is found under the mouse well below the note.
  const seen = [];
  const ground = await page.locator("canvas").boundingBox();
  for (let y = ground.y + 4; y < ground.y + ground.height / 2 && seen.length === 0; y += 6)
    for (let x = ground.x + 60; x < ground.x + ground.width - 20 && seen.length === 0; x += 12) {
      await page.mouse.move(x, y);
      if (await page.locator("canvas.over").count()) seen.push(y);
    }
  assert.ok(seen[0] > note.y + note.height, `${seen[0]} below ${note.y + note.height}`);
  await shot(page, "note-light");
  await page.clean();
});

test("an edited plan is not left without a question", async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 0.4);
  await settled(page);
  const [[first]] = await planOf(page);
  await page.locator(`[data-node="${first}"]`).click();
  await page.click("text=Take out");
  await page.locator("#badge", { hasText: "left out" }).waitFor();
  await page.click("#new");
  await shot(page, "leave-light");
  await page.click("#stay");
  assert.ok(await page.locator("#badge").isVisible());
  await page.click("#new");
  await page.click("#leave");
  await page.locator(".start h2").waitFor();
  assert.equal(await focused(page), "H2");
  await page.goBack();
  await page.locator("#badge", { hasText: "left out" }).waitFor();
  // What the solver answered needs no question.
  await page.click("#undo");
  await page.locator("#badge.good").waitFor();
  await page.click("#new");
  await page.locator(".start h2").waitFor();
  await page.clean();
});

test("a city that is opened with the keyboard leads on to solving", async () => {
  const page = await visit(desk);
  await page.locator(".city").first().focus();
  await page.keyboard.press("Enter");
  await page.locator("#solve").waitFor();
  await page.waitForTimeout(100);
  assert.equal(await focused(page), "solve");
  await page.clean();
});
