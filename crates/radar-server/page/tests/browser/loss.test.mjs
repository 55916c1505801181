// A server that goes away: it is said, it is tried again, and what was done meanwhile is judged afterwards.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, openCity, planOf, settled, shot, solve, visit } from "./harness.mjs";

let desk;
before(async () => (desk = await begin()));
after(() => desk.end());

const figures = (page) => page.locator("aside .figures").first().innerText();

test("while the server is down nothing counts on; the job goes on when it is back", { timeout: 60000 }, async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 6);
  await page.locator(".chip").first().waitFor();
  await desk.down();
  await page.locator("#badge.bad", { hasText: "no connection" }).waitFor();
  await page.locator("#status", { hasText: "The server does not answer. Trying again…" }).waitFor();
  await shot(page, "server-down-light");
  const before = await figures(page);
  await page.waitForTimeout(700);
  assert.equal(await figures(page), before);
  await desk.up();
  await page.locator("#badge.busy, #badge.good").waitFor();
  await settled(page);
  assert.equal((await planOf(page)).flat().length, 60);
  await page.context().close();
});

test("an edit without a server is judged once there is one", { timeout: 60000 }, async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 0.4);
  await settled(page);
  const plan = await planOf(page);
  await desk.down();
  await page.locator(`[data-node="${plan[0][0]}"]`).click();
  await page.selectOption("#to-route", String(plan.length));
  await page.locator("#badge.bad", { hasText: "not checked" }).waitFor();
  await page.locator(".side .trouble", { hasText: "The server does not answer" }).waitFor();
  await desk.up();
  await page.locator("#badge", { hasText: "edited, valid" }).waitFor();
  assert.equal(await page.locator(".side .trouble").count(), 0);
  await page.context().close();
});
