// Cost and bound against time, while the solver works and after.

import { draw, h, replace, show } from "./dom";
import { running } from "./state";
import type { Desk } from "./state";
import type { Progress } from "./wire";
import { figure, seconds } from "./words";

const WIDE = 340;
const HIGH = 96;
const LEFT = 4;
const RIGHT = WIDE - 4;
const TOP = 20;
const LOW = HIGH - 18;
/** Seconds that make a curve. */
const LEAST = 0.1;

export interface Frame {
  end: number;
  low: number;
  high: number;
  /** Whether the bound is within the picture. */
  bounded: boolean;
}

/** What the picture spans: the bound too, unless it would press the curve flat; not all of a bad beginning. */
export function frame(progress: readonly Progress[], budget: number): Frame {
  const costs = progress.map(({ cost }) => cost).filter(Number.isFinite);
  const least = Math.min(...costs);
  const high = Math.min(Math.max(...costs), 1.25 * least);
  const swing = Math.max(high - least, 0.002 * least, 1e-9);
  const bound = progress.findLast((step) => step.bound !== null)?.bound ?? null;
  const bounded = bound !== null && least - bound <= 6 * swing;
  const low = bounded && bound !== null ? Math.min(bound, least) - 0.1 * swing : least - 0.35 * swing;
  return {
    end: Math.max(budget, progress.at(-1)?.elapsed ?? 0, 0.001),
    low,
    high: Math.max(high, low + swing),
    bounded,
  };
}

/** Steps: a value holds until the next. */
export function stairs(points: readonly [number, number][], until: number): string {
  return points
    .map(([x, y], index) => `${index === 0 ? "M" : "H"}${x.toFixed(1)}${index === 0 ? " " : "V"}${y.toFixed(1)}`)
    .concat(points.length > 0 ? [`H${until.toFixed(1)}`] : [])
    .join("");
}

export function curve(desk: Desk): HTMLElement {
  const svg = draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "curve", role: "img" });
  const element = h("figure", { class: "curve-box" }, svg);
  let drawn: readonly Progress[] | null = null;
  desk.on(["progress", "elapsed", "job"], (state) => {
    // A curve of one moment shows nothing.
    const began = state.progress[0]?.elapsed ?? 0;
    const lasted = (state.progress.at(-1)?.elapsed ?? 0) - began;
    const shown = running(state) ? state.progress.length > 0 : lasted >= LEAST;
    show(element, shown);
    if (!shown) return;
    if (drawn === state.progress && !running(state)) return;
    drawn = state.progress;
    // A bound is for plans that serve every stop.
    const progress = state.progress.map((step) => (step.unserved > 0 ? { ...step, bound: null } : step));
    const last = progress.at(-1)!;
    const span = frame(progress, running(state) ? (state.job?.asked.time ?? 0) : last.elapsed);
    const x = (time: number) => LEFT + (Math.min(time, span.end) / span.end) * (RIGHT - LEFT);
    const y = (cost: number) =>
      Math.min(LOW, Math.max(TOP - 4, LOW - ((cost - span.low) / (span.high - span.low)) * (LOW - TOP)));
    const now = running(state) ? x(Math.max(state.elapsed, last.elapsed)) : RIGHT;
    const costs = progress.map((step): [number, number] => [x(step.elapsed), y(step.cost)]);
    const bounds = progress.flatMap((step): [number, number][] =>
      step.bound === null ? [] : [[x(step.elapsed), y(step.bound)]],
    );
    const words = `cost ${figure(last.cost)} after ${seconds(last.elapsed)}${last.bound === null ? "" : `, bound ${figure(last.bound)}`}`;
    svg.setAttribute("aria-label", `Curve: ${words}`);
    replace(
      svg,
      draw("line", { x1: LEFT, x2: RIGHT, y1: LOW, y2: LOW, class: "axis" }),
      span.bounded && draw("path", { d: stairs(bounds, now), class: "bound" }),
      draw("path", { d: stairs(costs, now), class: "cost" }),
      draw("circle", { cx: now, cy: costs.at(-1)?.[1] ?? LOW, r: 3.2, class: "now" }),
      draw("text", { x: LEFT, y: HIGH - 5 }, "0"),
      draw("text", { x: RIGHT, y: HIGH - 5, "text-anchor": "end" }, seconds(span.end)),
      draw(
        "text",
        { x: (LEFT + RIGHT) / 2, y: HIGH - 5, "text-anchor": "middle" },
        span.bounded
          ? "— cost  - - bound"
          : last.bound === null
            ? "— cost"
            : `— cost; bound ${figure(last.bound)} is below`,
      ),
      draw("text", { x: LEFT, y: 10 }, figure(span.high)),
    );
  });
  return element;
}
