// Points placed by hand. Costs are straight lines with invented one-way penalties: good for trying things out, and
// said to be invented wherever they are shown.

import type { Kind, Matrix, Problem } from "./wire";

export interface Spot {
  /** Counts up and never comes again, so that a pair keeps its penalty whatever is added or removed. */
  serial: number;
  /** Metres to the east and to the north. */
  x: number;
  y: number;
  demand: number;
}

export interface Sketch {
  kind: Kind;
  spots: Spot[];
  next: number;
  capacity: number;
  /** The demand of the next spot. */
  demand: number;
  /** Of how many pairs one direction is against one-way streets, as a fraction. */
  share: number;
  /** How much longer that direction is, as a fraction. */
  penalty: number;
}

/** Metres a second: 30 km/h. */
const SPEED = 30 / 3.6;

export function blank(): Sketch {
  return { kind: "vrp", spots: [], next: 0, capacity: 10, demand: 1, share: 0.4, penalty: 0.3 };
}

export function added(sketch: Sketch, x: number, y: number): Sketch {
  const demand = sketch.spots.length === 0 ? 0 : sketch.demand;
  return { ...sketch, spots: [...sketch.spots, { serial: sketch.next, x, y, demand }], next: sketch.next + 1 };
}

export function shifted(sketch: Sketch, index: number, x: number, y: number): Sketch {
  return { ...sketch, spots: sketch.spots.map((spot, at) => (at === index ? { ...spot, x, y } : spot)) };
}

export function demanding(sketch: Sketch, index: number, demand: number): Sketch {
  return { ...sketch, spots: sketch.spots.map((spot, at) => (at === index ? { ...spot, demand } : spot)) };
}

/** Without a spot; when the depot goes, the next one takes its place. */
export function removed(sketch: Sketch, index: number): Sketch {
  const spots = sketch.spots.filter((_, at) => at !== index);
  return { ...sketch, spots: spots.map((spot, at) => (at === 0 ? { ...spot, demand: 0 } : spot)) };
}

/** A fixed, evenly spread number in [0, 1) for a pair of serials. */
export function chance(one: number, other: number): number {
  let bits = (Math.imul(one + 1, 0x9e3779b1) ^ Math.imul(other + 1, 0x85ebca6b)) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d) >>> 0;
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39) >>> 0;
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

/** What the way from one spot to the other is multiplied by. */
export function factor(sketch: Sketch, from: Spot, to: Spot): number {
  const [low, high] = from.serial < to.serial ? [from, to] : [to, from];
  const drawn = chance(low.serial, high.serial);
  if (drawn >= sketch.share) return 1;
  const against = drawn < sketch.share / 2 ? low : high;
  return from === against ? 1 + sketch.penalty : 1;
}

const tenth = (value: number) => Math.round(value * 10) / 10;

export function problemOf(sketch: Sketch): Problem {
  const { spots } = sketch;
  const distance: Matrix = spots.map((from) =>
    spots.map((to) => tenth(Math.hypot(from.x - to.x, from.y - to.y) * factor(sketch, from, to))),
  );
  const problem: Problem = {
    version: 1,
    kind: sketch.kind,
    distance,
    duration: distance.map((row) => row.map((metres) => tenth((metres ?? 0) / SPEED))),
    points: spots.map(({ x, y }) => [Math.round(y), Math.round(x)]),
    ids: spots.map((_, index) => (index === 0 ? "depot" : `stop ${index}`)),
    units: { distance: "m", duration: "s" },
  };
  if (sketch.kind === "vrp") {
    problem.demand = spots.map(({ demand }) => demand);
    problem.capacity = sketch.capacity;
  }
  return problem;
}

/** What the costs are, in words. */
export function caveat(sketch: Sketch): string {
  const percent = (fraction: number) => `${Math.round(100 * fraction)} %`;
  return sketch.share > 0 && sketch.penalty > 0
    ? `Invented costs: straight lines; on ${percent(sketch.share)} of the pairs one direction is against one-way streets and ${percent(sketch.penalty)} longer.`
    : "Invented costs: straight lines, the same both ways.";
}
