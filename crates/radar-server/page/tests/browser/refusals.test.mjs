// What cannot be done is said: findings before solving, stops left out, and why.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, openCity, settled, shot, solve, visit } from "./harness.mjs";

let desk;
before(async () => (desk = await begin()));
after(() => desk.end());

async function option(page, id, value) {
  if (!(await page.locator(id).isVisible())) await page.click("summary");
  await page.fill(id, value);
  await page.press(id, "Tab");
}

test("stops that no vehicle can take are named with cause and action, and may be left out", async () => {
  const page = await visit(desk);
  await openCity(page);
  await option(page, "#capacity", "8");
  await solve(page, 0.5);
  const box = page.locator(".side .trouble");
  await box.waitFor();
  const words = await box.innerText();
  assert.match(words, /Stop 7 \(‘P07’\) receives 9, a vehicle holds 8/);
  assert.match(words, /larger vehicles/);
  await shot(page, "refused-light");
  await page.click("text=Solve, leaving stops out");
  await page.locator("#badge.bad", { hasText: "left out" }).waitFor();
  assert.equal(await page.locator("#unserved .name").count(), 6);
  await page.clean();
});

test("with too few vehicles stops are left out, each with its reason and the least relaxation", async () => {
  const page = await visit(desk);
  await openCity(page);
  await option(page, "#vehicles", "4");
  await page.check("#allow-unserved");
  await solve(page, 1);
  await settled(page);
  const list = page.locator("#unserved");
  await list.waitFor();
  const left = await list.locator(".name").count();
  assert.ok(left >= 1 && left < 30, `${left} left out`);
  const why = list.locator(".why");
  const unexplained = await why.count();
  if (unexplained > 0) {
    await why.first().click();
    await page.waitForFunction((before) => document.querySelectorAll("#unserved .why").length < before, unexplained);
  }
  assert.match(await list.innerText(), /Enough: (capacity|vehicles) \+\d/);
  await shot(page, "unserved-light");
  // One that is left out is put in by hand: the checker says what that breaks.
  await list.locator(".name").first().click();
  await page.selectOption("#to-route", "0");
  await page.locator("#badge", { hasText: "broken" }).waitFor();
  assert.match(await page.textContent("#verdict"), /a vehicle holds 60/);
  await page.clean();
});

test("a job that is not known is said to be so", async () => {
  const page = await visit(desk);
  await page.goto(`${desk.base}/#job=none-such`);
  await page.reload();
  await page.locator(".start .trouble", { hasText: "not known" }).waitFor();
  await page.clean();
});
