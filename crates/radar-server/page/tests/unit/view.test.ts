import assert from "node:assert/strict";
import { test } from "node:test";
import { bounded, fit, panned, pinched, toScreen, toWorld, zoomed } from "../../src/view";
import type { Point } from "../../src/view";

const size = { width: 400, height: 300 };

function near(one: Point, other: Point): void {
  assert.ok(Math.hypot(one[0] - other[0], one[1] - other[1]) < 1e-9, `${one} is not ${other}`);
}

test("everything fits, centred, with a margin", () => {
  const view = fit(
    [
      [0, 0],
      [100, 20],
    ],
    size,
    50,
  );
  near(toScreen(view, [0, 10]), [50, 150]);
  near(toScreen(view, [100, 10]), [350, 150]);
});

test("one place, or none, is shown in the middle", () => {
  near(toScreen(fit([[7, 7]], size, 50), [7, 7]), [200, 150]);
  assert.equal(fit([], size, 50).x, 200);
});

test("there and back", () => {
  const view = { scale: 3, x: -20, y: 40 };
  near(toWorld(view, toScreen(view, [1.5, -2])), [1.5, -2]);
});

test("zooming keeps what is under the pointer", () => {
  const view = fit(
    [
      [0, 0],
      [10, 10],
    ],
    size,
    10,
  );
  const at: Point = [120, 90];
  near(toWorld(zoomed(view, at, 2.5), at), toWorld(view, at));
});

test("pinching keeps what is under both fingers", () => {
  const view = { scale: 2, x: 5, y: 5 };
  const before: [Point, Point] = [
    [100, 100],
    [200, 100],
  ];
  const after: [Point, Point] = [
    [80, 140],
    [280, 140],
  ];
  const now = pinched(view, before, after);
  near(toWorld(now, after[0]), toWorld(view, before[0]));
  near(toWorld(now, after[1]), toWorld(view, before[1]));
});

test("zoom has ends", () => {
  const whole = fit(
    [
      [0, 0],
      [10, 10],
    ],
    size,
    10,
  );
  const far = bounded(zoomed(whole, [0, 0], 1e-6), whole, [0, 0]);
  assert.equal(far.scale, whole.scale / 8);
  assert.equal(bounded(whole, whole, [0, 0]), whole);
  assert.equal(panned(whole, 3, 4).y, whole.y + 4);
});
