import assert from "node:assert/strict";
import { test } from "node:test";
import { change } from "../../src/cost";
import { legs } from "../../src/hit";
import { emptyDesk } from "../../src/state";
import type { Scene } from "../../src/scene";
import { sceneOf } from "../../src/scene";
import { target } from "../../src/target";
import type { Point } from "../../src/view";
import type { Problem } from "../../src/wire";

const pixels: Point[] = [
  [0, 0],
  [100, 0],
  [200, 0],
  [0, 200],
  [100, 200],
];
const distance = pixels.map((one) => pixels.map((other) => Math.hypot(one[0] - other[0], one[1] - other[1])));
const problem: Problem = { version: 1, kind: "vrp", distance };
const plan = [
  [1, 2],
  [3, 4],
];
const scene: Scene = { ...sceneOf(emptyDesk().state), plan, legs: legs(plan, true) };

const over = (at: Point, node: number) =>
  target(scene, pixels, at, node, (place) => change(problem, "distance", plan, node, place));

test("near a leg: on that leg, between its ends", () => {
  const found = over([150, 6], 4);
  assert.deepEqual(found?.place, { route: 0, position: 1 });
  assert.deepEqual(found?.between, [1, 2]);
});

test("on a stop: before or after it, whichever costs less", () => {
  const found = over([200, 3], 4);
  assert.deepEqual([found?.place.route, found?.place.position], [0, 2]);
  assert.deepEqual(found?.between, [2, 0]);
});

test("on the depot: a route of its own", () => {
  assert.deepEqual(over([2, 2], 4)?.place, { route: 2, position: 0 });
});

test("far from everything: nowhere", () => {
  assert.equal(over([400, 90], 4), null);
});

test("within its own route the neighbours are those without it", () => {
  const found = over([50, 202], 2);
  assert.deepEqual(found?.place, { route: 1, position: 1 });
  assert.deepEqual(over([198, 2], 1)?.between, [0, 2]);
});

test("the change is in the unit of what the job was asked, whatever the form says by now", () => {
  const timed: Problem = { ...problem, duration: distance, units: { distance: "m", duration: "s" } };
  const { state } = emptyDesk();
  const asked = { time: 5, minimise: "distance" as const };
  const job = { id: "a", state: "done" as const, position: null, mine: true, asked };
  const shown = { ...state, job, solved: timed, settings: { ...state.settings, minimise: "duration" as const } };
  assert.match(over([150, 6], 4)?.words(shown) ?? "", /m$/);
  assert.match(over([150, 6], 4)?.words({ ...shown, job: null }) ?? "", /s$/);
});
