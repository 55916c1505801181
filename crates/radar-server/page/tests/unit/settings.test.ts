import assert from "node:assert/strict";
import { test } from "node:test";
import { defaults, differs, restated, ruled, settingsOf, typed } from "../../src/settings";
import type { Asked } from "../../src/settings";
import type { Problem } from "../../src/wire";

const problem: Problem = {
  version: 1,
  kind: "vrp",
  distance: [
    [0, 1],
    [1, 0],
  ],
  capacity: 8,
};

const asked: Asked = { time: 5, minimise: "distance" };

test("the form takes over what the problem states and gives it back unchanged", () => {
  const settings = settingsOf(problem, { ...defaults, time: 9, vehicles: 3, minimise: "duration" });
  assert.deepEqual([settings.capacity, settings.vehicles, settings.time, settings.minimise], [8, null, 9, "distance"]);
  assert.ok(!differs(problem, asked, settings));
  assert.ok(!differs(ruled(problem, settings), asked, settings));
});

test("what is changed in the form changes the problem", () => {
  const settings = { ...settingsOf(problem, defaults), capacity: null, vehicles: 2, open: true };
  assert.ok(restated(problem, settings) && differs(problem, asked, settings));
  const made = ruled(problem, settings);
  assert.deepEqual([made.capacity, made.vehicles, made.open], [null, 2, true]);
});

test("a tour has no such features", () => {
  const tour: Problem = { version: 1, kind: "atsp", distance: problem.distance };
  assert.equal(ruled(tour, { ...defaults, capacity: 4 }), tour);
  assert.ok(!differs(tour, asked, { ...defaults, capacity: 4 }));
});

test("another thing to minimise is another question about the same problem", () => {
  const settings = { ...settingsOf(problem, defaults), minimise: "duration" as const };
  assert.ok(!restated(problem, settings));
  assert.ok(differs(problem, asked, settings));
  assert.ok(!differs(problem, { ...asked, minimise: "duration" }, settings));
});

test("numbers as people type them", () => {
  assert.equal(typed(" 2,5 ", false), 2.5);
  assert.equal(typed("2.6", true), 3);
  for (const text of ["", "x", "-1", "1e999"]) assert.equal(typed(text, false), null);
});
