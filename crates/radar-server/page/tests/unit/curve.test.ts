import assert from "node:assert/strict";
import { test } from "node:test";
import { frame, stairs } from "../../src/curve";
import type { Progress } from "../../src/wire";

const step = (elapsed: number, cost: number, bound: number | null): Progress => ({
  elapsed,
  cost,
  bound,
  gap: null,
  routes: 1,
  unserved: 0,
  method: "",
});

test("a near bound is in the picture, a far one would press the curve flat", () => {
  const near = frame([step(0, 110, 90), step(1, 100, 95)], 5);
  assert.deepEqual([near.bounded, near.low, near.high, near.end], [true, 94, 110, 5]);
  const far = frame([step(0, 101, 10), step(1, 100, 10)], 5);
  assert.ok(!far.bounded && far.low > 99 && far.low < 100);
});

test("a bad beginning is cut off", () => {
  assert.equal(frame([step(0, 5000, null), step(1, 100, null)], 1).high, 125);
});

test("a single value, or zero, has a height", () => {
  for (const cost of [7, 0]) {
    const span = frame([step(0, cost, cost)], 1);
    assert.ok(span.high > span.low && Number.isFinite(span.high));
  }
});

test("values hold until the next", () => {
  assert.equal(
    stairs(
      [
        [0, 10],
        [5, 4],
      ],
      9,
    ),
    "M0.0 10.0H5.0V4.0H9.0",
  );
  assert.equal(stairs([], 9), "");
});
