// Warnings that came with the answer.

import { h, replace, show } from "./dom";
import { running } from "./state";
import type { Desk } from "./state";
import { sentence } from "./words";

export function notes(desk: Desk): HTMLElement {
  const list = h("ul", { class: "notes" });
  const element = h("section", { class: "panel", "aria-label": "Notes" }, h("h2", {}, "Notes"), list);
  desk.on(["answer", "job"], (state) => {
    // That time ran out is what a time budget is for; the badge says whether it was stopped.
    const warnings = (state.answer?.warnings ?? []).filter(({ code }) => code !== "interrupted");
    show(element, !running(state) && warnings.length > 0);
    replace(
      list,
      ...warnings.map(({ code, text }) => h("li", {}, sentence(text), " ", h("span", { class: "code" }, code))),
    );
  });
  return element;
}
