// A server that goes away: it is said, it is tried again, and what was done meanwhile is judged afterwards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, openCity, planOf, settled, shot, solve, visit } from "./harness.mjs";

/** A server for one test: one that fails may leave its server down. */
async function alone(context) {
  const desk = await begin();
  context.after(() => desk.end());
  return desk;
}

/** From now on the page keeps every time of the job that it shows, and what the badge says beside it. */
const watchClock = (page) =>
  page.evaluate(() => {
    window.clock = [];
    const look = () => {
      const term = [...document.querySelectorAll("aside .figures dt")].find((dt) => dt.textContent === "Elapsed");
      const badge = document.querySelector("#badge").textContent;
      if (term) window.clock.push({ badge, elapsed: parseFloat(term.nextElementSibling.textContent) });
    };
    new MutationObserver(look).observe(document.querySelector("aside"), { childList: true, subtree: true });
  });

const clockOf = (page) => page.evaluate(() => window.clock);

/** Waits until the job's time is beyond this, in seconds. */
const clockBeyond = (page, time) => page.waitForFunction((least) => window.clock.at(-1)?.elapsed > least, time);

/** Waits until the page asks for its job and nobody answers. */
const asksInVain = (page) =>
  page.waitForEvent("requestfailed", (request) => /\/v1\/jobs\/[0-9a-f]+$/.test(request.url()));

for (const [fate, signal] of [
  ["ends in order", "SIGTERM"],
  ["is killed", "SIGKILL"],
])
  test(`when the server ${fate}, the job's time stands still, and goes on when it is back`, async (context) => {
    const desk = await alone(context);
    const page = await visit(desk);
    await openCity(page);
    await watchClock(page);
    const began = performance.now();
    // Longer than the test: the job does not end by itself.
    await solve(page, 300);
    await clockBeyond(page, 1);
    await page.locator(".chip").first().waitFor();
    const job = new URL(page.url()).hash.replace("#job=", "");

    await desk.down(signal);
    await asksInVain(page);
    await page.locator("#badge.bad", { hasText: "no connection" }).waitFor();
    await page.locator("#status", { hasText: /Connection lost\. .+ Trying again…/ }).waitFor();
    const silence = performance.now();
    await shot(page, "server-down-light");
    await asksInVain(page);
    const clock = await clockOf(page);
    const stood = clock.at(-1).elapsed;
    const lost = clock.filter(({ badge }) => badge === "no connection");
    // A server that ends in order may have put the job back into the line first, where it shows no time.
    if (signal === "SIGKILL") assert.ok(lost.length > 0);
    assert.ok(
      lost.every(({ elapsed }) => elapsed === stood),
      JSON.stringify(lost),
    );

    const silent = performance.now() - silence;
    await desk.up();
    await page.locator("#badge", { hasText: "solving" }).waitFor();
    await clockBeyond(page, stood);
    assert.equal((await (await fetch(`${desk.base}/v1/jobs/${job}`)).json()).state, "running");
    const times = (await clockOf(page)).map(({ elapsed }) => elapsed);
    const sorted = times.toSorted((one, other) => one - other);
    assert.deepEqual(times, sorted, "what was shown is not taken back");
    // Half a second more: times from ten seconds on are rounded.
    const most = (performance.now() - began - silent) / 1000 + 0.5;
    assert.ok(times.at(-1) <= most, `${times.at(-1)} s of at most ${most} s: the silence is not the job's`);
    await page.click("#stop");
    await settled(page);
    assert.equal((await planOf(page)).flat().length, 60);
  });

test("an edit without a server is judged once there is one", async (context) => {
  const desk = await alone(context);
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 0.4);
  await settled(page);
  const plan = await planOf(page);
  const [stop] = plan.find((visits) => visits.length > 1);

  await desk.down();
  await page.locator(`[data-node="${stop}"]`).click();
  // Vehicles are not counted in this city, and every way round takes longer: the plan stays valid.
  await page.selectOption("#to-route", String(plan.length));
  await page.locator("#badge.bad", { hasText: "not checked" }).waitFor();
  await page.locator(".side .trouble", { hasText: "The server does not answer" }).waitFor();
  assert.doesNotMatch(await page.textContent("#cost"), /\d/);

  await desk.up();
  await page.locator("#badge.good", { hasText: "edited, valid" }).waitFor();
  assert.equal(await page.locator(".side .trouble").count(), 0);
  assert.match(await page.textContent("#cost"), /\d\sm$/);
  assert.deepEqual((await planOf(page)).at(-1), [stop]);
});
