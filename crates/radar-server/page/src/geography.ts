// Where nodes are: from their points, or from the matrix when there are none.

import { embed } from "./embedding";
import type { Problem } from "./wire";

/** Where the places come from. */
export type Ground = "degrees" | "plane" | "cost";

export interface Layout {
  ground: Ground;
  /** x to the right, y down, one unit for both; for degrees the whole earth is the unit square. */
  places: [number, number][];
}

/** Where the square of Web Mercator ends. */
const POLE = 85.0511;

export function geographical(points: readonly [number, number][]): boolean {
  return points.every(([lat, lon]) => Math.abs(lat) <= 90 && Math.abs(lon) <= 180);
}

/** Web Mercator, so that map tiles fit underneath. */
export function mercator([lat, lon]: readonly [number, number]): [number, number] {
  const bounded = Math.max(-POLE, Math.min(POLE, lat));
  const angle = (bounded * Math.PI) / 180;
  return [(lon + 180) / 360, (1 - Math.log(Math.tan(angle) + 1 / Math.cos(angle)) / Math.PI) / 2];
}

export function layout(problem: Problem): Layout {
  const points = problem.points;
  if (points && points.length === problem.distance.length && points.length > 0) {
    return geographical(points)
      ? { ground: "degrees", places: points.map(mercator) }
      : { ground: "plane", places: points.map(([y, x]) => [x, -y]) };
  }
  return { ground: "cost", places: embed(problem.duration ?? problem.distance) };
}

/** What is to be said about where the nodes stand. */
export function provenance(ground: Ground): string | null {
  return ground === "cost" ? "No coordinates: placed by travel cost" : null;
}
