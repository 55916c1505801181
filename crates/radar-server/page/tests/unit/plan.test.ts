import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arranged,
  beside,
  find,
  fromWire,
  missing,
  moved,
  nextRoute,
  same,
  seats,
  toWire,
  trimmed,
  without,
} from "../../src/plan";

const plan = [[1, 2, 3], [4, 5], [6]];

test("a tour begins with node 0 on the wire only", () => {
  assert.deepEqual(fromWire([[0, 3, 1, 2]]), [[3, 1, 2]]);
  assert.deepEqual(toWire([[3, 1, 2]], "atsp"), [[0, 3, 1, 2]]);
  assert.deepEqual(toWire(plan, "vrp"), plan);
});

test("a stop is found, and those on no route are named", () => {
  assert.deepEqual(find(plan, 5), { route: 1, position: 1 });
  assert.equal(find(plan, 9), null);
  assert.deepEqual(missing(plan, 9), [7, 8]);
});

test("a move counts visits as they are before it", () => {
  assert.deepEqual(moved(plan, 1, { route: 0, position: 3 }), [[2, 3, 1], [4, 5], [6]]);
  assert.deepEqual(moved(plan, 3, { route: 0, position: 0 }), [[3, 1, 2], [4, 5], [6]]);
  assert.deepEqual(moved(plan, 2, { route: 1, position: 1 }), [[1, 3], [4, 2, 5], [6]]);
  assert.deepEqual(moved(plan, 2, { route: 3, position: 0 }), [[1, 3], [4, 5], [6], [2]]);
  assert.deepEqual(moved(plan, 7, { route: 2, position: 0 }), [
    [1, 2, 3],
    [4, 5],
    [7, 6],
  ]);
});

test("a move to where a stop is changes nothing", () => {
  for (const position of [1, 2]) assert.ok(same(moved(plan, 2, { route: 0, position }), plan));
});

test("an emptied route stays, so that the others keep their numbers", () => {
  assert.deepEqual(without(plan, 6), [[1, 2, 3], [4, 5], []]);
  assert.deepEqual(moved(plan, 6, { route: 0, position: 0 }), [[6, 1, 2, 3], [4, 5], []]);
  assert.deepEqual(trimmed([[], [1], []]), [[1]]);
});

test("one visit earlier or later, and nothing beyond the ends", () => {
  const step = (node: number, by: -1 | 1) => {
    const to = beside(plan, node, by);
    return to && moved(plan, node, to)[0];
  };
  assert.deepEqual(step(2, -1), [2, 1, 3]);
  assert.deepEqual(step(2, 1), [1, 3, 2]);
  assert.equal(step(1, -1), null);
  assert.equal(step(3, 1), null);
  assert.equal(beside(plan, 9, 1), null);
});

test("beyond the last route is a new one, unless the stop is alone already", () => {
  assert.equal(nextRoute(plan, 1, 1, true), 1);
  assert.equal(nextRoute(plan, 1, -1, true), null);
  assert.equal(nextRoute(plan, 6, 1, true), null);
  assert.equal(nextRoute([[1, 2]], 1, 1, true), 1);
  assert.equal(nextRoute([[1, 2]], 1, 1, false), null);
  assert.equal(nextRoute(plan, 7, 1, true), 0);
});

test("plans are the same when every route is", () => {
  assert.ok(
    same(
      plan,
      plan.map((route) => [...route]),
    ),
  );
  assert.ok(!same(plan, [[1, 3, 2], [4, 5], [6]]));
  assert.ok(
    !same(plan, [
      [1, 2, 3],
      [4, 5],
    ]),
  );
});

test("routes keep the place of those they share most stops with", () => {
  const before = [
    [1, 2, 3],
    [4, 5],
    [6, 7],
  ];
  assert.deepEqual(
    arranged(
      [
        [6, 7],
        [5, 4, 3],
        [2, 1],
      ],
      before,
    ),
    [
      [2, 1],
      [5, 4, 3],
      [6, 7],
    ],
  );
  assert.deepEqual(arranged([[8], [7, 6, 5, 4, 3]], before), [[8], [7, 6, 5, 4, 3]]);
  assert.deepEqual(arranged([[8], [9], [1], [4]], before), [[1], [4], [8], [9]]);
  assert.deepEqual(arranged([[3, 1], [2]], []), [[3, 1], [2]]);
  assert.deepEqual(arranged([], before), []);
});

test("in another order routes keep the seats they had, and each seat is taken once", () => {
  const before = [
    [1, 2, 3],
    [4, 5],
    [6, 7],
  ];
  assert.deepEqual(seats([[7, 6], [3, 2, 1], [4]], before), [2, 0, 1]);
  assert.deepEqual(seats([[7, 6], [9], [1, 4, 5]], before), [2, 0, 1]);
  assert.deepEqual(seats([[6], [7]], before), [0, 1]);
  assert.deepEqual(seats([[6], [7]], []), [0, 1]);
});
