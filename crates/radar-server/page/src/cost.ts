// What an arc and an insertion cost by the matrix: a preview while a stop is dragged. The checker has the last word.

import { find, without } from "./plan";
import type { Place, Plan } from "./plan";
import type { Matrix, Measure, Problem } from "./wire";

export function costs(problem: Problem, measure: Measure): Matrix {
  return measure === "duration" && problem.duration ? problem.duration : problem.distance;
}

/** Infinite where there is no way. */
export function arc(matrix: Matrix, from: number, to: number): number {
  return from === to ? 0 : (matrix[from]?.[to] ?? Infinity);
}

/** Whether routes come back to the depot. */
export function closed(problem: Problem): boolean {
  return problem.kind === "atsp" || problem.open !== true;
}

function detour(matrix: Matrix, visits: readonly number[], position: number, node: number, returns: boolean): number {
  const before = visits[position - 1] ?? 0;
  const after = visits[position];
  if (after === undefined && !returns) return arc(matrix, before, node);
  const next = after ?? 0;
  return arc(matrix, before, node) + arc(matrix, node, next) - arc(matrix, before, next);
}

/** How much more the plan costs once the stop has moved there; null when an arc is missing. */
export function change(problem: Problem, measure: Measure, plan: Plan, node: number, to: Place): number | null {
  const matrix = costs(problem, measure);
  const returns = closed(problem);
  const from = find(plan, node);
  const rest = without(plan, node);
  const saved = from ? detour(matrix, rest[from.route] ?? [], from.position, node, returns) : 0;
  const shift = from && from.route === to.route && from.position < to.position ? 1 : 0;
  const spent = detour(matrix, rest[to.route] ?? [], to.position - shift, node, returns);
  const more = spent - saved;
  return Number.isFinite(more) ? more : null;
}

/** The place in a route where a stop costs least; the end when no place can be driven. */
export function cheapest(problem: Problem, measure: Measure, plan: Plan, node: number, route: number): Place {
  const matrix = costs(problem, measure);
  const rest = without(plan, node);
  const visits = rest[route] ?? [];
  let best = visits.length;
  let least = Infinity;
  for (let position = 0; position <= visits.length; position += 1) {
    const more = detour(matrix, visits, position, node, closed(problem));
    if (more < least) [best, least] = [position, more];
  }
  // Back to the count of the plan with the stop still in it.
  const from = find(plan, node);
  const shift = from && from.route === route && best >= from.position ? 1 : 0;
  return { route, position: best + shift };
}
