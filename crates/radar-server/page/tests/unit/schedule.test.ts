import assert from "node:assert/strict";
import { test } from "node:test";
import { along, axisOf } from "../../src/axis";
import { neighbour } from "../../src/chips";
import { MOST_LANES, lanes } from "../../src/lanes";
import type { RouteSchedule, StopSchedule } from "../../src/wire";

const stop: StopSchedule = { node: 1, id: "a", arrival: 0, wait: 0, start: 0, leave: 0, load: 0 };
const route = (departure: number, end: number, stops = [stop]): RouteSchedule => ({
  departure,
  end,
  latest_departure: null,
  return: end,
  distance: 0,
  duration: 0,
  cost: 0,
  delivered: 0,
  picked_up: 0,
  stops,
});

test("the axis spans all routes that visit anybody, with ticks people like", () => {
  const axis = axisOf([route(28800, 40000), route(28800, 43000), null, route(0, 0, [])], true, 9);
  assert.deepEqual([axis.start, axis.end], [28800, 43000]);
  assert.ok(axis.ticks.every((tick) => tick % 1800 === 0));
  assert.ok(axis.ticks.length >= 5 && axis.ticks.length <= 10);
  assert.deepEqual(axisOf([route(0, 97)], false, 8).ticks, [0, 20, 40, 60, 80]);
});

test("no routes, and routes that take no time, have an axis too", () => {
  assert.deepEqual(axisOf([], true, 9), { start: 0, end: 1, ticks: [] });
  const flat = axisOf([route(5, 5)], false, 9);
  assert.ok(flat.end > flat.start);
});

test("times beyond the axis are at its ends", () => {
  const axis = axisOf([route(10, 20)], false, 5);
  assert.deepEqual(
    [0, 10, 15, 99].map((time) => along(axis, time)),
    [0, 0, 0.5, 1],
  );
});

test("windows that are shared have one bracket, and no two in a lane overlap", () => {
  const windows = [
    { node: 1, open: 0, close: 100 },
    { node: 2, open: 10, close: 40 },
    { node: 3, open: 10, close: 40 },
    { node: 4, open: 30, close: 60 },
    { node: 5, open: 41, close: 50 },
    { node: 6, open: 40, close: 50 },
  ];
  const brackets = lanes(windows, 5, 90);
  assert.equal(brackets.length, 4, "the window that is always open is left out");
  assert.deepEqual(brackets[0]?.nodes, [2, 3]);
  for (const [at, one] of brackets.entries()) {
    for (const other of brackets.slice(at + 1)) {
      assert.ok(one.lane !== other.lane || one.close < other.open || other.close < one.open);
    }
  }
});

test("lanes are few, whatever comes", () => {
  const windows = Array.from({ length: 40 }, (_, node) => ({ node, open: node, close: 100 + node }));
  assert.ok(lanes(windows, 0, 90).every(({ lane }) => lane < MOST_LANES));
});

test("arrow keys lead to the neighbours of a visit, over empty routes", () => {
  const rows = [[1, 2, 3], [], [4, 5]];
  assert.equal(neighbour(rows, 2, "ArrowLeft"), 1);
  assert.equal(neighbour(rows, 3, "ArrowRight"), null);
  assert.equal(neighbour(rows, 3, "ArrowDown"), 5);
  assert.equal(neighbour(rows, 4, "ArrowUp"), 1);
  assert.equal(neighbour(rows, 1, "End"), 3);
  assert.equal(neighbour(rows, 5, "Home"), 4);
  assert.equal(neighbour(rows, 9, "Home"), null);
  assert.equal(neighbour(rows, 1, "a"), null);
});
