// The bar at the top: what is open, and how to get back.

import { button, draw, h, show } from "./dom";
import type { Opening } from "./opening";
import { sketchingNow } from "./sketching";
import { problemShown } from "./state";
import type { Desk } from "./state";
import type { Themes } from "./theme";
import { description } from "./words";

export function header(desk: Desk, opening: Opening, themes: Themes): HTMLElement {
  const title = h("h1", { class: "title" });
  const words = h("p", { class: "faint about" });
  const fresh = button("New", () => void opening.fresh(), { id: "new" });
  fresh.append(h("span", { class: "roomy" }, " problem"));
  const element = h(
    "header",
    { class: "top" },
    h("a", { class: "skip", href: "#work", click: skip }, "To the map"),
    mark(),
    h("div", { class: "what" }, title, words),
    fresh,
    themes.control(),
  );
  desk.on(["title", "problem", "solved", "settings", "sketch", "job"], (state) => {
    const problem = problemShown(state);
    title.textContent = state.title || "RADAR";
    words.textContent = problem && !sketchingNow(state) ? description(problem) : "";
    show(fresh, problem !== null || state.sketch !== null || state.job !== null);
  });
  return element;
}

/** Without touching the address, which names the job. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("canvas, .start button")?.focus();
}

function mark(): SVGSVGElement {
  return draw(
    "svg",
    { viewBox: "0 0 32 32", width: 28, height: 28, class: "mark", "aria-hidden": "true" },
    draw("rect", { width: 32, height: 32, rx: 7, class: "mark-ground" }),
    draw("path", { d: "M8 22 12 9 24 8 21 21Z", class: "mark-way" }),
    draw("rect", { x: 5, y: 19, width: 6, height: 6, class: "mark-node" }),
    draw("circle", { cx: 12, cy: 9, r: 2.6, class: "mark-node" }),
    draw("circle", { cx: 24, cy: 8, r: 2.6, class: "mark-node" }),
    draw("circle", { cx: 21, cy: 21, r: 2.6, class: "mark-last" }),
  );
}
