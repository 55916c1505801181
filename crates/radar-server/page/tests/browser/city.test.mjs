// A shipped city from opening to download: solve, watch, drag, be told, undo, re-optimise, reload.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { begin, openCity, pixelsOf, planOf, settled, shot, solve, visit } from "./harness.mjs";

let desk;
before(async () => (desk = await begin()));
after(() => desk.end());

/** A stop that closes early, and a last stop of another route that is served too late for it, both easy to hit. */
function lateMove(problem, plan, schedule, pixels) {
  const alone = (node) =>
    pixels.every(([x, y], other) => other === node || Math.hypot(x - pixels[node][0], y - pixels[node][1]) > 24);
  const lasts = plan.map((visits, route) => ({
    route,
    node: visits.at(-1),
    start: schedule[route].stops.at(-1).start,
  }));
  for (const [node, [, close]] of problem.windows.entries()) {
    const route = plan.findIndex((visits) => visits.includes(node));
    const onto = lasts.find((last) => last.route !== route && last.start > close + 1200 && alone(last.node));
    if (route >= 0 && alone(node) && onto) return { node, onto: onto.node };
  }
  return assert.fail("no such move");
}

const number = (text) => Number(text.replace(/[^\d.]/g, ""));

test("a city is solved, edited by dragging, judged, undone, saved and found again", { timeout: 60000 }, async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 2.5);

  // Progress: figures, curve and routes while it runs.
  await page.locator("#badge", { hasText: "solving" }).waitFor();
  await page.locator("aside .figures", { hasText: "Elapsed" }).waitFor();
  await page.locator(".curve .cost").waitFor();
  await page.locator(".chip").first().waitFor();
  await shot(page, "city-live-light");
  await settled(page);
  assert.match(await page.textContent("#badge"), /valid|optimal/);
  const best = number(await page.textContent("#cost"));
  assert.ok(best > 40000 && best < 70000, `cost ${best}`);

  // The answer and the problem, as the page saves them.
  const saved = async (id) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(id)]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
  };
  const answer = JSON.parse((await saved("#download-json")).text);
  const problem = JSON.parse((await saved("#download-problem")).text);
  assert.equal(problem.points.length, 61);
  assert.deepEqual(await planOf(page), answer.routes);
  await shot(page, "city-solved-light");

  // Dragged on the map to where it comes too late.
  const pixels = await pixelsOf(page, problem);
  const { node, onto } = lateMove(problem, answer.routes, answer.schedule, pixels);
  await page.mouse.move(...pixels[node]);
  await page.locator(".tip", { hasText: problem.ids[node] }).waitFor();
  await page.mouse.down();
  await page.mouse.move((pixels[node][0] + pixels[onto][0]) / 2, (pixels[node][1] + pixels[onto][1]) / 2, { steps: 4 });
  await page.mouse.move(...pixels[onto], { steps: 4 });
  await shot(page, "city-drag-light");
  await page.mouse.up();
  await page.locator("#badge.bad").waitFor();
  const verdict = await page.textContent("#verdict");
  assert.match(verdict, new RegExp(`${problem.ids[node]}.*window closes at`));
  assert.match(await page.locator("aside .figures").first().innerText(), /Against best/);
  assert.ok(number(await page.textContent("#cost")) !== best);
  await page.locator(`.chip.wrong[data-node="${node}"]`).waitFor();
  await page.click("text=What would admit it?");
  await page.locator("#verdict", { hasText: /Enough would be|No single change/ }).waitFor();
  await shot(page, "city-violation-light");

  // After a reload the edited plan is still there, with its verdict.
  const edited = await planOf(page);
  assert.notDeepEqual(edited, answer.routes);
  await page.reload();
  await page.locator("#badge.bad").waitFor();
  assert.deepEqual(await planOf(page), edited);

  // An edited plan is saved as it is.
  const drawn = await saved("#download-svg");
  assert.ok(drawn.text.includes("<svg") && drawn.name.endsWith(".svg"));

  // Undone, done again, and back to the best.
  await page.click("#undo");
  await page.locator("#badge.good").waitFor();
  assert.equal(number(await page.textContent("#cost")), best);
  await page.keyboard.press("Control+Shift+Z");
  await page.locator("#badge.bad").waitFor();
  await page.click("#back");
  await page.locator("#badge.good").waitFor();
  assert.deepEqual(await planOf(page), answer.routes);
  await page.clean();
});

test("re-optimising a worse, valid plan is never worse, and the browser's back leads to the plan before", async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 0.5);
  await settled(page);
  const first = page.url();
  const plan = await planOf(page);
  // A route of its own is always valid, and rarely cheaper.
  const chip = page.locator(`[data-node="${plan[0][0]}"]`);
  await chip.click();
  await page.selectOption("#to-route", String(plan.length));
  await page.locator("#badge", { hasText: "edited, valid" }).waitFor();
  const before = number(await page.textContent("#cost"));
  await page.click("#reoptimise");
  await page.waitForURL((url) => url.href !== first);
  await settled(page);
  assert.ok(number(await page.textContent("#cost")) <= before);
  await page.goBack();
  await page.locator("#badge", { hasText: "edited, valid" }).waitFor();
  assert.equal(number(await page.textContent("#cost")), before);
  await page.clean();
});

test("stopping keeps the best plan", async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 30);
  await page.locator(".chip").first().waitFor();
  await page.click("#stop");
  await page.locator("#badge", { hasText: "stopped, valid" }).waitFor();
  assert.equal((await planOf(page)).flat().length, 60);
  await page.clean();
});

test("every form can be saved, the network that comes along may be asked, and no tiles lie below unless added", async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 0.3);
  await settled(page);
  await page.check("#confidence");
  await page.locator("#status", { hasText: /Confidence of vrp: \d+ arcs/ }).waitFor({ timeout: 20000 });
  assert.equal(await page.textContent(".credit"), "");
  const marks = { json: '"route_ids"', geojson: '"FeatureCollection"', csv: "arrival", svg: "<svg" };
  for (const [form, mark] of Object.entries(marks)) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.click(`#download-${form}`)]);
    assert.ok((await readFile(await file.path(), "utf8")).includes(mark), form);
  }
  await page.clean();
});

test("what is out of sight is never that of another plan", async () => {
  const page = await visit(desk, { viewport: { width: 1280, height: 500 } });
  await openCity(page);
  await solve(page, 1.5);
  await page.locator(".chip").first().waitFor();
  // While it runs, a row that is filled shows nothing that another row shows.
  const twice = () =>
    page.$$eval("[data-node]", (chips) => chips.length - new Set(chips.map((chip) => chip.dataset.node)).size);
  while (await page.locator("#stop").isVisible()) assert.equal(await twice(), 0);
  await settled(page);
  // And all of them are there soon after, without being scrolled to.
  await page.waitForFunction(() => document.querySelectorAll("[data-node]").length === 60);
  assert.equal(await twice(), 0);
  await page.clean();
});

test("a plan that leaves a stop out has no bound and is not held against the best", async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 0.4);
  await settled(page);
  const figures = page.locator("aside .figures").first();
  assert.match(await figures.innerText(), /Lower bound/);
  const [[first]] = await planOf(page);
  await page.locator(`[data-node="${first}"]`).click();
  await page.keyboard.press("Delete");
  await page.locator("#badge", { hasText: "1 stop left out" }).waitFor();
  assert.doesNotMatch(await figures.innerText(), /Lower bound|Gap|Against best/);
  const row = page.locator(".route.out");
  const shade = (selector) => row.locator(selector).evaluate((part) => getComputedStyle(part).backgroundColor);
  const bad = await page.locator("#badge").evaluate((badge) => getComputedStyle(badge).color);
  assert.deepEqual([await shade(".swatch"), await shade(".order")], [bad, bad]);
  await page.clean();
});
