// A time axis shared by all routes.

import type { RouteSchedule } from "./wire";

export interface Axis {
  start: number;
  end: number;
  ticks: number[];
}

/** Steps that people like on a clock, in seconds, and on any other scale. */
const CLOCK = [60, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400];

function step(span: number, most: number, clocks: boolean): number {
  const rough = span / most;
  const usual = clocks ? CLOCK.find((value) => value >= rough) : undefined;
  if (usual !== undefined) return usual;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((value) => value * power).find((value) => value >= rough * (1 - 1e-12)) ?? rough;
}

/** From the first departure to the last end, with about as many ticks as there is room for. */
export function axisOf(schedule: readonly (RouteSchedule | null)[], clocks: boolean, most: number): Axis {
  const used = schedule.filter((route) => route !== null && route.stops.length > 0) as RouteSchedule[];
  const start = Math.min(...used.map((route) => route.departure));
  const last = Math.max(...used.map((route) => route.end));
  if (!Number.isFinite(start)) return { start: 0, end: 1, ticks: [] };
  const end = last > start ? last : start + 1;
  const every = step(end - start, Math.max(1, most), clocks);
  const ticks: number[] = [];
  for (let tick = Math.ceil(start / every - 1e-9) * every; tick <= end; tick += every) ticks.push(tick || 0);
  return { start, end, ticks };
}

/** Where a time is on the axis, as a fraction. */
export function along(axis: Axis, time: number): number {
  return Math.max(0, Math.min(1, (time - axis.start) / (axis.end - axis.start)));
}
