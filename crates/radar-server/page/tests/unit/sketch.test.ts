import assert from "node:assert/strict";
import { test } from "node:test";
import { added, blank, caveat, chance, demanding, factor, problemOf, removed, shifted } from "../../src/sketch";
import type { Sketch } from "../../src/sketch";

function placed(count: number): Sketch {
  let sketch = blank();
  for (let at = 0; at < count; at += 1) sketch = added(sketch, 1000 + 997 * (at % 7), 1000 + 613 * at);
  return sketch;
}

test("the first point is the depot and receives nothing", () => {
  const problem = problemOf({ ...placed(3), capacity: 4 });
  assert.deepEqual(problem.demand, [0, 1, 1]);
  assert.equal(problem.capacity, 4);
  assert.equal(problem.ids?.[0], "depot");
  assert.equal(problemOf({ ...placed(3), kind: "atsp" }).demand, undefined);
});

test("of the chosen share of pairs exactly one direction is longer by the penalty", () => {
  const sketch = { ...placed(60), share: 0.4, penalty: 0.5 };
  let [bent, pairs] = [0, 0];
  for (const [at, one] of sketch.spots.entries()) {
    for (const other of sketch.spots.slice(at + 1)) {
      const ways = [factor(sketch, one, other), factor(sketch, other, one)].sort();
      assert.ok(ways[0] === 1 && (ways[1] === 1 || ways[1] === 1.5));
      pairs += 1;
      if (ways[1] === 1.5) bent += 1;
    }
  }
  assert.ok(Math.abs(bent / pairs - 0.4) < 0.04, `${bent} of ${pairs}`);
});

test("costs are straight lines, longer where the street is one-way", () => {
  const sketch = placed(20);
  const { distance, duration } = problemOf(sketch);
  for (const [from, one] of sketch.spots.entries()) {
    for (const [to, other] of sketch.spots.entries()) {
      const straight = Math.hypot(one.x - other.x, one.y - other.y);
      const told = distance[from]![to]!;
      assert.ok(Math.abs(told - straight) < 0.06 || Math.abs(told - 1.3 * straight) < 0.06);
      assert.ok(Math.abs(duration![from]![to]! - told / (30 / 3.6)) < 0.06);
    }
  }
});

test("a pair keeps its penalty whatever happens to the others", () => {
  const sketch = placed(12);
  const [one, other] = [sketch.spots[4]!, sketch.spots[9]!];
  const before = factor(sketch, one, other);
  const after = removed(added(sketch, 5000, 5000), 2);
  assert.equal(factor(after, after.spots[3]!, after.spots[8]!), before);
});

test("points move, change their demand, and go; another depot takes the place of the first", () => {
  let sketch = demanding(shifted(placed(3), 1, 50, 60), 1, 7);
  assert.deepEqual([sketch.spots[1]?.x, sketch.spots[1]?.y, sketch.spots[1]?.demand], [50, 60, 7]);
  sketch = removed(sketch, 0);
  assert.deepEqual(
    sketch.spots.map(({ demand }) => demand),
    [0, 1],
  );
});

test("the costs are said to be invented", () => {
  assert.match(caveat(blank()), /^Invented costs: straight lines; on 40 % .* 30 % longer\.$/);
  assert.match(caveat({ ...blank(), share: 0 }), /same both ways/);
});

test("chances are spread evenly", () => {
  let sum = 0;
  for (let one = 0; one < 60; one += 1) for (let other = one + 1; other < 60; other += 1) sum += chance(one, other);
  assert.ok(Math.abs(sum / 1770 - 0.5) < 0.03);
});
