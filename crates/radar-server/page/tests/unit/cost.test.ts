import assert from "node:assert/strict";
import { test } from "node:test";
import { arc, change, cheapest } from "../../src/cost";
import { moved } from "../../src/plan";
import type { Plan } from "../../src/plan";
import type { Problem } from "../../src/wire";

const distance = [
  [0, 3, 8, 5, 9],
  [4, 0, 2, 7, 6],
  [6, 1, 0, 4, 3],
  [9, 5, 2, 0, null],
  [1, 8, 6, 3, 0],
];
const problem: Problem = { version: 1, kind: "vrp", distance };

function total({ open }: { open: boolean }, plan: Plan): number {
  return plan.reduce((sum, visits) => {
    const way = [0, ...visits, ...(open || visits.length === 0 ? [] : [0])];
    return sum + way.slice(1).reduce((length, node, at) => length + arc(distance, way[at]!, node), 0);
  }, 0);
}

test("a preview is the difference of the whole plans, for every move, closed and open", () => {
  const plan = [[1, 2], [3], [4]];
  let compared = 0;
  for (const open of [false, true]) {
    for (const node of [1, 2, 3, 4]) {
      for (let route = 0; route <= plan.length; route += 1) {
        for (let position = 0; position <= (plan[route]?.length ?? 0); position += 1) {
          const more = total({ open }, moved(plan, node, { route, position })) - total({ open }, plan);
          const told = change({ ...problem, open }, "distance", plan, node, { route, position });
          assert.equal(told, Number.isFinite(more) ? more : null, `${node} to ${route}.${position}, open ${open}`);
          compared += 1;
        }
      }
    }
  }
  assert.equal(compared, 64);
});

test("the cheapest place is the best of all places in the route", () => {
  const plan = [[1, 2, 4], [3]];
  for (const node of [3, 2]) {
    const found = cheapest(problem, "distance", plan, node, 0);
    const least = Math.min(
      ...[0, 1, 2, 3].map((position) => total({ open: false }, moved(plan, node, { route: 0, position }))),
    );
    assert.equal(total({ open: false }, moved(plan, node, found)), least);
  }
});

test("durations count when they are minimised and there are any", () => {
  const timed = { ...problem, duration: distance.map((row) => row.map((cost) => cost && 2 * cost)) };
  const to = { route: 1, position: 0 };
  const plan = [[1, 2], [3]];
  assert.equal(change(timed, "duration", plan, 1, to), 2 * change(timed, "distance", plan, 1, to)!);
  assert.equal(change(problem, "duration", plan, 1, to), change(problem, "distance", plan, 1, to));
});
