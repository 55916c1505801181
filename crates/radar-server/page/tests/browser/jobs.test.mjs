// Jobs that do not end as planned: left for another problem, forgotten, without listeners, stopped too early.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, openCity, planOf, settled, shot, solve, visit } from "./harness.mjs";

let desk;
before(async () => (desk = await begin()));
after(() => desk.end());

const TABLE = "0,4,3,9,2\n2,0,3,1,1\n1,4,0,3,4\n2,2,2,0,6\n9,1,3,4,0";
const JOB = /\/v1\/jobs\/[0-9a-f]+$/;

/** Text that is pasted anywhere on the page. */
const pasted = (page, text) =>
  page.evaluate((words) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", words);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, text);

const minimise = async (page, measure) => {
  if (!(await page.locator("#minimise").isVisible())) await page.click("summary");
  await page.selectOption("#minimise", measure);
};

test("a job that runs does not come over the problem that is opened next", async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 2);
  await page.locator(".chip").first().waitFor();
  await pasted(page, TABLE);
  await page.click(".choice >> nth=0");
  await page.locator(".title", { hasText: "Pasted" }).waitFor();
  // Longer than the job goes on at the server.
  await page.waitForTimeout(2500);
  assert.equal(await page.locator(".chip:visible").count(), 0);
  assert.ok(await page.locator("#solve").isVisible());
  assert.equal(await page.locator("#badge").isVisible(), false);
  assert.match(await page.textContent(".about"), /5 nodes/);
  await solve(page, 0.5);
  await page.locator("#badge", { hasText: "proved optimal" }).waitFor();
  assert.equal((await page.textContent("#cost")).trim(), "7");
  await page.clean();
});

test("a server that has forgotten its jobs judges and solves all the same", async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 0.4);
  await settled(page);
  await desk.forget();
  const [first] = (await planOf(page))[0];
  await page.locator(`[data-node="${first}"]`).click();
  await page.click("text=Take out");
  await page.locator("#badge", { hasText: "1 stop left out" }).waitFor();
  assert.equal(await page.locator(".side .trouble").count(), 0);
  const old = page.url();
  await page.click("#solve");
  await page.waitForURL((url) => url.href !== old);
  await settled(page);
  assert.equal((await planOf(page)).flat().length, 60);
  await page.clean();
});

test("figures stay in the unit that was solved for, here and for who gets the link", async () => {
  const page = await visit(desk);
  await openCity(page);
  await solve(page, 0.4);
  await settled(page);
  const cost = await page.textContent("#cost");
  assert.match(cost, /\sm$/);
  await minimise(page, "duration");
  assert.equal(await page.textContent("#cost"), cost);
  assert.ok(await page.locator(".warn", { hasText: "differ" }).isVisible());
  await shot(page, "options-differ-light");
  const old = page.url();
  await page.click("#solve");
  await page.waitForURL((url) => url.href !== old);
  await settled(page);
  const timed = await page.textContent("#cost");
  assert.match(timed, /\ss$/);
  assert.equal(await page.locator(".warn", { hasText: "differ" }).isVisible(), false);

  const other = await visit(desk);
  await other.route(JOB, async (route) => {
    const job = await (await route.fetch()).json();
    await route.fulfill({ json: { ...job, options: { time: 0.4, minimise: "duration", ...job.options } } });
  });
  await other.goto(page.url());
  await other.reload();
  await settled(other);
  assert.equal(await other.textContent("#cost"), timed);
  assert.equal(await other.locator(".warn", { hasText: "differ" }).isVisible(), false);
  await other.clean();
  await page.clean();
});

test("without room for one more listener the page asks for the job, and sees its end", async () => {
  const page = await visit(desk);
  const full = { status: 503, json: { code: "too-many-listeners", detail: "too many listen" } };
  await page.route(/\/events$/, (route) => route.fulfill(full));
  await openCity(page);
  await solve(page, 3);
  // A plan on the way, and the end of it.
  await page.locator("#badge", { hasText: "solving" }).waitFor();
  await page.locator(".chip").first().waitFor();
  await settled(page);
  assert.equal((await planOf(page)).flat().length, 60);
  await page.clean();
});

test("a job stopped before it has a plan says why there is none", async () => {
  const page = await visit(desk);
  await page.route(JOB, async (route) => {
    if (route.request().method() !== "DELETE") return route.continue();
    const error = { status: 422, code: "no-plan", detail: "it was stopped before every stop had a place" };
    const job = await (await route.fetch()).json();
    await route.fulfill({ json: { ...job, state: "cancelled", answer: null, error } });
  });
  // The stream would tell of the end, too.
  await page.route(/\/events$/, (route) => route.fulfill({ status: 503, json: {} }));
  await openCity(page);
  await solve(page, 30);
  await page.click("#stop");
  await page.locator(".side .trouble", { hasText: "It was stopped before every stop had a place" }).waitFor();
  await page.locator("#status", { hasText: "Stopped. It was stopped before" }).waitFor();
  assert.ok(await page.locator("#solve").isVisible());
  await shot(page, "stopped-early-light");
  await page.clean();
});

test("routes keep their colours when the job ends", { timeout: 60000 }, async () => {
  // High enough for all of them to be in sight.
  const page = await visit(desk, { viewport: { width: 1440, height: 3000 } });
  await openCity(page);
  const colours = () =>
    page.$$eval(".route:not(.out, .fresh)", (rows) =>
      rows.map((row) => ({
        colour: row.style.getPropertyValue("--route"),
        stops: Array.from(row.querySelectorAll("[data-node]"), (chip) => chip.dataset.node)
          .sort()
          .join(),
      })),
    );
  // The answer comes in another order than the plans before.
  const turn = (job) => {
    const { answer } = job;
    const turned = { ...answer, routes: answer.routes.toReversed(), schedule: answer.schedule.toReversed() };
    return { ...job, answer: turned };
  };
  let told;
  const last = new Promise((done) => (told = done));
  let shown = false;
  await page.route(/\/events$/, (route) => route.fulfill({ status: 503, json: {} }));
  await page.route(JOB, async (route) => {
    const job = await (await route.fetch()).json();
    if (job.state === "queued" || job.state === "running") return route.fulfill({ json: job });
    // Once more it runs, with the plan as it will end.
    if (shown) return route.fulfill({ json: turn(job) });
    shown = true;
    await route.fulfill({ json: { ...job, state: "running", plan: job.answer.routes, answer: null } });
    told(job.answer.routes.map((visits) => visits.map(String).sort().join()));
  });
  await solve(page, 0.5);
  const routes = await last;
  let live = await colours();
  // Nothing is drawn yet when the job has ended before it was asked for.
  while (live.length === 0 || !live.every(({ stops }) => routes.includes(stops))) live = await colours();
  await settled(page);
  await planOf(page);
  const final = await colours();
  assert.equal(final.length, live.length);
  assert.equal(new Set(final.map(({ colour }) => colour)).size, Math.min(9, final.length));
  assert.notDeepEqual(final, live, "the order is another");
  for (const { colour, stops } of live)
    assert.equal(final.find((route) => route.stops === stops)?.colour, colour, stops);
  await page.reload();
  await settled(page);
  await planOf(page);
  assert.deepEqual(await colours(), final, "and after a reload");
  await page.clean();
});
