import assert from "node:assert/strict";
import { test } from "node:test";
import type { Problem } from "../../src/wire";
import {
  change,
  clock,
  costUnit,
  count,
  description,
  figure,
  name,
  percent,
  sentence,
  span,
  spelled,
  tongue,
} from "../../src/words";

const distance = [
  [0, 1],
  [1, 0],
];
const problem: Problem = { version: 1, kind: "vrp", distance };

test("numbers have as many digits as they deserve", () => {
  assert.equal(figure(55801.03, "m"), "55\u202f801\u202fm");
  assert.equal(figure(1234567), "1\u202f234\u202f567");
  assert.equal(figure(9078.34), "9078.3");
  assert.equal(figure(0.12345), "0.123");
  assert.equal(figure(7), "7");
  assert.equal(figure(-12.5), "−12.5");
  assert.equal(figure(1e25), "1e+25");
});

test("a change has its sign", () => {
  assert.equal(change(12), "+12");
  assert.equal(change(-3, "m"), "−3\u202fm");
  assert.equal(change(0.0001), "±0");
});

test("seconds are times of day and lengths of time", () => {
  assert.equal(clock(28800), "8:00");
  assert.equal(clock(28888.4), "8:01:28");
  assert.equal(clock(86400 + 3660), "1:01 +1d");
  assert.equal(span(45), "45\u202fs");
  assert.equal(span(600), "10\u202fmin");
  assert.equal(span(7260), "2\u202fh 1\u202fmin");
});

test("times are clock times only when their unit is seconds", () => {
  assert.equal(tongue({ ...problem, units: { duration: "s" } }).time(3600), "1:00");
  assert.equal(tongue({ ...problem, units: { duration: "min" } }).time(3600), "3600");
  assert.equal(tongue({ ...problem, units: { distance: "s" } }).time(3600), "1:00");
  assert.equal(tongue({ ...problem, duration: distance, units: { distance: "s" } }).time(3600), "3600");
});

test("the unit of a cost is that of what is minimised", () => {
  const timed = { ...problem, duration: distance, units: { distance: "m", duration: "s" } };
  assert.equal(costUnit(timed, "duration"), "s");
  assert.equal(costUnit(timed, "distance"), "m");
  assert.equal(costUnit({ ...timed, duration: null }, "duration"), "m");
  assert.equal(costUnit(problem, "distance"), null);
});

test("a gap is a percentage", () => {
  assert.equal(percent(0.1266), "12.7\u202f%");
  assert.equal(percent(0.01266), "1.27\u202f%");
});

test("problems and nodes have names", () => {
  assert.equal(
    description({ ...problem, capacity: 8, vehicles: 1, open: true }),
    "routes, 1 stop, open routes, capacity 8, at most 1 vehicle",
  );
  assert.equal(description({ ...problem, kind: "atsp" }), "one tour, 2 nodes");
  assert.equal(name({ ...problem, ids: ["x", "y"] }, 1), "y");
  assert.equal(name({ ...problem, ids: ["", "  "] }, 1), "1");
  assert.equal(name({ ...problem, ids: ["", "  "] }, 0), "depot");
  assert.equal(name(problem, 0), "depot");
  assert.equal(name({ ...problem, kind: "atsp" }, 0), "start");
  assert.equal(count(1, "stop"), "1 stop");
});

test("a message becomes a sentence", () => {
  assert.equal(sentence("stop 7 (`P07`) is late"), "Stop 7 (‘P07’) is late.");
  assert.equal(sentence("Why?"), "Why?");
});

test("long times in a message are spelled out beside it", () => {
  assert.equal(spelled("Enough: closes 1547 s later."), "Enough: closes 1547 s (0:25:47) later.");
  assert.equal(spelled("3661.2 s, 59 s, 12 stops"), "3661.2 s (1:01:01), 59 s, 12 stops");
});
