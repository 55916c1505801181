import assert from "node:assert/strict";
import { test } from "node:test";
import { embed } from "../../src/embedding";
import { geographical, layout, mercator } from "../../src/geography";
import { covering } from "../../src/tiles";
import { fit } from "../../src/view";
import type { Matrix, Problem } from "../../src/wire";

test("Web Mercator puts the earth on the unit square, north up", () => {
  assert.deepEqual(mercator([0, 0]), [0.5, 0.5]);
  const [west, top] = mercator([85.0511, -180]);
  assert.equal(west, 0);
  assert.ok(Math.abs(top) < 1e-5);
  assert.ok(mercator([90, 0])[1] > -1e-5, "the pole is not endlessly far");
  assert.ok(mercator([41.2, -8])[1] < mercator([41.1, -8])[1]);
});

test("points in degrees, on a plane, or none", () => {
  const distance: Matrix = [
    [0, 1, 2],
    [1, 0, 1],
    [2, 1, 0],
  ];
  const problem: Problem = { version: 1, kind: "vrp", distance };
  assert.equal(
    layout({
      ...problem,
      points: [
        [41, -8],
        [41.1, -8],
        [41, -8.1],
      ],
    }).ground,
    "degrees",
  );
  const plane = layout({
    ...problem,
    points: [
      [500, 100],
      [0, 0],
      [200, 300],
    ],
  });
  assert.equal(plane.ground, "plane");
  assert.deepEqual(plane.places[0], [100, -500]);
  assert.equal(layout(problem).ground, "cost");
  assert.ok(!geographical([[41, 181]]));
});

test("places made from costs are as far apart as the points the costs came from", () => {
  const points = Array.from({ length: 120 }, (_, at) => [Math.cos(at * 2.4) * at, Math.sin(at * 1.7) * at] as const);
  const apart = (one: readonly number[], other: readonly number[]) =>
    Math.hypot(one[0]! - other[0]!, one[1]! - other[1]!);
  const matrix = points.map((one) => points.map((other) => apart(one, other)));
  const places = embed(matrix);
  // Up to one factor, turning and mirroring: compare ratios of distances.
  const factor = apart(places[10]!, places[100]!) / matrix[10]![100]!;
  for (const [one, other] of [
    [0, 50],
    [3, 77],
    [40, 119],
    [60, 61],
    [118, 2],
  ] as const) {
    const told = apart(places[one]!, places[other]!) / factor;
    assert.ok(Math.abs(told - matrix[one]![other]!) < 0.02 * matrix[one]![other]! + 0.2, `${one} to ${other}: ${told}`);
  }
});

test("one-sided, missing and equal costs still give places", () => {
  const matrix: Matrix = [
    [0, 1, null, 4],
    [3, 0, 2, 4],
    [null, 9, 0, 4],
    [4, 4, 4, 0],
  ];
  for (const table of [matrix, matrix.map((row) => row.map(() => 0))]) {
    for (const [x, y] of embed(table)) assert.ok(Number.isFinite(x) && Number.isFinite(y));
  }
  assert.equal(embed([[0]]).length, 1);
});

test("tiles cover the window and no more", () => {
  const size = { width: 800, height: 500 };
  const view = fit([mercator([41.1, -8.7]), mercator([41.2, -8.5])], size, 40);
  const tiles = covering(view, size);
  assert.ok(tiles.length >= 4 && tiles.length <= 40, String(tiles.length));
  assert.ok(Math.min(...tiles.map(({ x }) => x)) <= 0);
  assert.ok(Math.max(...tiles.map(({ x, side }) => x + side)) >= size.width);
  for (const { column, row, zoom, side } of tiles) {
    assert.ok(column >= 0 && row >= 0 && column < 2 ** zoom && row < 2 ** zoom);
    assert.ok(side > 128 && side < 512);
  }
});
