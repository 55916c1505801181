// Jobs do not outlive the interest in them: left for another problem, with a closed tab, or after a reload.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, openCity, settled, shot, solve, visit } from "./harness.mjs";

let desk;
before(async () => (desk = await begin()));
after(() => desk.end());

const jobOf = (page) => new URL(page.url()).hash.replace("#job=", "");

async function stateOf(id) {
  return (await (await fetch(`${desk.base}/v1/jobs/${id}`)).json()).state;
}

/** Waits until a job has ended, far sooner than it would by itself. */
async function cancelled(id) {
  for (let tries = 0; tries < 50; tries += 1) {
    if ((await stateOf(id)) === "cancelled") return;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.fail(`job ${id} is ${await stateOf(id)}`);
}

async function begun(page) {
  await openCity(page);
  await solve(page, 60);
  await page.locator(".chip").first().waitFor();
  return jobOf(page);
}

test("another problem ends the job, and the next one need not wait", async () => {
  const page = await visit(desk);
  const job = await begun(page);
  await page.click("#new");
  await cancelled(job);
  await openCity(page);
  await solve(page, 0.4);
  await settled(page);
  await page.clean();
});

test("a closed tab takes its job along, but not one that another tab began", async () => {
  const page = await visit(desk);
  const job = await begun(page);
  const other = await visit(desk);
  await other.goto(page.url());
  await other.reload();
  await other.locator("#badge", { hasText: "solving" }).waitFor();
  await other.close();
  await page.waitForTimeout(500);
  assert.equal(await stateOf(job), "running");
  await page.close();
  await cancelled(job);
});

test("a reload goes on solving, whichever way it comes about", async () => {
  const page = await visit(desk);
  const job = await begun(page);
  // The key is what tells; the browser under test does not reload by it.
  await page.keyboard.press("F5");
  await page.waitForTimeout(100);
  if ((await stateOf(job)) === "running") await page.reload();
  await page.locator("#badge", { hasText: "solving" }).waitFor();
  assert.equal(jobOf(page), job);
  assert.equal(await stateOf(job), "running");
  // A button of the browser does not tell: the work is taken up from where it was.
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  await page.reload();
  await page.waitForURL((url) => url.hash !== "" && !url.hash.includes(job));
  await page.locator("#badge", { hasText: "solving" }).waitFor();
  await page.locator(".chip").first().waitFor();
  await cancelled(job);
  await page.click("#stop");
  await settled(page);
  await page.clean();
});

test("a job that waits shows its place in the line", async () => {
  const first = await visit(desk);
  await begun(first);
  const pages = [];
  for (const words of ["waiting, next in line", "waiting, 1 before it"]) {
    const page = await visit(desk);
    pages.push(page);
    await openCity(page);
    await solve(page, 30);
    await page.locator("#badge", { hasText: words }).waitFor();
  }
  await shot(pages[1], "waiting-light");
  await first.click("#stop");
  await pages[0].locator("#badge", { hasText: "solving" }).waitFor();
  await pages[1].locator("#badge", { hasText: "waiting, next in line" }).waitFor();
  for (const page of pages) await page.click("#stop");
  for (const page of [first, ...pages]) await page.clean();
});
