import assert from "node:assert/strict";
import { test } from "node:test";
import { defaults, differs, restated, ruled, settingsOf, read } from "../../src/settings";
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

test("the longest time of a route is part of the problem", () => {
  const settings = { ...settingsOf(problem, defaults), maxDuration: 3600 };
  assert.ok(restated(problem, settings));
  assert.equal(ruled(problem, settings).max_duration, 3600);
  assert.equal(settingsOf({ ...problem, max_duration: 60 }, defaults).maxDuration, 60);
});

test("numbers as people type them", () => {
  assert.deepEqual(read(" 2,5 ", { least: 0 }), { value: 2.5 });
  assert.deepEqual(read("600", { above: 0, most: 600 }), { value: 600 });
  assert.deepEqual(read(" ", { empty: "none" }), { value: null });
});

test("what is wrong with a number is said, and never mended in silence", () => {
  const fault = (text: string, rule: Parameters<typeof read>[1]) => (read(text, rule) as { fault: string }).fault;
  const fleet = { least: 1, whole: true, empty: "any" };
  for (const text of ["1.5", "0", "-1", "x"])
    assert.equal(fault(text, fleet), "A whole number at least 1, or empty for any.");
  const budget = { above: 0, most: 600, unit: "s" };
  for (const text of ["0", "-3", "", "99999", "1e999"])
    assert.equal(fault(text, budget), "A number above 0, at most 600 s.");
  assert.equal(fault("-1", { least: 0, most: Number.MAX_SAFE_INTEGER, whole: true }), "A whole number at least 0.");
});
