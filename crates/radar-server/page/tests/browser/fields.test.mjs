// What is typed is taken as it is, or called wrong beside its field; it is never changed in silence.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { begin, fitsAcross, openCity, settled, shot, solve, visit } from "./harness.mjs";

let desk;
before(async () => (desk = await begin()));
after(() => desk.end());

const WRONG = {
  "#time": ["0", "-3", "", "99999"],
  "#vehicles": ["1.5", "0"],
  "#capacity": ["-1"],
  "#limit": ["-5"],
  "#max-duration": ["-5"],
  "#seed": ["-1", "0.5", ""],
};

test("every field says what is wrong, keeps it, and nothing is solved until it is right", async () => {
  const page = await visit(desk);
  await openCity(page);
  await page.click("summary");
  let asked = 0;
  page.on("request", (request) => (asked += request.method() === "POST"));
  for (const [id, texts] of Object.entries(WRONG)) {
    const right = await page.inputValue(id);
    for (const text of texts) {
      await page.fill(id, text);
      await page.press(id, "Enter");
      const field = page.locator(id);
      assert.equal(await field.getAttribute("aria-invalid"), "true", `${id} ${text}`);
      const words = page.locator(`#${await field.getAttribute("aria-describedby")}`);
      assert.match(await words.innerText(), /^A (whole )?number (at least|above) \d/);
      assert.equal(await field.inputValue(), text);
    }
    if (id === "#time") assert.match(await page.textContent("#time-fault"), /at most 600 s/);
    if (id === "#vehicles") await shot(page, "field-wrong-light");
    // Folded away, it is found again.
    if (id === "#capacity") {
      await page.click("summary");
      await page.click("#solve");
      assert.ok(await page.locator(id).isVisible());
      assert.equal(await page.evaluate(() => document.activeElement.id), "capacity");
    }
    // Another change does not mend it.
    await page.check("#open");
    await page.uncheck("#open");
    assert.equal(await page.locator(id).getAttribute("aria-invalid"), "true");
    await page.fill(id, right);
    assert.equal(await page.locator(id).getAttribute("aria-invalid"), null);
    await page.press(id, "Tab");
  }
  assert.equal(asked, 0);
  await solve(page, 0.3);
  await settled(page);
  assert.equal(asked > 0, true);
  await page.clean();
});

test("the longest time of a route is a rule, and the plan can be saved as a solution file", async () => {
  const page = await visit(desk);
  await openCity(page);
  await page.click("summary");
  await page.fill("#max-duration", "14400");
  await page.press("#max-duration", "Tab");
  await solve(page, 0.5);
  await settled(page);
  assert.match(await page.textContent(".about"), /shift limit/);
  const saved = async (id) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(id)]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const answer = JSON.parse((await saved("#download-json")).text);
  for (const { duration, departure, end } of answer.schedule) assert.ok(Math.min(duration, end - departure) <= 14400);
  const { name, text } = await saved("#download-sol");
  assert.ok(name.endsWith(".sol"));
  assert.match(text, /Route #1:/);
  await page.clean();
});

test("a demand without a capacity leads to the field for it", async () => {
  const page = await visit(desk);
  await openCity(page);
  await page.click("summary");
  await page.fill("#capacity", "");
  await page.press("#capacity", "Tab");
  await page.click("summary");
  await solve(page, 0.5);
  await page.locator(".side .trouble", { hasText: "capacity" }).waitFor();
  await page.waitForFunction(() => document.activeElement.id === "capacity");
  assert.ok(await page.locator("#capacity").isVisible());
  await shot(page, "capacity-missing-light");
  assert.ok(await fitsAcross(page));
  await page.clean();
});
