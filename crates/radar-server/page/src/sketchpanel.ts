// The form beside the ground on which points are placed.

import { button, h, replace, show } from "./dom";
import { numberField } from "./field";
import type { NumberField } from "./field";
import type { Sketch } from "./sketch";
import { sketchingNow } from "./sketching";
import type { Sketching } from "./sketching";
import type { Desk } from "./state";
import { count } from "./words";

export function sketchPanel(desk: Desk, sketching: Sketching): HTMLElement {
  const summary = h("p", { class: "small" });
  const tour = radio("kind-atsp", "One tour", () => sketching.set({ kind: "atsp" }));
  const routes = radio("kind-vrp", "Routes", () => sketching.set({ kind: "vrp" }));
  const demand = number("sketch-demand", "Demand of new stops", (value) => sketching.set({ demand: value }));
  const capacity = number("sketch-capacity", "Capacity", (value) => sketching.set({ capacity: value }));
  const share = slider("share", "One-way pairs", (value) => sketching.set({ share: value }));
  const penalty = slider("penalty", "Wrong way costs more", (value) => sketching.set({ penalty: value }));
  const amounts = h("div", { class: "fields" }, demand.row, capacity.row);
  const chosen = h("div", { class: "chosen" });
  const element = h(
    "section",
    { class: "panel", "aria-label": "Points" },
    h("h2", {}, "Points placed by hand"),
    summary,
    h("fieldset", { class: "row" }, h("legend", { class: "unseen" }, "Tour or routes"), tour.row, routes.row),
    amounts,
    share.row,
    penalty.row,
    chosen,
    h(
      "div",
      { class: "row" },
      button("Clear all", () => sketching.set({ spots: [] }), { id: "clear" }),
    ),
  );
  const resume = h(
    "section",
    { class: "panel" },
    button("Edit the points", () => sketching.resume(), { id: "edit-points" }),
  );

  desk.on(["sketch", "job", "selected"], (state) => {
    const { sketch } = state;
    show(element, sketchingNow(state));
    show(resume, sketch !== null && !sketchingNow(state));
    if (!sketch) return;
    const stops = Math.max(0, sketch.spots.length - 1);
    summary.textContent =
      sketch.spots.length === 0
        ? "Click on the ground to place the depot, then the stops. Drag a point to move it."
        : `Depot and ${count(stops, "stop")}.`;
    tour.input.checked = sketch.kind === "atsp";
    routes.input.checked = sketch.kind === "vrp";
    show(amounts, sketch.kind === "vrp");
    demand.put(sketch.demand);
    capacity.put(sketch.capacity);
    share.put(sketch.share);
    penalty.put(sketch.penalty);
    fillChosen(chosen, state.selected, sketching, sketch);
  });
  return h("div", {}, element, resume);
}

function fillChosen(chosen: HTMLElement, selected: number | null, sketching: Sketching, sketch: Sketch): void {
  const spot = selected === null ? undefined : sketch.spots[selected];
  if (!spot || selected === null) return replace(chosen);
  // Typing in the field changes the sketch: the field must not be exchanged under the fingers.
  if (chosen.dataset["serial"] === `${spot.serial} ${sketch.kind}` && chosen.childElementCount > 0) return;
  chosen.dataset["serial"] = `${spot.serial} ${sketch.kind}`;
  const demand = number("spot-demand", "Demand", (value) => sketching.demand(selected, value));
  demand.put(spot.demand);
  replace(
    chosen,
    h("h3", {}, selected === 0 ? "Depot" : `Stop ${selected}`),
    selected > 0 && sketch.kind === "vrp" && demand.row,
    button(selected === 0 ? "Remove the depot" : "Remove this stop", () => sketching.remove(selected)),
  );
}

function radio(id: string, label: string, choose: () => void) {
  const input = h("input", { type: "radio", name: "kind", id, change: choose });
  return { input, row: h("label", { class: "check" }, input, label) };
}

function number(id: string, label: string, set: (value: number) => void): NumberField {
  return numberField(id, label, () => ({ least: 0 }), (value) => value !== null && set(value), "input");
}

function slider(id: string, label: string, set: (value: number) => void) {
  const input = h("input", { id, type: "range", min: 0, max: 100, step: 5 });
  const words = h("output", { for: id });
  input.addEventListener("input", () => set(Number(input.value) / 100));
  const put = (value: number) => {
    input.value = String(Math.round(100 * value));
    words.textContent = `${input.value} %`;
  };
  return { put, row: h("div", { class: "field slide" }, h("label", { for: id }, label), input, words) };
}
