// What to solve and how: the form beside the map.

import { button, h, show } from "./dom";
import { differs, typed } from "./settings";
import type { Settings } from "./settings";
import { sketchingNow } from "./sketching";
import { running } from "./state";
import type { Desk } from "./state";

export interface FormActions {
  solve(): void;
  stop(): void;
}

export function solveForm(desk: Desk, actions: FormActions): HTMLElement {
  const time = field("time", "Time", { type: "number", min: 0.1, step: "any", inputmode: "decimal" });
  const capacity = field("capacity", "Capacity", {
    type: "number",
    min: 0,
    step: "any",
    placeholder: "none",
    inputmode: "decimal",
  });
  const vehicles = field("vehicles", "Vehicles", {
    type: "number",
    min: 1,
    step: 1,
    placeholder: "any",
    inputmode: "numeric",
  });
  const limit = field("limit", "Length limit", {
    type: "number",
    min: 0,
    step: "any",
    placeholder: "none",
    inputmode: "decimal",
  });
  const seed = field("seed", "Seed", { type: "number", min: 0, step: 1, inputmode: "numeric" });
  const open = h("input", { type: "checkbox", id: "open" });
  const unserved = h("input", { type: "checkbox", id: "allow-unserved" });
  const minimise = h(
    "select",
    { id: "minimise" },
    h("option", { value: "distance" }, "distance"),
    h("option", { value: "duration" }, "duration"),
  );
  const minimiseRow = h("div", { class: "field" }, h("label", { for: "minimise" }, "Minimise"), minimise);
  const routesOnly = h("div", { class: "fields" }, capacity.row, vehicles.row, limit.row);
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

  const set = (change: Partial<Settings>) => desk.set({ settings: { ...desk.state.settings, ...change } });
  time.input.addEventListener("change", () => {
    const most = desk.state.about?.limits.time ?? Infinity;
    set({ time: Math.min(most, Math.max(0.1, typed(time.input.value, false) ?? 5)) });
  });
  capacity.input.addEventListener("change", () => set({ capacity: typed(capacity.input.value, false) }));
  vehicles.input.addEventListener("change", () => set({ vehicles: typed(vehicles.input.value, true) || null }));
  limit.input.addEventListener("change", () => set({ limit: typed(limit.input.value, false) }));
  seed.input.addEventListener("change", () => set({ seed: typed(seed.input.value, true) ?? 0 }));
  open.addEventListener("change", () => set({ open: open.checked }));
  unserved.addEventListener("change", () => set({ allowUnserved: unserved.checked }));
  minimise.addEventListener("change", () => set({ minimise: minimise.value === "duration" ? "duration" : "distance" }));

  desk.on(["settings"], ({ settings }) => {
    const put = (input: HTMLInputElement, value: number | null) => {
      if (document.activeElement !== input || typed(input.value, false) !== value)
        input.value = value === null ? "" : String(value);
    };
    put(time.input, settings.time);
    put(capacity.input, settings.capacity);
    put(vehicles.input, settings.vehicles);
    put(limit.input, settings.limit);
    put(seed.input, settings.seed);
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
    limit.unit.textContent = state.problem?.units?.distance ?? "";
  });
  return form;
}

function field(id: string, label: string, attributes: Record<string, string | number>) {
  const input = h("input", { id, autocomplete: "off", ...attributes });
  const unit = h("span", { class: "unit" });
  return {
    input,
    unit,
    row: h("div", { class: "field" }, h("label", { for: id }, label), h("span", { class: "with-unit" }, input, unit)),
  };
}

function check(input: HTMLInputElement, label: string): HTMLElement {
  return h("label", { class: "check" }, input, label);
}
