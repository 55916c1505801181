// A plan and its edits. Routes are visits in order, the depot left out, also for a tour.

import type { Kind } from "./wire";

export type Plan = readonly (readonly number[])[];

/** A place in a plan: before which visit of which route. A route beyond the last is a new one. */
export interface Place {
  route: number;
  position: number;
}

/** The plan as the server states it: a tour there begins with node 0. */
export function fromWire(routes: number[][]): Plan {
  return routes.map((route) => route.filter((node) => node !== 0));
}

export function toWire(plan: Plan, kind: Kind): number[][] {
  return kind === "atsp" ? [[0, ...(plan[0] ?? [])]] : plan.map((route) => [...route]);
}

export function same(one: Plan, other: Plan): boolean {
  return (
    one.length === other.length &&
    one.every((route, index) => {
      const twin = other[index];
      return twin?.length === route.length && route.every((node, position) => node === twin[position]);
    })
  );
}

export function find(plan: Plan, node: number): Place | null {
  for (const [route, visits] of plan.entries()) {
    const position = visits.indexOf(node);
    if (position >= 0) return { route, position };
  }
  return null;
}

/** Stops of a problem of so many nodes that no route visits. */
export function missing(plan: Plan, nodes: number): number[] {
  const seen = new Set(plan.flat());
  return Array.from({ length: Math.max(0, nodes - 1) }, (_, index) => index + 1).filter((node) => !seen.has(node));
}

/** Takes a stop out; its route stays, perhaps empty, so that the others keep number and colour. */
export function without(plan: Plan, node: number): Plan {
  return plan.map((visits) => (visits.includes(node) ? visits.filter((other) => other !== node) : visits));
}

/** Puts a stop before the place, which counts the visits of the plan as it is. */
export function moved(plan: Plan, node: number, to: Place): Plan {
  const from = find(plan, node);
  const shift = from && from.route === to.route && from.position < to.position ? 1 : 0;
  const rest = without(plan, node);
  if (to.route >= rest.length) return [...rest, [node]];
  return rest.map((visits, route) =>
    route === to.route ? visits.toSpliced(Math.max(0, to.position - shift), 0, node) : visits,
  );
}

/** The place one earlier or later in its own route; nothing at its ends. */
export function beside(plan: Plan, node: number, by: -1 | 1): Place | null {
  const from = find(plan, node);
  if (!from) return null;
  const position = from.position + by;
  if (position < 0 || position >= (plan[from.route]?.length ?? 0)) return null;
  return { route: from.route, position: by > 0 ? position + 1 : position };
}

/** The neighbouring route that a stop may go to: one further at either end is a new route, if there may be one. */
export function nextRoute(plan: Plan, node: number, by: -1 | 1, mayAdd: boolean): number | null {
  const from = find(plan, node);
  const route = from ? from.route + by : by > 0 ? 0 : plan.length - 1;
  if (route < 0) return null;
  if (route < plan.length) return route;
  const alone = from !== null && plan[from.route]?.length === 1;
  return mayAdd && !alone ? plan.length : null;
}

/** Without routes that visit nobody, as a start for the solver. */
export function trimmed(plan: Plan): Plan {
  return plan.filter((visits) => visits.length > 0);
}

/** For each route the index of the earlier one it shares most stops with; those that share none take what is left. */
export function seats(plan: Plan, before: Plan): number[] {
  const owner = new Map(before.flatMap((visits, route) => visits.map((node) => [node, route] as const)));
  const shared = plan.flatMap((visits, route) => {
    const counts = new Map<number, number>();
    for (const node of visits) {
      const earlier = owner.get(node);
      if (earlier !== undefined) counts.set(earlier, (counts.get(earlier) ?? 0) + 1);
    }
    return [...counts].map(([earlier, count]) => ({ route, earlier, count }));
  });
  shared.sort((one, other) => other.count - one.count || one.route - other.route || one.earlier - other.earlier);
  const seat = new Map<number, number>();
  const free = new Set(plan.keys());
  for (const { route, earlier } of shared) if (!seat.has(route) && free.delete(earlier)) seat.set(route, earlier);
  const rest = [...free];
  return plan.map((_, route) => seat.get(route) ?? rest.shift() ?? route);
}

/** The same routes, each in its seat, so that colours do not jump. */
export function arranged(plan: Plan, before: Plan): Plan {
  const made = [...plan];
  for (const [route, seat] of seats(plan, before).entries()) made[seat] = plan[route] ?? [];
  return made;
}
