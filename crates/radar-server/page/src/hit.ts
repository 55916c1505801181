// What is under the pointer.

import type { Place, Plan } from "./plan";
import type { Point } from "./view";

/** The nearest node within reach, in pixels. */
export function nodeAt(pixels: readonly Point[], [x, y]: Point, reach: number, except = -1): number | null {
  let found: number | null = null;
  let least = reach;
  for (const [node, [nodeX, nodeY]] of pixels.entries()) {
    const away = Math.hypot(nodeX - x, nodeY - y);
    // Of nodes on one spot the first found stays; the depot gives way to stops.
    if (node !== except && (away < least || (found === 0 && away === least))) [found, least] = [node, away];
  }
  return found;
}

/** Distance from a point to a stretch. */
export function away([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): number {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const long = dx * dx + dy * dy;
  const share = long > 0 ? Math.max(0, Math.min(1, ((x - fromX) * dx + (y - fromY) * dy) / long)) : 0;
  return Math.hypot(x - fromX - share * dx, y - fromY - share * dy);
}

export interface Leg {
  from: number;
  to: number;
  /** A stop that is put on this leg goes here. */
  place: Place;
}

/** All legs of a plan, the ways from and to the depot included. */
export function legs(plan: Plan, returns: boolean): Leg[] {
  return plan.flatMap((visits, route) => {
    const way = visits.map((to, position) => ({ from: visits[position - 1] ?? 0, to, place: { route, position } }));
    const last = visits.at(-1);
    if (returns && last !== undefined) way.push({ from: last, to: 0, place: { route, position: visits.length } });
    return way;
  });
}

/** The nearest leg within reach that does not touch the node. */
export function legAt(
  all: readonly Leg[],
  pixels: readonly Point[],
  at: Point,
  reach: number,
  except = -1,
): Leg | null {
  let found: Leg | null = null;
  let least = reach;
  for (const leg of all) {
    const [from, to] = [pixels[leg.from], pixels[leg.to]];
    if (!from || !to || leg.from === except || leg.to === except) continue;
    const distance = away(at, from, to);
    if (distance < least) [found, least] = [leg, distance];
  }
  return found;
}
