// For everybody: keyboard alone, a phone, both themes, a table instead of a picture.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, fitsAcross, openCity, planOf, settled, shot, solve, visit } from "./harness.mjs";

let desk;
before(async () => (desk = await begin()));
after(() => desk.end());

/** Presses Tab until the focus is on what is wanted. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`the Tab key does not lead to ${selector}`);
}

test("a plan is made, changed and undone with the keyboard alone", async () => {
  const page = await visit(desk);
  await page.locator(".city").first().waitFor();
  await tabTo(page, ".city");
  await page.keyboard.press("Enter");
  await page.locator("#solve").waitFor();
  await tabTo(page, "#time");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("0.5");
  await tabTo(page, "#solve");
  await page.keyboard.press("Enter");
  await settled(page);
  const plan = await planOf(page);

  await tabTo(page, ".chip");
  const focused = () => page.evaluate(() => Number(document.activeElement?.dataset?.node));
  assert.equal(await focused(), plan[0][0]);
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), plan[0][1]);
  const [first, node, ...rest] = plan[0];

  // Earlier, with the focus staying on the stop.
  await page.keyboard.press("Alt+ArrowLeft");
  await page.locator("#badge", { hasText: /edited|broken/ }).waitFor();
  assert.deepEqual((await planOf(page))[0], [node, first, ...rest]);
  assert.equal(await focused(), node);
  await page.locator("#status", { hasText: "one visit earlier" }).waitFor();

  // To the next route, and out.
  await page.keyboard.press("Alt+ArrowDown");
  await page.locator(`.route:nth-child(2) [data-node="${node}"]`).waitFor();
  await page.waitForFunction((wanted) => Number(document.activeElement?.dataset?.node) === wanted, node);
  await page.keyboard.press("Delete");
  await page.locator("#unserved .name").waitFor();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("Control+z");
  await page.locator("#badge.good").waitFor();
  assert.deepEqual(await planOf(page), plan);

  // Selected by Enter, moved by the buttons of its card.
  await tabTo(page, ".chip");
  await page.keyboard.press("Enter");
  await page.locator(".stop-card", { hasText: "Visit" }).waitFor();

  // The table holds the same.
  await page.locator("#tab-schedule").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator("tbody tr").count(), 60);
  assert.ok((await page.locator("tbody th").first().innerText()).length > 0);

  // A row is chosen there: from the one that is selected to the next, and it keeps the focus.
  const stops = plan.flat();
  await tabTo(page, "[data-stop]");
  const held = () => page.evaluate(() => Number(document.activeElement?.dataset?.stop));
  const selected = await held();
  await page.keyboard.press("ArrowDown");
  const next = stops[stops.indexOf(selected) + 1];
  assert.equal(await held(), next);
  await page.keyboard.press("Enter");
  await page.locator(`tr.selected [data-stop="${next}"][aria-pressed=true]`).waitFor();
  assert.equal(await page.locator("tr.selected").count(), 1);
  assert.equal(await held(), next);
  await shot(page, "table-light");
  await page.locator(".stop-card").getByText("Later").click();
  await page.locator("#badge", { hasText: /edited|broken/ }).waitFor();
  await page.locator(`[data-stop="${next}"]`).focus();
  await page.keyboard.press("Control+z");
  await page.locator("#badge.good").waitFor();
  assert.equal(await held(), next, "also when the table is built anew");
  await page.clean();
});

test("every control has a name, and there is one heading of each page", async () => {
  const page = await visit(desk);
  await page.locator(".city").first().waitFor();
  assert.equal(await page.locator("h1:visible").count(), 1);
  await openCity(page);
  await solve(page, 0.3);
  await settled(page);
  await page.locator(".chip").first().click();
  // What takes keys is no picture.
  assert.equal(await page.locator("[role=img][tabindex]").count(), 0);
  const nameless = await page.$$eval("button, input, select, textarea, canvas, [role=tab]", (controls) =>
    controls
      .filter((control) => control.checkVisibility())
      .filter(
        (control) =>
          !(
            control.getAttribute("aria-label") ||
            control.textContent.trim() ||
            control.labels?.[0]?.textContent.trim()
          ),
      )
      .map((control) => control.outerHTML),
  );
  assert.deepEqual(nameless, []);
  for (const landmark of ["header", "main", "aside"])
    assert.equal(await page.locator(`${landmark}:visible`).count(), 1);
  assert.equal(await page.locator("h1:visible").count(), 1);
  await page.clean();
});

test("chips can be dragged in the schedule", async () => {
  const page = await visit(desk, { viewport: { width: 1440, height: 1400 } });
  await openCity(page);
  await solve(page, 0.3);
  await settled(page);
  const plan = await planOf(page);
  const middle = async (node) => {
    const box = await page.locator(`[data-node="${node}"]`).boundingBox();
    return [box.x + box.width / 4, box.y + box.height / 2];
  };
  const [node, before] = [plan[0][0], plan[1][1]];
  await page.locator(`[data-node="${node}"]`).scrollIntoViewIfNeeded();
  await page.mouse.move(...(await middle(node)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(before)), { steps: 5 });
  assert.equal(await page.locator(".chip.before").count(), 1);
  await page.mouse.up();
  await page.locator("#badge", { hasText: /edited|broken/ }).waitFor();
  const now = await planOf(page);
  assert.deepEqual(now[0], plan[0].slice(1));
  assert.deepEqual(now[1], plan[1].toSpliced ? plan[1].toSpliced(1, 0, node) : now[1]);
  await page.clean();
});

test("with fingers: two zoom the map, one that rests on a stop takes it along", async () => {
  const page = await visit(desk, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await openCity(page);
  await solve(page, 0.3);
  await settled(page);
  const plan = await planOf(page);
  await page.evaluate(() => scrollTo(0, 0));
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...fingers) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: fingers.map(([x, y], id) => ({ x, y, id })) });

  const picture = () => page.evaluate(() => document.querySelector("canvas").toDataURL());
  const before = await picture();
  await touch("touchStart", [150, 200], [190, 240]);
  for (let step = 1; step <= 5; step += 1)
    await touch("touchMove", [150 - 9 * step, 200 - 9 * step], [190 + 9 * step, 240 + 9 * step]);
  await touch("touchEnd");
  await page.waitForFunction((was) => document.querySelector("canvas").toDataURL() !== was, before);
  assert.equal(await page.locator("#status", { hasText: "moved" }).count(), 0);

  // Neighbours, so that neither is at an edge of the screen, whatever the plan.
  const [node, onto] = [plan[0].at(-1), plan[1][0]];
  await page.locator(`[data-node="${onto}"]`).evaluate((chip) => chip.scrollIntoView({ block: "center" }));
  await page.waitForTimeout(200);
  const place = async (wanted) => {
    const box = await page.locator(`[data-node="${wanted}"]`).boundingBox();
    return [box.x + 8, box.y + box.height / 2];
  };
  const [from, to] = [await place(node), await place(onto)];
  await touch("touchStart", from);
  await page.locator(".chip.ghost").waitFor();
  for (let step = 1; step <= 4; step += 1) {
    await touch("touchMove", [from[0] + ((to[0] - from[0]) * step) / 4, from[1] + ((to[1] - from[1]) * step) / 4]);
  }
  await touch("touchEnd");
  await page.locator("#status", { hasText: "moved to route 2" }).waitFor();
  assert.equal((await planOf(page))[1][0], node);

  // Lifted at the edge of the screen, a stop rests there: the list does not go on under the finger.
  const last = plan[1].at(-1);
  await page.locator(`[data-node="${last}"]`).evaluate((chip) => {
    scrollBy(0, chip.getBoundingClientRect().top - 50);
  });
  await page.waitForTimeout(200);
  const edge = await place(last);
  assert.ok(edge[1] > 24 && edge[1] < 96, `at the edge, not at ${edge[1]}`);
  await touch("touchStart", edge);
  await page.locator(".chip.ghost").waitFor();
  const top = await page.evaluate(() => scrollY);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => scrollY), top);
  await touch("touchEnd");
  await page.clean();
});

for (const colorScheme of ["light", "dark"]) {
  test(`on a phone nothing stands over the edge (${colorScheme})`, async () => {
    const page = await visit(desk, {
      viewport: { width: 360, height: 740 },
      deviceScaleFactor: 2,
      hasTouch: true,
      isMobile: true,
      colorScheme,
    });
    await page.locator(".city").first().waitFor();
    assert.ok(await fitsAcross(page), "start");
    await shot(page, `phone-start-${colorScheme}`);
    await openCity(page);
    await solve(page, 0.4);
    await settled(page);
    assert.ok(await fitsAcross(page), "solved");
    await shot(page, `phone-map-${colorScheme}`);
    await page.locator(".chip").first().tap();
    await page.locator(".stop-card").waitFor();
    assert.ok(await fitsAcross(page), "with a stop selected");
    await page.locator(".stop-card").scrollIntoViewIfNeeded();
    await shot(page, `phone-stop-${colorScheme}`);
    await page.locator(".route").nth(1).scrollIntoViewIfNeeded();
    await shot(page, `phone-schedule-${colorScheme}`);
    await page.locator("#tab-table").tap();
    assert.ok(await fitsAcross(page), "with the table");
    await page.clean();
  });
}

test("both themes, by the system and by the switch", async () => {
  const page = await visit(desk, { colorScheme: "dark" });
  await openCity(page);
  await solve(page, 0.8);
  await settled(page);
  await page.locator(".chip").nth(3).click();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const canvas = () =>
    page.evaluate(
      () =>
        [...document.querySelector("canvas").getContext("2d").getImageData(2, 2, 1, 1).data.slice(0, 3)].reduce(
          (sum, value) => sum + value,
        ) / 3,
    );
  const dark = await ground();
  await page.waitForFunction(
    () => document.querySelector("canvas").getContext("2d").getImageData(2, 2, 1, 1).data[0] < 60,
  );
  await shot(page, "city-solved-dark");
  await page.click("#theme");
  const light = await ground();
  assert.notEqual(light, dark);
  await page.waitForFunction(
    () => document.querySelector("canvas").getContext("2d").getImageData(2, 2, 1, 1).data[0] > 200,
  );
  assert.ok((await canvas()) > 200);
  await page.reload();
  await settled(page);
  assert.equal(await ground(), light, "the choice is kept");
  await page.clean();
});
