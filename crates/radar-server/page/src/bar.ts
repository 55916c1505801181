// A route along time: travel as a line, waiting hatched, service solid, windows as brackets below.

import { along } from "./axis";
import type { Axis } from "./axis";
import { draw } from "./dom";
import { lanes } from "./lanes";
import type { Bracket } from "./lanes";
import type { Problem, RouteSchedule, StopSchedule } from "./wire";
import { name } from "./words";
import type { Tongue } from "./words";

const MIDDLE = 11;
const LANE = 6;

export interface BarOptions {
  problem: Problem;
  axis: Axis;
  say: Tongue;
  wrong: ReadonlySet<number>;
  selected: number | null;
  select(node: number): void;
}

const at = (axis: Axis, time: number) => `${(100 * along(axis, time)).toFixed(3)}%`;
const wide = (axis: Axis, from: number, to: number) =>
  `${(100 * Math.max(0, along(axis, to) - along(axis, from))).toFixed(3)}%`;

export function timeBar(route: RouteSchedule, options: BarOptions): SVGSVGElement {
  const { axis, problem } = options;
  const visits = route.stops.filter(({ node }) => node !== 0);
  const brackets = lanes(windowsOf(problem, visits), axis.start, axis.end);
  const deepest = Math.max(-1, ...brackets.map(({ lane }) => lane));
  const svg = draw("svg", {
    class: "bar",
    height: 2 * MIDDLE + (deepest >= 0 ? 5 + LANE * deepest : 0),
    "aria-hidden": "true",
  });
  for (const tick of axis.ticks)
    svg.append(draw("line", { class: "tick", x1: at(axis, tick), x2: at(axis, tick), y1: 0, y2: "100%" }));
  svg.append(
    draw("line", { class: "travel", x1: at(axis, route.departure), x2: at(axis, route.end), y1: MIDDLE, y2: MIDDLE }),
  );
  const starts = new Map(visits.map((stop) => [stop.node, stop.start]));
  for (const bracket of brackets) svg.append(window(bracket, starts, options));
  for (const [position, stop] of visits.entries()) svg.append(visit(stop, position, options));
  for (const time of [route.departure, route.return]) {
    if (time !== null)
      svg.append(
        draw("rect", {
          class: "home",
          x: at(axis, time),
          y: MIDDLE - 5,
          width: 10,
          height: 10,
          transform: "translate(-5 0)",
        }),
      );
  }
  return svg;
}

function windowsOf(problem: Problem, visits: StopSchedule[]): { node: number; open: number; close: number }[] {
  return visits.flatMap(({ node }) => {
    const window = problem.windows?.[node];
    return window ? [{ node, open: window[0], close: window[1] ?? Infinity }] : [];
  });
}

/** Nodes that are wrong or selected look so. */
function tone(nodes: readonly number[], { wrong, selected }: BarOptions): string {
  return [nodes.some((node) => wrong.has(node)) && "wrong", nodes.some((node) => node === selected) && "selected"]
    .filter(Boolean)
    .join(" ");
}

function visit(stop: StopSchedule, position: number, options: BarOptions): SVGGElement {
  const { axis, problem, say } = options;
  const words = `${position + 1}. ${name(problem, stop.node)}: arrives ${say.time(stop.arrival)}, starts ${say.time(stop.start)}, leaves ${say.time(stop.leave)}`;
  const group = draw(
    "g",
    { class: tone([stop.node], options), click: () => options.select(stop.node) },
    draw("title", {}, words),
  );
  if (stop.wait > 0) {
    group.append(
      draw("rect", {
        class: "wait",
        x: at(axis, stop.arrival),
        y: MIDDLE - 5,
        width: wide(axis, stop.arrival, stop.start),
        height: 10,
        fill: "url(#waiting)",
      }),
    );
  }
  // Nothing is too short to be seen.
  group.append(
    draw("rect", {
      class: "service",
      x: at(axis, stop.start),
      y: MIDDLE - 7,
      width: wide(axis, stop.start, stop.leave),
      height: 14,
      rx: 1.5,
    }),
  );
  group.append(
    draw("line", {
      class: "start",
      x1: at(axis, stop.start),
      x2: at(axis, stop.start),
      y1: MIDDLE - 7,
      y2: MIDDLE + 7,
    }),
  );
  return group;
}

/** A bracket, open on the side where the window goes on beyond the picture, with a dot where each service starts. */
function window(
  { open, close, lane, nodes }: Bracket,
  starts: ReadonlyMap<number, number>,
  options: BarOptions,
): SVGGElement {
  const { axis } = options;
  const y = 2 * MIDDLE + 3 + LANE * lane;
  const group = draw("g", { class: tone(nodes, options) });
  const line = (from: number, to: number, top: number) =>
    group.append(draw("line", { class: "window", x1: at(axis, from), x2: at(axis, to), y1: top, y2: y }));
  line(open, close, y);
  if (open > axis.start) line(open, open, y - 4);
  if (close < axis.end) line(close, close, y - 4);
  for (const node of nodes)
    group.append(draw("circle", { class: "begun", cx: at(axis, starts.get(node) ?? open), cy: y, r: 1.9 }));
  return group;
}

/** The hatching of waits, once for the page. */
export function patterns(): SVGSVGElement {
  const pattern = draw(
    "pattern",
    { id: "waiting", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    draw("rect", { width: 6, height: 6, class: "hatch-ground" }),
    draw("line", { x1: 0, y1: 0, x2: 0, y2: 6, class: "hatch" }),
  );
  return draw("svg", { class: "unseen", "aria-hidden": "true" }, draw("defs", {}, pattern));
}
