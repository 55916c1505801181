// The visits of a route as a list of buttons that can be dragged and moved with the keyboard.

import { h } from "./dom";
import type { RouteSchedule } from "./wire";
import type { Tongue } from "./words";

/** Letters that fit in a chip without being cut. */
const LONG = 30;

export interface ChipOptions {
  names(node: number): string;
  say: Tongue;
  selected: number | null;
  wrong: ReadonlyMap<number, string>;
  select(node: number): void;
  hover(node: number | null): void;
}

export function chipList(
  visits: readonly number[],
  route: number | null,
  schedule: RouteSchedule | null,
  options: ChipOptions,
): HTMLOListElement {
  const list = h("ol", { class: "chips", ...(route !== null && { "data-route": route }) });
  const stops = new Map((schedule?.stops ?? []).map((stop) => [stop.node, stop]));
  for (const [position, node] of visits.entries()) {
    const stop = stops.get(node);
    const name = options.names(node);
    const trouble = options.wrong.get(node);
    const words = [
      route === null ? `${name}, not served` : `Visit ${position + 1}: ${name}`,
      stop && `arrives ${options.say.time(stop.arrival)}`,
      stop && stop.wait > 0 && `waits ${options.say.lasting(stop.wait)}`,
      trouble,
    ].filter(Boolean);
    const chip = h(
      "button",
      {
        type: "button",
        class: trouble ? "chip wrong" : "chip",
        "data-node": node,
        "data-name": name,
        "aria-label": words.join(", "),
        "aria-pressed": options.selected === node ? "true" : "false",
        tabindex: -1,
        title: trouble ?? (name.length > LONG ? name : null),
        click: () => options.select(node),
        pointerenter: () => options.hover(node),
        pointerleave: () => options.hover(null),
      },
      h("span", { class: "order" }, route === null ? "×" : String(position + 1)),
      h("span", { class: "name" }, name),
      stop && options.say.clocks && h("span", { class: "when" }, options.say.time(Math.floor(stop.start / 60) * 60)),
    );
    list.append(h("li", {}, chip));
  }
  return list;
}

/** The chip that the arrow key leads to, given the visits of every row. */
export function neighbour(rows: readonly (readonly number[])[], node: number, key: string): number | null {
  const row = rows.findIndex((visits) => visits.includes(node));
  const position = rows[row]?.indexOf(node) ?? -1;
  if (position < 0) return null;
  const visits = rows[row] ?? [];
  if (key === "ArrowLeft") return visits[position - 1] ?? null;
  if (key === "ArrowRight") return visits[position + 1] ?? null;
  if (key === "Home") return visits[0] ?? null;
  if (key === "End") return visits.at(-1) ?? null;
  const step = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
  if (step === 0) return null;
  for (let other = row + step; other >= 0 && other < rows.length; other += step) {
    const there = rows[other] ?? [];
    if (there.length > 0) return there[Math.min(position, there.length - 1)] ?? null;
  }
  return null;
}
