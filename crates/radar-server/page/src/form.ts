// What to solve and how: the form beside the map.

import { button, h, show } from "./dom";
import { numberField } from "./field";
import { differs } from "./settings";
import type { Settings } from "./settings";
import { sketchingNow } from "./sketching";
import { running } from "./state";
import type { Desk } from "./state";

export interface FormActions {
  solve(): void;
  stop(): void;
}

/** Seeds that are exact in JSON. */
const SEEDS = Number.MAX_SAFE_INTEGER;

export function solveForm(desk: Desk, actions: FormActions): HTMLElement {
  const set = (change: Partial<Settings>) => desk.set({ settings: { ...desk.state.settings, ...change } });
  const budget = () => ({ above: 0, most: desk.state.about?.limits.time ?? Infinity, unit: "s" });
  const amount = (empty: string) => () => ({ least: 0, empty });
  const time = numberField("time", "Time", budget, (value) => value !== null && set({ time: value }));
  const capacity = numberField("capacity", "Capacity", amount("none"), (value) => set({ capacity: value }));
  const fleet = () => ({ least: 1, whole: true, empty: "any" });
  const vehicles = numberField("vehicles", "Vehicles", fleet, (value) => set({ vehicles: value }));
  const limit = numberField("limit", "Length limit", amount("none"), (value) => set({ limit: value }));
  const shift = numberField("max-duration", "Max. duration", amount("none"), (value) => set({ maxDuration: value }));
  const seeds = () => ({ least: 0, most: SEEDS, whole: true });
  const seed = numberField("seed", "Seed", seeds, (value) => value !== null && set({ seed: value }));
  const open = h("input", { type: "checkbox", id: "open" });
  const unserved = h("input", { type: "checkbox", id: "allow-unserved" });
  const minimise = h(
    "select",
    { id: "minimise" },
    h("option", { value: "distance" }, "distance"),
    h("option", { value: "duration" }, "duration"),
  );
  const minimiseRow = h("div", { class: "field" }, h("label", { for: "minimise" }, "Minimise"), minimise);
  const routesOnly = h("div", { class: "fields" }, capacity.row, vehicles.row, limit.row, shift.row);
  const checks = h(
    "div",
    { class: "checks" },
    check(open, "Open routes: no way back"),
    check(unserved, "Leave stops out rather than fail"),
  );
  const solve = h("button", { class: "primary", id: "solve" }, "Solve");
  const stop = button("Stop", () => actions.stop(), { class: "stop", id: "stop" });
  const changed = h(
    "p",
    { class: "small warn" },
    "The options differ from those of the plan shown: solve again to apply them.",
  );
  const form = h(
    "form",
    {
      class: "solve",
      "aria-label": "Solve",
      novalidate: true,
      submit: (event: Event) => {
        event.preventDefault();
        if (!running(desk.state)) actions.solve();
      },
    },
    h("div", { class: "row tight" }, time.row, h("span", { class: "unit" }, "s"), solve, stop),
    // Beside the field there is no room.
    time.fault,
    changed,
    h(
      "details",
      { class: "more" },
      h("summary", {}, "Options"),
      routesOnly,
      h("div", { class: "fields" }, minimiseRow, seed.row),
      checks,
    ),
  );

  open.addEventListener("change", () => set({ open: open.checked }));
  unserved.addEventListener("change", () => set({ allowUnserved: unserved.checked }));
  minimise.addEventListener("change", () => set({ minimise: minimise.value === "duration" ? "duration" : "distance" }));

  let problem: unknown = null;
  desk.on(["settings", "problem", "about"], (state) => {
    const { settings } = state;
    // With another problem nothing of what was typed for the one before stays.
    const anew = state.problem !== problem;
    problem = state.problem;
    capacity.put(settings.capacity, anew);
    vehicles.put(settings.vehicles, anew);
    limit.put(settings.limit, anew);
    shift.put(settings.maxDuration, anew);
    time.put(settings.time);
    seed.put(settings.seed);
    // The server says how long it may take.
    time.check();
    open.checked = settings.open;
    unserved.checked = settings.allowUnserved;
    minimise.value = settings.minimise;
  });
  desk.on(["problem", "sketch", "job", "busy", "settings", "solved"], (state) => {
    const kind = sketchingNow(state) ? state.sketch?.kind : state.problem?.kind;
    show(routesOnly, kind === "vrp");
    show(checks, kind === "vrp");
    // A sketch states its capacity beside its points.
    show(capacity.row, !sketchingNow(state));
    show(minimiseRow, sketchingNow(state) || Boolean(state.problem?.duration));
    // One takes the place of the other, and the focus along with it.
    const held = document.activeElement === solve || document.activeElement === stop;
    show(solve, !running(state));
    show(stop, running(state));
    if (held) (running(state) ? stop : solve).focus();
    solve.disabled = state.busy !== null || (sketchingNow(state) && (state.sketch?.spots.length ?? 0) < 2);
    solve.textContent = state.answer ? "Solve again" : "Solve";
    const { job, solved, settings } = state;
    show(changed, job !== null && solved !== null && differs(solved, job.asked, settings));
    const { distance, duration } = state.problem?.units ?? {};
    limit.unit.textContent = distance ?? "";
    shift.unit.textContent = (state.problem?.duration ? duration : (duration ?? distance)) ?? "";
  });
  return form;
}

function check(input: HTMLInputElement, label: string): HTMLElement {
  return h("label", { class: "check" }, input, label);
}
