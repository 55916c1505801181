import assert from "node:assert/strict";
import { test } from "node:test";
import { away, legAt, legs, nodeAt } from "../../src/hit";
import type { Point } from "../../src/view";

const pixels: Point[] = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
];

test("the nearest node within reach, stops before a depot on the same spot", () => {
  assert.equal(nodeAt(pixels, [95, 3], 10), 1);
  assert.equal(nodeAt(pixels, [50, 50], 10), null);
  assert.equal(nodeAt(pixels, [95, 3], 10, 1), null);
  assert.equal(
    nodeAt(
      [
        [5, 5],
        [5, 5],
      ],
      [6, 5],
      10,
    ),
    1,
  );
});

test("distance to a stretch, its ends included", () => {
  assert.equal(away([50, 7], [0, 0], [100, 0]), 7);
  assert.equal(away([103, 4], [0, 0], [100, 0]), 5);
  assert.equal(away([3, 4], [0, 0], [0, 0]), 5);
});

test("legs lead from the depot through all visits, and back when routes are closed", () => {
  const all = legs([[1, 2], [], [3]], true);
  assert.deepEqual(
    all.map(({ from, to }) => [from, to]),
    [
      [0, 1],
      [1, 2],
      [2, 0],
      [0, 3],
      [3, 0],
    ],
  );
  assert.deepEqual(all[2]?.place, { route: 0, position: 2 });
  assert.equal(legs([[1, 2]], false).length, 2);
});

test("the nearest leg, but none that ends at the stop itself", () => {
  const all = legs([[1, 2, 3]], true);
  assert.deepEqual(legAt(all, pixels, [98, 50], 20)?.place, { route: 0, position: 1 });
  assert.equal(legAt(all, pixels, [98, 50], 20, 2), null);
  assert.equal(legAt(all, pixels, [50, 50], 20), null);
});
